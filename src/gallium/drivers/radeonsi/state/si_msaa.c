/* Multisampling: positions, masks, rates. */
#include "gallium/drivers/radeonsi/state/si_msaa.h"

#include <string.h>

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

/* What draws say of the samples of four pixels. */
struct positions {
   uint32_t words[4][2];
   uint32_t centroid_priority;
   unsigned max_distance;
   uint64_t va; /* of what shaders read */
};

static struct positions
standard_positions(const struct si_screen *screen, unsigned samples)
{
   const unsigned n = log2_floor(samples);
   struct positions p = {.centroid_priority = centroid_priority[n],
                         .max_distance = max_distance[n],
                         .va = si_sample_positions_va(screen, samples)};

   for (unsigned pixel = 0; pixel < 4; pixel++)
      memcpy(p.words[pixel], locations[n], sizeof(p.words[pixel]));
   return p;
}

/* From the centre. */
static int
offset_x(uint8_t at)
{
   return (int)(at & 15) - 8;
}

static int
offset_y(uint8_t at)
{
   return (int)(at >> 4) - 8;
}

static int
distance_squared(uint8_t at)
{
   return offset_x(at) * offset_x(at) + offset_y(at) * offset_y(at);
}

/* The samples by their distance from the centre, over and over. */
static uint32_t
nearest_first(const uint8_t *at, unsigned samples)
{
   uint32_t priority = 0, taken = 0;

   for (unsigned place = 0; place < samples; place++) {
      unsigned nearest = 0;

      while (taken >> nearest & 1)
         nearest++;
      for (unsigned i = nearest + 1; i < samples; i++) {
         if (!(taken >> i & 1) && distance_squared(at[i]) < distance_squared(at[nearest]))
            nearest = i;
      }
      taken |= 1u << nearest;
      for (unsigned i = place; i < 8; i += samples)
         priority |= nearest << (4 * i);
   }
   return priority;
}

/* Shaders see the positions of the first pixel. */
static struct positions
own_positions(struct si_context *ctx, const struct pipe_sample_locations *from)
{
   struct positions p = {.centroid_priority = nearest_first(from->at[0], from->samples)};
   uint32_t *table = si_upload_alloc(ctx, 2 * from->samples, 2, &p.va);

   for (unsigned pixel = 0; pixel < 4; pixel++) {
      for (unsigned i = 0; i < from->samples; i++) {
         const uint8_t at = from->at[pixel][i];
         const int x = offset_x(at), y = offset_y(at);

         p.words[pixel][i / 4] |= (uint32_t)(at ^ 0x88) << (8 * (i % 4));
         p.max_distance = MAX2(p.max_distance, (unsigned)MAX2(MAX2(x, -x), MAX2(y, -y)));
      }
   }
   for (unsigned i = 0; i < from->samples; i++) {
      table[2 * i] = float_bits((float)(from->at[0][i] & 15) / 16);
      table[2 * i + 1] = float_bits((float)(from->at[0][i] >> 4) / 16);
   }
   return p;
}

static struct positions
positions_of(struct si_context *ctx, unsigned samples)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;

   if (gfx->sample_locations_enable && samples > 1 && gfx->sample_locations.samples == samples)
      return own_positions(ctx, &gfx->sample_locations);
   return standard_positions(ctx->screen, samples);
}

static void
emit_positions(struct si_cs *cs, const struct positions *p)
{
   si_cs_reserve(cs, 18 + 4);
   si_cs_context_regs(cs, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, 16);
   for (unsigned pixel = 0; pixel < 4; pixel++) {
      for (unsigned i = 0; i < 4; i++)
         si_cs_emit(cs, i < 2 ? p->words[pixel][i] : 0);
   }
   si_context_regs(cs, {R_PA_SC_CENTROID_PRIORITY_0, p->centroid_priority},
                   {R_PA_SC_CENTROID_PRIORITY_1, p->centroid_priority});
}

/* Source: PAL. */
static uint32_t
conservative_control(enum pipe_conservative mode)
{
   const uint32_t both = S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_PREZ_AA_MASK_ENABLE(1) |
                         S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_POSTZ_AA_MASK_ENABLE(1) |
                         S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_CENTROID_SAMPLE_OVERRIDE(1);

   switch (mode) {
   case PIPE_CONSERVATIVE_OFF:
      break;
   case PIPE_CONSERVATIVE_TOUCHED:
      return both | S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_OVER_RAST_ENABLE(1) |
             S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_SAMPLE_SELECT(1) |
             S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_PBB_UNCERTAINTY_REGION_ENABLE(1);
   case PIPE_CONSERVATIVE_INSIDE:
      return both | S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_OVER_RAST_SAMPLE_SELECT(1) |
             S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_ENABLE(1);
   }
   return S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_NULL_SQUAD_AA_MASK_ENABLE(1);
}

void
si_emit_msaa(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;
   unsigned samples = si_raster_samples(ctx), n = log2_floor(samples);
   unsigned iterations = program->per_sample ? n : 0;
   uint32_t mask = ctx->state.gfx->sample_mask & 0xffff;
   const struct positions positions = positions_of(ctx, samples);
   const enum pipe_conservative conservative = ctx->state.gfx->conservative;

   emit_positions(cs, &positions);
   si_cs_reserve(cs, 4 * 3 + 4 + 4);
   si_cs_context_reg(
      cs, R_PA_SC_AA_CONFIG,
      S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(n) | S_PA_SC_AA_CONFIG_MAX_SAMPLE_DIST(positions.max_distance) |
         S_PA_SC_AA_CONFIG_AA_MASK_CENTROID_DTMN(conservative != PIPE_CONSERVATIVE_OFF) |
         S_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT(program->tested_coverage ? V_INPUT_DEPTH_COVERAGE
                                                                              : V_INPUT_COVERAGE) |
         S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(n) |
         S_PA_SC_AA_CONFIG_COVERED_CENTROID_IS_CENTER(samples > 1 && ctx->screen->info.has_covered_centroid));
   si_cs_context_reg(cs, R_DB_EQAA,
                     S_DB_EQAA_MAX_ANCHOR_SAMPLES(n) | S_DB_EQAA_PS_ITER_SAMPLES(iterations) |
                        S_DB_EQAA_MASK_EXPORT_NUM_SAMPLES(n) | S_DB_EQAA_ALPHA_TO_MASK_NUM_SAMPLES(n) |
                        S_DB_EQAA_HIGH_QUALITY_INTERSECTIONS(1) | S_DB_EQAA_INCOHERENT_EQAA_READS(1) |
                        S_DB_EQAA_INTERPOLATE_COMP_Z(ctx->screen->info.has_eqaa) |
                        S_DB_EQAA_OVERRASTERIZATION_AMOUNT(conservative != PIPE_CONSERVATIVE_OFF ? 4 : 0) |
                        S_DB_EQAA_STATIC_ANCHOR_ASSOCIATIONS(1));
   si_cs_context_reg(cs, R_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL, conservative_control(conservative));
   si_cs_context_reg(cs, R_PA_SC_MODE_CNTL_0,
                     S_PA_SC_MODE_CNTL_0_MSAA_ENABLE(samples > 1) | S_PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE(1) |
                        S_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(ctx->state.gfx->line_stipple_enable) |
                        S_PA_SC_MODE_CNTL_0_ALTERNATE_RBS_PER_TILE(1));
   si_context_regs(cs, {R_PA_SC_AA_MASK_X0Y0_X1Y0, mask | mask << 16},
                   {R_PA_SC_AA_MASK_X0Y1_X1Y1, mask | mask << 16});
   si_cs_sh_address(cs, program->user_data[ACO_HW_PS] + 4 * SI_SGPR_PS_SAMPLE_POSITIONS, positions.va);
}
