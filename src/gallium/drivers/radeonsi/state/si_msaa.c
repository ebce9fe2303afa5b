/* Multisampling: positions, masks, rates. */
#include "gallium/drivers/radeonsi/state/si_msaa.h"

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"

/* Four-bit signed offsets from the centre in 1/16 pixel: x of sample n in bits 8n+3:8n, y in 8n+7:8n+4. */
static const uint32_t locations[4][2] = {
   {0x00000000, 0},
   {0x0000cc44, 0},
   {0x622ae6ae, 0},
   {0xbd153fd1, 0x9773f95b},
};

static const uint32_t centroid_priority[4] = {0, 0x10101010, 0x32103210, 0x76543210};
/* Farthest sample from the centre, in 1/16 pixel. */
static const uint8_t max_distance[4] = {0, 4, 6, 7};

void
si_sample_position(unsigned samples, unsigned sample, float xy[2])
{
   uint32_t word = locations[log2_floor(samples)][sample / 4] >> (8 * (sample % 4));

   xy[0] = (float)sign_extend(word & 15, 4) / 16 + 0.5f;
   xy[1] = (float)sign_extend(word >> 4 & 15, 4) / 16 + 0.5f;
}

static void
emit_positions(struct si_cs *cs, unsigned log_samples)
{
   si_cs_reserve(cs, 18 + 4);
   si_cs_context_regs(cs, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, 16);
   for (unsigned pixel = 0; pixel < 4; pixel++) {
      for (unsigned i = 0; i < 4; i++)
         si_cs_emit(cs, i < 2 ? locations[log_samples][i] : 0);
   }
   si_context_regs(cs, {R_PA_SC_CENTROID_PRIORITY_0, centroid_priority[log_samples]},
                   {R_PA_SC_CENTROID_PRIORITY_1, centroid_priority[log_samples]});
}

void
si_emit_msaa(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;
   unsigned samples = si_raster_samples(ctx->state.gfx), n = log2_floor(samples);
   unsigned iterations = program->per_sample ? n : 0;
   uint32_t mask = ctx->state.gfx->sample_mask & 0xffff;
   uint64_t positions = si_sample_positions_va(ctx->screen, samples);

   emit_positions(cs, n);
   si_cs_reserve(cs, 3 * 3 + 4 + 4);
   si_cs_context_reg(
      cs, R_PA_SC_AA_CONFIG,
      S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(n) | S_PA_SC_AA_CONFIG_MAX_SAMPLE_DIST(max_distance[n]) |
         S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(n) |
         S_PA_SC_AA_CONFIG_COVERED_CENTROID_IS_CENTER(samples > 1 && ctx->screen->info.has_covered_centroid));
   si_cs_context_reg(cs, R_DB_EQAA,
                     S_DB_EQAA_MAX_ANCHOR_SAMPLES(n) | S_DB_EQAA_PS_ITER_SAMPLES(iterations) |
                        S_DB_EQAA_MASK_EXPORT_NUM_SAMPLES(n) | S_DB_EQAA_ALPHA_TO_MASK_NUM_SAMPLES(n) |
                        S_DB_EQAA_HIGH_QUALITY_INTERSECTIONS(1) | S_DB_EQAA_INCOHERENT_EQAA_READS(1) |
                        S_DB_EQAA_INTERPOLATE_COMP_Z(ctx->screen->info.has_eqaa) |
                        S_DB_EQAA_STATIC_ANCHOR_ASSOCIATIONS(1));
   si_cs_context_reg(cs, R_PA_SC_MODE_CNTL_0,
                     S_PA_SC_MODE_CNTL_0_MSAA_ENABLE(samples > 1) | S_PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE(1) |
                        S_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(ctx->state.gfx->line_stipple_enable) |
                        S_PA_SC_MODE_CNTL_0_ALTERNATE_RBS_PER_TILE(1));
   si_context_regs(cs, {R_PA_SC_AA_MASK_X0Y0_X1Y0, mask | mask << 16},
                   {R_PA_SC_AA_MASK_X0Y1_X1Y1, mask | mask << 16});
   si_cs_sh_address(cs, program->user_data[ACO_HW_PS] + 4 * SI_SGPR_PS_SAMPLE_POSITIONS, positions);
}
