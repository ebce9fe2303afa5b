/* The rectangles of pops_scene.h on any chip: vertices come out of a hardware vertex shader, on GFX11 out of a
 * primitive shader and the attribute ring. The pixel shader's code and its other registers are the caller's. */
#ifndef INDIUM_TESTS_POPS_CHIPS_H
#define INDIUM_TESTS_POPS_CHIPS_H

#include "pops_scene.h"
#include "pops_program.h"

enum {
   POPS_RING_B = 12 << 20,
   POPS_GROUP_RECTS = 21, /* of a subgroup: its vertices are a wave's */
};

/* v0 is the vertex; its position and its rectangle's number, 32 bytes, lie at s[0:1] + 32 * v0. */
static const char pops_vertex_text[] = "v_lshlrev_b32_e32 v4, 5, v0\n"
                                       "global_load_dwordx4 v[8:11], v4, s[0:1]\n"
                                       "global_load_dwordx4 v[12:15], v4, s[0:1] offset:16\n"
                                       "s_waitcnt vmcnt(0)\n"
                                       "exp pos0 v8, v9, v10, v11 done vm\n"
                                       "exp param0 v12, v13, v14, v15\n"
                                       "s_endpgm\n";

/* The same in v5 and from s[8:9]; s[12:15] is the ring. */
static const char pops_primitive_text[] = "s_mov_b64 exec, -1\n"
                                          "v_mbcnt_lo_u32_b32 v10, -1, 0\n"
                                          "v_mbcnt_hi_u32_b32 v10, -1, v10\n"
                                          "s_bfe_u32 s16, s2, 0x9000c\n"
                                          "s_bfe_u32 s17, s2, 0x90016\n"
                                          "s_lshl_b32 s17, s17, 12\n"
                                          "s_or_b32 m0, s16, s17\n"
                                          "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"
                                          "s_bfe_u32 s17, s3, 0x80008\n"
                                          "v_cmp_gt_u32_e32 vcc, s17, v10\n"
                                          "s_mov_b64 exec, vcc\n"
                                          "exp prim v0, off, off, off done\n"
                                          "s_mov_b64 exec, -1\n"
                                          "v_cmp_gt_u32_e32 vcc, s16, v10\n"
                                          "s_mov_b64 exec, vcc\n"
                                          "v_lshlrev_b32_e32 v20, 5, v5\n"
                                          "global_load_b128 v[12:15], v20, s[8:9]\n"
                                          "global_load_b128 v[16:19], v20, s[8:9] offset:16\n"
                                          "s_and_b32 s19, s5, 0x7fff\n"
                                          "s_lshl_b32 s19, s19, 9\n"
                                          "s_waitcnt vmcnt(0)\n"
                                          "buffer_store_b128 v[16:19], v10, s[12:15], s19 idxen\n"
                                          "s_waitcnt_vscnt null, 0x0\n"
                                          "exp pos0 v12, v13, v14, v15 done\n"
                                          "s_endpgm\n";

static inline void
pops_set_words(struct stream *s, uint32_t reg, unsigned count, const uint32_t *words)
{
   for (unsigned i = 0; i < count; i++)
      set_reg(s, reg + 4 * i, words[i]);
}

/* As the kernel does ahead of a job: code and data are new after the caches' backs. GFX10 and later do so by
 * themselves. */
static inline void
pops_acquire(struct stream *s, enum amd_gen gen)
{
   const uint32_t actions =
      S_ACQUIRE_MEM_COHER_CNTL_TCL1_ACTION_ENA(1) | S_ACQUIRE_MEM_COHER_CNTL_SH_KCACHE_ACTION_ENA(1) |
      S_ACQUIRE_MEM_COHER_CNTL_SH_ICACHE_ACTION_ENA(1) | S_ACQUIRE_MEM_COHER_CNTL_TC_ACTION_ENA(1);
   if (gen == AMD_GFX9)
      emit_packet(s, PKT3_ACQUIRE_MEM, 6, (const uint32_t[6]){actions, UINT32_MAX, 0xff, 0, 0, 10});
}

static inline void
pops_set_vertices(struct stream *s, enum amd_gen gen)
{
   const uint64_t data = stream_base + POPS_VERTEX_B, code = (stream_base + POPS_VS_B) >> 8,
                  ring = stream_base + POPS_RING_B;
   pops_write_program(s->memory + POPS_VS_B, gen, true, gen < AMD_GFX11 ? pops_vertex_text : pops_primitive_text);
   if (gen < AMD_GFX11) {
      set_reg(s, R_SPI_SHADER_PGM_LO_VS, (uint32_t)code);
      set_reg(s, R_SPI_SHADER_PGM_RSRC1_VS,
              S_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(3) | S_SPI_SHADER_PGM_RSRC1_VS_VGPRS(7) |
                 S_SPI_SHADER_PGM_RSRC1_VS_FLOAT_MODE(0xf0));
      set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, S_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR(2));
      pops_set_words(s, R_SPI_SHADER_USER_DATA_VS_0, 2, (const uint32_t[]){(uint32_t)data, (uint32_t)(data >> 32)});
      set_reg(s, R_VGT_SHADER_STAGES_EN, 0);
      return;
   }
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(gen), (uint32_t)code);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS, S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(8));
   /* The ring: a parameter of 16 bytes a record, 32 records side by side. */
   const uint32_t user[8] = {(uint32_t)data,
                             (uint32_t)(data >> 32),
                             0,
                             0,
                             (uint32_t)ring,
                             (uint32_t)(ring >> 32) | 16 << 16 | 3u << 30,
                             0xffffffff,
                             2 << 21};
   pops_set_words(s, R_SPI_SHADER_USER_DATA_GS_0, 8, user);
   set_reg(s, R_SPI_ATTRIBUTE_RING_BASE, (uint32_t)(ring >> 16));
   set_reg(s, R_SPI_ATTRIBUTE_RING_SIZE, 0); /* 64 KiB a shader engine */
   set_reg(s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT(0));
   set_reg(s, R_GE_CNTL,
           S_GE_CNTL_PRIMS_PER_SUBGRP(POPS_GROUP_RECTS) | S_GE_CNTL_VERTS_PER_SUBGRP(3 * POPS_GROUP_RECTS));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 3 * POPS_GROUP_RECTS);
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(gen), V_RECTLIST(gen));
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1) | S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(1));
}

/* What says how sections are ordered: the article, "Configuring POPS". */
static inline void
pops_set_order(struct stream *s, enum amd_gen gen, const struct pops_draw *d)
{
   const uint32_t runs = S_DB_SHADER_CONTROL_EXEC_ON_NOOP(1) | S_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(1) |
                         S_DB_SHADER_CONTROL_KILL_ENABLE(d->kills),
                  overlap = d->overlap_samples_log2, enable = !d->no_enable;
   if (gen >= AMD_GFX11) {
      set_reg(s, R_DB_SHADER_CONTROL,
              runs | S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(enable) |
                 S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE_ENABLE(enable) |
                 S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE(overlap));
      set_reg(s, R_DB_Z_INFO(gen), S_DB_Z_INFO_NUM_SAMPLES(d->samples_log2));
      return;
   }
   set_reg(s, R_DB_SHADER_CONTROL,
           runs | S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(enable) |
              S_DB_SHADER_CONTROL_POPS_OVERLAP_NUM_SAMPLES(overlap));
   set_reg(s, R_DB_DFSM_CONTROL(gen),
           S_DB_DFSM_CONTROL_PUNCHOUT_MODE(V_PUNCHOUT_MODE_FORCE_OFF) |
              S_DB_DFSM_CONTROL_POPS_DRAIN_PS_ON_OVERLAP(gen == AMD_GFX9 && d->samples_log2 >= 3));
   set_reg(s, R_PA_SC_SHADER_CONTROL,
           S_PA_SC_SHADER_CONTROL_LOAD_COLLISION_WAVEID(!d->no_pa_sc) |
              S_PA_SC_SHADER_CONTROL_LOAD_INTRAWAVE_COLLISION(d->intrawave && !d->no_pa_intrawave));
}

/* Everything but the pixel shader's code, RSRC1_PS and SPI_PS_INPUT_*, and the draw packet. The stream's vertices are
 * overwritten: one draw a run. */
static inline void
pops_chip_state(struct stream *s, enum amd_gen gen, const struct pops_draw *d)
{
   const uint64_t words = stream_base + POPS_WORDS_B;
   const uint32_t rsrc2 = S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(2);
   emit_packet(s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   pops_acquire(s, gen);
   set_reg(s, gen == AMD_GFX9 ? R_VGT_MAX_VTX_INDX(gen) : R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(s, R_PA_CL_VTE_CNTL, 0x43f);
   set_reg(s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_whole_viewport(s, POPS_W, POPS_H);
   pops_set_vertices(s, gen);
   pops_set_samples(s, d->samples_log2);
   for (unsigned i = 0; i < d->rect_count; i++) {
      const struct pops_rect *r = &d->rects[i];
      pops_set_vertex(s, 3 * i, r->x0, r->y0, d->first_id + i);
      pops_set_vertex(s, 3 * i + 1, r->x0, r->y1, d->first_id + i);
      pops_set_vertex(s, 3 * i + 2, r->x1, r->y0, d->first_id + i);
   }
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + POPS_PS_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS,
           gen >= AMD_GFX11 ? rsrc2
                            : rsrc2 | S_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID(!d->no_rsrc2) |
                                 S_SPI_SHADER_PGM_RSRC2_PS_LOAD_INTRAWAVE_COLLISION(d->intrawave));
   pops_set_words(s, R_SPI_SHADER_USER_DATA_PS_0, 2, (const uint32_t[]){(uint32_t)words, (uint32_t)(words >> 32)});
   set_reg(s, R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_NUM_INTERP(1) | S_SPI_PS_IN_CONTROL_PS_W32_EN(d->wave32));
   set_reg(s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1));
   set_reg(s, R_SPI_INTERP_CONTROL_0, S_SPI_INTERP_CONTROL_0_FLAT_SHADE_ENA(1));
   set_reg(s, R_CB_TARGET_MASK, 0);
   set_reg(s, R_CB_SHADER_MASK, 0);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_NORMAL) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_SPI_SHADER_COL_FORMAT, d->no_export_space ? V_SPI_SHADER_ZERO : V_SPI_SHADER_32_R);
   pops_set_order(s, gen, d);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
}

#endif
