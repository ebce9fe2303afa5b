/* Register writes and packets for GFX9: of registers that it has, in fields that it has, and with the values that
 * RADV has programmed on the model of vega10 (`indium run --gpu vega10 --driver radv --dump-state FILE --plain`;
 * examples/ scene, 64 x 64 pixels, 4 samples). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx9.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/format_enum.h"
#include "util/macros.h"

#include "fake_gpu.h"
#include "written.h"

static struct si_resource
image(uint32_t format, uint32_t plane_format, unsigned element_B, bool depth)
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
                               .plane_format = {plane_format}};
   const struct amd_chip *chip = amd_chip_by_name("vega10");

   assert_true(
      ac_surface_init(&image.planes[SI_PLANE_MAIN], &(struct ac_surface_desc){.gen = AMD_GFX9,
                                                                              .gb_addr_config = chip->gb_addr_config,
                                                                              .width_px = 64,
                                                                              .height_px = 64,
                                                                              .slices = 1,
                                                                              .levels = 1,
                                                                              .element_B = (uint8_t)element_B,
                                                                              .block_width_px = 1,
                                                                              .block_height_px = 1,
                                                                              .samples = 4,
                                                                              .depth_stencil = depth}));
   return image;
}

static struct ac_gpu_info
gfx9(void)
{
   return (struct ac_gpu_info){.gen = AMD_GFX9, .has_eqaa = true, .pops = ac_pops_caps("gfx900")};
}

static void
color_target(void **state)
{
   const struct si_resource color = image(FORMAT_R8G8B8A8_UNORM, FORMAT_R8G8B8A8_UNORM, 4, false);
   struct si_color_target target;
   uint32_t dw[64];
   struct si_cs cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)};

   const struct ac_gpu_info info = gfx9();

   assert_true(si_color_target_init(&info, &target, &color, FORMAT_R8G8B8A8_UNORM, (struct si_layers){.count = 1}));
   si_emit_color_target(&cs, &info, 0, &target);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("CB_COLOR0_BASE", 0);
   expect("CB_COLOR0_BASE_EXT", 0x80);
   expect("CB_MRT0_EPITCH", 0x3f);
   expect("CB_COLOR0_ATTRIB2", 0x000fc03f);
   expect("CB_COLOR0_VIEW", 0);
   /* Without the alignment of metadata and without FMASK, which has a mode. */
   uint32_t metadata = S_CB_COLOR0_ATTRIB_RB_ALIGNED(1) | S_CB_COLOR0_ATTRIB_PIPE_ALIGNED(1);
   expect("CB_COLOR0_ATTRIB", 0xdc692000u & ~metadata & ~S_CB_COLOR0_ATTRIB_FMASK_SW_MODE(-1));
   cs.cur = dw;
   si_emit_color_target(&cs, &info, 3, NULL);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("CB_COLOR3_INFO", 0);
}

static void
depth_target(void **state)
{
   const struct si_resource depth = image(FORMAT_D32_SFLOAT, FORMAT_R32_SFLOAT, 4, true);
   struct si_depth_target target;
   uint32_t dw[64];
   struct si_cs cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)};

   const struct ac_gpu_info info = gfx9();

   si_depth_target_init(&info, &target, &depth, (struct si_layers){.count = 1});
   si_emit_depth_target(&cs, &info, &target, 0);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("DB_DEPTH_VIEW", 0);
   expect("DB_DEPTH_SIZE", 0x003f003f);
   expect("DB_Z_INFO", 0x8000018bu & ~S_DB_Z_INFO_ZRANGE_PRECISION(1)); /* of HTILE */
   expect("DB_STENCIL_INFO", 0x20000000u | S_DB_STENCIL_INFO_SW_MODE(24));
   expect("DB_Z_READ_BASE_HI", 0x80);
   expect("DB_Z_WRITE_BASE_HI", 0x80);
   expect("DB_Z_INFO2", 0x3f);
   expect("DB_STENCIL_INFO2", 0);
   cs.cur = dw;
   si_emit_depth_target(&cs, &info, NULL, 0);
   collect_writes(dw, (unsigned)(cs.cur - dw));
   expect("DB_Z_INFO", 0);
}

static void
preamble(void **state)
{
   const struct ac_gpu_info info = {.gen = AMD_GFX9, .pops = ac_pops_caps("gfx900")};
   struct si_pm4 regs = {0};

   si_gfx9_graphics_registers(&regs, &info);
   collect_writes(regs.dw, regs.count_dw);
   expect("VGT_MAX_VTX_INDX", UINT32_MAX);
   expect("VGT_MIN_VTX_INDX", 0);
   expect("VGT_INDX_OFFSET", 0);
   expect("VGT_INSTANCE_BASE_ID", 0);
   expect("VGT_VERTEX_REUSE_BLOCK_CNTL", 0x1e);
   expect("PA_SC_BINNER_CNTL_0", 0x00040003);
   expect("SPI_SHADER_PGM_RSRC3_PS", 0x003fffff);
   regs = (struct si_pm4){0};
   si_gfx9_compute_registers(&regs, &info);
   collect_writes(regs.dw, regs.count_dw);
   expect("COMPUTE_STATIC_THREAD_MGMT_SE3", UINT32_MAX);
   expect("CP_COHER_START_DELAY", 0);
}

static void
packets(void **state)
{
   static const uint32_t first[] = {PKT3(PKT3_ACQUIRE_MEM, 6), 0x28c40000, 0xffffffff, 0x00ffffff, 0, 0, 10};
   uint32_t dw[SI_ACQUIRE_DW];
   struct amd_pm4_release_mem release = {.event_type = V_CACHE_FLUSH_AND_INV_TS_EVENT,
                                         .event_index = V_EVENT_INDEX_END_OF_PIPE};

   assert_ptr_equal(si_gfx9_acquire(dw, true), dw + ARRAY_SIZE(first));
   assert_memory_equal(dw, first, sizeof(first));
   si_gfx9_acquire(dw, false);
   assert_int_equal(dw[1], 0x08c40000); /* RADV's barriers */
   si_gfx9_release(&release, true);
   assert_ptr_equal(amd_pm4_release_mem_pack(dw, &release), dw + 8);
   assert_int_equal(dw[1], 0x00028514);
   static const uint32_t counters[] = {PKT3(PKT3_EVENT_WRITE, 3), 0x00000115, 0x0004100c, 0xffff8000};

   assert_ptr_equal(si_gfx9_dump_counters(dw, UINT64_C(0xffff80000004100c)), dw + ARRAY_SIZE(counters));
   assert_memory_equal(dw, counters, sizeof(counters));
   assert_int_equal(si_gfx9_primitive_groups(4, PIPE_TRIANGLE_LIST, false, false), 0x0068007f);
   assert_int_equal(si_gfx9_primitive_groups(4, PIPE_TRIANGLE_LIST, false, true), 0x0070007f); /* radeonsi's */
   assert_int_equal(si_gfx9_primitive_groups(4, PIPE_TRIANGLE_FAN, false, false), 0x0070007f);
   assert_int_equal(si_gfx9_primitive_groups(4, PIPE_TRIANGLE_STRIP, true, false), 0x0069007f); /* radeonsi's */
   assert_int_equal(si_gfx9_primitive_groups(4, PIPE_LINE_STRIP, true, false), 0x0069007f);     /* RADV's */
   assert_int_equal(si_gfx9_primitive_groups(1, PIPE_TRIANGLE_STRIP, true, false), 0x0071007f);
   assert_int_equal(si_gfx9_primitive_groups(1, PIPE_TRIANGLE_LIST, false, false), 0x0070007f);
}

/* Every register of both preambles exists on GFX9. */
static void
whole_preambles(void **state)
{
   struct si_screen screen = {
      .ws = amdgpu_ws_create(-1),
      .info = {.gen = AMD_GFX9, .num_se = 4, .has_vgt = true, .cache_actions = true, .pops = ac_pops_caps("gfx900")}};
   uint32_t first[] = {PKT3_CONTEXT_CONTROL, PKT3_CLEAR_STATE, PKT3_ACQUIRE_MEM};

   assert_true(si_borders_init(&screen) && si_preamble_init(&screen));
   for (unsigned ring = 0; ring <= AMDGPU_WS_COMPUTE; ring++) {
      const struct amdgpu_ws_ib *ib = &screen.preambles[ring];
      const uint32_t *dw = fake_memory(ib->va, 4 * ib->size_dw);
      unsigned next = 0, order = ring == AMDGPU_WS_GFX ? 0 : 2;

      memset(written, 0, sizeof(written));
      for (; next < ib->size_dw && dw[next] != PKT3_NOP_PAD; next += 2 + G_PKT3_COUNT(dw[next])) {
         uint32_t opcode = G_PKT3_OPCODE(dw[next]);

         if (order < ARRAY_SIZE(first))
            assert_int_equal(opcode, first[order++]);
         if (opcode == PKT3_SET_CONTEXT_REG || opcode == PKT3_SET_SH_REG || opcode == PKT3_SET_UCONFIG_REG)
            run_packet(dw + next);
      }
      expect("COMPUTE_STATIC_THREAD_MGMT_SE0", UINT32_MAX);
   }
   amdgpu_ws_bo_destroy(screen.preamble);
   si_borders_finish(&screen);
   amdgpu_ws_destroy(screen.ws);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(color_target),    cmocka_unit_test(depth_target), cmocka_unit_test(preamble),
      cmocka_unit_test(whole_preambles), cmocka_unit_test(packets),
   };

   written_gen = AMD_GFX9;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
