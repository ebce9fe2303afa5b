/* Transform feedback and queries of primitives: what internal programs count and vertex shaders store before a draw.
 */
#ifndef INDIUM_AGX_XFB_H
#define INDIUM_AGX_XFB_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir_shader_info.h"
#include "gallium/include/pipe/p_defines.h"
#include "gallium/include/pipe/p_xfb.h"

struct agx_context;

/* Of a context. */
struct agx_xfb {
   bool counts;         /* draws have something to do: one of the next three */
   uint64_t targets_va; /* struct agx_xfb_target[]; 0: nothing is captured */
   struct {
      uint64_t generated_va, written_va, needed_va; /* u64 of queries; 0: none is active */
   } streams[NIR_XFB_STREAMS];
   unsigned query_stream;
   uint32_t bound; /* bit per buffer */
   struct {
      uint64_t va;
      uint32_t size_B;
   } buffers[PIPE_MAX_XFB_BUFFERS];
};

/* A query of primitives begins, whose values are at values_va. */
void agx_xfb_query(struct agx_context *ctx, enum pipe_query_type type, uint64_t values_va);

/* A draw of the bound program, whose tables are prepared; its parameters lie as VkDrawIndirectCommand or
 * VkDrawIndexedIndirectCommand; known: the CPU's copy of them, or NULL. */
void agx_xfb_draw(struct agx_context *ctx, bool indexed, uint64_t parameters_va, const uint32_t *known);

/* Where parameters lie, as of vkCmdDrawIndirect, for the vertices that a byte count says. */
uint64_t agx_xfb_byte_count(struct agx_context *ctx, const struct pipe_byte_count *count);

void agx_init_xfb(struct agx_context *ctx);

#endif
