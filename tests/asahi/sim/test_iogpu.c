/* Command buffers of macOS on the model: what of them becomes a command, what is refused and by which words, and that
 * any bytes end in one or the other. That they draw the same is seen in tests/asahi/wrap/test_macos.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/sim/iogpu.h"

#define VA UINT64_C(0x10000)
#define RANDOM_BUFFERS 20000

static struct sim_vm *vm;
static char memory[4096] __attribute__((aligned(4096)));
static struct agx_iogpu_header header;
static struct agx_iogpu_graphics graphics;
static struct agx_iogpu_compute compute;
static struct agx_sim_command command;
static struct sim_fault fault;

/* An end-of-tile program of samples of 24 bytes. */
static int
setup(void **state)
{
   (void)state;
   char *at = memory;
   agx_usc_uniform_pack(at, &(struct agx_usc_uniform){.size = 4, .buffer = 0x1000});
   agx_usc_shared_pack(at + 8,
                       &(struct agx_usc_shared){.sample_count = 1, .sample_stride_B = 24, .threadgroup_B = 256});
   agx_usc_no_preshader_pack(at + 12, &(struct agx_usc_no_preshader){0});
   vm = sim_vm_create();
   assert_true(sim_vm_map(vm, sim_va(VA), sizeof(memory), memory, SIM_READ | SIM_EXECUTE));
   header = (struct agx_iogpu_header){.kind = AGX_IOGPU_KIND_GRAPHICS, .encoder = 0x1500000000};
   graphics = (struct agx_iogpu_graphics){.width_1_px = 640,
                                          .height_1_px = 480,
                                          .width_2_px = 640,
                                          .height_2_px = 480,
                                          .framebuffer_layers = 1,
                                          .sample_count = 1,
                                          .sample_0_x = 8,
                                          .sample_0_y = 8,
                                          .tile_width_px = 32,
                                          .tile_height_px = 32,
                                          .store_pipeline = VA,
                                          .store_pipeline_unk = 4,
                                          .depth_width_px = 640,
                                          .depth_height_px = 480};
   compute = (struct agx_iogpu_compute){.terminate_of_encoder = 0x1500000100};
   fault = (struct sim_fault){0};
   return 0;
}

static int
teardown(void **state)
{
   (void)state;
   sim_vm_destroy(vm);
   return 0;
}

static bool
read_buffer(size_t size_B)
{
   char buffer[AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_GRAPHICS_SIZE_B];
   agx_iogpu_header_pack(buffer, &header);
   if (header.kind == AGX_IOGPU_KIND_COMPUTE)
      agx_iogpu_compute_pack(buffer + AGX_IOGPU_HEADER_SIZE_B, &compute);
   else
      agx_iogpu_graphics_pack(buffer + AGX_IOGPU_HEADER_SIZE_B, &graphics);
   fault = (struct sim_fault){0};
   return agx_sim_read_iogpu(vm, 0, buffer, size_B, &command, &fault);
}

static bool
read_graphics(void)
{
   return read_buffer(AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_GRAPHICS_SIZE_B);
}

static void
refused(const char *words)
{
   assert_false(read_graphics());
   assert_int_equal(fault.kind, SIM_FAULT_PACKET);
   if (!strstr(fault.message, words))
      fail_msg("not \"%s\": %s", words, fault.message);
}

static void
test_graphics(void **state)
{
   (void)state;
   graphics.opengl_depth_clipping = true;
   graphics.z16_unorm_attachment_1 = true;
   graphics.depth_buffer_2 = 0x1600000000;
   graphics.depth_clear_value = 0x3f800000;
   graphics.stencil_clear_value = 0x12;
   graphics.unk_8872 = 3;
   graphics.clear_pipeline = 0x80;
   graphics.clear_pipeline_unk = 4;
   graphics.visibility_result_buffer = 0x1700000000;
   if (!read_graphics())
      fail_msg("%s", fault.message);
   const struct agx_render_command *c = &command.render;
   assert_true(command.is_render && c->flag_process_empty_tiles && c->flag_dbias_is_int);
   assert_int_equal(c->vdm_ctrl_stream_base, 0x1500000000);
   assert_int_equal(c->isp_zls_pixels, 639 | 479 << 15);
   assert_int_equal(c->ppp_ctrl, 0x203);
   assert_int_equal(c->ppp_multisamplectl, 0x88);
   assert_int_equal(c->sample_size_B, 24);
   assert_int_equal(c->depth_base, 0x1600000000);
   assert_int_equal(c->isp_bgobjvals, 0x312);
   assert_int_equal(c->bg_usc, 0x84);
   assert_int_equal(c->eot_usc, VA | 4);
   assert_int_equal(c->isp_oclqry_base, 0x1700000000);
   assert_true(c->width_px == 640 && c->height_px == 480 && c->layers == 1 && c->samples == 1);
}

static void
test_compute(void **state)
{
   (void)state;
   header.kind = AGX_IOGPU_KIND_COMPUTE;
   assert_true(read_buffer(AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_COMPUTE_SIZE_B));
   assert_false(command.is_render);
   assert_int_equal(command.compute.cdm_ctrl_stream_base, 0x1500000000);
   assert_int_equal(command.compute.cdm_ctrl_stream_end, 0x1500000100);
   compute.spilling_unk_1 = true;
   refused("private memory: where it lies is not known");
}

static void
test_refused(void **state)
{
   (void)state;
   graphics.width_2_px++;
   refused("two sizes of targets");
   graphics.width_2_px--;
   graphics.framebuffer_layers = 0;
   refused("of a size that there is not");
   graphics.framebuffer_layers = 2;
   graphics.stencil_buffer_1 = 0x1600000000;
   refused("where the next layer begins is not known");
   graphics.framebuffer_layers = 1;
   graphics.stencil_buffer_2 = 0x1600004000;
   refused("loaded from one buffer and stored to another");
   graphics.stencil_buffer_2 = 0;
   graphics.sample_0_y = 16;
   refused("a sample on the pixel's far edge");
   graphics.sample_0_y = 8;
   graphics.spilling_unk_1 = 0x40;
   refused("private memory: where it lies is not known");
   graphics.spilling_unk_1 = 0;
   memory[8] = memory[12]; /* the list ends where the layout stood */
   refused("the size of a sample is known only from the end-of-tile program");
   graphics.store_pipeline = 0x20000;
   refused("the size of a sample is known only from the end-of-tile program");
   header.kind = 2;
   refused("neither graphics nor compute");
   header.kind = AGX_IOGPU_KIND_GRAPHICS;
   assert_false(read_buffer(AGX_IOGPU_HEADER_SIZE_B - 1));
   assert_non_null(strstr(fault.message, "shorter than its header"));
   assert_false(read_buffer(AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_GRAPHICS_SIZE_B - 1));
   assert_non_null(strstr(fault.message, "shorter than its struct of graphics"));
   header.kind = AGX_IOGPU_KIND_COMPUTE;
   assert_false(read_buffer(AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_COMPUTE_SIZE_B - 1));
   assert_non_null(strstr(fault.message, "shorter than its struct of compute"));
}

static void
test_random(void **state)
{
   (void)state;
   uint32_t buffer[(AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_GRAPHICS_SIZE_B) / 4];
   uint64_t seed = 0x9e3779b97f4a7c15u;
   unsigned read = 0;
   agx_iogpu_header_pack(buffer, &header);
   agx_iogpu_graphics_pack((char *)buffer + AGX_IOGPU_HEADER_SIZE_B, &graphics);
   for (unsigned i = 0; i < RANDOM_BUFFERS; i++) {
      uint32_t damaged[sizeof(buffer) / 4];
      memcpy(damaged, buffer, sizeof(buffer));
      for (unsigned j = i % 32; j < 32; j++) {
         seed ^= seed << 13;
         seed ^= seed >> 7;
         seed ^= seed << 17;
         damaged[seed % (sizeof(buffer) / 4)] = (uint32_t)(seed >> 32);
      }
      fault = (struct sim_fault){0};
      bool ok = agx_sim_read_iogpu(vm, 0, damaged, sizeof(damaged) - i % 8 * 100, &command, &fault);
      assert_true(ok == !fault.kind);
      read += ok;
   }
   assert_in_range(read, RANDOM_BUFFERS / 100, RANDOM_BUFFERS * 9 / 10);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
   const struct CMUnitTest tests[] = {TEST(test_graphics), TEST(test_compute), TEST(test_refused), TEST(test_random)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
