/* Draws: the dirty state, the draw's parameters, the packet. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/draw/si_xfb.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "util/macros.h"

static void (*const emit_atom[SI_ATOM_COUNT])(struct si_context *) = {
   [SI_ATOM_FRAMEBUFFER] = si_emit_framebuffer,
   [SI_ATOM_PROGRAM] = si_emit_program,
   [SI_ATOM_BLEND] = si_emit_blend,
   [SI_ATOM_BLEND_EQUATION] = si_emit_blend_equation,
   [SI_ATOM_COLOR_CONTROL] = si_emit_color_control,
   [SI_ATOM_BLEND_CONSTANTS] = si_emit_blend_constants,
   [SI_ATOM_DEPTH_STENCIL] = si_emit_depth_stencil,
   [SI_ATOM_STENCIL_REFERENCE] = si_emit_stencil_reference,
   [SI_ATOM_DEPTH_BIAS] = si_emit_depth_bias,
   [SI_ATOM_DEPTH_BOUNDS] = si_emit_depth_bounds,
   [SI_ATOM_RASTERIZER] = si_emit_rasterizer,
   [SI_ATOM_MSAA] = si_emit_msaa,
   [SI_ATOM_ORDER] = si_emit_order,
   [SI_ATOM_SHADING_RATE] = si_emit_shading_rate,
   [SI_ATOM_VIEWPORTS] = si_emit_viewports,
   [SI_ATOM_SCISSORS] = si_emit_scissors,
   [SI_ATOM_TOPOLOGY] = si_emit_topology,
   [SI_ATOM_LINE_WIDTH] = si_emit_line_width,
   [SI_ATOM_OCCLUSION] = si_emit_occlusion,
   [SI_ATOM_INDEX_TYPE] = si_emit_index_type,
   [SI_ATOM_VERTEX_BUFFERS] = si_emit_vertex_buffers,
   [SI_ATOM_DESCRIPTORS] = si_emit_descriptors,
   [SI_ATOM_PUSH_CONSTANTS] = si_emit_push_constants,
   [SI_ATOM_SCRATCH] = si_emit_scratch,
   [SI_ATOM_PROVOKING] = si_emit_provoking,
   [SI_ATOM_DISCARD_RECTANGLES] = si_emit_discard_rectangles,
   [SI_ATOM_XFB] = si_emit_xfb,
   [SI_ATOM_TESSELLATION] = si_emit_tessellation,
};

/* All that write context registers. */
#define ROLLING_ATOMS                                                                                                \
   (SI_ALL_ATOMS & ~(1u << SI_ATOM_INDEX_TYPE | 1u << SI_ATOM_VERTEX_BUFFERS | 1u << SI_ATOM_DESCRIPTORS |           \
                     1u << SI_ATOM_PUSH_CONSTANTS | 1u << SI_ATOM_PROVOKING))

void
si_emit_dirty(struct si_context *ctx)
{
   if (ctx->dirty & ROLLING_ATOMS && ctx->screen->info.rolls_lose_scissors)
      ctx->dirty |= si_mutate_atoms(SI_MUTANT_ROLL, 1u << SI_ATOM_SCISSORS);
   /* An atom may make others dirty. */
   do {
      uint32_t dirty = ctx->dirty;

      ctx->dirty = 0;
      for (; dirty; dirty &= dirty - 1)
         emit_atom[__builtin_ctz(dirty)](ctx);
   } while (ctx->dirty);
}

/* Erratum ngg-legacy-vgt-flush. */
static void
enter_front_end(struct si_context *ctx, enum si_vertex_front_end front_end)
{
   const struct ac_gpu_info *info = &ctx->screen->info;
   const enum si_vertex_front_end before = ctx->front_end;

   ctx->front_end = front_end;
   if (!info->has_ngg || info->ngg_only || before == front_end)
      return;
   /* A stream starts and ends with the one that the device prefers. */
   if (before == SI_FRONT_END_UNKNOWN && (front_end == SI_FRONT_END_NGG) == ctx->screen->ngg)
      return;
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   si_cs_reserve(&ctx->cs, 2);
   si_packet(&ctx->cs, event_write, .event_type = V_VGT_FLUSH);
}

void
si_leave_front_end(struct si_context *ctx)
{
   if (ctx->front_end != SI_FRONT_END_UNKNOWN)
      enter_front_end(ctx, ctx->screen->ngg ? SI_FRONT_END_NGG : SI_FRONT_END_LEGACY);
   ctx->front_end = SI_FRONT_END_UNKNOWN;
}

void
si_emit_program(struct si_context *ctx)
{
   enter_front_end(ctx, ctx->programs[PIPE_BIND_GRAPHICS]->hw_stages >> ACO_HW_VS & 1 ? SI_FRONT_END_LEGACY
                                                                                      : SI_FRONT_END_NGG);
   si_pm4_emit(&ctx->cs, &ctx->programs[PIPE_BIND_GRAPHICS]->regs);
}

void
si_emit_scratch(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;
   uint64_t va;

   if (!program->scratch)
      return;
   /* Shaders make a V# of it, where bits 63:48 of the address are STRIDE and flags. */
   va = si_scratch_va(program->scratch, SI_SCRATCH_GRAPHICS) & UINT64_C(0xffffffffffff);
   si_cs_reserve(cs, 3 + 4 + 4 * ACO_HW_STAGES);
   si_cs_context_reg(cs, R_SPI_TMPRING_SIZE, si_scratch_ring_size(ctx->screen, program->scratch->wave_B));
   if (ctx->screen->info.has_scratch_base) {
      si_context_regs(cs, {R_SPI_GFX_SCRATCH_BASE_LO, (uint32_t)(va >> 8)},
                      {R_SPI_GFX_SCRATCH_BASE_HI, (uint32_t)(va >> 40)});
      return;
   }
   for (uint32_t stages = program->hw_stages; stages; stages &= stages - 1) {
      unsigned hw = (unsigned)__builtin_ctz(stages);

      si_cs_sh_address(cs, program->user_data[hw] + 4u * program->stages[hw].scratch_sgpr, va);
   }
}

static void
emit_parameters(struct si_context *ctx, uint32_t base_vertex, uint32_t base_instance)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;

   si_user_data(cs, vs_draw, program->vertex_user_data, .base_vertex = base_vertex, .base_instance = base_instance,
                .draw_id = ctx->draw_id);
   ctx->last_base_vertex = base_vertex;
   ctx->last_base_instance = base_instance;
   ctx->draw_parameters_known = true;
}

bool
si_emit_draw_state(struct si_context *ctx)
{
   if (__builtin_expect(ctx->dirty != 0, 0)) {
      if (!ctx->programs[PIPE_BIND_GRAPHICS] || !si_sets_are_bound(ctx, PIPE_BIND_GRAPHICS))
         return false;
      si_emit_dirty(ctx);
   }
   return true;
}

/* Room for everything up to the draw packet; false if nothing can be drawn. */
static inline bool
prepare(struct si_context *ctx, uint32_t instances, uint32_t base_vertex, uint32_t base_instance)
{
   struct si_cs *cs = &ctx->cs;

   if (!si_emit_draw_state(ctx))
      return false;
   si_cs_reserve(cs, 16);
   if (__builtin_expect(ctx->last_instances != instances, 0)) {
      si_packet(cs, num_instances, .count = instances);
      ctx->last_instances = instances;
   }
   if (__builtin_expect(!ctx->draw_parameters_known || ctx->last_base_vertex != base_vertex ||
                           ctx->last_base_instance != base_instance,
                        0))
      emit_parameters(ctx, base_vertex, base_instance);
   return true;
}

static void
draw(struct pipe_context *pipe, uint32_t vertices, uint32_t instances, uint32_t first_vertex, uint32_t first_instance)
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;

   if (!vertices || !instances || !prepare(ctx, instances, first_vertex, first_instance))
      return;
   uint32_t *packet = cs->cur;
   si_packet(cs, draw_index_auto, .count_el = vertices,
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   *packet |= ctx->predicate;
}

static void
draw_indexed(struct pipe_context *pipe, uint32_t indices, uint32_t instances, uint32_t first_index,
             int32_t vertex_offset, uint32_t first_instance)
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;
   unsigned size_log2 = ctx->state.index_buffer.size_log2;
   uint64_t va = ctx->state.index_buffer.va + ((uint64_t)first_index << size_log2);
   uint64_t available = ctx->state.index_buffer.size_B >> size_log2;

   /* What indices after the buffer read is not defined; a draw with none at all can be left out. */
   if (available <= first_index && ctx->screen->info.empty_index_buffer_hangs)
      return;
   if (!indices || !instances || !prepare(ctx, instances, (uint32_t)vertex_offset, first_instance))
      return;
   uint32_t *packet = cs->cur;
   si_packet(cs, draw_index_2,
             .max_size_el = available > first_index ? (uint32_t)MIN2(available - first_index, UINT32_MAX) : 0,
             .base = va, .count_el = indices, .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_DMA));
   *packet |= ctx->predicate;
}

/* Number of a user data register of the vertex shader as draw packets count it. */
static uint32_t
user_register(const struct si_context *ctx, unsigned sgpr)
{
   return (ctx->programs[PIPE_BIND_GRAPHICS]->vertex_user_data + 4 * sgpr - AMD_SH_REG_START) / 4;
}

static void
emit_index_base(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 5);
   si_packet(cs, index_base, .address = ctx->state.index_buffer.va);
   si_packet(cs, index_buffer_size,
             .size_el =
                (uint32_t)MIN2(ctx->state.index_buffer.size_B >> ctx->state.index_buffer.size_log2, UINT32_MAX));
}

static void
draw_indirect(struct pipe_context *pipe, const struct pipe_indirect_draws *draws)
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;
   uint64_t va = si_resource(draws->buffer)->va + draws->offset_B;
   if (draws->meshes) {
      si_draw_meshes_indirect(ctx, draws);
      return;
   }
   uint64_t count_va = draws->count_buffer ? si_resource(draws->count_buffer)->va + draws->count_offset_B : 0;

   if (draws->indexed && ctx->screen->info.empty_index_buffer_hangs &&
       !(ctx->state.index_buffer.size_B >> ctx->state.index_buffer.size_log2))
      return;
   if (!draws->max_draws || !prepare(ctx, 1, 0, 0))
      return;
   if (draws->indexed)
      emit_index_base(ctx);
   si_cs_reserve(cs, 4 + 10);
   si_packet(cs, set_base, .index = V_BASE_INDEX_INDIRECT_DATA, .address = va);
   uint32_t *packet = cs->cur;
   si_packet_of(cs, draws->indexed ? PKT3_DRAW_INDEX_INDIRECT_MULTI : PKT3_DRAW_INDIRECT_MULTI, draw_indirect_multi,
                .base_vertex_reg = user_register(ctx, SI_SGPR_VS_BASE_VERTEX),
                .start_instance_reg = user_register(ctx, SI_SGPR_VS_BASE_INSTANCE),
                .draw_id_reg = user_register(ctx, SI_SGPR_VS_DRAW_ID), .draw_index_enable = true,
                .count_indirect_enable = draws->count_buffer != NULL, .max_draws = draws->max_draws,
                .count_address = count_va, .stride_B = draws->stride_B,
                .initiator =
                   S_VGT_DRAW_INITIATOR_SOURCE_SELECT(draws->indexed ? V_DI_SRC_SEL_DMA : V_DI_SRC_SEL_AUTO_INDEX));
   *packet |= ctx->predicate;
   ctx->last_instances = UINT32_MAX;
   ctx->draw_parameters_known = false;
}

static void
draw_byte_count(struct pipe_context *pipe, const struct pipe_byte_count *count)
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;

   if (!count->instances)
      return;
   /* Its own registers roll the context, too. */
   if (ctx->screen->info.rolls_lose_scissors)
      si_mark_dirty(ctx, SI_ATOM_SCISSORS);
   if (!prepare(ctx, count->instances, 0, count->first_instance))
      return;
   si_load_byte_count(ctx, count);
   si_cs_reserve(cs, 16);
   si_emit_primitive_groups(ctx, true);
   uint32_t *packet = cs->cur;
   si_packet(cs, draw_index_auto, .count_el = 0,
             .initiator =
                S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX) | S_VGT_DRAW_INITIATOR_USE_OPAQUE(1));
   *packet |= ctx->predicate;
   si_emit_primitive_groups(ctx, false);
}

static void
set_draw_id(struct pipe_context *pipe, uint32_t id)
{
   struct si_context *ctx = si_context(pipe);

   ctx->draw_parameters_known &= ctx->draw_id == id;
   ctx->draw_id = id;
}

void
si_init_draw(struct si_context *ctx)
{
   ctx->base.set_draw_id = set_draw_id;
   ctx->base.draw = draw;
   ctx->base.draw_indexed = draw_indexed;
   ctx->base.draw_indirect = draw_indirect;
   ctx->base.draw_byte_count = draw_byte_count;
}
