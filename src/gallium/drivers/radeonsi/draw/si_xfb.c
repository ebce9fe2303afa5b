/* Transform feedback by the geometry engine (stream output): buffers, counters, and what draws need of it. The engine
 * counts for itself in dwords; a flush event brings its counts where packets find them. Sources: RADV and radeonsi.
 */
#include "gallium/drivers/radeonsi/draw/si_xfb.h"

#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"

static void
set_xfb_buffers(struct pipe_context *pipe, unsigned first, unsigned count, const struct pipe_xfb_buffer *buffers)
{
   struct si_context *ctx = si_context(pipe);

   for (unsigned i = 0; i < count; i++) {
      ctx->xfb.buffers[first + i].va = si_resource(buffers[i].buffer)->va + buffers[i].offset_B;
      ctx->xfb.buffers[first + i].size_B = (uint32_t)MIN2(buffers[i].size_B, UINT32_MAX & ~3u);
      ctx->xfb.bound |= 1u << (first + i);
   }
   si_mark_dirty(ctx, SI_ATOM_XFB);
}

/* Afterwards STRMOUT_BUFFER_UPDATE finds the counts of all draws before. */
static void
flush_counts(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 3 + 2 + 7);
   si_cs_uconfig_reg(cs, R_CP_STRMOUT_CNTL, 0);
   si_packet(cs, event_write, .event_type = V_SO_VGTSTREAMOUT_FLUSH);
   si_packet(cs, wait_reg_mem, .function = V_WAIT_EQUAL, .mem_space = V_WAIT_SPACE_REGISTER,
             .address = R_CP_STRMOUT_CNTL / 4, .reference = S_CP_STRMOUT_CNTL_OFFSET_UPDATE_DONE(1),
             .mask = S_CP_STRMOUT_CNTL_OFFSET_UPDATE_DONE(1), .clocks = 4);
}

/* A counter is in bytes. */
static void
start_buffer(struct si_context *ctx, unsigned i, uint64_t counter_va)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 3 + 6);
   si_cs_context_reg(cs, R_VGT_STRMOUT_BUFFER_SIZE_0 + R_VGT_STRMOUT_BUFFER_SIZE_0_STEP * i,
                     ctx->xfb.buffers[i].size_B / 4);
   si_packet(cs, strmout_buffer_update, .buffer_select = i, .data_type = 1,
             .offset_source = counter_va ? V_STRMOUT_OFFSET_FROM_MEM : V_STRMOUT_OFFSET_FROM_PACKET,
             .src_address = counter_va);
}

/* Programs of GFX11 count bytes in these registers. */
static uint32_t
room_register(unsigned i)
{
   return R_GDS_STRMOUT_DWORDS_WRITTEN_0 + R_GDS_STRMOUT_DWORDS_WRITTEN_0_STEP * i;
}

static void
start_room(struct si_context *ctx, unsigned i, uint64_t counter_va)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 6);
   if (counter_va)
      si_packet(cs, copy_data, .src_sel = V_COPY_SRC_MEM, .dst_sel = V_COPY_DST_REGISTER, .wr_confirm = true,
                .src = counter_va, .dst = room_register(i) / 4);
   else
      si_cs_uconfig_reg(cs, room_register(i), 0);
}

static void
store_counter(struct si_context *ctx, unsigned i, uint64_t va)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 6);
   if (ctx->screen->info.has_strmout)
      si_packet(cs, strmout_buffer_update, .buffer_select = i, .data_type = 1, .offset_source = V_STRMOUT_OFFSET_NONE,
                .store_buffer_filled_size = true, .dst_address = va);
   else
      si_packet(cs, copy_data, .src_sel = V_COPY_SRC_REGISTER, .dst_sel = V_COPY_DST_MEM, .wr_confirm = true,
                .src = room_register(i) / 4, .dst = va);
}

/* The counts of all draws before are where packets find them. */
static void
await_counts(struct si_context *ctx)
{
   if (ctx->screen->info.has_strmout)
      flush_counts(ctx);
   else
      si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
}

void
si_sample_programs_xfb(struct si_context *ctx, unsigned stream, uint64_t va)
{
   const uint32_t step = R_GDS_STRMOUT_PRIMS_NEEDED_0_LO_STEP * stream;
   const uint32_t regs[] = {R_GDS_STRMOUT_PRIMS_NEEDED_0_LO + step, R_GDS_STRMOUT_PRIMS_WRITTEN_0_LO + step};
   struct si_cs *cs = &ctx->cs;

   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   for (unsigned i = 0; i < ARRAY_SIZE(regs); i++) {
      si_cs_reserve(cs, 6);
      si_packet(cs, copy_data, .src_sel = V_COPY_SRC_REGISTER, .dst_sel = V_COPY_DST_MEM, .count_sel = true,
                .wr_confirm = true, .src = regs[i] / 4, .dst = va + 8 * i);
   }
}

static uint64_t
counter_va(const struct pipe_xfb_counters *counters, unsigned i)
{
   return counters->of[i].buffer ? si_resource(counters->of[i].buffer)->va + counters->of[i].offset_B : 0;
}

static void
begin_xfb(struct pipe_context *pipe, const struct pipe_xfb_counters *counters)
{
   struct si_context *ctx = si_context(pipe);

   await_counts(ctx);
   for (uint32_t bound = ctx->xfb.bound; bound; bound &= bound - 1) {
      const unsigned i = (unsigned)__builtin_ctz(bound);

      (ctx->screen->info.has_strmout ? start_buffer : start_room)(ctx, i, counter_va(counters, i));
   }
   ctx->xfb.active = true;
   si_mark_dirty(ctx, SI_ATOM_XFB);
}

static void
end_xfb(struct pipe_context *pipe, const struct pipe_xfb_counters *counters)
{
   struct si_context *ctx = si_context(pipe);

   await_counts(ctx);
   for (uint32_t bound = ctx->xfb.bound; bound; bound &= bound - 1) {
      const unsigned i = (unsigned)__builtin_ctz(bound);
      const uint64_t va = counter_va(counters, i);

      if (va)
         store_counter(ctx, i, va);
   }
   ctx->xfb.active = false;
   si_mark_dirty(ctx, SI_ATOM_XFB);
}

/* The table of V#, which shaders read at SI_SGPR_VS_XFB_BUFFERS. */
static void
emit_buffers(struct si_context *ctx, const struct si_program *program)
{
   uint64_t va;
   uint32_t *words = si_upload_alloc(ctx, NIR_XFB_BUFFERS * AC_BUFFER_DESCRIPTOR_DW, 4, &va);

   memset(words, 0, NIR_XFB_BUFFERS * AC_BUFFER_DESCRIPTOR_DW * 4);
   for (uint32_t bound = ctx->xfb.active ? ctx->xfb.bound : 0; bound; bound &= bound - 1) {
      const unsigned i = (unsigned)__builtin_ctz(bound);

      ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, ctx->xfb.buffers[i].va, ctx->xfb.buffers[i].size_B,
                           words + AC_BUFFER_DESCRIPTOR_DW * i);
   }
   si_cs_reserve(&ctx->cs, 3);
   si_cs_sh_reg(&ctx->cs, program->last_user_data + 4 * SI_SGPR_VS_XFB_BUFFERS, (uint32_t)va);
}

/* The streams that are written, 4 bits each: of their buffers. */
static uint32_t
buffer_config(const struct si_context *ctx, const struct si_program *program)
{
   uint32_t config = 0;

   for (uint32_t rest = program->xfb_buffers & ctx->xfb.bound; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);

      config |= 1u << (4 * program->xfb_streams[i] + i);
   }
   return config;
}

/* Programs take turns; the first draw asks the kernel for it. */
static void
ask_for_order(struct si_context *ctx)
{
   struct si_screen *screen = ctx->screen;

   pthread_mutex_lock(&screen->order_lock);
   if (!screen->order)
      screen->order = amdgpu_ws_order_create(screen->ws);
   ctx->failed |= !screen->order;
   pthread_mutex_unlock(&screen->order_lock);
}

/* Programs that find places themselves look at the sizes of buffers. */
static void
emit_primitive(struct si_context *ctx, const struct si_program *program)
{
   static const uint8_t corners[] = {[PIPE_POINT_LIST] = 1,    [PIPE_LINE_LIST] = 2,      [PIPE_LINE_STRIP] = 2,
                                     [PIPE_TRIANGLE_LIST] = 3, [PIPE_TRIANGLE_STRIP] = 3, [PIPE_TRIANGLE_FAN] = 3};

   if (!program->xfb_buffers)
      return;
   ask_for_order(ctx);
   emit_buffers(ctx, program);
   si_cs_reserve(&ctx->cs, 3);
   si_cs_sh_reg(&ctx->cs, program->last_user_data + 4 * SI_SGPR_VS_XFB_PRIMITIVE,
                corners[si_raster_topology(ctx)] | (uint32_t)ctx->xfb.active << 8);
}

/* Where a program of NGG counts its primitives. */
static void
emit_generated(struct si_context *ctx, const struct si_program *program, bool counts)
{
   const struct amdgpu_ws_bo *counters = ctx->screen->generated;

   if (!program->counts_generated)
      return;
   si_cs_reserve(&ctx->cs, 3);
   si_cs_sh_reg(&ctx->cs, program->last_user_data + 4 * SI_SGPR_VS_GENERATED,
                counts && counters ? (uint32_t)counters->va : 0);
}

void
si_emit_xfb(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const bool counts = ctx->generated_queries && !ctx->state.is_clear;
   uint32_t buffers, streams = 0;

   emit_generated(ctx, program, counts);
   if (!ctx->screen->info.has_strmout) {
      emit_primitive(ctx, program);
      return;
   }
   buffers = ctx->xfb.active && !ctx->state.is_clear ? buffer_config(ctx, program) : 0;
   for (unsigned i = 0; i < NIR_XFB_STREAMS; i++)
      streams |= buffers >> 4 * i & 15 ? S_VGT_STRMOUT_CONFIG_STREAMOUT_0_EN(1) << i : 0;
   if (buffers)
      emit_buffers(ctx, program);
   si_cs_reserve(&ctx->cs, 4);
   si_context_regs(&ctx->cs,
                   {R_VGT_STRMOUT_CONFIG, streams | S_VGT_STRMOUT_CONFIG_EN_PRIMS_NEEDED_CNT(streams || counts) |
                                             S_VGT_STRMOUT_CONFIG_RAST_STREAM(ctx->state.gfx->raster_stream)},
                   {R_VGT_STRMOUT_BUFFER_CONFIG, buffers});
}

void
si_load_byte_count(struct si_context *ctx, const struct pipe_byte_count *count)
{
   struct si_cs *cs = &ctx->cs;

   const uint64_t va = si_resource(count->buffer)->va + count->offset_B;
   const uint32_t reg = R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE;

   si_cs_reserve(cs, 6 + 2 + 6);
   si_cs_context_reg(cs, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, count->counter_offset_B);
   si_cs_context_reg(cs, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, count->stride_B);
   if (!ctx->screen->info.byte_count_copy_hangs) {
      si_packet(cs, copy_data, .src_sel = V_COPY_SRC_MEM, .dst_sel = V_COPY_DST_REGISTER, .wr_confirm = true,
                .src = va, .dst = reg / 4);
      return;
   }
   si_packet(cs, pfp_sync_me, .dummy = 0);
   si_packet_of(cs, PKT3_LOAD_CONTEXT_REG_INDEX, load_reg_index, .address = va,
                .reg_offset = (reg - AMD_CONTEXT_REG_START) / 4, .count_dw = 1);
}

void
si_init_xfb(struct si_context *ctx)
{
   ctx->base.set_xfb_buffers = set_xfb_buffers;
   ctx->base.begin_xfb = begin_xfb;
   ctx->base.end_xfb = end_xfb;
}
