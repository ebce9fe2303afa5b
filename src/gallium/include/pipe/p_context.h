/* Records commands: one context per command buffer. Each call immediately encodes hardware words. Used by one thread
 * at a time. The context keeps no reference to the description structs that it is passed; resources and programs
 * must live until the GPU has run the commands. The driver handles residency: all memory of the screen is always
 * resident. */
#ifndef INDIUM_P_CONTEXT_H
#define INDIUM_P_CONTEXT_H

#include "gallium/include/pipe/p_barrier.h"
#include "gallium/include/pipe/p_screen.h"
#include "gallium/include/pipe/p_xfb.h"

/* A descriptor set in GPU memory, as bound. */
struct pipe_descriptor_set {
   struct pipe_resource *buffer;
   uint64_t offset_B;
   uint64_t va; /* without a buffer: where it is (caps.descriptor_addresses); 0: it has no bytes */
};

struct pipe_context {
   struct pipe_screen *screen;
   /* The creator of the context sets this: unclamped depth may be outside [0, 1] (caps.depth_ranges). */
   bool unrestricted_depth;
   /* Whoever calls set_index_buffer sets this before: draws may read indices past the buffer's end, and get zeros. */
   bool robust_indices;

   void (*destroy)(struct pipe_context *ctx);

   /* Starts recording; drops what was recorded. inheritance: for a secondary; NULL for a primary.
    * reusable: may be submitted again while pending. */
   enum pipe_result (*begin)(struct pipe_context *ctx, const struct pipe_inheritance *inheritance, bool reusable);
   /* Ends recording. Returns the first error of any call since begin(). */
   enum pipe_result (*end)(struct pipe_context *ctx);
   /* Frees memory; the context is as after creation. */
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
   /* Sets the state of the following draws. changed: bits of enum pipe_state that may differ from the last call; the
    * first call sets all. The driver keeps the pointer: the struct must stay valid until the next call or the end of
    * recording, and after changing it the caller calls this again before it draws. */
   void (*set_graphics_state)(struct pipe_context *ctx, const struct pipe_graphics_state *state, uint64_t changed);
   void (*set_vertex_buffers)(struct pipe_context *ctx, unsigned first, unsigned count,
                              const struct pipe_vertex_buffer *buffers);
   /* index_size_B: 1, 2 or 4. size_B: bytes from offset_B on that may be read. */
   void (*set_index_buffer)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B,
                            uint64_t size_B, unsigned index_size_B);
   /* The index that restarts primitives, until the next set_index_buffer, which makes it the greatest one of its size
    * again. NULL without caps.restart_index. */
   void (*set_restart_index)(struct pipe_context *ctx, uint32_t index);

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
   /* Workgroups of the program's task or mesh shader. */
   void (*draw_meshes)(struct pipe_context *ctx, const uint32_t groups[3]);
   /* As many vertices as fit into what the counter says; the program has no index buffer. */
   void (*draw_byte_count)(struct pipe_context *ctx, const struct pipe_byte_count *count);
   /* Transform feedback (caps.xfb): captures vertices from begin to end, outside of which buffers change. A counter
    * says how many bytes a buffer has; without one it starts empty, or nobody learns it. Barriers know what captures
    * as PIPE_STAGE_PRE_RASTER and PIPE_ACCESS_SHADER_WRITE, counters as PIPE_STAGE_INDIRECT. */
   void (*set_xfb_buffers)(struct pipe_context *ctx, unsigned first, unsigned count,
                           const struct pipe_xfb_buffer *buffers);
   void (*begin_xfb)(struct pipe_context *ctx, const struct pipe_xfb_counters *counters);
   void (*end_xfb)(struct pipe_context *ctx, const struct pipe_xfb_counters *counters);
   /* Sets gl_DrawID of the following draw() and draw_indexed() calls; 0 in a new context. */
   void (*set_draw_id)(struct pipe_context *ctx, uint32_t id);
   void (*dispatch)(struct pipe_context *ctx, const uint32_t base[3], const uint32_t groups[3]);
   void (*dispatch_indirect)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B);
   /* Makes commands of a stream in memory, for what `state` has bound, and runs those that are there. is_generated:
    * generate() has done the first, and a barrier from PIPE_STAGE_COMPUTE to PIPE_STAGE_INDIRECT came between. What
    * sequences set is undefined afterwards. NULL without caps.generated_commands. */
   void (*generate)(struct pipe_context *ctx, struct pipe_context *state, const struct pipe_generated *info);
   void (*execute_generated)(struct pipe_context *ctx, const struct pipe_generated *info, bool is_generated);
   /* Until end_conditional, draws, dispatches and clear_attachment do nothing if the u32 in the buffer is 0, or with
    * inverted if it is not; it is read at any time until then. Barriers know it as PIPE_STAGE_INDIRECT. */
   void (*begin_conditional)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B,
                             bool inverted);
   void (*end_conditional)(struct pipe_context *ctx);
   /* A barrier that discards an image precedes its first use. Inside rendering, the uses of images do not change. */
   void (*barrier)(struct pipe_context *ctx, const struct pipe_barrier *barrier);

   /* ---- transfers: outside rendering, ordered by barriers as PIPE_STAGE_TRANSFER ---- */
   void (*copy_buffer)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                       const struct pipe_buffer_copy *region);
   /* Not on queues that only transfer. */
   void (*copy_indirect)(struct pipe_context *ctx, const struct pipe_indirect_copies *copies);
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
   /* One aspect. mode: the average of integer colours is sample 0. */
   void (*resolve_image)(struct pipe_context *ctx, struct pipe_resource *src, struct pipe_resource *dst,
                         const struct pipe_image_copy *region, enum pipe_resolve mode);
   void (*clear_image)(struct pipe_context *ctx, struct pipe_resource *image, const struct pipe_clear_value *value,
                       const struct pipe_subresource_range *range);

   /* ---- queries and events ---- */
   void (*query_begin)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index, bool precise);
   void (*query_end)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index);
   /* Of the stream of the next query_begin and query_end; 0 in a new context. */
   void (*set_query_stream)(struct pipe_context *ctx, unsigned stream);
   /* After all earlier work (stages: PIPE_STAGE_ALL), or immediately (0). */
   void (*write_timestamp)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t index, uint32_t stages);
   void (*query_reset)(struct pipe_context *ctx, struct pipe_query_pool *pool, uint32_t first, uint32_t count);
   void (*query_copy)(struct pipe_context *ctx, struct pipe_query_pool *pool, const struct pipe_query_copy *copy);
   /* An event is a u32 in a buffer: written after the stages have finished; event_wait() waits until it is 1. */
   void (*event_write)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B, uint32_t value,
                       uint32_t stages);
   void (*event_wait)(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B);
};

#endif
