/* The indirect buffers that every submit starts with: default state, and registers that never change afterwards. */
#include "amd/hw/sdma.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx10.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx11.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx9.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/macros.h"

struct writer {
   uint32_t *dw;
   unsigned count;
};

/* What was written ends at `end`. */
static void
wrote(struct writer *w, const uint32_t *end)
{
   w->count = (unsigned)(end - w->dw);
}

static void
write_event(struct writer *w, uint32_t event, uint32_t index)
{
   const struct amd_pm4_event_write packet = {.event_type = event, .event_index = index};

   wrote(w, amd_pm4_event_write_pack(w->dw + w->count, &packet));
}

static void
default_state(struct writer *w)
{
   const struct amd_pm4_context_control control = {.load_update = true, .shadow_update = true};
   const struct amd_pm4_clear_state clear = {.command = V_CLEAR_STATE_CLEAR};

   wrote(w, amd_pm4_context_control_pack(w->dw + w->count, &control));
   wrote(w, amd_pm4_clear_state_pack(w->dw + w->count, &clear));
}

static void
acquire(struct writer *w, const struct ac_gpu_info *info)
{
   wrote(w, si_first_acquire(info, w->dw + w->count));
}

/* The scan converter looks at the size of a bin although nothing is binned. Source: what radeonsi and RADV write when
 * binning is off, 128 x 128 pixels, or 128 x 64 for more than 4 bytes a pixel; here for all. The parameter cache of
 * the chips has 1024 lines, 512 or, Raphael, 256: a third of the smallest suits all. */
static void
binner_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   enum { PC_LINES = 256, MAX_PRIMITIVES = 1024 };

   si_pm4_reg(regs, R_PA_SC_BINNER_CNTL_0,
              S_PA_SC_BINNER_CNTL_0_BINNING_MODE(V_DISABLE_BINNING_USE_NEW_SC) |
                 S_PA_SC_BINNER_CNTL_0_BIN_SIZE_X_EXTEND(V_BIN_SIZE_128_PIXELS) |
                 S_PA_SC_BINNER_CNTL_0_BIN_SIZE_Y_EXTEND(V_BIN_SIZE_64_PIXELS) |
                 S_PA_SC_BINNER_CNTL_0_DISABLE_START_OF_PRIM(1) |
                 S_PA_SC_BINNER_CNTL_0_FLUSH_ON_BINNING_TRANSITION(1));
   si_pm4_reg(regs, R_PA_SC_BINNER_CNTL_1,
              S_PA_SC_BINNER_CNTL_1_MAX_ALLOC_COUNT(PC_LINES / 3 - 1) |
                 S_PA_SC_BINNER_CNTL_1_MAX_PRIM_PER_BATCH(MAX_PRIMITIVES - 1));
   /* A wave ends when the vertices that it frees fill half of the cache of 1024 lines; GFX11 has none. Source: RADV.
    */
   si_pm4_reg(regs, R_PA_SC_NGG_MODE_CNTL, S_PA_SC_NGG_MODE_CNTL_MAX_DEALLOCS_IN_WAVE(info->ngg_only ? 16 : 512));
}

/* Patterns of lines count pixels, from the first one on. CLEAR_STATE leaves 0 for the scale, and the places of
 * earlier jobs: with AUTO_RESET_CNTL 0 the pattern would continue where they ended. Source: PAL and RADV write the
 * same.
 */
static void
stipple_registers(struct si_pm4 *regs)
{
   si_pm4_reg(regs, R_PA_SU_LINE_STIPPLE_SCALE, float_bits(1));
   si_pm4_reg(regs, R_PA_SU_LINE_STIPPLE_VALUE, 0);
   si_pm4_reg(regs, R_PA_SC_LINE_STIPPLE_STATE, 0);
}

/* Clipping, setup and scan conversion. */
static void
raster_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, R_PA_SU_PRIM_FILTER_CNTL,
              S_PA_SU_PRIM_FILTER_CNTL_XMAX_RIGHT_EXCLUSION(1) | S_PA_SU_PRIM_FILTER_CNTL_YMAX_BOTTOM_EXCLUSION(1));
   si_pm4_reg(regs, R_PA_SU_SMALL_PRIM_FILTER_CNTL, S_PA_SU_SMALL_PRIM_FILTER_CNTL_SMALL_PRIM_FILTER_ENABLE(1));
   si_pm4_reg(regs, R_PA_SU_POINT_SIZE, S_PA_SU_POINT_SIZE_HEIGHT(8) | S_PA_SU_POINT_SIZE_WIDTH(8));
   si_pm4_reg(regs, R_PA_SU_POINT_MINMAX, S_PA_SU_POINT_MINMAX_MIN_SIZE(0) | S_PA_SU_POINT_MINMAX_MAX_SIZE(0xffff));
   si_pm4_reg(regs, R_PA_SU_VTX_CNTL,
              S_PA_SU_VTX_CNTL_PIX_CENTER(1) | S_PA_SU_VTX_CNTL_ROUND_MODE(V_X_ROUND_TO_EVEN) |
                 S_PA_SU_VTX_CNTL_QUANT_MODE(V_X_16_8_FIXED_POINT_1_256TH));
   si_pm4_reg(regs, R_PA_CL_VTE_CNTL,
              S_PA_CL_VTE_CNTL_VPORT_X_SCALE_ENA(1) | S_PA_CL_VTE_CNTL_VPORT_X_OFFSET_ENA(1) |
                 S_PA_CL_VTE_CNTL_VPORT_Y_SCALE_ENA(1) | S_PA_CL_VTE_CNTL_VPORT_Y_OFFSET_ENA(1) |
                 S_PA_CL_VTE_CNTL_VPORT_Z_SCALE_ENA(1) | S_PA_CL_VTE_CNTL_VPORT_Z_OFFSET_ENA(1) |
                 S_PA_CL_VTE_CNTL_VTX_W0_FMT(1));
   si_pm4_reg(regs, R_PA_SC_LINE_CNTL, 0);
   stipple_registers(regs);
   binner_registers(regs, info);
   if (info->pops->has_dfsm)
      si_pm4_reg(regs, R_DB_DFSM_CONTROL(info->gen), S_DB_DFSM_CONTROL_PUNCHOUT_MODE(V_PUNCHOUT_MODE_FORCE_OFF));
   si_pm4_reg(regs, R_DB_RENDER_CONTROL, SI_DB_RENDER_CONTROL);
   si_pm4_reg(regs, R_DB_RENDER_OVERRIDE, si_render_override(true));
   si_pm4_reg(regs, R_DB_RENDER_OVERRIDE2,
              S_DB_RENDER_OVERRIDE2_CENTROID_COMPUTATION_MODE(info->has_covered_centroid));
}

static void
color_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, info->fdcc ? R_CB_FDCC_CONTROL : R_CB_DCC_CONTROL, info->cb_dcc_control);
}

/* The work before may be another process's, in the other vertex pipeline: erratum ngg-legacy-vgt-flush. */
static void
reset_vertex_front_end(struct writer *w)
{
   write_event(w, V_VS_PARTIAL_FLUSH, V_EVENT_INDEX_PARTIAL_FLUSH);
   write_event(w, V_VGT_FLUSH, V_EVENT_INDEX_OTHER);
}

static void
shader_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, R_SPI_INTERP_CONTROL_0,
              S_SPI_INTERP_CONTROL_0_FLAT_SHADE_ENA(1) | S_SPI_INTERP_CONTROL_0_PNT_SPRITE_ENA(1) |
                 S_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_X(V_SPI_PNT_SPRITE_SEL_S) |
                 S_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Y(V_SPI_PNT_SPRITE_SEL_T) |
                 S_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Z(V_SPI_PNT_SPRITE_SEL_0) |
                 S_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_W(V_SPI_PNT_SPRITE_SEL_1));
   if (info->has_rbplus)
      si_pm4_reg(regs, R_SX_PS_DOWNCONVERT_CONTROL, 0xff);
   si_pm4_reg(regs, R_SX_PS_DOWNCONVERT, 0);
}

static void
add_packets(struct writer *w, const struct ac_gpu_info *info,
            void (*fill)(struct si_pm4 *, const struct ac_gpu_info *))
{
   struct si_pm4 regs = {0};

   fill(&regs, info);
   memcpy(w->dw + w->count, regs.dw, regs.count_dw * 4);
   w->count += regs.count_dw;
}

/* Counters of pipeline statistics run all the time. */
static void
start_statistics(struct writer *w)
{
   write_event(w, V_PIPELINESTAT_START, V_EVENT_INDEX_OTHER);
}

/* Border colours of samplers. */
static void
border_registers(struct writer *w, const struct si_screen *screen, bool compute)
{
   uint64_t va = screen->borders.bo->va;
   struct si_pm4 regs = {0};

   si_pm4_reg(&regs, compute ? R_TA_CS_BC_BASE_ADDR : R_TA_BC_BASE_ADDR, (uint32_t)(va >> 8));
   si_pm4_reg(&regs, compute ? R_TA_CS_BC_BASE_ADDR_HI : R_TA_BC_BASE_ADDR_HI,
              S_TA_BC_BASE_ADDR_HI_ADDRESS(va >> 40));
   memcpy(w->dw + w->count, regs.dw, regs.count_dw * 4);
   w->count += regs.count_dw;
}

static void
vertex_registers(struct writer *w, const struct si_screen *screen)
{
   const struct ac_gpu_info *info = &screen->info;

   if (info->has_vgt || info->ngg_only) {
      add_packets(w, info, info->has_vgt ? si_gfx9_graphics_registers : si_gfx11_graphics_registers);
      return;
   }
   add_packets(w, info, si_gfx10_graphics_registers);
   if (screen->ngg)
      add_packets(w, info, si_gfx10_ngg_registers);
   add_packets(w, info, si_gfx10_legacy_registers);
}

static void
compute_registers(struct writer *w, const struct si_screen *screen)
{
   const struct ac_gpu_info *info = &screen->info;

   border_registers(w, screen, true);
   add_packets(w, info,
               info->has_vgt    ? si_gfx9_compute_registers
               : info->ngg_only ? si_gfx11_compute_registers
                                : si_gfx10_compute_registers);
}

/* Its registers do not change under work. */
static void
attribute_ring(struct writer *w, const struct si_screen *screen)
{
   struct si_pm4 regs = {0};

   wrote(w, si_gfx11_wait_idle(w->dw + w->count));
   si_gfx11_ring_registers(&regs, screen->attribute_ring->va);
   memcpy(w->dw + w->count, regs.dw, regs.count_dw * 4);
   w->count += regs.count_dw;
}

static void
graphics_preamble(struct writer *w, const struct si_screen *screen)
{
   const struct ac_gpu_info *info = &screen->info;

   default_state(w);
   acquire(w, info);
   add_packets(w, info, raster_registers);
   add_packets(w, info, color_registers);
   vertex_registers(w, screen);
   add_packets(w, info, shader_registers);
   border_registers(w, screen, false);
   compute_registers(w, screen);
   if (info->ngg_only)
      attribute_ring(w, screen);
   else
      reset_vertex_front_end(w);
   if (info->counts_pixel_pipes)
      wrote(w, si_gfx11_count_pipes(w->dw + w->count, info));
   start_statistics(w);
}

static void
compute_preamble(struct writer *w, const struct si_screen *screen)
{
   const struct ac_gpu_info *info = &screen->info;

   acquire(w, info);
   compute_registers(w, screen);
   start_statistics(w);
}

/* A submit has a buffer. */
static void
sdma_preamble(struct writer *w, const struct si_screen *screen)
{
   for (unsigned i = 0; i < 8; i++)
      w->dw[w->count++] = SDMA_NOP;
}

bool
si_preamble_init(struct si_screen *screen)
{
   static void (*const preambles[AMDGPU_WS_RINGS])(struct writer *, const struct si_screen *) = {
      [AMDGPU_WS_GFX] = graphics_preamble, [AMDGPU_WS_COMPUTE] = compute_preamble, [AMDGPU_WS_SDMA] = sdma_preamble};
   struct writer w = {0};

   screen->preamble =
      amdgpu_ws_bo_create(screen->ws, 4096, 4096, AMDGPU_WS_GTT, AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY);
   w.dw = screen->preamble ? amdgpu_ws_bo_map(screen->preamble) : NULL;
   if (!w.dw)
      return false;
   for (unsigned i = 0; i < AMDGPU_WS_RINGS; i++) {
      unsigned first = w.count;

      preambles[i](&w, screen);
      if (i != AMDGPU_WS_SDMA)
         si_mutate_packets(w.dw + first, w.count - first, screen->info.gen);
      while (w.count % 8)
         w.dw[w.count++] = PKT3_NOP_PAD;
      screen->preambles[i] =
         (struct amdgpu_ws_ib){.va = screen->preamble->va + first * 4, .size_dw = w.count - first};
   }
   return true;
}
