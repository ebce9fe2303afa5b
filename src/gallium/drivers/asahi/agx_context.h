/* A recorder: bound state, streams, and the commands that will be submitted. */
#ifndef INDIUM_AGX_CONTEXT_H
#define INDIUM_AGX_CONTEXT_H

#include "gallium/auxiliary/aux_upload.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/base/agx_cs.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "gallium/drivers/asahi/assembly/agx_xfb.h"
#include "gallium/drivers/asahi/draw/agx_state.h"
#include "gallium/drivers/asahi/commands/agx_statistics.h"
#include "gallium/include/pipe/p_context.h"

struct agx_program;

/* Descriptor sets of one bind point. */
struct agx_descriptors {
   uint64_t sets[AGX_MAX_SETS]; /* addresses: AGX_TABLE_SETS */
   uint32_t bound_sets;         /* bit per set */
   uint32_t reported_sets;      /* the log has said that they are not bound */
   uint32_t num_dynamic;
   uint32_t dynamic[PIPE_MAX_DYNAMIC_BUFFERS][AGX_BUFFER_DESCRIPTOR_DW]; /* AGX_TABLE_DYNAMIC */
};

/* Tables that are known to lie in memory; 0: the table has changed since, or was never put there. */
struct agx_tables {
   uint64_t va[AGX_TABLES];
   uint16_t dw[AGX_TABLES]; /* how many words of it are there */
};

/* The commands that a change of only the program made the last time. */
struct agx_program_memo {
   const struct agx_program *program; /* NULL: no memo */
   uint32_t stamp;                    /* program_stamp at that time */
   uint32_t size_B;
   char commands[AGX_PROGRAM_COMMANDS_B];
};

#define AGX_PROGRAM_MEMOS 32

/* What a secondary computes ahead of draws that belong into one render. */
struct agx_segment {
   uint32_t commands, event_waits; /* where they end, in the context's lists */
   uint64_t heap_va;               /* of these draws; 0: none has asked */
   uint32_t heap_B;
   uint64_t heap_used_B;
};

struct agx_context {
   struct pipe_context base;
   struct agx_screen *screen;
   struct agx_cs cdm, vdm;
   struct aux_upload upload, usc_upload; /* tables, lists */

   /* Commands in order; recording adds at the end. */
   struct asahi_ws_command *commands; /* ready-made */
   uint32_t num_commands, max_commands;

   /* Events that the CPU waits for between commands, and may set: the hardware has no wait. */
   struct agx_event_wait {
      uint32_t commands; /* before it */
      const uint32_t *word;
   } *event_waits;
   uint32_t num_event_waits, max_event_waits;
   struct agx_segment *segments; /* of an inherited rendering, but for the last one, which is open */
   uint32_t num_segments, max_segments;

   /* From here on agx_context_reset() sets zeros. */
   bool failed;       /* memory ran out while recording */
   bool compute_open; /* dispatches go into cdm; the command follows when it is closed */
   bool compute_busy; /* a dispatch may still run: a barrier of the stream has not come since */
   struct drm_asahi_timestamps compute_timestamps; /* of the open stream */
   const struct agx_scratch *compute_scratch;      /* likewise: the largest that its programs need */

   struct agx_program *programs[PIPE_BIND_POINTS];
   struct agx_descriptors descriptors[PIPE_BIND_POINTS];
   struct agx_tables tables[PIPE_BIND_POINTS];
   uint32_t push_constants[PIPE_MAX_PUSH_CONSTANT_B / 4]; /* AGX_TABLE_PUSH */

   struct agx_statistics statistics;
   struct agx_xfb xfb;

   bool uses_heap;    /* of agx_assembly_heap(): the screen's other queues may not run meanwhile */
   bool has_geometry; /* programs make the vertices of draws: agx_find_way() */
   uint32_t dirty;    /* bit per enum agx_atom (agx_state.h) */
   struct agx_program_memo program_memos[AGX_PROGRAM_MEMOS];
   uint32_t program_stamp; /* another one when anything changes, but the program, of what draws tell the hardware */
   struct agx_graphics_state graphics;
   const struct agx_program *vertex_table_program; /* whose attributes AGX_TABLE_VERTEX has */
};
PIPE_HANDLE(agx, context)

/* Room for size_B bytes at *va, align_B a power of two; contents are undefined. Never NULL: when out of memory the
 * room is in memory that nobody reads, and end() reports it. size_B <= AUX_CHUNK_B. */
void *agx_upload_alloc(struct agx_context *ctx, uint32_t size_B, uint32_t align_B, uint64_t *va);

/* The same from the USC base on, for USC lists (align_B 64) and coefficient bindings; *offset_B: from there. */
void *agx_usc_alloc(struct agx_context *ctx, uint32_t size_B, uint32_t align_B, uint32_t *offset_B);

/* Ends a segment: whoever executes this splits his render there. The heap of draws begins anew. */
void agx_add_segment(struct agx_context *ctx);

/* The place for a command at the end of the list, zeros; never NULL. Close the open compute stream before. */
struct asahi_ws_command *agx_add_command(struct agx_context *ctx, bool render);

/* The commands that follow run when the word is 1. */
void agx_add_event_wait(struct agx_context *ctx, uint32_t commands, const uint32_t *word);

/* Dispatches: opens a stream if none is, and ends it as a command. Draws call the latter before their command. */
void agx_compute_open(struct agx_context *ctx);
void agx_compute_close(struct agx_context *ctx);

/* Tables (agx_tables.c). Puts those that the arguments need, and that are not there, into memory; their addresses
 * stand in ctx->tables[point] then. Tables DRAW, GRID, VERTEX and STAGE are the caller's: he sets their place before
 * with agx_table_place(), or with agx_table_upload(). ADDRESSES come last and see them all. */
void agx_tables_prepare(struct agx_context *ctx, enum pipe_bind_point point, const struct agx_arguments *arguments);
void agx_table_place(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table, uint64_t va,
                     unsigned dw);
void agx_table_upload(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table, const void *words,
                      unsigned dw);
void agx_table_forget(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table);

/* The USC_UNIFORM records of the arguments, from tables that are prepared; after the last byte. 8 bytes each, at
 * most AGX_MAX_PUSHES. */
char *agx_usc_push(const struct agx_tables *tables, const struct agx_arguments *arguments, char *usc);

/* Results of queries (agx_query.c): one more, after the render that is open; those of the render that has just been
 * added. */
void agx_query_add_result(struct agx_context *ctx, const struct agx_ended_query *ended);
void agx_query_flush(struct agx_context *ctx);

/* Logs one line if there is a set in the mask that no line named yet. False. */
bool agx_report_unbound(struct agx_context *ctx, enum pipe_bind_point point, uint32_t sets);

/* Each fills in the functions of its file. */
void agx_init_descriptors(struct agx_context *ctx);
void agx_init_compute(struct agx_context *ctx);
void agx_init_barrier(struct agx_context *ctx);
void agx_init_query(struct agx_context *ctx);
void agx_init_meta(struct agx_context *ctx);
void agx_init_graphics(struct agx_context *ctx);

/* Draws' part in the life of a context. */
void agx_graphics_reset(struct agx_context *ctx); /* the state is all zeros */
void agx_graphics_inherit(struct agx_context *ctx, const struct pipe_inheritance *inheritance);
void agx_graphics_end(struct agx_context *ctx); /* recording ends */
/* Runs a secondary inside of a rendering; false outside of one: its commands are copied then. */
bool agx_graphics_execute(struct agx_context *ctx, const struct agx_context *secondary);
void agx_graphics_program_bound(struct agx_context *ctx);
void agx_graphics_arguments_changed(struct agx_context *ctx); /* SETS, DYNAMIC or PUSH */

#endif
