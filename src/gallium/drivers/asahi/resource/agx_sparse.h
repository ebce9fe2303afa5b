/* Resources whose memory queues bind, in one of two ways.
 *
 * Ranges of addresses: buffers, and images that have all their memory before they are used. The kernel binds
 * (VM_BIND), at once, so the CPU waits for what a bind waits for. Buffers that may lack memory have four aliases,
 * each as long as the first, because only loads and stores of shaders have soft faults, and no unit tells of a
 * buffer whether a page is there:
 *
 *    alias      without memory                        whose
 *    programs   nothing: reads give 0                 loads, stores and atomics of shaders
 *    readers    a page of zeros, read only            texel buffers as textures, indices, indirect parameters
 *    writers    a page that nobody reads              texel buffers as images that are written
 *    residency  a page of zeros; else one of ones     shaders that ask whether a texel is there
 *
 * Tables: images that may lack memory. The texture unit and the pixel back end walk a table of folios; its words are
 * addresses of the memory itself, which is mapped as long as it lives. A program of the GPU writes them, in the order
 * of the queue. */
#ifndef INDIUM_AGX_SPARSE_H
#define INDIUM_AGX_SPARSE_H

#include <ail/ail.h>

#include "gallium/include/pipe/p_state.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

struct agx_resource;
struct agx_screen;
struct aux_submit;

struct agx_sparse {
   enum pipe_sparse kind;
   struct asahi_ws_range range; /* or */
   struct asahi_ws_bo *table;
   uint64_t alias_B; /* from alias to alias; 0: there is one */
};

/* Pages that ranges show where there is no memory; false when out of memory. */
bool agx_sparse_start(struct agx_screen *screen);
void agx_sparse_stop(struct agx_screen *screen);

/* Addresses, or a table, of a resource whose size or layout is there. False when out of memory. */
bool agx_sparse_init(struct agx_screen *screen, struct agx_resource *resource, enum pipe_sparse kind);
void agx_sparse_finish(struct agx_screen *screen, struct agx_resource *resource);

/* What binds of the image have to know: pieces, and where its tail lies among the offsets of pipe_bind. */
struct pipe_sparse_layout agx_sparse_layout(const struct agx_resource *image);

/* Bytes of a block, which binds come in. */
uint64_t agx_sparse_block_B(const struct agx_resource *resource);

/* What the offsets of pipe_bind go to. */
uint64_t agx_sparse_size_B(const struct agx_resource *resource);

/* From layer to layer in the table. */
static inline uint64_t
agx_sparse_layer_B(const struct ail_layout *layout)
{
   return (uint64_t)layout->folios_per_layer * AIL_FOLIO_WORDS * 4;
}

/* Fills in functions of the screen. */
void agx_init_sparse(struct agx_screen *screen);

/* ---- binds of a submit (agx_sparse_bind.c) ---- */

/* Programs of a queue that write tables, and are used again when they have run. */
struct agx_binder {
   struct agx_bind_work *works;
};

struct agx_bind_work {
   struct agx_bind_work *next;
   struct pipe_context *ctx;
   uint32_t done; /* syncobj, for the submit to signal */
};

/* Does the submit bind ranges? The CPU waits then. */
bool agx_binds_ranges(const struct aux_submit *submit);

/* Binds the ranges of a submit. 0 or a negative errno. */
int agx_bind_ranges(struct agx_screen *screen, const struct aux_submit *submit);

/* Records the program for the tables of a submit: *work, NULL if it has none. 0 or a negative errno. */
int agx_bind_tables(struct agx_binder *binder, struct agx_screen *screen, const struct aux_submit *submit,
                    struct agx_bind_work **work);

/* No program runs any more. */
void agx_binder_finish(struct agx_binder *binder, struct agx_screen *screen);

#endif
