/* Where the command finds what belongs to it: relative to its own file, in the build folder and after an install,
 * wherever either lies. */
#ifndef INDIUM_TOOLS_PARTS_H
#define INDIUM_TOOLS_PARTS_H

#include <limits.h>
#include <stdbool.h>

struct command;

enum part {
   PART_DRIVER,        /* the manifest of the Vulkan driver */
   PART_AMDGPU_SHIM,   /* a row of vendors.c names it */
   PART_ASAHI_SHIM,    /* the same */
   PART_ASAHI_WRAP,    /* the tracer of what a driver submits to AGX */
   PART_I915_SHIM,     /* the same */
   PART_AMDGPU_WAVE,   /* the program that runs waves written as text */
   PART_AMDGPU_REPLAY, /* the program that runs and prints recordings */
   PART_AGX_REPLAY,    /* the program that runs recordings of AGX */
   PART_AGX_DECODE,    /* the program that prints recordings of AGX */
   PART_ORDER_LAYER,   /* the manifest of the layer of `indium order --check` */
};

/* Absolute. False if the command's own path cannot be read or is too long; whether the part is there is not looked
 * at. */
bool part_path(enum part part, char path[PATH_MAX]);

/* Puts a program in this process's place; returns the exit status when that fails. arguments[0] becomes its path;
 * NULL after the last. */
int exec_part(const struct command *command, enum part part, const char **arguments);

/* A file of the build folder; the command itself is src/tools/indium there. False if it runs from elsewhere. */
bool build_path(const char *file, char path[PATH_MAX]);

#endif
