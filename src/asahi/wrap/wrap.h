/* The core of a tracer of submissions to AGX that stands next to a driver, whatever the kernel: it is told of
 * memories, address spaces and submissions, writes what is submitted in words (asahi/lib/agx_decode.h) and as a
 * recording (docs/recordings.md). A front for each kernel tells it: agx_drm.h, iokit_calls.h.
 *
 * Nobody is trusted: what cannot be is a report, and nothing else. One lock of the caller's guards everything. */
#ifndef INDIUM_ASAHI_WRAP_WRAP_H
#define INDIUM_ASAHI_WRAP_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/gen.h"

struct agx_tracer;
struct agx_wrap_memory;
struct agx_wrap_space; /* of GPU addresses */

struct agx_wrap_settings {
   const char *chip; /* a row or a core of src/asahi/hw/chips.toml, for recordings; a copy is made */
   enum agx_gen gen;
   FILE *text;           /* calls, submissions in words and reports; NULL: reports go to stderr */
   FILE *recording;      /* NULL: none */
   unsigned max_records; /* of a submission in words (asahi/lib/agx_decode.h) */
};

/* The files stay the caller's. */
struct agx_tracer *agx_wrap_create(const struct agx_wrap_settings *settings);
void agx_wrap_destroy(struct agx_tracer *wrap);
bool agx_wrap_records(const struct agx_tracer *wrap);

/* So that nobody else writes what is in buffers. */
void agx_wrap_flush(struct agx_tracer *wrap);

/* Something could not be written. */
bool agx_wrap_failed(const struct agx_tracer *wrap);

/* A line about a call. */
void agx_wrap_say(struct agx_tracer *wrap, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line about what is not right; counted. */
void agx_wrap_report(struct agx_tracer *wrap, const char *format, ...) __attribute__((format(printf, 2, 3)));
unsigned agx_wrap_reports(const struct agx_tracer *wrap);

/* -- memory (memory.c) -- */

/* host: where the process sees it; NULL: nowhere, nothing of it can be read. is_ours: the mapping stays as long as
 * the memory is known; else it is looked at with care. */
struct agx_wrap_memory *agx_wrap_memory_add(struct agx_tracer *wrap, const void *host, uint64_t size_B, bool is_ours);

/* It is unbound wherever it is bound. NULL: nothing happens. */
void agx_wrap_memory_remove(struct agx_wrap_memory *memory);

uint64_t agx_wrap_memory_size_B(const struct agx_wrap_memory *memory);

/* False: not all of it is there. */
bool agx_wrap_memory_read(const struct agx_wrap_memory *memory, uint64_t offset_B, void *out, size_t size_B);

/* -- address spaces (space.c) -- */

struct agx_wrap_space *agx_wrap_space_add(struct agx_tracer *wrap);
void agx_wrap_space_remove(struct agx_wrap_space *space);

enum agx_wrap_access {
   AGX_WRAP_READ = 1,
   AGX_WRAP_WRITE = 2,
};

/* [va, va + size_B) shows the memory from offset_B on, whatever it has shown before; with repeat_B so many bytes
 * again and again. False after a report: it shows nothing then. */
bool agx_wrap_bind(struct agx_wrap_space *space, uint64_t va, uint64_t size_B, struct agx_wrap_memory *memory,
                   uint64_t offset_B, uint64_t repeat_B, unsigned access); /* size: two ranges of memory */
void agx_wrap_unbind(struct agx_wrap_space *space, uint64_t va, uint64_t size_B);

/* How many of the bytes from va on there are. */
size_t agx_wrap_space_read(const struct agx_wrap_space *space, uint64_t va, void *out, size_t size_B);

/* -- submissions (submit.c) -- */

struct agx_wrap_submission {
   struct agx_wrap_space *space;
   bool is_iogpu;     /* a command buffer of macOS; else the kernel's commands of Linux */
   uint64_t usc_base; /* of programs */
   const void *commands;
   size_t size_B;
   char label[64]; /* says in a recording which one it is */
};

/* Ahead of the call: in words, and what has changed in memory into the recording. */
void agx_wrap_submit_begin(struct agx_tracer *wrap, const struct agx_wrap_submission *submission);

/* The kernel has taken it. */
void agx_wrap_submit_taken(struct agx_tracer *wrap, const struct agx_wrap_submission *submission);

#endif
