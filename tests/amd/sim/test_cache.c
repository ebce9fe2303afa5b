/* Caches of the shader cores: what a load finds after somebody wrote, with and without the bits, instructions and
 * packets that make the write visible. Each row of a table stands next to the row that lacks one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "program.h"
#include "stream.h"
#include "util/macros.h"

enum {
   CODE_B = 2 << 20,
   DATA_B = 4 << 20, /* word 0: X, that everybody reads */
   OUT_B = 8 << 20,
   GROUPS = 240, /* more than the chip has compute units */
   OLD = 1,
   NEW = 2,
};

static const uint64_t data_va = UINT64_C(0x100000000) + DATA_B, out_va = UINT64_C(0x100000000) + OUT_B;

static uint32_t *
words(struct stream *s, unsigned at_B)
{
   return (uint32_t *)(s->memory + at_B);
}

/* s[4:7] of the dispatches, instead of the image. */
static const uint32_t *buffer_descriptor;
static bool float_image;

/* s[0:1]: data, s[2:3]: out, s[4:11]: an image of the data, s[12:15]: a sampler that filters, s16: group. */
static void
dispatch(struct stream *s, unsigned code_B, unsigned groups, unsigned threads, bool wgp_mode)
{
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + code_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)((stream_base + code_B) >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, 3 | 0xf0 << 12 | (uint32_t)wgp_mode << 29);
   set_reg(s, R_COMPUTE_PGM_RSRC2, 16 << 1 | 1 << 7);
   set_reg(s, R_COMPUTE_NUM_THREAD_X, threads);
   set_reg(s, R_COMPUTE_NUM_THREAD_Y, 1);
   set_reg(s, R_COMPUTE_NUM_THREAD_Z, 1);
   set_reg(s, R_COMPUTE_USER_DATA_0, (uint32_t)data_va);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 4, (uint32_t)(data_va >> 32));
   set_reg(s, R_COMPUTE_USER_DATA_0 + 8, (uint32_t)out_va);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 12, (uint32_t)(out_va >> 32));
   /* Linear, 32-bit integers or floats. */
   const uint32_t image[8] = {
      (uint32_t)(data_va >> 8),
      S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI((uint32_t)(data_va >> 40)) |
         S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, float_image ? 22 : 20) | S_SQ_IMG_RSRC_WORD1_WIDTH_LO(63 & 3),
      S_SQ_IMG_RSRC_WORD2_WIDTH_HI(63 >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(1),
      S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) |
         S_SQ_IMG_RSRC_WORD3_SW_MODE(V_SW_LINEAR),
   };
   for (unsigned i = 0; i < 8; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 16 + 4 * i, buffer_descriptor && i < 4 ? buffer_descriptor[i] : image[i]);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 48, 0);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 52, 0);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 56,
           S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(1) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(1));
   set_reg(s, R_COMPUTE_USER_DATA_0 + 60, 0);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){groups, 1, 1, 1 | 1 << 15});
}

static void
write_x(struct stream *s, uint32_t value)
{
   emit_packet(s, PKT3_WRITE_DATA, 4,
               (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)data_va,
                                   (uint32_t)(data_va >> 32), value});
}

static void
acquire(struct stream *s, uint32_t gcr)
{
   emit_packet(s, PKT3_ACQUIRE_MEM, 7, (const uint32_t[7]){0, UINT32_MAX, 0xffffff, 0, 0, 10, gcr});
}

static void
must_run(struct stream *s)
{
   if (!stream_run(s))
      fail_msg("%s", s->fault.message);
}

enum load { VECTOR, SCALAR, IMAGE, SAMPLE }; /* SAMPLE: X is a float */
enum { GLC = 1, DLC = 2 };

/* v2 = X. */
static void
add_load(struct program *p, enum load load, unsigned bits)
{
   struct amd_inst i = make(load == VECTOR   ? "global_load_dword"
                            : load == SCALAR ? "s_load_dword"
                            : load == IMAGE  ? "image_load"
                                             : "image_sample_lz",
                            AMD_ENC_NONE);
   i.glc = bits & GLC;
   i.dlc = bits & DLC;
   if (load == VECTOR) {
      i.enc = AMD_ENC_GLOBAL;
      i.dst = amd_vgpr(2);
      i.src[0] = amd_vgpr(1);
      i.src[2] = amd_sgpr(0);
   } else if (load == SCALAR) {
      i.enc = AMD_ENC_SMEM;
      i.dst = amd_sgpr(20);
      i.src[0] = amd_sgpr(0);
      i.src[1] = AMD_NULL;
   } else {
      i.enc = AMD_ENC_MIMG;
      i.dst = amd_vgpr(2);
      i.src[0] = amd_vgpr(4);
      i.src[1] = amd_sgpr(4);
      if (load == SAMPLE)
         i.src[2] = amd_sgpr(12);
      i.dim = 1;
      i.dmask = 1;
   }
   if (load >= IMAGE) {
      /* The middle of the first of 64 x 2 texels. */
      struct amd_inst x = move_to_vgpr(4, amd_inline_int(0)), y = move_to_vgpr(5, amd_inline_int(0));
      if (load == SAMPLE) {
         x.src[0] = y.src[0] = AMD_LITERAL;
         x.literal = 0x3c000000;
         y.literal = 0x3e800000;
      }
      add(p, x);
      add(p, y);
   }
   add(p, i);
   add(p, wait_all());
   if (load == SAMPLE) {
      struct amd_inst convert = make("v_cvt_u32_f32", AMD_ENC_VOP1);
      convert.dst = convert.src[0] = amd_vgpr(2);
      add(p, convert);
   }
   if (load == SCALAR)
      add(p, move_to_vgpr(2, amd_sgpr(20)));
}

static void
add_global_store(struct program *p, unsigned base, unsigned offset_vgpr, unsigned data_vgpr)
{
   struct amd_inst i = make("global_store_dword", AMD_ENC_GLOBAL);
   i.src[0] = amd_vgpr(offset_vgpr);
   i.src[1] = amd_vgpr(data_vgpr);
   i.src[2] = amd_sgpr(base);
   add(p, i);
   struct amd_inst wait = make("s_waitcnt_vscnt", AMD_ENC_SOPK);
   wait.src[0] = AMD_NULL;
   add(p, wait);
}

/* out[group] = v2. */
static void
add_result(struct program *p)
{
   struct amd_inst shift = make("v_lshlrev_b32", AMD_ENC_VOP2);
   shift.dst = amd_vgpr(3);
   shift.src[0] = amd_inline_int(2);
   shift.src[1] = amd_vgpr(3);
   add(p, move_to_vgpr(3, amd_sgpr(16)));
   add(p, shift);
   add_global_store(p, 2, 3, 2);
   add(p, make("s_endpgm", AMD_ENC_SOPP));
}

static struct program
begin(struct stream *s, unsigned code_B)
{
   struct program p = {.at = s->memory + code_B};
   add(&p, move_to_vgpr(1, amd_inline_int(0)));
   return p;
}

static void
expect_all(struct stream *s, uint32_t value, const char *what, unsigned row)
{
   for (unsigned i = 0; i < GROUPS; i++)
      if (words(s, OUT_B)[i] != value)
         fail_msg("%s %u: group %u found %u, not %u", what, row, i, words(s, OUT_B)[i], value);
}

#define K S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1)
#define V0 S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1)
#define L1 S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1)
#define GLI S_ACQUIRE_MEM_GCR_CNTL_GLI_INV(V_GLI_ALL)

/* All units read X; the command processor writes it; all read it again, with other bits. */
static const struct {
   enum load load;
   unsigned bits;           /* of the second load */
   uint32_t gcr;            /* between */
   const char *invalidates; /* instructions before the second load */
   uint32_t found;
} visibility[] = {
   {VECTOR, 0, 0, "", OLD},         {VECTOR, 0, V0, "", OLD}, /* L1 gives L0 what it has */
   {VECTOR, 0, L1, "", OLD},        {VECTOR, 0, K, "", OLD},      {VECTOR, 0, K | L1, "", OLD},
   {VECTOR, 0, V0 | L1, "", NEW},   {VECTOR, GLC, 0, "", OLD},    {VECTOR, DLC, 0, "", OLD},
   {VECTOR, GLC | DLC, 0, "", NEW}, {VECTOR, GLC, L1, "", NEW},   {VECTOR, DLC, V0, "", NEW},
   {VECTOR, 0, 0, "v", OLD},        {VECTOR, 0, 0, "1", OLD},     {VECTOR, 0, 0, "v1", NEW},
   {VECTOR, 0, 0, "vs", NEW}, /* s_gl1_inv */
   {VECTOR, GLC, 0, "1", NEW},      {VECTOR, DLC, 0, "v", NEW},   {VECTOR, 0, 0, "ks", OLD},
   {SCALAR, 0, 0, "", OLD},         {SCALAR, 0, K, "", OLD},      {SCALAR, 0, L1, "", OLD},
   {SCALAR, 0, V0 | L1, "", OLD},   {SCALAR, 0, K | L1, "", NEW}, {SCALAR, GLC, 0, "", OLD},
   {SCALAR, GLC | DLC, 0, "", NEW}, {SCALAR, 0, 0, "k", OLD},     {SCALAR, 0, 0, "ks", NEW},
   {SCALAR, 0, 0, "v1", OLD},       {IMAGE, 0, 0, "", OLD},       {IMAGE, 0, V0, "", OLD},
   {IMAGE, 0, V0 | L1, "", NEW},    {IMAGE, GLC, 0, "", OLD},     {IMAGE, GLC | DLC, 0, "", NEW},
   {IMAGE, 0, 0, "v1", NEW},        {SAMPLE, 0, 0, "", OLD},      {SAMPLE, 0, V0 | L1, "", NEW},
   {SAMPLE, GLC | DLC, 0, "", NEW},
};

static void
add_invalidates(struct program *p, const char *which)
{
   for (; *which; which++)
      add(p, make(*which == 'v'   ? "buffer_gl0_inv"
                  : *which == '1' ? "buffer_gl1_inv"
                  : *which == 's' ? "s_gl1_inv"
                                  : "s_dcache_inv",
                  *which == 'v' || *which == '1' ? AMD_ENC_MUBUF : AMD_ENC_SMEM));
}

static void
who_sees_a_write(void **state)
{
   for (unsigned row = 0; row < ARRAY_SIZE(visibility); row++) {
      struct stream s = stream_create(1 + row % 2);
      float_image = visibility[row].load == SAMPLE;
      uint32_t old = float_image ? 0x3f800000 : OLD, new = float_image ? 0x40000000 : NEW;
      words(&s, DATA_B)[0] = old;
      struct program first = begin(&s, CODE_B), second = begin(&s, CODE_B + 4096);
      add_load(&first, visibility[row].load, 0);
      add_result(&first);
      add_invalidates(&second, visibility[row].invalidates);
      add_load(&second, visibility[row].load, visibility[row].bits);
      add_result(&second);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      write_x(&s, new);
      if (visibility[row].gcr)
         acquire(&s, visibility[row].gcr);
      dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, visibility[row].found, "row", row);
      assert_int_equal(words(&s, DATA_B)[0], new);
      stream_destroy(&s);
   }
   float_image = false;
}

/* A line that nobody had read is not stale; a line that RELEASE_MEM invalidates is not either. */
static void
unread_and_released_lines(void **state)
{
   for (unsigned n = 0; n < 2; n++) {
      struct stream s = stream_create(1);
      words(&s, DATA_B)[0] = OLD;
      struct program p = begin(&s, CODE_B);
      add_load(&p, VECTOR, 0);
      add_result(&p);
      if (n)
         dispatch(&s, CODE_B, GROUPS, 1, false);
      write_x(&s, NEW);
      if (n)
         emit_packet(&s, PKT3_RELEASE_MEM, 7,
                     (const uint32_t[7]){0x28 | 5 << 8 | S_RELEASE_MEM_OP_GLV_INV(1) | S_RELEASE_MEM_OP_GL1_INV(1),
                                         S_RELEASE_MEM_SELECT_DATA_SEL(V_RELEASE_DATA_NONE), 0, 0, 0, 0, 0});
      dispatch(&s, CODE_B, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, NEW, "case", n);
      stream_destroy(&s);
   }
}

/* What the host writes between two jobs shows: the start of a job's buffer invalidates. */
static void
host_writes_between_jobs(void **state)
{
   for (unsigned n = VECTOR; n <= SAMPLE; n++) {
      struct stream s = stream_create(2);
      const float old_float = OLD, new_float = NEW;
      words(&s, DATA_B)[0] = OLD;
      if (n == SAMPLE)
         memcpy(words(&s, DATA_B), &old_float, 4);
      struct program p = begin(&s, CODE_B);
      add_load(&p, (enum load)n, 0);
      add_result(&p);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      must_run(&s);
      words(&s, DATA_B)[0] = NEW;
      if (n == SAMPLE)
         memcpy(words(&s, DATA_B), &new_float, 4);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, NEW, "load", n);
      stream_destroy(&s);
   }
}

/* Code that has run stays in the instruction caches; the new one lies elsewhere, and a packet writes it over the old.
 */
static void
new_code(void **state)
{
   for (unsigned n = 0; n < 3; n++) {
      struct stream s = stream_create(1);
      uint32_t write[3 + 64] = {S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)(stream_base + CODE_B),
                                (uint32_t)((stream_base + CODE_B) >> 32)};
      for (unsigned version = OLD; version <= NEW; version++) {
         struct program p = begin(&s, version == OLD ? CODE_B : CODE_B + 8192);
         add(&p, move_to_vgpr(2, amd_inline_int((int)version)));
         add_result(&p);
         if (version == NEW) {
            memcpy(write + 3, p.at, p.count_dw * 4);
            emit_packet(&s, PKT3_WRITE_DATA, 3 + p.count_dw, write);
         }
         if (version == NEW && n == 1)
            acquire(&s, GLI);
         if (version == NEW && n == 2) {
            struct program flush = begin(&s, CODE_B + 4096);
            add(&flush, make("s_icache_inv", AMD_ENC_SOPP));
            add(&flush, make("s_endpgm", AMD_ENC_SOPP));
            dispatch(&s, CODE_B + 4096, 1, 1, false);
         }
         dispatch(&s, CODE_B, GROUPS, 1, false);
      }
      must_run(&s);
      expect_all(&s, n ? NEW : OLD, "case", n);
      stream_destroy(&s);
   }
}

static void
set_exec(struct program *p, int value)
{
   struct amd_inst i = make("s_mov_b32", AMD_ENC_SOP1);
   i.dst = AMD_EXEC_LO;
   i.src[0] = amd_inline_int(value);
   add(p, i);
}

/* Two waves of a group: both read X, the first writes it, after a barrier the second reads it again. In CU mode they
 * share L0, where the store leaves no line; in WGP mode only GLC (or buffer_gl0_inv) makes the store visible. */
static void
waves_of_a_group(void **state)
{
   static const struct {
      bool wgp_mode;
      unsigned bits;
      const char *invalidates;
      uint32_t found;
   } rows[] = {{false, 0, "", NEW}, {true, 0, "", OLD},   {true, GLC, "", NEW},
               {true, 0, "v", NEW}, {true, DLC, "", OLD}, {true, 0, "1", OLD}};
   for (unsigned row = 0; row < ARRAY_SIZE(rows); row++) {
      struct stream s = stream_create(2);
      words(&s, DATA_B)[0] = OLD;
      struct program p = begin(&s, CODE_B);
      /* s16 = first thread of the wave; v0 is the thread. */
      struct amd_inst read = make("v_readfirstlane_b32", AMD_ENC_VOP1);
      read.dst = amd_sgpr(17);
      read.src[0] = amd_vgpr(0);
      add(&p, read);
      add_load(&p, VECTOR, 0);
      add(&p, make("s_barrier", AMD_ENC_SOPP));
      struct amd_inst is_second = make("s_cmp_eq_u32", AMD_ENC_SOPC);
      is_second.src[0] = amd_sgpr(17);
      is_second.src[1] = amd_inline_int(32);
      add(&p, is_second);
      struct amd_inst select = make("s_cselect_b32", AMD_ENC_SOP2);
      select.dst = AMD_EXEC_LO;
      select.src[0] = amd_inline_int(0);
      select.src[1] = amd_inline_int(1);
      add(&p, select);
      add(&p, move_to_vgpr(6, amd_inline_int(NEW)));
      add_global_store(&p, 0, 1, 6);
      add(&p, make("s_barrier", AMD_ENC_SOPP));
      set_exec(&p, 1);
      add_invalidates(&p, rows[row].invalidates);
      add_load(&p, VECTOR, rows[row].bits);
      /* Only the second wave stores. */
      add(&p, is_second);
      select.src[0] = amd_inline_int(1);
      select.src[1] = amd_inline_int(0);
      add(&p, select);
      add_result(&p);
      dispatch(&s, CODE_B, 1, 64, rows[row].wgp_mode);
      must_run(&s);
      if (words(&s, OUT_B)[0] != rows[row].found)
         fail_msg("row %u: found %u", row, words(&s, OUT_B)[0]);
      stream_destroy(&s);
   }
}

/* One load with GLC and DLC evicts the line from both caches: plain loads after it see the write, also those of
 * later waves on the same units. */
static void
evicting_loads(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = stream_create(2);
      words(&s, DATA_B)[0] = OLD;
      struct program plain = begin(&s, CODE_B), evict = begin(&s, CODE_B + 4096);
      bool l1_too = n & 1, later = n & 2;
      add_load(&plain, VECTOR, 0);
      add_result(&plain);
      add_load(&evict, VECTOR, l1_too ? GLC | DLC : GLC);
      add_load(&evict, VECTOR, 0);
      add_result(&evict);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      write_x(&s, NEW);
      dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
      if (later) {
         acquire(&s, 0);
         dispatch(&s, CODE_B, GROUPS, 1, false);
      }
      must_run(&s);
      expect_all(&s, l1_too ? NEW : OLD, "case", n);
      stream_destroy(&s);
   }
}

/* EXEC is 1 in one wave of a group of two and 0 in the other. s17: first thread of the wave. */
static void
choose_wave(struct program *p, bool second)
{
   struct amd_inst is_second = make("s_cmp_eq_u32", AMD_ENC_SOPC), select = make("s_cselect_b32", AMD_ENC_SOP2);
   is_second.src[0] = amd_sgpr(17);
   is_second.src[1] = amd_inline_int(32);
   select.dst = AMD_EXEC_LO;
   select.src[0] = amd_inline_int(second);
   select.src[1] = amd_inline_int(!second);
   add(p, is_second);
   add(p, select);
}

/* L1 has an old line, L0 none. One wave loads with GLC and DLC; its neighbour, at the same time, brings the line into
 * the L0 that they share. Whichever comes first, the next load finds the write. */
static void
evicting_during_a_fill(void **state)
{
   enum { ARRAYS = 8 };
   struct stream s = stream_create(2);
   words(&s, DATA_B)[0] = OLD;
   struct program plain = begin(&s, CODE_B), both = begin(&s, CODE_B + 4096);
   struct amd_inst read = make("v_readfirstlane_b32", AMD_ENC_VOP1);
   read.dst = amd_sgpr(17);
   read.src[0] = amd_vgpr(0);
   add(&both, read);
   choose_wave(&both, false);
   add_load(&both, VECTOR, GLC | DLC);
   choose_wave(&both, true);
   add_load(&both, VECTOR, 0);
   set_exec(&both, 1);
   struct amd_inst after = make("v_mul_u32_u24", AMD_ENC_VOP2);
   after.dst = amd_vgpr(6);
   after.src[0] = amd_inline_int(64);
   after.src[1] = amd_vgpr(6);
   add(&both, move_to_vgpr(6, amd_inline_int(64)));
   add(&both, after);
   add_global_store(&both, 2, 6, 6); /* after the results; the wait ends the round */
   add_load(&both, VECTOR, 0);
   add_result(&both);
   add_load(&plain, VECTOR, 0);
   add_result(&plain);
   dispatch(&s, CODE_B, ARRAYS, 1, false);
   write_x(&s, NEW);
   dispatch(&s, CODE_B + 4096, GROUPS, 64, false);
   must_run(&s);
   expect_all(&s, NEW, "case", 0);
   stream_destroy(&s);
}

/* What a shader invalidates is gone for later waves of its units too. */
static void
later_waves_after_invalidates(void **state)
{
   static const char *const which[] = {"v", "1", "v1"};
   for (unsigned n = 0; n < ARRAY_SIZE(which); n++) {
      struct stream s = stream_create(2);
      words(&s, DATA_B)[0] = OLD;
      struct program plain = begin(&s, CODE_B), flush = begin(&s, CODE_B + 4096);
      add_load(&plain, VECTOR, 0);
      add_result(&plain);
      add_invalidates(&flush, which[n]);
      add(&flush, make("s_endpgm", AMD_ENC_SOPP));
      dispatch(&s, CODE_B, GROUPS, 1, false);
      write_x(&s, NEW);
      dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, n == 2 ? NEW : OLD, "case", n);
      stream_destroy(&s);
   }
}

/* L0 that misses takes the stale line of L1, and keeps it when L1 is invalidated afterwards. */
static void
stale_lines_spread(void **state)
{
   struct stream s = stream_create(2);
   words(&s, DATA_B)[0] = OLD;
   struct program p = begin(&s, CODE_B);
   add_load(&p, VECTOR, 0);
   add_result(&p);
   dispatch(&s, CODE_B, GROUPS, 1, false);
   write_x(&s, NEW);
   acquire(&s, V0);
   dispatch(&s, CODE_B, GROUPS, 1, false);
   acquire(&s, L1);
   dispatch(&s, CODE_B, GROUPS, 1, false);
   must_run(&s);
   expect_all(&s, OLD, "case", 0);
   acquire(&s, V0);
   dispatch(&s, CODE_B, GROUPS, 1, false);
   must_run(&s);
   expect_all(&s, NEW, "case", 1);
   stream_destroy(&s);
}

/* v1 = (group + plus) * 128: a line for each group. */
static void
add_own_line(struct program *p, int plus)
{
   struct amd_inst sum = make("s_add_u32", AMD_ENC_SOP2), shift = make("v_lshlrev_b32", AMD_ENC_VOP2);
   sum.dst = amd_sgpr(21);
   sum.src[0] = amd_sgpr(16);
   sum.src[1] = amd_inline_int(plus);
   shift.dst = shift.src[1] = amd_vgpr(1);
   shift.src[0] = amd_inline_int(7);
   add(p, sum);
   add(p, move_to_vgpr(1, amd_sgpr(21)));
   add(p, shift);
}

/* A line that a wave has read and then stores to stays in its L0, and goes stale there like any other; a store with
 * GLC and an atomic leave none. The next dispatch starts one unit further: its group g runs where group g + 1 ran. */
static void
lines_after_stores(void **state)
{
   enum { LATER = 3 };
   for (unsigned n = 0; n < 3; n++) {
      struct stream s = stream_create(2);
      struct program first = begin(&s, CODE_B), second = begin(&s, CODE_B + 4096);
      add_own_line(&first, 0);
      add_load(&first, VECTOR, 0);
      add(&first, move_to_vgpr(6, amd_inline_int(NEW)));
      struct amd_inst store = make(n == 2 ? "global_atomic_or" : "global_store_dword", AMD_ENC_GLOBAL);
      store.src[0] = amd_vgpr(1);
      store.src[1] = amd_vgpr(6);
      store.src[2] = amd_sgpr(0);
      store.glc = n == 1;
      add(&first, store);
      add(&first, make("s_endpgm", AMD_ENC_SOPP));
      add_own_line(&second, 1);
      add_load(&second, VECTOR, 0);
      add_result(&second);
      dispatch(&s, CODE_B, GROUPS + 1, 1, false);
      emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_CS_PARTIAL_FLUSH | 4 << 8});
      emit_packet(&s, PKT3_DMA_DATA, 6,
                  (const uint32_t[6]){S_DMA_DATA_CONTROL_SRC_SEL(V_DMA_SRC_DATA) | S_DMA_DATA_CONTROL_CP_SYNC(1),
                                      LATER, 0, (uint32_t)data_va, (uint32_t)(data_va >> 32), (GROUPS + 1) * 128});
      dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, n ? LATER : NEW, "case", n);
      stream_destroy(&s);
   }
}

/* A plain store into a line that is stale in its L0: the word itself is there, the others stay old. With GLC the line
 * goes. */
static void
words_next_to_stores(void **state)
{
   enum { BEFORE = 1, LATER = 3 };
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = stream_create(2);
      struct program first = begin(&s, CODE_B), second = begin(&s, CODE_B + 4096);
      for (unsigned i = 0; i < (GROUPS + 1) * 32; i++)
         words(&s, DATA_B)[i] = BEFORE;
      add_own_line(&first, 0);
      add_load(&first, VECTOR, 0);
      add(&first, make("s_endpgm", AMD_ENC_SOPP));
      add_own_line(&second, 1);
      add(&second, move_to_vgpr(6, amd_inline_int(NEW)));
      struct amd_inst store = make("global_store_dword", AMD_ENC_GLOBAL);
      struct amd_inst load = make("global_load_dword", AMD_ENC_GLOBAL), wait = make("s_waitcnt_vscnt", AMD_ENC_SOPK);
      wait.src[0] = AMD_NULL;
      store.src[0] = load.src[0] = amd_vgpr(1);
      store.src[1] = amd_vgpr(6);
      store.src[2] = load.src[2] = amd_sgpr(0);
      store.offset = 4;
      store.glc = n & 1;
      load.dst = amd_vgpr(2);
      load.offset = n & 2 ? 4 : 0;
      add(&second, store);
      add(&second, wait);
      add(&second, load);
      add(&second, wait_all());
      add_result(&second);
      dispatch(&s, CODE_B, GROUPS + 1, 1, false);
      emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_CS_PARTIAL_FLUSH | 4 << 8});
      emit_packet(&s, PKT3_DMA_DATA, 6,
                  (const uint32_t[6]){S_DMA_DATA_CONTROL_SRC_SEL(V_DMA_SRC_DATA) | S_DMA_DATA_CONTROL_CP_SYNC(1),
                                      LATER, 0, (uint32_t)data_va, (uint32_t)(data_va >> 32), (GROUPS + 1) * 128});
      dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
      must_run(&s);
      expect_all(&s, n & 2 ? NEW : n & 1 ? LATER : BEFORE, "case", n);
      stream_destroy(&s);
   }
}

/* Descriptors hold 48 bits of an address, packets all 64: both mean one line. */
static void
addresses_are_canonical(void **state)
{
   const struct sim_va va = sim_va(UINT64_C(0x800000000000));
   const uint32_t descriptor[4] = {(uint32_t)va.va, (uint32_t)(va.va >> 32) & 0xffff, 4096, 3u << 28};
   for (unsigned n = 0; n < 2; n++) {
      struct stream s = stream_create(2);
      uint32_t *high = aligned_alloc(4096, 4096);
      high[0] = OLD;
      assert_true(sim_vm_map(s.vm, va, 4096, high, SIM_READ | SIM_WRITE));
      struct program p = begin(&s, CODE_B);
      struct amd_inst load = make("buffer_load_dword", AMD_ENC_MUBUF);
      load.dst = amd_vgpr(2);
      load.src[1] = amd_sgpr(4);
      load.src[2] = amd_inline_int(0);
      add(&p, load);
      add(&p, wait_all());
      add_result(&p);
      buffer_descriptor = descriptor;
      dispatch(&s, CODE_B, GROUPS, 1, false);
      emit_packet(&s, PKT3_WRITE_DATA, 4,
                  (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)va.va,
                                      (uint32_t)(va.va >> 32), NEW});
      if (n)
         acquire(&s, V0 | L1);
      dispatch(&s, CODE_B, GROUPS, 1, false);
      buffer_descriptor = NULL;
      must_run(&s);
      expect_all(&s, n ? NEW : OLD, "case", n);
      stream_destroy(&s);
      free(high);
   }
}

/* An atomic works in L2, whatever the caches hold: it finds the new value, adds to it, and leaves no line in its own
 * L0. */
static void
atomics_are_at_l2(void **state)
{
   struct stream s = stream_create(2);
   words(&s, DATA_B)[0] = OLD;
   struct program plain = begin(&s, CODE_B), atomic = begin(&s, CODE_B + 4096);
   add_load(&plain, VECTOR, 0);
   add_result(&plain);
   struct amd_inst i = make("global_atomic_add", AMD_ENC_GLOBAL);
   i.src[0] = amd_vgpr(1);
   i.src[1] = amd_vgpr(6);
   i.src[2] = amd_sgpr(0);
   i.dst = amd_vgpr(2);
   i.glc = true;
   add(&atomic, move_to_vgpr(6, amd_inline_int(1)));
   add(&atomic, i);
   add(&atomic, wait_all());
   add_load(&atomic, VECTOR, 0);
   add_result(&atomic);
   dispatch(&s, CODE_B, GROUPS, 1, false);
   write_x(&s, 1000);
   dispatch(&s, CODE_B + 4096, GROUPS, 1, false);
   must_run(&s);
   assert_int_equal(words(&s, DATA_B)[0], 1000 + GROUPS);
   for (unsigned g = 0; g < GROUPS; g++)
      assert_true(words(&s, OUT_B)[g] > 1000);
   stream_destroy(&s);
}

static unsigned
random_below(uint64_t *seed, unsigned n)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return (unsigned)((*seed >> 32) * n >> 32);
}

/* Waves that race through all kinds of loads, stores and invalidates find the same on any number of host threads. */
static void
same_for_any_thread_count(void **state)
{
   static uint32_t first[1 << 14];
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct stream s = stream_create(threads);
      uint64_t seed = 12345;
      for (unsigned i = 0; i < 4096; i++)
         words(&s, DATA_B)[i] = i;
      for (unsigned round = 0; round < 6; round++) {
         struct program p = begin(&s, CODE_B + 4096 * round);
         add(&p, move_to_vgpr(2, amd_inline_int(0)));
         for (unsigned n = 0; n < 60; n++) {
            unsigned kind = random_below(&seed, 16), place = random_below(&seed, 1024);
            struct amd_inst address = make("v_mov_b32", AMD_ENC_VOP1);
            address.dst = amd_vgpr(1);
            address.src[0] = AMD_LITERAL;
            address.literal = place * 4;
            add(&p, address);
            if (kind < 9) {
               struct amd_inst i = make("global_load_dword", AMD_ENC_GLOBAL);
               i.dst = amd_vgpr(6);
               i.src[0] = amd_vgpr(1);
               i.src[2] = amd_sgpr(0);
               i.glc = random_below(&seed, 2);
               i.dlc = random_below(&seed, 2);
               add(&p, i);
               add(&p, wait_all());
               struct amd_inst mix = make("v_mad_u32_u24", AMD_ENC_VOP3);
               mix.dst = amd_vgpr(2);
               mix.src[0] = amd_vgpr(2);
               mix.src[1] = amd_inline_int(37);
               mix.src[2] = amd_vgpr(6);
               add(&p, mix);
            } else if (kind < 13) {
               add_global_store(&p, 0, 1, 2);
            } else {
               add_invalidates(&p, kind == 13 ? "v" : kind == 14 ? "1" : "v1");
            }
         }
         add_result(&p);
         dispatch(&s, CODE_B + 4096 * round, GROUPS, 1, false);
         emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_CS_PARTIAL_FLUSH | 4 << 8});
      }
      must_run(&s);
      if (threads == 1)
         memcpy(first, words(&s, OUT_B), GROUPS * 4), memcpy(first + 4096, words(&s, DATA_B), 16384);
      assert_memory_equal(first, words(&s, OUT_B), GROUPS * 4);
      assert_memory_equal(first + 4096, words(&s, DATA_B), 16384);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_sees_a_write),         cmocka_unit_test(unread_and_released_lines),
      cmocka_unit_test(host_writes_between_jobs), cmocka_unit_test(new_code),
      cmocka_unit_test(waves_of_a_group),         cmocka_unit_test(evicting_loads),
      cmocka_unit_test(evicting_during_a_fill),   cmocka_unit_test(later_waves_after_invalidates),
      cmocka_unit_test(stale_lines_spread),       cmocka_unit_test(words_next_to_stores),
      cmocka_unit_test(lines_after_stores),       cmocka_unit_test(addresses_are_canonical),
      cmocka_unit_test(atomics_are_at_l2),        cmocka_unit_test(same_for_any_thread_count),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
