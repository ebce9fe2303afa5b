/* The internal programs of assembly/, from GLSL, and the heap that they allocate from. */
#ifndef INDIUM_AGX_ASSEMBLY_PROGRAMS_H
#define INDIUM_AGX_ASSEMBLY_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agx_context;
struct agx_segment;
struct agx_screen;

enum agx_assembly_program {
   AGX_ASSEMBLE,
   AGX_UNROLL,
   AGX_ROOM,
   AGX_BYTE_COUNT,
   AGX_GEOMETRY,
   AGX_COMPACT,
   AGX_STORE,
   AGX_LIST,
   AGX_PAD,
   AGX_PATCHES,
   AGX_DIVIDE,
   AGX_TESSELLATE,
   AGX_ASSEMBLY_PROGRAMS,
};

/* Life of what the screen has of it; false when out of memory. */
bool agx_assembly_init(struct agx_screen *screen);
void agx_assembly_finish(struct agx_screen *screen);

/* Compiles the programs, once; false, after a line in the log, when out of memory. Whoever makes something whose use
 * will need them calls it, so that draws need not. Any number of threads. */
bool agx_assembly_prepare(struct agx_screen *screen);

/* Runs a program; later dispatches wait for it. arguments: its push constants. groups_va: where three numbers of
 * workgroups lie; 0: one workgroup. */
void agx_assembly_launch(struct agx_context *ctx, enum agx_assembly_program program, const void *arguments,
                         size_t size_B, uint64_t groups_va);

/* The struct agx_heap that a draw of the open render allocates from, whose need the CPU knows (0: it does not); 0
 * when out of memory, which end() reports. Then render.heap_va is that, and render.heap_B the bytes of all of it.
 * keeps: the render reads it, which may be split; else the draw gives it back before. */
uint64_t agx_assembly_heap(struct agx_context *ctx, uint64_t need_B, bool keeps);

/* A segment of a secondary is executed in the open render: it has one heap with it. */
void agx_assembly_share_heap(struct agx_context *ctx, const struct agx_segment *theirs);

/* Reports draws that were left out since the last call because the heap was too small, and has later command buffers
 * use a larger one. */
void agx_assembly_check_heap(struct agx_screen *screen);

#endif
