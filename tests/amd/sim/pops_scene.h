/* Draws of rectangles whose pixel shader does an operation that depends on order in an ordered section: for every
 * pixel word = word * 3 + id of the rectangle. Shaders are assembled here, with the mistakes that a test asks for. */
/* size: an assembler listing of one shader with all its mistakes */
#ifndef INDIUM_TESTS_POPS_SCENE_H
#define INDIUM_TESTS_POPS_SCENE_H

#include "amd/hw/descriptors.h"
#include "asm.h"
#include "scene.h"
#include "util/macros.h"

enum {
   POPS_W = 64,
   POPS_H = 64,
   POPS_MAX_RECTS = 4096,
   POPS_TARGET_B = 4 << 20,
   POPS_VERTEX_B = 8 << 20,
   POPS_WORDS_B = 16 << 20,           /* one dword a pixel, or one a sample */
   POPS_SUMS_B = POPS_W * POPS_H * 4, /* after them */
   POPS_VS_B = 2 << 20,
   POPS_PS_B = (2 << 20) + 4096,
};

/* What the shader does; the default (zero) is right. */
struct pops_shader {
   bool no_entry, poll_always, no_packer_set, wrong_packer, finite_sleep, no_sleep;
   bool no_message, message_twice, poll_after_message, end_instruction, no_store_wait;
   bool hoist_load, no_export, skip_export, message_without_entry, message_elsewhere;
   bool message_early, no_load_wait, plain_store;
   bool intrawave_loop, plain_comparison, tell_layers;
   bool set_always, enter_twice, dead_end;                   /* right too */
   enum { POPS_NO_GLANCE, POPS_SCALAR, POPS_SAMPLE } glance; /* how it reads a word ahead of the section */
   unsigned samples; /* > 1: words are per sample, updated where the coverage input says */
   enum { POPS_UPDATE, POPS_STORE, POPS_ATOMIC, POPS_IMAGE, POPS_TELL, POPS_READ } work;
   /* update: load, compute, store; tell: word number id = COLLISION_WAVEID or layers; read: store id, load, add that
    * to another word after the section; others: id only */
};

static inline void
pops_add_literal(struct assembly *p, enum amd_op op, unsigned dst, unsigned a, uint32_t literal)
{
   struct amd_inst i = inst(op, dst, a, AMD_LITERAL, AMD_OPERAND_NONE);
   i.literal = literal;
   assemble(p, i);
}

#define ADD(p, name, ...) assemble(p, inst(AMD_OP_##name, __VA_ARGS__))

/* Branch to a place that is set later; returns what pops_land needs. */
static inline unsigned
pops_branch(struct assembly *p, enum amd_op op)
{
   assemble(p, sopp(op, 0));
   return p->count - 1;
}

static inline void
pops_land(struct assembly *p, unsigned branch)
{
   p->words[branch] |= (uint16_t)(p->count - branch - 1);
}

/* SGPRs: 0:1 address of words, 2 PRIM_MASK, 3 COLLISION_WAVEID, 4 INTRAWAVE_COLLISION. VGPRs: 0:1 barycentrics, 2
 * coverage, 3 position. After the prologue: v4 id, v5 byte offset of the pixel. */
static inline void
pops_prologue(struct assembly *p, const struct pops_shader *s)
{
   ADD(p, s_mov_b32, AMD_M0, S(2), NONE, NONE);
   struct amd_inst id = inst(AMD_OP_v_interp_mov_f32, V(4), NONE, NONE, NONE);
   id.simm16 = 2; /* P0 */
   assemble(p, id);
   ADD(p, v_cvt_u32_f32, V(4), V(4), NONE, NONE);
   ADD(p, v_lshrrev_b32, V(6), I(16), V(3), NONE);
   ADD(p, v_lshlrev_b32, V(6), I(6), V(6), NONE);
   struct amd_inst x = inst(AMD_OP_v_and_b32, V(5), AMD_LITERAL, V(3), NONE);
   x.literal = 0xffff;
   assemble(p, x);
   ADD(p, v_add_nc_u32, V(5), V(5), V(6), NONE);
   ADD(p, v_lshlrev_b32, V(5), I(s->samples == 8 ? 5 : s->samples == 4 ? 4 : 2), V(5), NONE);
}

/* POPS_PACKER[2:0] = s6 */
static inline void
pops_add_set_packer(struct assembly *p)
{
   struct amd_inst set = inst(AMD_OP_s_setreg_b32, NONE, S(6), NONE, NONE);
   set.simm16 = 0x1019;
   assemble(p, set);
}

/* s6 packer, s7 newest overlapped, s8 remap offset, s9 exiting. */
static inline void
pops_entry(struct assembly *p, const struct pops_shader *s)
{
   unsigned skip = 0;
   if (s->set_always) {
      pops_add_literal(p, AMD_OP_s_bfe_u32, S(6), S(3), 0x2001c);
      ADD(p, s_lshl1_add_u32, S(6), S(6), I(1), NONE);
      pops_add_set_packer(p);
   }
   ADD(p, s_bitcmp1_b32, NONE, S(3), I(31), NONE);
   if (!s->poll_always)
      skip = pops_branch(p, AMD_OP_s_cbranch_scc0);
   pops_add_literal(p, AMD_OP_s_bfe_u32, S(6), S(3), 0x2001c);
   ADD(p, s_lshl1_add_u32, S(6), S(6), I(1), NONE);
   if (s->wrong_packer)
      ADD(p, s_xor_b32, S(6), S(6), I(2), NONE);
   if (!s->no_packer_set)
      pops_add_set_packer(p);
   pops_add_literal(p, AMD_OP_s_bfe_u32, S(7), S(3), 0xa0010);
   pops_add_literal(p, AMD_OP_s_and_b32, S(8), S(3), 0x3ff);
   ADD(p, s_not_b32, S(8), S(8), NONE, NONE);
   if (s->plain_comparison)
      ADD(p, s_mov_b32, S(8), I(0), NONE, NONE);
   ADD(p, s_add_i32, S(7), S(7), S(8), NONE);
   unsigned loop = p->count;
   ADD(p, s_add_i32, S(9), AMD_POPS_EXITING_WAVE_ID, S(8), NONE);
   ADD(p, s_cmp_lt_u32, NONE, S(7), S(9), NONE);
   unsigned done = pops_branch(p, AMD_OP_s_cbranch_scc1);
   if (!s->no_sleep)
      assemble(p, sopp(AMD_OP_s_sleep, s->finite_sleep ? 3 : 0xffff));
   assemble(p, sopp(AMD_OP_s_branch, (uint16_t)(loop - p->count - 1)));
   pops_land(p, done);
   if (!s->poll_always)
      pops_land(p, skip);
}

static inline void
pops_access(struct assembly *p, enum amd_op op, unsigned dst, unsigned data, int offset_B, bool plain)
{
   struct amd_inst i = inst(op, dst, V(5), data, S(0));
   i.offset = offset_B;
   i.dlc = op == AMD_OP_global_load_dword; /* loads see what other compute units stored, and stores show it */
   i.glc = i.dlc || (op == AMD_OP_global_store_dword && !plain);
   assemble(p, i);
}

static inline void
pops_wait_vm(struct assembly *p)
{
   assemble(p, sopp(AMD_OP_s_waitcnt, 0x3f70));
}

static inline void
pops_wait_vs(struct assembly *p)
{
   struct amd_inst i = inst(AMD_OP_s_waitcnt_vscnt, NONE, AMD_NULL, NONE, NONE);
   i.simm16 = 0;
   assemble(p, i);
}

static inline void
pops_load(struct assembly *p, const struct pops_shader *s)
{
   for (unsigned i = 0; i < MAX2(s->samples, 1); i++)
      pops_access(p, AMD_OP_global_load_dword, V(8 + i), NONE, (int)i * 4, false);
}

/* s[24:31] describe the words as an image of 64x64 texels. */
static inline void
pops_describe_image(struct assembly *p)
{
   const uint64_t va = stream_base + POPS_WORDS_B;
   const uint32_t texels[5] = {
      (uint32_t)(va >> 8),
      S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(va >> 40) |
         S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, V_GFX10_FORMAT_32_UINT) | S_SQ_IMG_RSRC_WORD1_WIDTH_LO(POPS_W - 1),
      S_SQ_IMG_RSRC_WORD2_WIDTH_HI((POPS_W - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(POPS_H - 1) |
         S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1),
      S_SQ_IMG_RSRC_WORD3_DST_SEL_X(4) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D),
   };
   for (unsigned i = 0; i < 8; i++) {
      struct amd_inst set = inst(AMD_OP_s_mov_b32, S(24 + i), AMD_LITERAL, NONE, NONE);
      set.literal = i < ARRAY_SIZE(texels) ? texels[i] : 0;
      assemble(p, set);
   }
}

/* The first word, by the scalar unit or as a texel. */
static inline void
pops_glance(struct assembly *p, const struct pops_shader *s)
{
   struct amd_inst load = inst(AMD_OP_s_load_dword, S(12), S(0), AMD_NULL, NONE);
   if (s->glance == POPS_SCALAR) {
      assemble(p, load);
      assemble(p, sopp(AMD_OP_s_waitcnt, 0xc07f));
      return;
   }
   pops_describe_image(p);
   for (unsigned i = 0; i < 4; i++)
      ADD(p, s_mov_b32, S(32 + i), I(0), NONE, NONE);
   ADD(p, v_mov_b32, V(10), I(0), NONE, NONE);
   ADD(p, v_mov_b32, V(11), I(0), NONE, NONE);
   struct amd_inst sample = amd_inst_init(AMD_OP_image_sample_lz, AMD_ENC_MIMG);
   sample.dst = V(12);
   sample.src[0] = V(10);
   sample.src[1] = S(24);
   sample.src[2] = S(32);
   sample.dmask = sample.dim = 1;
   assemble(p, sample);
   pops_wait_vm(p);
}

/* The id goes to the word without a look at what is there. */
static inline void
pops_blind_work(struct assembly *p, const struct pops_shader *s)
{
   if (s->work == POPS_TELL) {
      ADD(p, v_lshlrev_b32, V(5), I(2), V(4), NONE);
      ADD(p, v_mov_b32, V(4), S(s->tell_layers ? 4 : 3), NONE, NONE);
   }
   if (s->work != POPS_IMAGE) {
      pops_access(p, s->work == POPS_ATOMIC ? AMD_OP_global_atomic_add : AMD_OP_global_store_dword, NONE, V(4), 0,
                  s->plain_store);
      return;
   }
   pops_describe_image(p);
   ADD(p, v_lshrrev_b32, V(11), I(16), V(3), NONE);
   struct amd_inst x = inst(AMD_OP_v_and_b32, V(10), AMD_LITERAL, V(3), NONE);
   x.literal = 0xffff;
   assemble(p, x);
   struct amd_inst store = amd_inst_init(AMD_OP_image_store, AMD_ENC_MIMG);
   store.src[0] = V(10);
   store.src[1] = S(24);
   store.src[3] = V(4);
   store.dmask = 1;
   store.dim = 1;
   store.glc = !s->plain_store;
   assemble(p, store);
}

/* After the section: what was read goes to the word POPS_SUMS_B further on. */
static inline void
pops_add_up(struct assembly *p)
{
   pops_wait_vm(p);
   struct amd_inst sums = inst(AMD_OP_v_add_nc_u32, V(5), AMD_LITERAL, V(5), NONE);
   sums.literal = POPS_SUMS_B;
   assemble(p, sums);
   pops_access(p, AMD_OP_global_atomic_add, NONE, V(8), 0, false);
}

/* word = word * 3 + id, for the pixel or for each covered sample. */
static inline void
pops_work(struct assembly *p, const struct pops_shader *s)
{
   if (s->work != POPS_UPDATE) {
      pops_blind_work(p, s);
      if (s->work == POPS_READ)
         pops_load(p, s);
      if (s->work == POPS_READ && !s->no_load_wait)
         pops_wait_vm(p);
      return;
   }
   if (!s->hoist_load)
      pops_load(p, s);
   pops_wait_vm(p);
   ADD(p, s_mov_b64, S(14), AMD_EXEC_LO, NONE, NONE);
   for (unsigned i = 0; i < MAX2(s->samples, 1); i++) {
      ADD(p, v_lshl_add_u32, V(7), V(8 + i), I(1), V(8 + i));
      ADD(p, v_add_nc_u32, V(7), V(7), V(4), NONE);
      if (s->samples > 1) {
         ADD(p, v_lshrrev_b32, V(6), I(i), V(2), NONE);
         ADD(p, v_and_b32, V(6), I(1), V(6), NONE);
         ADD(p, v_cmpx_ne_u32, NONE, I(0), V(6), NONE);
      }
      pops_access(p, AMD_OP_global_store_dword, NONE, V(7), (int)i * 4, s->plain_store);
      if (s->samples > 1)
         ADD(p, s_mov_b64, AMD_EXEC_LO, S(14), NONE, NONE);
   }
}

/* The work once for each layer of quads. s16 starts of layers to come, s10:11 lanes to come. */
static inline void
pops_layers(struct assembly *p, const struct pops_shader *s, uint32_t quads)
{
   pops_add_literal(p, AMD_OP_s_and_b32, S(16), S(4), quads);
   ADD(p, s_mov_b64, S(10), AMD_EXEC_LO, NONE, NONE);
   ADD(p, s_mov_b64, S(22), AMD_EXEC_LO, NONE, NONE);
   unsigned loop = p->count;
   ADD(p, s_ff1_i32_b32, S(17), S(16), NONE, NONE);
   ADD(p, s_mov_b64, S(18), I(-1), NONE, NONE);
   ADD(p, s_lshl_b32, S(20), S(17), I(2), NONE);
   ADD(p, s_cmp_eq_u32, NONE, S(16), I(0), NONE);
   unsigned all = pops_branch(p, AMD_OP_s_cbranch_scc1);
   ADD(p, s_bfm_b64, S(18), S(20), I(0), NONE);
   pops_land(p, all);
   ADD(p, s_and_b64, AMD_EXEC_LO, S(10), S(18), NONE);
   pops_work(p, s);
   pops_wait_vs(p);
   ADD(p, s_andn2_b64, S(10), S(10), S(18), NONE);
   ADD(p, s_cmp_eq_u32, NONE, S(16), I(0), NONE);
   unsigned end = pops_branch(p, AMD_OP_s_cbranch_scc1);
   ADD(p, s_bitset0_b32, S(16), S(17), NONE, NONE);
   assemble(p, sopp(AMD_OP_s_branch, (uint16_t)(loop - p->count - 1)));
   pops_land(p, end);
   ADD(p, s_mov_b64, AMD_EXEC_LO, S(22), NONE, NONE);
}

static inline void
pops_export(struct assembly *p)
{
   struct amd_inst e = amd_inst_init(AMD_OP_exp, AMD_ENC_EXP);
   e.exp_target = 9;
   e.exp_done = e.exp_vm = true;
   assemble(p, e);
}

static inline void
pops_build(struct assembly *p, const struct pops_shader *s, bool wave32)
{
   p->count = 0;
   pops_prologue(p, s);
   if (s->hoist_load)
      pops_load(p, s);
   if (s->glance)
      pops_glance(p, s);
   if (!s->no_entry && !s->message_without_entry)
      pops_entry(p, s);
   if (s->enter_twice)
      pops_entry(p, s);
   if (s->message_early)
      assemble(p, sopp(AMD_OP_s_sendmsg, 7));
   if (s->intrawave_loop)
      pops_layers(p, s, wave32 ? 0xff : 0xffff);
   else
      pops_work(p, s);
   if (!s->no_store_wait && !s->end_instruction)
      pops_wait_vs(p);
   if (s->message_elsewhere) { /* to the neighbour of the own packer, whether or not something overlaps */
      pops_add_literal(p, AMD_OP_s_bfe_u32, S(6), S(3), 0x2001c);
      ADD(p, s_lshl1_add_u32, S(6), S(6), I(3), NONE);
      pops_add_set_packer(p);
   }
   if ((!s->no_entry && !s->no_message && !s->end_instruction && !s->message_early) || s->message_without_entry)
      assemble(p, sopp(AMD_OP_s_sendmsg, 7));
   if (s->work == POPS_READ)
      pops_add_up(p);
   if (s->message_twice)
      assemble(p, sopp(AMD_OP_s_sendmsg, 7));
   if (s->poll_after_message) {
      struct pops_shader again = {0};
      pops_entry(p, &again);
   }
   if (s->dead_end) { /* nothing leads to this end without an export */
      unsigned over = pops_branch(p, AMD_OP_s_branch);
      assemble(p, sopp(AMD_OP_s_endpgm, 0));
      pops_land(p, over);
   }
   unsigned skip = 0;
   if (s->skip_export) /* never taken, but the program may end without it */
      skip = pops_branch(p, AMD_OP_s_cbranch_execz);
   if (!s->no_export)
      pops_export(p);
   if (s->skip_export)
      pops_land(p, skip);
   assemble(p, sopp(s->end_instruction ? AMD_OP_s_endpgm_ordered_ps_done : AMD_OP_s_endpgm, 0));
}

/* v0 is the vertex; its position and attribute, 32 bytes, lie at s[0:1] + 32 * v0. */
static inline void
pops_build_vertex(struct assembly *p)
{
   p->count = 0;
   ADD(p, v_lshlrev_b32, V(4), I(5), V(0), NONE);
   for (unsigned i = 0; i < 2; i++) {
      struct amd_inst load = inst(AMD_OP_global_load_dwordx4, V(8 + 4 * i), V(4), NONE, S(0));
      load.offset = 16 * (int)i;
      assemble(p, load);
   }
   pops_wait_vm(p);
   for (unsigned i = 0; i < 2; i++) {
      struct amd_inst e = amd_inst_init(AMD_OP_exp, AMD_ENC_EXP);
      e.exp_target = i ? 32 : 12;
      e.exp_en = 15;
      e.exp_done = !i;
      for (unsigned c = 0; c < 4; c++)
         e.src[c] = amd_vgpr(8 + 4 * i + c);
      assemble(p, e);
   }
   assemble(p, sopp(AMD_OP_s_endpgm, 0));
}

/* Edges in 1/16 px. */
struct pops_rect {
   int x0, y0, x1, y1;
};

struct pops_draw {
   struct pops_shader shader;
   const struct pops_rect *rects;
   unsigned rect_count;
   bool wave32;
   unsigned samples_log2;         /* raster samples */
   unsigned overlap_samples_log2; /* POPS_OVERLAP_NUM_SAMPLES */
   bool no_enable, no_rsrc2, no_pa_sc, no_export_space, kills;
   bool intrawave;       /* LOAD_INTRAWAVE_COLLISION in both registers */
   bool no_pa_intrawave; /* but not in PA_SC_SHADER_CONTROL */
   unsigned first_id;    /* of the draw's rectangles */
};

static inline void
pops_set_vertex(struct stream *s, unsigned i, int x, int y, unsigned id)
{
   const float v[8] = {(float)x / 16.0f * 2 / POPS_W - 1, (float)y / 16.0f * 2 / POPS_H - 1, 0.5f, 1.0f, (float)id};
   memcpy(s->memory + POPS_VERTEX_B + i * 32, v, sizeof(v));
}

/* Positions of the standard patterns, 1/16 px from the centre: 4x and 8x. */
static const int8_t pops_samples_4x[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
static const int8_t pops_samples_8x[8][2] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};

static inline void
pops_set_samples(struct stream *s, unsigned log2)
{
   if (!log2)
      return;
   const int8_t(*at)[2] = log2 == 2 ? pops_samples_4x : pops_samples_8x;
   set_reg(s, R_PA_SC_MODE_CNTL_0, 1);
   set_reg(s, R_PA_SC_AA_CONFIG,
           S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(log2) | S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(log2) |
              S_PA_SC_AA_CONFIG_MAX_SAMPLE_DIST(8));
   for (unsigned half = 0; half < (1u << log2) / 4; half++) {
      uint32_t word = 0;
      for (unsigned i = 0; i < 4; i++)
         word |= (uint32_t)((at[half * 4 + i][0] & 15) | (at[half * 4 + i][1] & 15) << 4) << 8 * i;
      for (unsigned pixel = 0; pixel < 4; pixel++)
         set_reg(s, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 16 * pixel + 4 * half, word);
   }
   set_reg(s, R_PA_SC_CENTROID_PRIORITY_0, 0x76543210);
   set_reg(s, R_PA_SC_CENTROID_PRIORITY_1, 0x76543210);
}

static inline void
pops_set_shaders(struct stream *s, const struct pops_draw *d)
{
   struct assembly program;
   pops_build_vertex(&program);
   memcpy(s->memory + POPS_VS_B, program.words, program.count * 4);
   pops_build(&program, &d->shader, d->wave32);
   memcpy(s->memory + POPS_PS_B, program.words, program.count * 4);
   set_reg(s, R_SPI_SHADER_PGM_LO_VS, (uint32_t)((stream_base + POPS_VS_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + POPS_PS_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_VS,
           S_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(3) | S_SPI_SHADER_PGM_RSRC1_VS_VGPRS(7) |
              S_SPI_SHADER_PGM_RSRC1_VS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS,
           S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, S_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR(2));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS,
           S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(2) | S_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID(!d->no_rsrc2) |
              S_SPI_SHADER_PGM_RSRC2_PS_LOAD_INTRAWAVE_COLLISION(d->intrawave));
   for (unsigned i = 0; i < 2; i++) {
      uint64_t va = stream_base + (i ? POPS_WORDS_B : POPS_VERTEX_B);
      uint32_t reg = i ? R_SPI_SHADER_USER_DATA_PS_0 : R_SPI_SHADER_USER_DATA_VS_0;
      set_reg(s, reg, (uint32_t)va);
      set_reg(s, reg + 4, (uint32_t)(va >> 32));
   }
   uint32_t inputs = S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_SAMPLE_COVERAGE_ENA(1) |
                     S_SPI_PS_INPUT_ENA_POS_FIXED_PT_ENA(1);
   set_reg(s, R_SPI_PS_INPUT_ENA, inputs);
   set_reg(s, R_SPI_PS_INPUT_ADDR, inputs);
   set_reg(s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1));
   set_reg(s, R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_NUM_INTERP(1) | S_SPI_PS_IN_CONTROL_PS_W32_EN(d->wave32));
}

/* Everything but the draw packet. The stream's vertices are overwritten: one draw a run. */
static inline void
pops_state(struct stream *s, const struct pops_draw *d)
{
   /* As the kernel does ahead of a job: code and data are new after the caches' backs. */
   const uint32_t acquire[7] = {0,
                                UINT32_MAX,
                                0xffffff,
                                0,
                                0,
                                10,
                                S_ACQUIRE_MEM_GCR_CNTL_GLI_INV(V_GLI_ALL) | S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) |
                                   S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1)};
   emit_packet(s, PKT3_ACQUIRE_MEM, 7, acquire);
   set_defaults(s, POPS_W, POPS_H);
   pops_set_shaders(s, d);
   pops_set_samples(s, d->samples_log2);
   for (unsigned i = 0; i < d->rect_count; i++) {
      const struct pops_rect *r = &d->rects[i];
      pops_set_vertex(s, 3 * i, r->x0, r->y0, d->first_id + i);
      pops_set_vertex(s, 3 * i + 1, r->x0, r->y1, d->first_id + i);
      pops_set_vertex(s, 3 * i + 2, r->x1, r->y0, d->first_id + i);
   }
   set_reg(s, R_CB_TARGET_MASK, 0);
   set_reg(s, R_CB_SHADER_MASK, 0);
   set_reg(s, R_SPI_SHADER_COL_FORMAT, d->no_export_space ? V_SPI_SHADER_ZERO : V_SPI_SHADER_32_R);
   set_reg(s, R_PA_SC_SHADER_CONTROL,
           S_PA_SC_SHADER_CONTROL_LOAD_COLLISION_WAVEID(!d->no_pa_sc) |
              S_PA_SC_SHADER_CONTROL_LOAD_INTRAWAVE_COLLISION(d->intrawave && !d->no_pa_intrawave));
   set_reg(s, R_DB_SHADER_CONTROL,
           S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(!d->no_enable) |
              S_DB_SHADER_CONTROL_POPS_OVERLAP_NUM_SAMPLES(d->overlap_samples_log2) |
              S_DB_SHADER_CONTROL_EXEC_ON_NOOP(1) | S_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(1));
}

static inline void
pops_record(struct stream *s, const struct pops_draw *d)
{
   pops_state(s, d);
   draw_auto(s, V_DI_PT_RECTLIST, 3 * d->rect_count);
}

/* Bit per sample of a pixel inside of the rectangle: left and top edges are in. */
static inline unsigned
pops_coverage(const struct pops_rect *r, unsigned samples_log2, unsigned x, unsigned y)
{
   unsigned mask = 0;
   for (unsigned i = 0; i < 1u << samples_log2; i++) {
      const int8_t *at = samples_log2 == 2 ? pops_samples_4x[i] : pops_samples_8x[i];
      int sx = (int)x * 16 + 8 + (samples_log2 ? at[0] : 0), sy = (int)y * 16 + 8 + (samples_log2 ? at[1] : 0);
      mask |= (unsigned)(sx >= r->x0 && sx < r->x1 && sy >= r->y0 && sy < r->y1) << i;
   }
   return mask;
}

/* What order gives, applied to words (POPS_W * POPS_H, or that times the samples). */
static inline void
pops_reference(const struct pops_draw *d, uint32_t *words)
{
   unsigned per_pixel = MAX2(d->shader.samples, 1), old = d->shader.work == POPS_UPDATE ? 3 : 0;
   for (unsigned n = 0; n < d->rect_count; n++) {
      for (unsigned i = 0; i < POPS_W * POPS_H; i++) {
         unsigned mask = pops_coverage(&d->rects[n], d->samples_log2, i % POPS_W, i / POPS_W);
         if (per_pixel == 1)
            mask = mask != 0;
         for (unsigned k = 0; k < per_pixel; k++)
            if (mask >> k & 1)
               words[i * per_pixel + k] = words[i * per_pixel + k] * old + d->first_id + n;
      }
   }
}

#endif
