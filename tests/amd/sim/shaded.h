/* Draws with shaders of real instructions: vertices of 32 bytes (position, colour) at VERTEX_B, an RGBA8 target of W
 * x H at TARGET_B. */
#ifndef INDIUM_TESTS_SHADED_H
#define INDIUM_TESTS_SHADED_H

#include "program.h"
#include "scene.h"

enum { W = 64, H = 48, TARGET_B = 4 << 20, VERTEX_B = 8 << 20, VS_B = 2 << 20, PS_B = (2 << 20) + 4096 };

static inline void
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

static inline void
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
static inline void
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
static inline void
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

static const struct target_info rgba8 = {.va = UINT64_C(0x100000000) + TARGET_B,
                                         .width = W,
                                         .height = H,
                                         .format = V_COLOR_8_8_8_8,
                                         .number = V_NUMBER_UNORM};

static inline struct stream
open_stream_on(const char *chip, unsigned threads, bool wave32)
{
   struct stream s = stream_create_on(chip, threads);
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

static inline struct stream
open_stream(unsigned threads, bool wave32)
{
   return open_stream_on("navi21", threads, wave32);
}

static inline void
set_vertex(struct stream *s, unsigned i, double x_px, double y_px, float r, float g)
{
   const float v[8] = {(float)(x_px * 2 / W - 1), (float)(y_px * 2 / H - 1), 0.5f, 1.0f, r, g, 0.0f, 1.0f};
   memcpy(s->memory + VERTEX_B + i * 32, v, sizeof(v));
}

#endif
