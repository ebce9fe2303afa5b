/* The state of one draw, as the VDM and PPP records have left it: unpacked, and not yet looked at together. The VDM
 * walker (cp/vdm.h) fills it in; render.h draws with it. */
#ifndef INDIUM_ASAHI_SIM_BATCH_DRAW_STATE_H
#define INDIUM_ASAHI_SIM_BATCH_DRAW_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/records.h"
#include "asahi/sim/base/program.h"

enum {
   AGX_MAX_VIEWPORTS = 16,
   AGX_MAX_CF_BINDINGS = 127,
};

/* Which parts somebody has set since the render began; what nobody set is zeros here, and a fault to use. */
enum agx_draw_part {
   AGX_DRAW_FRAGMENT_CONTROL = 1 << 0,
   AGX_DRAW_FRAGMENT_CONTROL_2 = 1 << 1,
   AGX_DRAW_FRONT_FACE = 1 << 2,
   AGX_DRAW_FRONT_FACE_2 = 1 << 3,
   AGX_DRAW_FRONT_STENCIL = 1 << 4,
   AGX_DRAW_BACK_FACE = 1 << 5,
   AGX_DRAW_BACK_FACE_2 = 1 << 6,
   AGX_DRAW_BACK_STENCIL = 1 << 7,
   AGX_DRAW_DEPTH_BIAS_SCISSOR = 1 << 8,
   AGX_DRAW_REGION_CLIP = 1 << 9,
   AGX_DRAW_VIEWPORT = 1 << 10,
   AGX_DRAW_W_CLAMP = 1 << 11,
   AGX_DRAW_OUTPUT_SELECT = 1 << 12,
   AGX_DRAW_VARYING_COUNTS_32 = 1 << 13,
   AGX_DRAW_VARYING_COUNTS_16 = 1 << 14,
   AGX_DRAW_CULL = 1 << 15,
   AGX_DRAW_CULL_2 = 1 << 16,
   AGX_DRAW_FRAGMENT_SHADER = 1 << 17,
   AGX_DRAW_OCCLUSION_QUERY = 1 << 18,
   AGX_DRAW_OCCLUSION_QUERY_2 = 1 << 19,
   AGX_DRAW_OUTPUT_UNKNOWN = 1 << 20,
   AGX_DRAW_OUTPUT_SIZE = 1 << 21,
   AGX_DRAW_VARYING_2 = 1 << 22,
   AGX_DRAW_RESTART_INDEX = 1 << 23,
   AGX_DRAW_VERTEX_SHADER_0 = 1 << 24,
   AGX_DRAW_VERTEX_SHADER_1 = 1 << 25,
   AGX_DRAW_VERTEX_OUTPUTS = 1 << 26,
   AGX_DRAW_VERTEX_UNKNOWN = 1 << 27,
};

/* Coefficient bindings of a pixel program. */
struct agx_cf_list {
   struct agx_cf_binding_header header;
   unsigned count;
   struct agx_cf_binding bindings[AGX_MAX_CF_BINDINGS];
};

struct agx_draw_state {
   uint32_t set; /* enum agx_draw_part */

   /* PPP. The two words of a kind are of one state: what either of them sets holds. */
   struct agx_fragment_control fragment_control;
   struct agx_fragment_control_2 fragment_control_2;
   struct agx_front_face front_face;
   struct agx_front_face_2 front_face_2;
   struct agx_front_stencil front_stencil;
   struct agx_back_face back_face;
   struct agx_back_face_2 back_face_2;
   struct agx_back_stencil back_stencil;
   struct agx_depth_bias_scissor depth_bias_scissor;
   unsigned region_clip_count, viewport_count;
   struct agx_region_clip region_clips[AGX_MAX_VIEWPORTS];
   struct agx_viewport viewports[AGX_MAX_VIEWPORTS];
   struct agx_w_clamp w_clamp;
   struct agx_output_select output_select;
   struct agx_varying_counts_32 varying_counts_32;
   struct agx_varying_counts_16 varying_counts_16;
   struct agx_cull cull;
   struct agx_cull_2 cull_2;
   struct agx_fragment_shader fragment_shader;
   struct agx_occlusion_query occlusion_query;
   struct agx_output_size output_size;

   /* VDM. */
   struct agx_vdm_restart_index restart_index;
   struct agx_vdm_vertex_shader_0 vertex_shader_0;
   struct agx_vdm_vertex_shader_1 vertex_shader_1;
   struct agx_vdm_vertex_outputs vertex_outputs;
   struct agx_vdm_vertex_unknown vertex_unknown;

   /* What they lead to, read at the first draw that needs it. Programs and lists live until the render ends, and
    * stay the same objects until a record names them anew. */
   const struct agx_program *vertex;   /* its preamble has run */
   const struct agx_program *fragment; /* NULL: no pixel program (pipeline 0) */
   const struct agx_cf_list *cf;       /* NULL: none */
   /* The entries that depth_bias_scissor names, of as many viewports as there are: of viewport i they lie i after
    * it. Zeros where the control does not turn them on. */
   struct agx_scissor scissors[AGX_MAX_VIEWPORTS];
   struct agx_depth_bias depth_bias;
};

/* One draw: an index list, with what it takes from memory. */
struct agx_draw {
   unsigned number;  /* in the render, from 0: for reports */
   struct sim_va at; /* of the record, for reports */
   enum agx_primitive primitive;
   bool indexed, restart;
   uint8_t index_size_B;        /* 1, 2, 4 */
   struct sim_va indices;       /* of the first index */
   uint64_t index_buffer_end_B; /* bytes from `indices` on that the buffer has */
   uint32_t count, instances;   /* of vertices or indices; either may be 0 */
   /* Not indexed: the first vertex's number. Indexed: what is added to each index, modulo 2^32. */
   uint32_t start;
};

#endif
