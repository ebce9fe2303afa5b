/* PPP records: the header names the words that follow in the order of its bits, and so do the dirty bits of the
 * context; each word has a function here. */
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/agx_program.h"
#include "util/mutant.h"

static const struct agx_graphics_program *
program(const struct agx_context *ctx)
{
   return ctx->programs[PIPE_BIND_GRAPHICS]->graphics;
}

static char *
put(char *out, uint32_t word)
{
   memcpy(out, &word, 4);
   return out + 4;
}

static char *
emit_fragment_control(struct agx_context *ctx, char *out)
{
   const struct agx_depth_stencil *ds = ctx->graphics.depth_stencil;
   bool stencil = ds->stencil_test && ctx->graphics.framebuffer.has_stencil;
   struct agx_fragment_control control = {
      .unk_9 = true,
      .scissor_enable = true,
      .visibility_mode = ctx->graphics.visibility,
      .depth_bias_enable = ctx->graphics.rasterizer->depth_bias,
      .stencil_test_enable = stencil,
      .two_sided_stencil = stencil,
   };

   agx_fragment_control_pack(out, &control);
   return out + AGX_FRAGMENT_CONTROL_SIZE_B;
}

static char *
emit_fragment_control_2(struct agx_context *ctx, char *out)
{
   return put(out, program(ctx)->control_2);
}

/* Without a depth target nothing is compared or written. */
static char *
emit_face(struct agx_context *ctx, unsigned face, char *out)
{
   struct agx_front_face record = {
      .stencil_reference = ctx->graphics.stencil_reference[face],
      .line_width_px = ctx->graphics.line_width_px > 1.0f / 16 ? ctx->graphics.line_width_px : 1.0f,
   };
   struct agx_front_face none = {
      .line_width_px = 1.0f / 16, .disable_depth_write = true, .depth_function = AGX_ZS_FUNC_ALWAYS};
   const struct agx_depth_stencil *ds = ctx->graphics.depth_stencil;
   uint32_t word, depth = ds->face;

   ctx->graphics.render.writes_depth |= ds->writes_depth;
   ctx->graphics.render.writes_stencil |= ds->writes_stencil;
   agx_front_face_pack(&word, &record);
   if (!ctx->graphics.framebuffer.has_depth)
      agx_front_face_pack(&depth, &none);
   return put(out, word | depth | ctx->graphics.rasterizer->face);
}

static char *
emit_front_face(struct agx_context *ctx, char *out)
{
   return emit_face(ctx, 0, out);
}

static char *
emit_back_face(struct agx_context *ctx, char *out)
{
   return emit_face(ctx, 1, out);
}

static char *
emit_face_2(struct agx_context *ctx, char *out)
{
   static const enum agx_object_type types[] = {
      [PIPE_POINT_LIST] = AGX_OBJECT_TYPE_POINT_SPRITE_UV01,
      [PIPE_LINE_LIST] = AGX_OBJECT_TYPE_LINE,
      [PIPE_LINE_STRIP] = AGX_OBJECT_TYPE_LINE,
      [PIPE_TRIANGLE_LIST] = AGX_OBJECT_TYPE_TRIANGLE,
      [PIPE_TRIANGLE_STRIP] = AGX_OBJECT_TYPE_TRIANGLE,
      [PIPE_TRIANGLE_FAN] = AGX_OBJECT_TYPE_TRIANGLE,
   };
   struct agx_front_face_2 record = {.object_type = types[ctx->graphics.topology]};
   uint32_t word;

   agx_front_face_2_pack(&word, &record);
   return put(out, word | program(ctx)->face_2);
}

static char *
emit_stencil(struct agx_context *ctx, unsigned face, char *out)
{
   struct agx_front_stencil record = {
      .write_mask = ctx->graphics.depth_stencil->stencil_test ? ctx->graphics.stencil_write_mask[face] : 0xff,
      .read_mask = ctx->graphics.depth_stencil->stencil_test ? ctx->graphics.stencil_compare_mask[face] : 0xff,
   };
   uint32_t word;

   agx_front_stencil_pack(&word, &record);
   return put(out, word | ctx->graphics.depth_stencil->stencil[face]);
}

static char *
emit_front_stencil(struct agx_context *ctx, char *out)
{
   return emit_stencil(ctx, 0, out);
}

static char *
emit_back_stencil(struct agx_context *ctx, char *out)
{
   return emit_stencil(ctx, 1, out);
}

static char *
emit_depth_bias_scissor(struct agx_context *ctx, char *out)
{
   struct agx_depth_bias_scissor record = {.scissor =
                                              ctx->graphics.render.scissor + (mutant("agx-scissor-next") ? 1 : 0),
                                           .depth_bias = ctx->graphics.render.bias};

   agx_depth_bias_scissor_pack(out, &record);
   return out + AGX_DEPTH_BIAS_SCISSOR_SIZE_B;
}

static char *
emit_w_clamp(struct agx_context *ctx, char *out)
{
   struct agx_w_clamp record = {.w_clamp = 1e-10f};

   agx_w_clamp_pack(out, &record);
   return out + AGX_W_CLAMP_SIZE_B;
}

static char *
emit_output_select(struct agx_context *ctx, char *out)
{
   return put(out, program(ctx)->output_select);
}

static char *
emit_varying_counts_32(struct agx_context *ctx, char *out)
{
   return put(out, program(ctx)->varying_counts_32);
}

static char *
emit_varying_counts_16(struct agx_context *ctx, char *out)
{
   return put(out, mutant("agx-varying-counts") ? 0 : program(ctx)->varying_counts_16);
}

static char *
emit_cull(struct agx_context *ctx, char *out)
{
   return put(out, ctx->graphics.rasterizer->cull | program(ctx)->cull);
}

static char *
emit_cull_2(struct agx_context *ctx, char *out)
{
   return put(out, ctx->graphics.rasterizer->cull_2 | program(ctx)->cull_2);
}

static char *
emit_fragment_shader(struct agx_context *ctx, char *out)
{
   const struct agx_program *p = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct agx_stage_code *code = &p->code[NIR_STAGE_FRAGMENT];
   struct agx_fragment_shader record = {
      .cf_bindings_count = p->graphics->cf_bindings_count,
      .pipeline = agx_encode_usc(ctx, p, NIR_STAGE_FRAGMENT),
      .cf_bindings = p->graphics->cf_bindings.base_offset_B,
      .uniforms = 64,
      .textures = 8,
      .preshader_registers = 16,
   };
   uint32_t word;

   agx_fragment_shader_pack(out, &record);
   /* Counts are the code's. */
   memcpy(&word, out, 4);
   word = (word & ~0xffffu) | code->counts;
   put(out, agx_counts_fragments(ctx, code) ? word & ~AGX_COUNTS_UNIFORMS : word);
   return out + AGX_FRAGMENT_SHADER_SIZE_B;
}

static char *
emit_occlusion_query(struct agx_context *ctx, char *out)
{
   return put(out, ctx->graphics.occlusion_query);
}

static char *
emit_zero(struct agx_context *ctx, char *out)
{
   return put(out, 0);
}

static char *
emit_two_zeros(struct agx_context *ctx, char *out)
{
   return put(put(out, 0), 0);
}

static char *
emit_output_size(struct agx_context *ctx, char *out)
{
   return put(out, program(ctx)->output_size);
}

static char *(*const emit_word[AGX_ATOM_VERTEX_SHADER])(struct agx_context *ctx, char *out) = {
   [AGX_ATOM_FRAGMENT_CONTROL] = emit_fragment_control,
   [AGX_ATOM_FRAGMENT_CONTROL_2] = emit_fragment_control_2,
   [AGX_ATOM_FRONT_FACE] = emit_front_face,
   [AGX_ATOM_FRONT_FACE_2] = emit_face_2,
   [AGX_ATOM_FRONT_STENCIL] = emit_front_stencil,
   [AGX_ATOM_BACK_FACE] = emit_back_face,
   [AGX_ATOM_BACK_FACE_2] = emit_face_2,
   [AGX_ATOM_BACK_STENCIL] = emit_back_stencil,
   [AGX_ATOM_DEPTH_BIAS_SCISSOR] = emit_depth_bias_scissor,
   [AGX_ATOM_REGION_CLIP] = agx_emit_region_clips,
   [AGX_ATOM_VIEWPORT] = agx_emit_viewports,
   [AGX_ATOM_W_CLAMP] = emit_w_clamp,
   [AGX_ATOM_OUTPUT_SELECT] = emit_output_select,
   [AGX_ATOM_VARYING_COUNTS_32] = emit_varying_counts_32,
   [AGX_ATOM_VARYING_COUNTS_16] = emit_varying_counts_16,
   [AGX_ATOM_CULL] = emit_cull,
   [AGX_ATOM_CULL_2] = emit_cull_2,
   [AGX_ATOM_FRAGMENT_SHADER] = emit_fragment_shader,
   [AGX_ATOM_OCCLUSION_QUERY] = emit_occlusion_query,
   [AGX_ATOM_OCCLUSION_QUERY_2] = emit_zero,
   [AGX_ATOM_OUTPUT_UNKNOWN] = emit_zero,
   [AGX_ATOM_OUTPUT_SIZE] = emit_output_size,
   [AGX_ATOM_VARYING_2] = emit_two_zeros,
};

/* All words once and 16 viewports. */
#define RECORD_MAX_B (256 + PIPE_MAX_VIEWPORTS * (AGX_VIEWPORT_SIZE_B + AGX_REGION_CLIP_SIZE_B))

void
agx_encode_ppp(struct agx_context *ctx, uint32_t atoms)
{
   uint32_t viewports = atoms & (AGX_BIT(VIEWPORT) | AGX_BIT(REGION_CLIP)) ? agx_viewport_count(ctx) : 1;
   char record[RECORD_MAX_B], *end = put(record, atoms | (viewports - 1) << 12);
   uint64_t va;

   for (uint32_t left = atoms; left; left &= left - 1)
      end = emit_word[__builtin_ctz(left)](ctx, end);
   size_t size_B = (size_t)(end - record);

   memcpy(agx_upload_alloc(ctx, (uint32_t)size_B, 4, &va), record, size_B);
   agx_encode_ppp_state(ctx, va, (unsigned)size_B / 4);
}
