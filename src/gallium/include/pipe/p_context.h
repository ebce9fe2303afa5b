/* A recorder of commands: one per command buffer. Every call encodes hardware words at once. Used by one thread at a
 * time. The context keeps no reference to what is passed by pointer to a description; resources and programs must
 * live until the GPU has run the commands. Residency of memory is the driver's concern: all memory of the screen is
 * always resident. */
#ifndef INDIUM_P_CONTEXT_H
#define INDIUM_P_CONTEXT_H

#include "gallium/include/pipe/p_barrier.h"
#include "gallium/include/pipe/p_screen.h"

/* A descriptor set in GPU memory, as bound. */
struct pipe_descriptor_set {
   struct pipe_resource *buffer;
   uint64_t offset_B;
};

struct pipe_context {
   struct pipe_screen *screen;
   /* Set by who creates the context: depth that is not clamped may lie beyond 0 and 1 (caps.depth_ranges). */
   bool unrestricted_depth;

   void (*destroy)(struct pipe_context *ctx);

   /* Starts recording; drops what was recorded. inheritance: of a secondary, NULL for a primary.
    * reusable: may be submitted again while pending. */
   enum pipe_result (*begin)(struct pipe_context *ctx, const struct pipe_inheritance *inheritance, bool reusable);
   /* Ends recording; also reports what went wrong during it. */
   enum pipe_result (*end)(struct pipe_context *ctx);
   /* Gives back memory; the context is as new. */
   void (*reset)(struct pipe_context *ctx);
   /* Runs an ended secondary here. All bound state is undefined afterwards, except the rendering. */
   void (*execute)(struct pipe_context *ctx, struct pipe_context *secondary);

   /* ---- binding ---- */
   void (*bind_program)(struct pipe_context *ctx, enum pipe_bind_point point, struct pipe_program *program);
   void (*bind_descriptor_set)(struct pipe_context *ctx, enum pipe_bind_point point, unsigned index,
                               const struct pipe_descriptor_set *set, const struct pipe_dynamic_buffers *dynamic);
   /* Binds a copy of these words as a set without dynamic buffers. */
   void (*push_descriptor_set)(struct pipe_context *ctx, enum pipe_bind_point point, unsigned index,
                               const void *words, uint32_t size_B);
   void (*push_constants)(struct pipe_context *ctx, uint32_t offset_B, uint32_t size_B, const void *data);
   /* The state of draws from now on. changed: bits of enum pipe_state that may differ from what was last set; all of
    * them at first. Draws read the state where it is: it stays there until another is set or recording ends, and no
    * draw comes between a change and the call that tells of it. */
   void (*set_graphics_state)(struct pipe_context *ctx, const struct pipe_graphics_state *state, uint64_t changed);
   void (*set_vertex_buffers)(struct pipe_context *ctx, unsigned first, unsigned count,
                              const struct pipe_vertex_buffer *buffers);
   /* index_size_B: 1, 2 or 4. size_B: what may be read from offset_B on. */
   void (*set_index_buffer)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B,
                            uint64_t size_B, unsigned index_size_B);

   /* ---- rendering and work ---- */
   void (*begin_rendering)(struct pipe_context *ctx, const struct pipe_rendering *rendering);
   void (*end_rendering)(struct pipe_context *ctx);
   /* Inside rendering. attachment: colour index, or UINT32_MAX for depth/stencil aspects. */
   void (*clear_attachment)(struct pipe_context *ctx, uint32_t attachment, uint32_t aspects,
                            const struct pipe_clear_value *value, const struct pipe_clear_rect *rect);
   void (*draw)(struct pipe_context *ctx, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                uint32_t first_instance);
   void (*draw_indexed)(struct pipe_context *ctx, uint32_t indices, uint32_t instances, uint32_t first_index,
                        int32_t vertex_offset, uint32_t first_instance);
   void (*draw_indirect)(struct pipe_context *ctx, const struct pipe_indirect_draws *draws);
   /* The number that shaders see in draw() and draw_indexed() from now on; 0 in a new context. */
   void (*set_draw_id)(struct pipe_context *ctx, uint32_t id);
   void (*dispatch)(struct pipe_context *ctx, const uint32_t base[3], const uint32_t groups[3]);
   void (*dispatch_indirect)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B);
   /* The first use of an image comes after a barrier that discards it. Inside rendering images keep their uses. */
   void (*barrier)(struct pipe_context *ctx, const struct pipe_barrier *barrier);

   /* ---- transfers: outside rendering, ordered by barriers as PIPE_STAGE_TRANSFER ---- */
   void (*copy_buffer)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                       const struct pipe_buffer_copy *region);
   /* offset and size: multiples of 4. */
   void (*fill_buffer)(struct pipe_context *ctx, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B,
                       uint32_t value);
   void (*update_buffer)(struct pipe_context *ctx, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B,
                         const void *data);
   void (*copy_image)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                      const struct pipe_image_copy *region);
   void (*copy_buffer_to_image)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                                const struct pipe_buffer_image_copy *region);
   void (*copy_image_to_buffer)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                                const struct pipe_buffer_image_copy *region);
   void (*blit_image)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                      const struct pipe_image_blit *region, enum pipe_filter filter);
   void (*resolve_image)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                         const struct pipe_image_copy *region);
   void (*clear_image)(struct pipe_context *ctx, struct pipe_resource *image, const struct pipe_clear_value *value,
                       const struct pipe_subresource_range *range);

   /* ---- queries and events ---- */
   void (*query_begin)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index, bool precise);
   void (*query_end)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index);
   /* When all earlier work has finished (PIPE_STAGE_ALL) or at once (0). */
   void (*write_timestamp)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index, uint32_t stages);
   void (*query_reset)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t first, uint32_t count);
   void (*query_copy)(struct pipe_context *ctx, struct pipe_query_pool *pool, const struct pipe_query_copy *copy);
   /* An event is a u32 in a buffer. Written after the stages have finished; waited for being 1. */
   void (*event_write)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B, uint32_t value,
                       uint32_t stages);
   void (*event_wait)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B);
};

#endif
