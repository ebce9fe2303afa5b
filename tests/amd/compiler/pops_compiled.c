#include "pops_compiled.h"

#include "amd/compiler/aco_target.h"
#include "compiler/nir/nir_passes.h"
#include "pops_chips.h"
#include "random_sections.h"
#include "util/arena.h"

struct stream
pops_stream_create(void)
{
   static struct amd_chip chip;
   chip = *aco_test_chip();
   memset(chip.cu_bitmap, 0, sizeof(chip.cu_bitmap));
   chip.cu_bitmap[0][0] = 3;
   chip.cu_bitmap[0][1] = 1;
   struct stream s = stream_create(1);
   amd_sim_destroy(s.sim);
   s.sim = amd_sim_create(&chip, 1);
   return s;
}

uint64_t
pops_random(uint64_t state)
{
   return state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

static int
below(uint64_t *state, int n)
{
   *state = pops_random(*state);
   return (int)((uint32_t)(*state >> 33) % (uint32_t)n);
}

void
pops_random_rects(struct pops_rects *rects, uint64_t seed)
{
   const int side = POPS_SIDE * 16;
   for (unsigned i = 0; i < POPS_RECTS; i++) {
      int x = below(&seed, side - 32), y = below(&seed, side - 32);
      int right = x + 32 + below(&seed, side), bottom = y + 32 + below(&seed, side);
      rects->at[i] = (struct pops_rect){x, y, MIN2(right, side), MIN2(bottom, side)};
   }
}

bool
pops_has_layers(void)
{
   return !aco_target(aco_test_chip()->gen)->pops_by_exports;
}

bool
pops_compile(struct arena *arena, struct nir_shader *shader, unsigned wave_size, bool layers, struct aco_output *out,
             const char **error)
{
   nir_optimize(shader);
   const struct aco_stage stage = {
      .hw = ACO_HW_PS,
      .num_shaders = 1,
      .shaders = {shader},
      .args = {.num_user_sgprs = 2,
               .scratch_address = ACO_NO_REG,
               .base_vertex = ACO_NO_REG,
               .base_instance = ACO_NO_REG,
               .draw_id = ACO_NO_REG,
               .view_index = ACO_NO_REG,
               .num_workgroups = ACO_NO_REG,
               .sample_positions = ACO_NO_REG},
   };
   const struct aco_options options = {.gen = aco_test_chip()->gen,
                                       .wave_size = aco_test_wave_size(wave_size),
                                       .float_mode = ACO_FLOAT_MODE_DEFAULT,
                                       .validate = true,
                                       .listing = true,
                                       .ps.intrawave_loop = layers && pops_has_layers()};
   return aco_compile(arena, &stage, &options, out, error);
}

/* ---- order, by the interpreter ---- */

const char *
pops_interpret(struct arena *arena, struct nir_shader *shader, const struct pops_rects *rects,
               const struct nir_interp_buffer *buffers, unsigned buffer_count)
{
   static struct sections_lanes lanes;
   const uint32_t args[1][4] = {{(uint32_t)pops_words_va, (uint32_t)(pops_words_va >> 32)}};
   const struct nir_interp_params params = {
      .buffers = buffers, .num_buffers = buffer_count, .scalar_args = args, .num_scalar_args = 1};
   for (unsigned r = 0; r < POPS_RECTS; r++) {
      const union {
         float number;
         uint32_t bits;
      } var0 = {(float)(r + 1)};
      lanes.count = 0;
      for (unsigned y = 0; y < POPS_SIDE; y += 2) {
         for (unsigned x = 0; x < POPS_SIDE; x += 2) {
            uint32_t covered[4];
            for (unsigned i = 0; i < 4; i++)
               covered[i] = pops_coverage(&rects->at[r], rects->samples_log2, x + i % 2, y + i / 2);
            sections_add_quad(&lanes, x, y, covered, var0.bits);
         }
      }
      const char *error = sections_interpret(arena, shader, &lanes, params);
      if (error)
         return error;
   }
   return NULL;
}

/* ---- the draw ---- */

static void
record(struct stream *s, const struct pops_rects *rects, const struct aco_output *out)
{
   const struct pops_draw d = {.rects = rects->at,
                               .rect_count = POPS_RECTS,
                               .first_id = 1,
                               .wave32 = out->wave_size == 32,
                               .samples_log2 = rects->samples_log2,
                               .overlap_samples_log2 = rects->per_sample ? rects->samples_log2 : 0,
                               .intrawave = out->ps.load_intrawave_collision,
                               .kills = out->ps.kills};
   pops_chip_state(s, aco_test_chip()->gen, &d);
   memcpy(s->memory + POPS_PS_B, out->code, out->code_dw * 4);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS,
           S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(31) | S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(ACO_FLOAT_MODE_DEFAULT));
   set_reg(s, R_SPI_PS_INPUT_ENA, out->ps.input_ena);
   set_reg(s, R_SPI_PS_INPUT_ADDR, out->ps.input_addr);
   draw_auto(s, V_DI_PT_RECTLIST, 3 * POPS_RECTS);
}

const char *
pops_compare(struct arena *arena, const uint8_t *is_bytes, const uint8_t *should_bytes)
{
   const uint32_t *is = (const uint32_t *)is_bytes, *should = (const uint32_t *)should_bytes;
   for (unsigned i = 0; i < POPS_MEMORY_B / 4; i++) {
      unsigned pixel = i / 4 % (POPS_W * POPS_H);
      if (is[i] != should[i])
         return arena_printf(arena, "pixel %u, %u plane %u word %u is 0x%x, not 0x%x", pixel % POPS_W, pixel / POPS_W,
                             i * 4 / POPS_PLANE_B, i % 4, is[i], should[i]);
   }
   return NULL;
}

const char *
pops_draw_and_compare(struct arena *arena, struct stream *s, const struct pops_rects *rects,
                      const struct aco_output *out, const struct sim_schedule *schedule, const uint8_t *expected)
{
   memset(s->memory + POPS_WORDS_B, 0, POPS_MEMORY_B);
   amd_sim_set_schedule(s->sim, schedule);
   record(s, rects, out);
   if (!stream_run(s))
      return arena_strdup(arena, s->fault.message);
   return expected ? pops_compare(arena, s->memory + POPS_WORDS_B, expected) : NULL;
}

const char *
pops_draw_schedules(struct arena *arena, struct stream *s, const struct pops_rects *rects,
                    const struct aco_output *out, uint32_t seed, const uint8_t *expected)
{
   const struct sim_schedule schedules[] = {
      {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_WORST, 0}, {SIM_SCHEDULE_SEED, seed}};
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++) {
      const char *fault = pops_draw_and_compare(arena, s, rects, out, &schedules[i], expected);
      if (fault)
         return arena_printf(arena, "schedule %u: %s", i, fault);
   }
   return NULL;
}
