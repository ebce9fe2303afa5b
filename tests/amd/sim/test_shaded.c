/* Draws with shaders of real instructions: packets in, pixels out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "program.h"
#include "scene.h"
#include "util/macros.h"

enum { W = 64, H = 48, TARGET_B = 4 << 20, VERTEX_B = 8 << 20, VS_B = 2 << 20, PS_B = (2 << 20) + 4096 };

static void
add_export(struct program *p, unsigned target, unsigned first_vgpr, bool done, bool vm)
{
   struct amd_inst exp = make("exp", AMD_ENC_EXP);
   exp.exp_target = (uint8_t)target;
   exp.exp_en = 15;
   exp.exp_done = done;
   exp.exp_vm = vm;
   for (unsigned i = 0; i < 4; i++)
      exp.src[i] = amd_vgpr(first_vgpr + i);
   add(p, exp);
}

static void
add_load(struct program *p, unsigned vgpr, int offset_B)
{
   struct amd_inst load = make("global_load_dwordx4", AMD_ENC_GLOBAL);
   load.dst = amd_vgpr(vgpr);
   load.src[0] = amd_vgpr(4);
   load.src[2] = amd_sgpr(0);
   load.offset = offset_B;
   add(p, load);
}

/* v0 is the vertex; its position and colour, 32 bytes, lie at s[0:1] + 32 * v0. */
static void
write_vertex_shader(struct stream *s)
{
   struct program p = {.at = s->memory + VS_B};
   struct amd_inst shift = make("v_lshlrev_b32", AMD_ENC_VOP2);
   shift.dst = amd_vgpr(4);
   shift.src[0] = amd_inline_int(5);
   shift.src[1] = amd_vgpr(0);
   add(&p, shift);
   add_load(&p, 8, 0);
   add_load(&p, 12, 16);
   struct amd_inst wait = make("s_waitcnt", AMD_ENC_SOPP);
   wait.simm16 = 0x3f70; /* vmcnt(0) */
   add(&p, wait);
   add_export(&p, 12, 8, true, false);
   add_export(&p, 32, 12, false, false);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
}

/* Barycentrics in v0 and v1, PRIM_MASK in s0 (no user data). */
static void
write_pixel_shader(struct stream *s)
{
   struct program p = {.at = s->memory + PS_B};
   struct amd_inst move = make("s_mov_b32", AMD_ENC_SOP1);
   move.dst = AMD_M0;
   move.src[0] = amd_sgpr(0);
   add(&p, move);
   for (unsigned chan = 0; chan < 4; chan++) {
      for (unsigned step = 0; step < 2; step++) {
         struct amd_inst interp = make(step ? "v_interp_p2_f32" : "v_interp_p1_f32", AMD_ENC_VINTRP);
         interp.dst = amd_vgpr(2 + chan);
         interp.src[0] = amd_vgpr(step);
         interp.chan = (uint8_t)chan;
         add(&p, interp);
      }
   }
   add_export(&p, 0, 2, true, true);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
}

static const struct target_info rgba8 = {.va = UINT64_C(0x100000000) + TARGET_B, .width = W, .height = H,
                                         .format = V_COLOR_8_8_8_8, .number = V_NUMBER_UNORM};

static struct stream
open_stream(unsigned threads, bool wave32)
{
   struct stream s = stream_create(threads);
   write_vertex_shader(&s);
   write_pixel_shader(&s);
   set_defaults(&s, W, H);
   set_target(&s, 0, &rgba8);
   set_reg(&s, R_SPI_SHADER_PGM_LO_VS, (uint32_t)((stream_base + VS_B) >> 8));
   set_reg(&s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + PS_B) >> 8));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC1_VS,
           S_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(3) | S_SPI_SHADER_PGM_RSRC1_VS_VGPRS(7) |
              S_SPI_SHADER_PGM_RSRC1_VS_FLOAT_MODE(0xf0));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC1_PS,
           S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(0xf0));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC2_VS, S_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR(2));
   set_reg(&s, R_SPI_SHADER_USER_DATA_VS_0, (uint32_t)(stream_base + VERTEX_B));
   set_reg(&s, R_SPI_SHADER_USER_DATA_VS_0 + 4, (uint32_t)((stream_base + VERTEX_B) >> 32));
   set_reg(&s, R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_VS_W32_EN(wave32));
   set_reg(&s, R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_NUM_INTERP(1) | S_SPI_PS_IN_CONTROL_PS_W32_EN(wave32));
   return s;
}

static void
set_vertex(struct stream *s, unsigned i, double x_px, double y_px, float r, float g)
{
   const float v[8] = {(float)(x_px * 2 / W - 1), (float)(y_px * 2 / H - 1), 0.5f, 1.0f, r, g, 0.0f, 1.0f};
   memcpy(s->memory + VERTEX_B + i * 32, v, sizeof(v));
}

static void
triangle_of_two_colours(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = open_stream(1 + n / 2, n % 2);
      set_vertex(&s, 0, 0, 0, 0, 0);
      set_vertex(&s, 1, 40, 0, 1, 0);
      set_vertex(&s, 2, 0, 40, 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            uint8_t *p = s.memory + TARGET_B + (y * W + x) * 4;
            bool inside = x + y < 39; /* centres: x + y + 1 < 40 */
            assert_int_equal(p[3], inside ? 255 : 0);
            assert_true(!inside || fabs(p[0] - 255 * (x + 0.5) / 40) <= 0.51);
            assert_true(!inside || fabs(p[1] - 255 * (y + 0.5) / 40) <= 0.51);
         }
      }
      stream_destroy(&s);
   }
}

/* Many small triangles share waves; each keeps its colour. */
static void
many_primitives_in_a_wave(void **state)
{
   struct stream s = open_stream(2, false);
   unsigned n = 0;
   for (unsigned y = 0; y < H / 2; y++) {
      for (unsigned x = 0; x < W / 2; x++, n++) {
         float r = (float)(x * 8) / 255.0f, g = (float)(y * 10) / 255.0f;
         set_vertex(&s, 3 * n, 2 * x, 2 * y, r, g);
         set_vertex(&s, 3 * n + 1, 2 * x + 2, 2 * y, r, g);
         set_vertex(&s, 3 * n + 2, 2 * x, 2 * y + 2, r, g);
      }
   }
   draw_auto(&s, V_DI_PT_TRILIST, 3 * n);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         uint8_t *p = s.memory + TARGET_B + (y * W + x) * 4;
         bool inside = x % 2 + y % 2 < 1;
         assert_int_equal(p[0], inside ? x / 2 * 8 : 0);
         assert_int_equal(p[1], inside ? y / 2 * 10 : 0);
      }
   }
   stream_destroy(&s);
}

static void
shader_faults_name_the_draw(void **state)
{
   struct stream s = open_stream(1, false);
   set_reg(&s, R_SPI_SHADER_USER_DATA_VS_0 + 4, 0x55);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_ADDRESS);
   assert_non_null(strstr(s.fault.message, "vertex shader"));
   assert_non_null(strstr(s.fault.message, "DRAW_INDEX_AUTO"));
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle_of_two_colours),
      cmocka_unit_test(many_primitives_in_a_wave),
      cmocka_unit_test(shader_faults_name_the_draw),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
