/* Register writes and packets for GFX11 and GFX11.5: of registers that they have, in fields that they have, and with
 * the values that RADV 26 has programmed on the model (`indium run --gpu navi31 --driver radv-26 --dump-state FILE
 * --plain`; examples/ scene and oit, 64 x 64 pixels, 4 samples). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir_builder.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx11.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/format_enum.h"
#include "written.h"

static const char *const chips[] = {"navi31", "phoenix", "gfx1150"};

static void
check_preamble(const struct si_screen *screen, enum amdgpu_ws_ring ring)
{
   const struct amdgpu_ws_ib *ib = &screen->preambles[ring];
   const uint32_t *dw = fake_memory(ib->va, 4 * ib->size_dw);
   bool idle = false;

   memset(written, 0, sizeof(written));
   for (unsigned i = 0; i < ib->size_dw && dw[i] != PKT3_NOP_PAD; i += 2 + G_PKT3_COUNT(dw[i])) {
      uint32_t opcode = G_PKT3_OPCODE(dw[i]);
      bool sets = opcode == PKT3_SET_CONTEXT_REG || opcode == PKT3_SET_SH_REG || opcode == PKT3_SET_UCONFIG_REG;

      idle |= opcode == PKT3_RELEASE_MEM;
      if (sets)
         run_packet(dw + i);
      assert_true(idle || !written[R_SPI_ATTRIBUTE_RING_BASE / 4]); /* not while somebody uses it */
   }
   expect("COMPUTE_DISPATCH_INTERLEAVE", 0x40);
   expect("COMPUTE_STATIC_THREAD_MGMT_SE4", UINT32_MAX);
   if (ring != AMDGPU_WS_GFX)
      return;
   expect("SPI_GS_THROTTLE_CNTL1", 0x12355123);
   expect("SPI_GS_THROTTLE_CNTL2", 0x0001544d);
   expect("SPI_ATTRIBUTE_RING_BASE", (uint32_t)(screen->attribute_ring->va >> 16));
   expect("PA_CL_NGG_CNTL", 0x78);
   expect("PA_SC_NGG_MODE_CNTL", 0x10);
   expect("GE_MAX_VTX_INDX", UINT32_MAX);
   expect("SPI_SHADER_REQ_CTRL_PS", 7);
}

static void
preambles(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i]);

      for (unsigned ring = 0; ring <= AMDGPU_WS_COMPUTE; ring++)
         check_preamble(screen, ring);
      screen->base.destroy(&screen->base);
   }
}

static void
packets(void **state)
{
   static const uint32_t idle[] = {
      PKT3(PKT3_RELEASE_MEM, 7), 0x80000528, 0,          0,          0, 0, 0,          0,
      PKT3(PKT3_ACQUIRE_MEM, 7), 0x00022800, UINT32_MAX, 0x01ffffff, 0, 0, 0x80000000, 0};
   static const uint32_t count[] = {PKT3(PKT3_EVENT_WRITE, 3), 0x138, 0xfffffc00, 7};
   struct si_screen *screen = screen_of("navi31");
   uint32_t dw[SI_GFX11_IDLE_DW];

   assert_ptr_equal(si_gfx11_wait_idle(dw), dw + ARRAY_SIZE(idle));
   assert_memory_equal(dw, idle, sizeof(idle));
   assert_ptr_equal(si_gfx11_count_pipes(dw, &screen->info), dw + ARRAY_SIZE(count));
   assert_memory_equal(dw, count, sizeof(count));
   screen->base.destroy(&screen->base);
}

/* What RADV writes for targets with DCC. */
static void
dcc_controls(void **state)
{
   static const struct {
      const char *chip;
      uint32_t word;
      unsigned samples;
   } rows[] = {{"vega10", 0x208, 1},     {"raven", 0x218, 1},       {"navi10", 0x100028, 1},
               {"navi21", 0x100028, 1},  {"vangogh", 0x100038, 1},  {"navi31", 0x440428, 4},
               {"phoenix", 0x440438, 1}, {"gfx1150", 0x4440458, 1}, {"gfx1150", 0xc440458, 4}};

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct si_screen *screen = screen_of(rows[i].chip);

      assert_int_equal(si_dcc_control(&screen->info, rows[i].samples), rows[i].word);
      screen->base.destroy(&screen->base);
   }
}

static struct pipe_program *
create(struct pipe_screen *screen, enum nir_interlock interlock)
{
   static const struct pipe_pipeline_layout layout = {0};
   const struct pipe_graphics_state gfx = {.topology = PIPE_TRIANGLE_LIST, .samples = 4};
   const struct pipe_graphics_options options = {.layout = &layout, .state = &gfx};
   struct arena arena = {0};
   struct nir_shader *const shaders[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = nir_shader_create(&arena, NIR_STAGE_VERTEX),
      [NIR_STAGE_FRAGMENT] = nir_shader_create(&arena, NIR_STAGE_FRAGMENT),
   };
   struct nir_builder b = nir_builder_create(shaders[NIR_STAGE_FRAGMENT]);
   struct pipe_program *out;

   shaders[NIR_STAGE_FRAGMENT]->info.interlock = interlock;
   if (interlock) {
      nir_begin_invocation_interlock(&b);
      nir_end_invocation_interlock(&b);
   }
   assert_int_equal(screen->graphics_program_create(screen, shaders, &options, &out), PIPE_OK);
   arena_free(&arena);
   return out;
}

/* The article, "GFX11": the rate is overridden with the samples that overlap, and no wave is told of another. */
static void
programs(void **state)
{
   static const struct {
      enum nir_interlock interlock;
      uint32_t shader_control;
   } rows[] = {
      {NIR_INTERLOCK_NONE, 0}, {NIR_INTERLOCK_PIXEL_ORDERED, 0x02010000}, {NIR_INTERLOCK_SAMPLE_ORDERED, 0x0a010000}};

   for (unsigned i = 0; i < ARRAY_SIZE(chips) * ARRAY_SIZE(rows); i++) {
      struct si_screen *screen = screen_of(chips[i % ARRAY_SIZE(chips)]);
      struct pipe_program *program = create(&screen->base, rows[i / ARRAY_SIZE(chips)].interlock);
      uint32_t control = rows[i / ARRAY_SIZE(chips)].shader_control;

      collect_writes(si_program(program)->regs.dw, si_program(program)->regs.count_dw);
      expect("VGT_SHADER_STAGES_EN", 0x06012010);
      expect("GE_CNTL", 0x1f810080);
      expect("GE_MAX_OUTPUT_PER_SUBGROUP", 0x80);
      expect("GE_NGG_SUBGRP_CNTL", 1);
      expect("VGT_ESGS_RING_ITEMSIZE", 1);
      expect("SPI_SHADER_IDX_FORMAT", 1);
      expect("SPI_SHADER_COL_FORMAT", control ? 1 : 0);
      expect("PA_SC_SHADER_CONTROL", 0);
      assert_int_equal(values[R_DB_SHADER_CONTROL / 4] & 0x1e010000, control);
      assert_int_equal(values[R_SPI_SHADER_PGM_RSRC2_PS / 4] >> 25 & 3, 0);
      screen->base.program_destroy(&screen->base, program);
      screen->base.destroy(&screen->base);
   }
}

static struct si_resource
image(const struct si_screen *screen, uint32_t format, bool depth)
{
   struct si_resource image = {.desc = {.type = PIPE_IMAGE_2D,
                                        .format = format,
                                        .width_px = 64,
                                        .height_px = 64,
                                        .depth_px = 1,
                                        .layers = 1,
                                        .levels = 1,
                                        .samples = 4},
                               .va = UINT64_C(0x800000000000),
                               .plane_format = {depth ? FORMAT_R32_SFLOAT : format}};
   const struct ac_surface_desc desc = {.gen = screen->info.gen,
                                        .gb_addr_config = screen->info.gb_addr_config,
                                        .width_px = 64,
                                        .height_px = 64,
                                        .slices = 1,
                                        .levels = 1,
                                        .element_B = 4,
                                        .block_width_px = 1,
                                        .block_height_px = 1,
                                        .samples = 4,
                                        .depth_stencil = depth};

   assert_true(ac_surface_init(&image.planes[SI_PLANE_MAIN], &desc));
   return image;
}

static void
check_color(const struct si_screen *screen)
{
   const struct si_resource color = image(screen, FORMAT_R8G8B8A8_UNORM, false);
   struct si_color_target target;
   uint32_t dw[64];
   struct si_cs cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)};

   assert_true(
      si_color_target_init(&screen->info, &target, &color, FORMAT_R8G8B8A8_UNORM, (struct si_layers){.count = 1}));
   si_emit_color_target(&cs, &screen->info, 0, &target);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("CB_COLOR0_INFO", 0x0002800a);
   expect("CB_COLOR0_ATTRIB", 2);
   expect("CB_COLOR0_ATTRIB2", 0x000fc03f);
   expect("CB_COLOR0_ATTRIB3", 0x0106c000);
   expect("CB_COLOR0_BASE_EXT", 0x80);
}

static void
check_depth(const struct si_screen *screen)
{
   const struct si_resource depth = image(screen, FORMAT_D32_SFLOAT, true);
   struct si_depth_target target;
   uint32_t dw[64];
   struct si_cs cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)};

   si_depth_target_init(&screen->info, &target, &depth, (struct si_layers){.count = 1});
   si_emit_depth_target(&cs, &screen->info, &target, 0);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("DB_RENDER_CONTROL", screen->info.apu ? 0x00f00060 : 0x00d00060);
   expect("DB_Z_INFO", 0x8010018bu & ~S_DB_Z_INFO_ZRANGE_PRECISION(1)); /* of HTILE */
   cs.cur = dw;
   si_emit_depth_target(&cs, &screen->info, NULL, 0);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("DB_Z_INFO", 0xc);
}

static void
targets(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i]);

      check_color(screen);
      check_depth(screen);
      screen->base.destroy(&screen->base);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(preambles), cmocka_unit_test(packets),
                                      cmocka_unit_test(dcc_controls), cmocka_unit_test(programs),
                                      cmocka_unit_test(targets)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
