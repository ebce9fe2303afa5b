#include "asahi/sim/cp/ppp.h"

#include "asahi/hw/hw_limits.h"
#include "asahi/sim/usc/read.h"
#include "util/macros.h"

/* A function that unpacks the record of this name into the state's field of the same name. */
#define TAKES(name)                                                                                                  \
   static void take_##name(struct agx_draw_state *state, const void *bytes)                                          \
   {                                                                                                                 \
      agx_##name##_unpack(&state->name, bytes);                                                                      \
   }
TAKES(fragment_control)
TAKES(fragment_control_2)
TAKES(front_face)
TAKES(front_face_2)
TAKES(front_stencil)
TAKES(back_face)
TAKES(back_face_2)
TAKES(back_stencil)
TAKES(depth_bias_scissor)
TAKES(w_clamp)
TAKES(output_select)
TAKES(varying_counts_32)
TAKES(varying_counts_16)
TAKES(cull)
TAKES(cull_2)
TAKES(occlusion_query)
TAKES(output_size)

static void
take_region_clip(struct agx_draw_state *state, const void *bytes)
{
   agx_region_clip_unpack(&state->region_clips[state->region_clip_count++], bytes);
}

static void
take_viewport(struct agx_draw_state *state, const void *bytes)
{
   agx_viewport_unpack(&state->viewports[state->viewport_count++], bytes);
}

static void
take_fragment_shader(struct agx_draw_state *state, const void *bytes)
{
   agx_fragment_shader_unpack(&state->fragment_shader, bytes);
   state->fragment = NULL;
   state->cf = NULL;
}

static const struct {
   enum agx_record_id id;
   enum agx_draw_part part;
   void (*take)(struct agx_draw_state *state, const void *bytes); /* NULL: the record says nothing that is known */
} rows[] = {
   {AGX_RECORD_FRAGMENT_CONTROL, AGX_DRAW_FRAGMENT_CONTROL, take_fragment_control},
   {AGX_RECORD_FRAGMENT_CONTROL_2, AGX_DRAW_FRAGMENT_CONTROL_2, take_fragment_control_2},
   {AGX_RECORD_FRONT_FACE, AGX_DRAW_FRONT_FACE, take_front_face},
   {AGX_RECORD_FRONT_FACE_2, AGX_DRAW_FRONT_FACE_2, take_front_face_2},
   {AGX_RECORD_FRONT_STENCIL, AGX_DRAW_FRONT_STENCIL, take_front_stencil},
   {AGX_RECORD_BACK_FACE, AGX_DRAW_BACK_FACE, take_back_face},
   {AGX_RECORD_BACK_FACE_2, AGX_DRAW_BACK_FACE_2, take_back_face_2},
   {AGX_RECORD_BACK_STENCIL, AGX_DRAW_BACK_STENCIL, take_back_stencil},
   {AGX_RECORD_DEPTH_BIAS_SCISSOR, AGX_DRAW_DEPTH_BIAS_SCISSOR, take_depth_bias_scissor},
   {AGX_RECORD_REGION_CLIP, AGX_DRAW_REGION_CLIP, take_region_clip},
   {AGX_RECORD_VIEWPORT_CONTROL, AGX_DRAW_VIEWPORT, NULL},
   {AGX_RECORD_VIEWPORT, AGX_DRAW_VIEWPORT, take_viewport},
   {AGX_RECORD_W_CLAMP, AGX_DRAW_W_CLAMP, take_w_clamp},
   {AGX_RECORD_OUTPUT_SELECT, AGX_DRAW_OUTPUT_SELECT, take_output_select},
   {AGX_RECORD_VARYING_COUNTS_32, AGX_DRAW_VARYING_COUNTS_32, take_varying_counts_32},
   {AGX_RECORD_VARYING_COUNTS_16, AGX_DRAW_VARYING_COUNTS_16, take_varying_counts_16},
   {AGX_RECORD_CULL, AGX_DRAW_CULL, take_cull},
   {AGX_RECORD_CULL_2, AGX_DRAW_CULL_2, take_cull_2},
   {AGX_RECORD_FRAGMENT_SHADER, AGX_DRAW_FRAGMENT_SHADER, take_fragment_shader},
   {AGX_RECORD_OCCLUSION_QUERY, AGX_DRAW_OCCLUSION_QUERY, take_occlusion_query},
   {AGX_RECORD_OCCLUSION_QUERY_2, AGX_DRAW_OCCLUSION_QUERY_2, NULL},
   {AGX_RECORD_OUTPUT_UNKNOWN, AGX_DRAW_OUTPUT_UNKNOWN, NULL},
   {AGX_RECORD_OUTPUT_SIZE, AGX_DRAW_OUTPUT_SIZE, take_output_size},
   {AGX_RECORD_VARYING_2, AGX_DRAW_VARYING_2, NULL},
};

static void
set_record(struct agx_draw_state *state, enum agx_record_id id, const void *bytes)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].id != id)
         continue;
      state->set |= rows[i].part;
      if (rows[i].take)
         rows[i].take(state, bytes);
      return;
   }
}

static bool
fail(const struct agx_gpu *gpu, uint64_t va, unsigned size_dw, uint32_t has_B)
{
   return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(va),
                        "PPP record at 0x%llx: it has %u words, and its header announces %u", (unsigned long long)va,
                        size_dw, has_B / 4);
}

bool
agx_ppp_read(const struct agx_gpu *gpu, uint64_t va, unsigned size_dw, struct agx_draw_state *state)
{
   char bytes[AGX_PPP_MAX_B];
   struct agx_ppp header;
   unsigned size_B = size_dw * 4;
   if (size_B < AGX_PPP_SIZE_B)
      return fail(gpu, va, size_dw, AGX_PPP_SIZE_B);
   if (!agx_read_memory(gpu, va, bytes, size_B, "a PPP record"))
      return false;
   agx_ppp_unpack(&header, bytes);
   if (header.region_clip)
      state->region_clip_count = 0;
   if (header.viewport)
      state->viewport_count = 0;
   struct agx_cursor cursor = {0};
   while (agx_sequence_next(agx_ppp_sequence(), gpu->chip->gen, bytes, &cursor)) {
      if (cursor.offset_B + cursor.record->size_B > size_B)
         return fail(gpu, va, size_dw, cursor.offset_B + cursor.record->size_B);
      const char *part = bytes + cursor.offset_B;
      if (!agx_check_record(gpu, cursor.record, va + cursor.offset_B, part))
         return false;
      set_record(state, cursor.record->id, part);
   }
   return cursor.offset_B == size_B ? true : fail(gpu, va, size_dw, cursor.offset_B);
}
