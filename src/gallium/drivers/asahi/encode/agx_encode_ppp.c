/* PPP records: the header names the words that follow in the order of its bits, and so do the dirty bits of the
 * context; each word has a function here. */
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/base/agx_msaa.h"
#include "gallium/drivers/asahi/program/agx_program.h"

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

static bool
tests_stencil(const struct agx_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;

   return gfx->stencil_test && ctx->graphics.framebuffer.has_stencil && !gfx->targets.pass_stencil_over;
}

static char *
emit_fragment_control(struct agx_context *ctx, char *out)
{
   struct agx_fragment_control control = {
      .unk_9 = true,
      .scissor_enable = true,
      .visibility_mode = ctx->graphics.visibility,
      .depth_bias_enable = ctx->graphics.gfx->depth_bias_enable,
      .stencil_test_enable = tests_stencil(ctx),
      .two_sided_stencil = tests_stencil(ctx),
   };

   agx_fragment_control_pack(out, &control);
   return out + AGX_FRAGMENT_CONTROL_SIZE_B;
}

static char *
emit_fragment_control_2(struct agx_context *ctx, char *out)
{
   return put(out, program(ctx)->control_2);
}

static bool
keeps(const struct pipe_stencil_face *face)
{
   return face->fail == PIPE_STENCIL_KEEP && face->depth_fail == PIPE_STENCIL_KEEP && face->pass == PIPE_STENCIL_KEEP;
}

/* Without a depth target nothing is compared or written. enum pipe_compare has the numbers of the hardware's
 * functions. */
static char *
emit_face(struct agx_context *ctx, unsigned face, char *out)
{
   static const enum agx_polygon_mode modes[] = {
      [PIPE_POLYGON_FILL] = AGX_POLYGON_MODE_FILL,
      [PIPE_POLYGON_LINE] = AGX_POLYGON_MODE_LINE,
      [PIPE_POLYGON_POINT] = AGX_POLYGON_MODE_POINT,
   };
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;
   const bool tests = gfx->depth_test && ctx->graphics.framebuffer.has_depth && !gfx->targets.pass_depth_over;
   struct agx_front_face record = {
      .stencil_reference = gfx->stencil_reference[face],
      .line_width_px = gfx->line_width_px > 1.0f / 16 ? gfx->line_width_px : 1.0f,
      .polygon_mode = modes[gfx->polygon_mode],
      .disable_depth_write = !tests || !gfx->depth_write,
      .depth_function = tests ? (enum agx_zs_func)gfx->depth_compare : AGX_ZS_FUNC_ALWAYS,
   };

   ctx->graphics.render.writes_depth |= tests && gfx->depth_write;
   ctx->graphics.render.writes_stencil |= tests_stencil(ctx) && !(keeps(&gfx->stencil[0]) && keeps(&gfx->stencil[1]));
   agx_front_face_pack(out, &record);
   return out + AGX_FRONT_FACE_SIZE_B;
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
   struct agx_front_face_2 record = {.object_type = types[agx_drawn_topology(ctx)]};
   uint32_t word;

   agx_front_face_2_pack(&word, &record);
   return put(out, word | program(ctx)->face_2);
}

static char *
emit_stencil(struct agx_context *ctx, unsigned face, char *out)
{
   static const enum agx_stencil_op ops[] = {
      [PIPE_STENCIL_KEEP] = AGX_STENCIL_OP_KEEP,
      [PIPE_STENCIL_ZERO] = AGX_STENCIL_OP_ZERO,
      [PIPE_STENCIL_REPLACE] = AGX_STENCIL_OP_REPLACE,
      [PIPE_STENCIL_INCREMENT_CLAMP] = AGX_STENCIL_OP_INCR_SAT,
      [PIPE_STENCIL_DECREMENT_CLAMP] = AGX_STENCIL_OP_DECR_SAT,
      [PIPE_STENCIL_INVERT] = AGX_STENCIL_OP_INVERT,
      [PIPE_STENCIL_INCREMENT_WRAP] = AGX_STENCIL_OP_INCR_WRAP,
      [PIPE_STENCIL_DECREMENT_WRAP] = AGX_STENCIL_OP_DECR_WRAP,
   };
   const struct pipe_stencil_face *state = &ctx->graphics.gfx->stencil[face];
   struct agx_front_stencil record = {
      .write_mask = 0xff,
      .read_mask = 0xff,
      .depth_pass = AGX_STENCIL_OP_KEEP,
      .depth_fail = AGX_STENCIL_OP_KEEP,
      .stencil_fail = AGX_STENCIL_OP_KEEP,
      .compare = AGX_ZS_FUNC_ALWAYS,
   };

   if (tests_stencil(ctx))
      record = (struct agx_front_stencil){
         .write_mask = ctx->graphics.gfx->stencil_write_mask[face],
         .read_mask = ctx->graphics.gfx->stencil_compare_mask[face],
         .depth_pass = ops[state->pass],
         .depth_fail = ops[state->depth_fail],
         .stencil_fail = ops[state->fail],
         .compare = (enum agx_zs_func)state->compare,
      };
   agx_front_stencil_pack(out, &record);
   return out + AGX_FRONT_STENCIL_SIZE_B;
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
   struct agx_depth_bias_scissor record = {.scissor = ctx->graphics.render.scissor,
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
   return put(out, program(ctx)->varying_counts_16);
}

static bool
is_line(enum pipe_topology topology)
{
   return topology == PIPE_LINE_LIST || topology == PIPE_LINE_STRIP;
}

static char *
emit_cull(struct agx_context *ctx, char *out)
{
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;
   /* The provoking vertex, whose field has no zero, is the program's. */
   struct agx_cull record = {
      .cull_front = gfx->cull & PIPE_CULL_FRONT,
      .cull_back = gfx->cull & PIPE_CULL_BACK,
      .depth_clip = pipe_clips_depth(gfx),
      .depth_clamp = gfx->depth_clamp || !pipe_clips_depth(gfx),
      .front_face_ccw = gfx->front_ccw,
      .rasterizer_discard = gfx->discard,
      .primitive_msaa = is_line(agx_drawn_topology(ctx)) && gfx->line_mode == PIPE_LINE_BRESENHAM,
   };
   uint32_t word;

   if (agx_has_own_positions(gfx)) {
      ctx->graphics.render.has_positions = true;
      ctx->graphics.render.positions = agx_positions(gfx);
   }
   agx_cull_pack(&word, &record);
   return put(out, word | program(ctx)->cull);
}

static char *
emit_cull_2(struct agx_context *ctx, char *out)
{
   struct agx_cull_2 record = {.clamp_w = true, .rasterizer_discard = ctx->graphics.gfx->discard};
   uint32_t word;

   agx_cull_2_pack(&word, &record);
   return put(out, word | program(ctx)->cull_2);
}

static char *
emit_fragment_shader(struct agx_context *ctx, char *out)
{
   const struct agx_program *p = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct agx_stage_code *code = &p->stages[AGX_HW_FRAGMENT].code;
   struct agx_fragment_shader record = {
      .cf_bindings_count = p->graphics->cf_bindings_count,
      .pipeline = agx_encode_usc(ctx, p, AGX_HW_FRAGMENT),
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
   char *to = agx_upload_alloc(ctx, (uint32_t)size_B, 4, &va);

   if (size_B == 8) /* one word: without a call */
      memcpy(to, record, 8);
   else
      memcpy(to, record, size_B);
   agx_encode_ppp_state(ctx, va, (unsigned)size_B / 4);
}
