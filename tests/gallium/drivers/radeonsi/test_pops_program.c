/* The registers of pipelines with ordered sections on Navi 21, and on other chips what draining needs, as they stand
 * in the program's packets. Run with RADEONSI_DEBUG=drain and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/registers.h"
#include "compiler/nir/nir_builder.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/format_enum.h"
#include "util/macros.h"

/* The last value that the packets write to a register. */
static bool
find_register(const struct si_program *program, uint32_t reg, uint32_t *value)
{
   const struct si_pm4 *pm4 = &program->regs;
   bool found = false;

   for (unsigned i = 0; i < pm4->count_dw;) {
      uint32_t opcode = pm4->dw[i] >> 8 & 0xff, count = (pm4->dw[i] >> 16 & 0x3fff) + 1;
      uint32_t start = opcode == PKT3_SET_CONTEXT_REG ? AMD_CONTEXT_REG_START
                       : opcode == PKT3_SET_SH_REG    ? AMD_SH_REG_START
                                                      : AMD_UCONFIG_REG_START;
      uint32_t first = start + 4 * pm4->dw[i + 1];

      if (reg >= first && reg < first + 4 * (count - 1)) {
         *value = pm4->dw[i + 2 + (reg - first) / 4];
         found = true;
      }
      i += 1 + count;
   }
   return found;
}

static uint32_t
register_of(const struct si_program *program, uint32_t reg)
{
   uint32_t value = 0;

   assert_true(find_register(program, reg, &value));
   return value;
}

static struct nir_shader *
fragment_with(struct arena *arena, enum nir_interlock interlock)
{
   struct nir_shader *fragment = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(fragment);

   fragment->info.interlock = interlock;
   if (interlock) {
      nir_begin_invocation_interlock(&b);
      nir_end_invocation_interlock(&b);
   }
   return fragment;
}

struct row {
   enum nir_interlock interlock;
   uint8_t samples;
   bool loop, color;
   /* expected */
   uint32_t ordered, overlap, wave_id, intrawave, col_format;
};

/* The article: "Configuring POPS", "Export requirements"; overlap is a logarithm. */
static const struct row rows[] = {
   {NIR_INTERLOCK_NONE, 1, false, false, 0, 0, 0, 0, 0},
   {NIR_INTERLOCK_NONE, 8, false, true, 0, 0, 0, 0, 4},
   {NIR_INTERLOCK_PIXEL_ORDERED, 1, false, false, 1, 0, 1, 0, 1},
   {NIR_INTERLOCK_PIXEL_ORDERED, 4, false, true, 1, 0, 1, 0, 4},
   {NIR_INTERLOCK_PIXEL_UNORDERED, 8, true, false, 1, 0, 1, 1, 1},
   {NIR_INTERLOCK_SAMPLE_ORDERED, 1, false, false, 1, 0, 1, 0, 1},
   {NIR_INTERLOCK_SAMPLE_ORDERED, 2, false, false, 1, 1, 1, 0, 1},
   {NIR_INTERLOCK_SAMPLE_ORDERED, 4, true, false, 1, 2, 1, 1, 1},
   {NIR_INTERLOCK_SAMPLE_UNORDERED, 8, false, true, 1, 3, 1, 0, 4},
};

static struct pipe_program *
create(struct pipe_screen *screen, const struct row *row)
{
   static const struct pipe_pipeline_layout layout = {0};
   struct pipe_graphics_state gfx = {.samples = row->samples, .color_write_mask = 0xf};
   const struct pipe_graphics_options options = {.layout = &layout, .state = &gfx};
   struct arena arena = {0};
   struct pipe_program *out;

   if (row->color)
      gfx.targets = (struct pipe_targets){.num_colors = 1, .color_formats = {FORMAT_R8G8B8A8_UNORM}};
   fake_intrawave = row->loop;
   struct nir_shader *const shaders[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = nir_shader_create(&arena, NIR_STAGE_VERTEX),
      [NIR_STAGE_FRAGMENT] = fragment_with(&arena, row->interlock),
   };
   assert_int_equal(screen->graphics_program_create(screen, shaders, &options, &out), PIPE_OK);
   arena_free(&arena);
   return out;
}

static void
check_row(struct pipe_screen *screen, const struct row *row)
{
   struct pipe_program *out = create(screen, row);
   const struct si_program *program = si_program(out);
   uint32_t db = register_of(program, R_DB_SHADER_CONTROL), pa = register_of(program, R_PA_SC_SHADER_CONTROL);
   uint32_t rsrc2 = register_of(program, R_SPI_SHADER_PGM_RSRC2_PS);
   assert_int_equal(db >> 16 & 1, row->ordered);
   assert_int_equal(db >> 20 & 7, row->overlap);
   assert_int_equal(pa, row->wave_id << 2 | row->intrawave << 3);
   assert_int_equal(rsrc2 >> 25 & 3, row->wave_id | row->intrawave << 1);
   assert_int_equal(register_of(program, R_SPI_SHADER_COL_FORMAT), row->col_format);
   screen->program_destroy(screen, out);
}

static void
test_rows(void **state)
{
   struct pipe_screen *screen = fake_screen_create();

   assert_non_null(screen);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
      check_row(screen, &rows[i]);
   screen->destroy(screen);
   assert_int_equal(fake_num_bos, 0);
}

/* The article, "Hardware bug workarounds": DB_DFSM_CONTROL bit 2 is on only with an ordered section: at 8 samples on
 * Vega 10 and Raven, elsewhere if forced. With it DB_RENDER_OVERRIDE2 1:0 is PSLC_ON_HANG_ONLY, 1, on GFX10.1. Where
 * no draw may want it, the preamble's values stay; else each program says whether it drains, and takes it back. */
static const struct drain_row {
   const char *chip;
   enum amd_gen gen;
   bool at_8_samples;
   uint32_t launch_control;
} drain_rows[] = {
   {"vega10", AMD_GFX9, true, 0},
   {"raven", AMD_GFX9, true, 0},
   {"renoir", AMD_GFX9, false, 0},
   {"navi10", AMD_GFX10, false, 1},
};

static void
check_drain(const struct drain_row *chip)
{
   fake_chip = chip->chip;
   struct pipe_screen *screen = fake_screen_create();
   bool forced = getenv("RADEONSI_DEBUG") != NULL, says = forced || chip->at_8_samples;

   assert_non_null(screen);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct pipe_program *out = create(screen, &rows[i]);
      uint32_t dfsm = 0, override2 = 0;
      uint32_t drains = rows[i].ordered && (forced || (chip->at_8_samples && rows[i].samples == 8));

      assert_int_equal(find_register(si_program(out), R_DB_DFSM_CONTROL(chip->gen), &dfsm), says);
      assert_int_equal(find_register(si_program(out), R_DB_RENDER_OVERRIDE2, &override2), says);
      assert_int_equal(dfsm, says ? 2 | drains << 2 : 0);
      assert_int_equal(override2, drains ? chip->launch_control : 0);
      screen->program_destroy(screen, out);
   }
   screen->destroy(screen);
}

static void
test_drain(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(drain_rows); i++)
      check_drain(&drain_rows[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_drain)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
