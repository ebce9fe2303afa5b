/* Ordered sections on a chip of each kind: in order under every schedule, and what breaks a generation's own rules
 * ends as the article says. Programs are text; every pixel's word becomes word * 3 + number of the rectangle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/batch/pipeline.h"
#include "amd/sim/state/draw_state_private.h"
#include "pops_chips.h"
#include "util/macros.h"

#define PLACE(add)                                                                                                   \
   "v_cvt_u32_f32_e32 v4, v4\n"                                                                                      \
   "v_lshrrev_b32_e32 v6, 16, v2\n"                                                                                  \
   "v_lshlrev_b32_e32 v6, 6, v6\n"                                                                                   \
   "v_and_b32_e32 v5, 0xffff, v2\n" add " v5, v5, v6\n"                                                              \
   "v_lshlrev_b32_e32 v5, 2, v5\n"
#define NUMBER                                                                                                       \
   "s_mov_b32 m0, s2\n"                                                                                              \
   "s_nop 0\n"                                                                                                       \
   "v_interp_mov_f32_e32 v4, p0, attr0.x\n"
#define NUMBER_GFX11                                                                                                 \
   "s_mov_b32 m0, s2\n"                                                                                              \
   "s_mov_b64 s[4:5], exec\n"                                                                                        \
   "s_wqm_b64 exec, exec\n"                                                                                          \
   "v_mov_b32_e32 v10, 0\n"                                                                                          \
   "lds_param_load v3, attr0.x wait_vdst:15\n"                                                                       \
   "v_interp_p10_f32 v4, v3, v10, v3 wait_exp:0\n"                                                                   \
   "s_mov_b64 exec, s[4:5]\n"
#define WORK(load, store, add)                                                                                       \
   load " v8, v5, s[0:1] glc dlc\n"                                                                                  \
        "s_waitcnt vmcnt(0)\n"                                                                                       \
        "v_lshl_add_u32 v7, v8, 1, v8\n" add " v7, v7, v4\n" store " v5, v7, s[0:1] glc\n"
#define WORK_GFX9                                                                                                    \
   "section:\n"                                                                                                      \
   "global_load_dword v8, v5, s[0:1] glc\n"                                                                          \
   "s_waitcnt vmcnt(0)\n"                                                                                            \
   "v_lshl_add_u32 v7, v8, 1, v8\n"                                                                                  \
   "v_add_u32_e32 v7, v7, v4\n"                                                                                      \
   "global_store_dword v5, v7, s[0:1] glc\n"                                                                         \
   "s_waitcnt vmcnt(0)\n"
#define WORK_GFX10                                                                                                   \
   "section:\n" WORK("global_load_dword", "global_store_dword", "v_add_nc_u32_e32") "s_waitcnt_vscnt null, 0x0\n"
#define WORK_GFX11 WORK("global_load_b32", "global_store_b32", "v_add_nc_u32_e32") "s_waitcnt_vscnt null, 0x0\n"
#define ENTRY(packer, fix, sleep)                                                                                    \
   "s_bitcmp1_b32 s3, 31\n"                                                                                          \
   "s_cbranch_scc0 section\n" packer "s_bfe_u32 s7, s3, 0xa0010\n"                                                   \
   "s_and_b32 s8, s3, 0x3ff\n" fix "s_not_b32 s8, s8\n"                                                              \
   "s_add_i32 s7, s7, s8\n"                                                                                          \
   "again:\n"                                                                                                        \
   "s_add_i32 s9, src_pops_exiting_wave_id, s8\n"                                                                    \
   "s_cmp_lt_u32 s7, s9\n"                                                                                           \
   "s_cbranch_scc1 section\n"                                                                                        \
   "s_sleep " sleep "\n"                                                                                             \
   "s_branch again\n"
#define MODE(plus) MODE_OF("0x1001c", plus)
#define MODE_OF(field, plus)                                                                                         \
   "s_bfe_u32 s6, s3, " field "\n"                                                                                   \
   "s_add_u32 s6, s6, " plus "\n"                                                                                    \
   "s_setreg_b32 hwreg(HW_REG_MODE, 24, 2), s6\n"
#define PACKER                                                                                                       \
   "s_bfe_u32 s6, s3, 0x2001c\n"                                                                                     \
   "s_lshl1_add_u32 s6, s6, 1\n"                                                                                     \
   "s_setreg_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), s6\n"
#define OFF_BY_ONE                                                                                                   \
   "s_cmp_gt_u32 s7, s8\n"                                                                                           \
   "s_addc_u32 s7, s7, 0\n"
#define DONE "s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
#define EXPORT "exp null off, off, off, off done vm\n"
#define END "s_endpgm\n"

#define GFX9(entry, exit) NUMBER PLACE("v_add_u32_e32") entry WORK_GFX9 exit
#define GFX10(entry, exit) NUMBER PLACE("v_add_nc_u32_e32") entry WORK_GFX10 exit
#define GFX11(entry, exit) NUMBER_GFX11 PLACE("v_add_nc_u32_e32") entry WORK_GFX11 exit

static const char gfx9[] = GFX9(ENTRY(MODE("1"), OFF_BY_ONE, "3"), DONE EXPORT END);
static const char gfx10[] = GFX10(ENTRY(PACKER, "", "0xffff"), DONE EXPORT END);
static const char gfx11[] = GFX11("s_wait_event 0x0\n", "exp mrt0 off, off, off, off done\n" END);

static const struct sim_schedule schedules[] = {{SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0},
                                                {SIM_SCHEDULE_WORST, 0},    {SIM_SCHEDULE_SEED, 1},
                                                {SIM_SCHEDULE_SEED, 2},     {SIM_SCHEDULE_SEED, 3}};

enum { RECTS = 60 };

static struct pops_rect rects[RECTS];
static uint32_t expected[POPS_W * POPS_H];

static void
make_rects(void)
{
   uint32_t state = 5;
   for (unsigned i = 0; i < RECTS; i++) {
      int v[4];
      for (unsigned k = 0; k < 4; k++) {
         state = state * 1664525 + 1013904223;
         v[k] = (int)(state >> 8);
      }
      int x = v[0] % (48 * 16), y = v[1] % (48 * 16);
      rects[i] = (struct pops_rect){x, y, x + 16 + v[2] % (16 * 16), y + 16 + v[3] % (16 * 16)};
   }
}

/* Words that differ from the ordered result; -1 after a fault. */
static int
run_draw(struct stream *s, const char *chip, const char *text, const struct pops_draw *d,
         const struct sim_schedule *how)
{
   const enum amd_gen gen = amd_chip_by_name(chip)->gen;
   const uint32_t inputs = S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_POS_FIXED_PT_ENA(1);
   memset(s->memory + POPS_WORDS_B, 0, sizeof(expected));
   memset(expected, 0, sizeof(expected));
   pops_reference(d, expected);
   amd_sim_set_schedule(s->sim, how);
   pops_chip_state(s, gen, d);
   pops_write_program(s->memory + POPS_PS_B, gen, true, text);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS,
           S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_PS_INPUT_ENA, inputs);
   set_reg(s, R_SPI_PS_INPUT_ADDR, inputs);
   draw_auto(s, V_DI_PT_RECTLIST, 3 * d->rect_count);
   if (!stream_run(s))
      return -1;
   const uint32_t *words = (const uint32_t *)(s->memory + POPS_WORDS_B);
   int wrong = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++)
      wrong += words[i] != expected[i];
   return wrong;
}

static const struct {
   const char *chip, *text;
} chips[] = {{"vega10", gfx9},   {"raven", gfx9},   {"renoir", gfx9},   {"navi10", gfx10}, {"navi21", gfx10},
             {"vangogh", gfx10}, {"navi31", gfx11}, {"phoenix", gfx11}, {"gfx1150", gfx11}};

static void
every_chip_is_ordered(void **state)
{
   make_rects();
   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
         struct stream s = stream_create_on(chips[c].chip, 1);
         const struct pops_draw d = {.rects = rects, .rect_count = RECTS, .first_id = 1};
         int wrong = run_draw(&s, chips[c].chip, chips[c].text, &d, &schedules[k]);
         if (wrong)
            fail_msg("%s, schedule %u: %d wrong words: %s", chips[c].chip, k, wrong, s.fault.message);
         stream_destroy(&s);
      }
   }
}

/* What each mistake does: a fault that says so, or (NULL) wrong words under one of the schedules and no fault. */
static void
mistakes_show(void **state)
{
   static const struct {
      const char *chip, *text, *fault;
      bool no_space;
   } rows[] = {
      {"vega10", GFX9(ENTRY(MODE("1"), "", "3"), DONE EXPORT END), NULL, false},
      {"vega10", GFX9(ENTRY(MODE("1"), OFF_BY_ONE, "0xffff"), DONE EXPORT END),
       "sleeps until an exit wakes it, which none does", false},
      {"raven", GFX9(ENTRY(MODE("2"), OFF_BY_ONE, "3"), DONE EXPORT END), "no wave of the launch can continue",
       false},
      {"raven", GFX9(ENTRY(MODE("3"), OFF_BY_ONE, "3"), DONE EXPORT END), "MODE names both packers", false},
      {"raven", GFX9(ENTRY(MODE_OF("0x2001c", "1"), OFF_BY_ONE, "3"), DONE EXPORT END), "MODE names both packers",
       false},
      {"vega10", GFX9(ENTRY(MODE("1"), OFF_BY_ONE, "3"), EXPORT END), "ends without ORDERED_PS_DONE", false},
      {"vega10", GFX9("", DONE EXPORT END), NULL, false},
      {"navi10", GFX10(ENTRY(PACKER, "", "0xffff"), DONE END), NULL, false},
      {"navi10", gfx10, NULL, true},
      {"navi21", gfx10, NULL, true},
      {"navi31", GFX11("", "exp mrt0 off, off, off, off done\n" END), NULL, false},
      {"navi31", GFX11("s_wait_event 0x1\n", "exp mrt0 off, off, off, off done\n" END), NULL, false},
      {"navi31", GFX11("s_wait_event 0x0\n", END), "ends without a last export", false},
      {"navi31", GFX11("s_wait_event 0x0\n", "exp mrt0 off, off, off, off\n" END), "ends without a last export",
       false},
      {"navi31", gfx11, "without space for exports", true},
      {"gfx1150", GFX11("", "exp mrt0 off, off, off, off done\n" END), NULL, false},
      {"gfx1150", GFX11("s_wait_event 0x0\n", END), "ends without a last export", false},
   };
   make_rects();
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      bool shows = false;
      for (unsigned k = 2; k < ARRAY_SIZE(schedules) && !shows; k++) {
         struct stream s = stream_create_on(rows[i].chip, 1);
         const struct pops_draw d = {
            .rects = rects, .rect_count = RECTS, .first_id = 1, .no_export_space = rows[i].no_space};
         int wrong = run_draw(&s, rows[i].chip, rows[i].text, &d, &schedules[k]);
         if (rows[i].fault ? wrong >= 0 || !strstr(s.fault.message, rows[i].fault) : wrong < 0 && i)
            fail_msg("row %u: %d wrong words: %s", i, wrong, s.fault.message);
         shows = wrong != 0;
         stream_destroy(&s);
      }
      if (!shows)
         fail_msg("row %u shows nowhere", i);
   }
}

struct decoded {
   struct amd_regs regs;
   struct amd_draw_state draw;
   struct sim_fault fault;
};

static bool
decode(struct decoded *d, const char *name, bool rates)
{
   const struct amd_chip *chip = amd_chip_by_name(name);
   struct amd_model *model = amd_model_create(chip->gen);
   const struct amd_gpu gpu = {.chip = chip, .model = model, .regs = &d->regs, .fault = &d->fault};
   d->draw.pixel.export_mask = 1;
   bool ok = amd_draw_state_pops(&d->draw, &gpu) && (!rates || amd_shading_rate_decode(&d->draw, &gpu));
   free(model);
   return ok;
}

/* DFSM must be off where there is one, and sections are ordered. */
static void
punchout(void **state)
{
   static const struct {
      const char *chip;
      uint32_t mode;
      bool ordered, fault;
   } rows[] = {{"vega10", V_PUNCHOUT_MODE_AUTO, true, true},       {"vega10", V_PUNCHOUT_MODE_AUTO, false, false},
               {"vega10", V_PUNCHOUT_MODE_FORCE_OFF, true, false}, {"renoir", V_PUNCHOUT_MODE_FORCE_ON, true, true},
               {"navi10", V_PUNCHOUT_MODE_AUTO, true, true},       {"navi10", V_PUNCHOUT_MODE_FORCE_OFF, true, false},
               {"navi21", V_PUNCHOUT_MODE_AUTO, true, false}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct decoded *d = calloc(1, sizeof(*d));
      *amd_regs_slot(&d->regs, R_DB_SHADER_CONTROL) =
         S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(rows[i].ordered);
      *amd_regs_slot(&d->regs, R_DB_DFSM_CONTROL(amd_chip_by_name(rows[i].chip)->gen)) =
         S_DB_DFSM_CONTROL_PUNCHOUT_MODE(rows[i].mode);
      bool ok = decode(d, rows[i].chip, false);
      if (ok == rows[i].fault || (!ok && !strstr(d->fault.message, "PUNCHOUT_MODE")))
         fail_msg("row %u: %s", i, d->fault.message);
      free(d);
   }
}

/* GFX11 sees as many samples as the smaller of two numbers says; without the override there is no order. */
static void
seen_samples(void **state)
{
   for (unsigned exposed = 0; exposed <= 3; exposed++) {
      for (unsigned number = 0; number <= 3; number++) {
         struct decoded *d = calloc(1, sizeof(*d));
         const unsigned seen = 1u << (exposed < number ? exposed : number);
         uint32_t *control = amd_regs_slot(&d->regs, R_DB_SHADER_CONTROL);
         *control = S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(1) |
                    S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE_ENABLE(1);
         *amd_regs_slot(&d->regs, R_DB_Z_INFO(AMD_GFX11)) = S_DB_Z_INFO_NUM_SAMPLES(number);
         d->draw.samples.log2 = (uint8_t)exposed;
         assert_true(decode(d, "navi31", false));
         assert_int_equal(d->draw.pops.unseen, 0xff & ~((1u << seen) - 1));
         assert_null(d->draw.pops.lost);
         *control = S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(1);
         assert_true(decode(d, "navi31", false));
         assert_non_null(d->draw.pops.lost);
         free(d);
      }
   }
}

/* Quads that share only samples that are not seen do not overlap. */
static void
unseen_samples(void **state)
{
   static struct amd_pops_memory memory;
   const struct amd_quad list[3] = {{.cover = {0x8}, .raster = {0x8}},
                                    {.prim = 1, .cover = {0xc}, .raster = {0xc}},
                                    {.prim = 2, .cover = {0xd}, .raster = {0xd}}};
   struct amd_pops_state pops = {.enable = true, .unseen = 0xfe};
   struct amd_pops_launch launch = {.packers = amd_pops_packers(amd_chip_by_name("navi31"))};
   amd_pops_form(&launch, &memory, &pops, list, 3, 16, false);
   assert_int_equal(launch.wave_count, 1);
   pops.unseen = 0xf0;
   amd_pops_form(&launch, &memory, &pops, list, 3, 16, false);
   assert_int_equal(launch.wave_count, 3);
   amd_pops_memory_free(&memory);
}

/* Coarse pixels with ordered sections: never on GFX10.3, on GFX11 unless a register says so. */
static void
coarse_shading(void **state)
{
   static const struct {
      const char *chip;
      bool ordered, forced, fine;
   } rows[] = {{"navi21", false, false, false}, {"navi21", true, false, true},  {"navi31", true, false, false},
               {"navi31", true, true, true},    {"navi31", false, true, false}, {"gfx1150", true, false, false},
               {"gfx1150", true, true, true}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct decoded *d = calloc(1, sizeof(*d));
      const bool new = amd_chip_by_name(rows[i].chip)->gen >= AMD_GFX11;
      *amd_regs_slot(&d->regs, R_DB_SHADER_CONTROL) =
         S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(rows[i].ordered) |
         (new ? S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE_ENABLE(rows[i].ordered) : 0);
      *amd_regs_slot(&d->regs, R_VGT_DRAW_PAYLOAD_CNTL) = S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1);
      *amd_regs_slot(&d->regs, R_GE_VRS_RATE) = S_GE_VRS_RATE_RATE_X(1) | S_GE_VRS_RATE_RATE_Y(1);
      if (new)
         *amd_regs_slot(&d->regs, R_PA_SC_VRS_SURFACE_CNTL_1) =
            S_PA_SC_VRS_SURFACE_CNTL_1_FORCE_SC_VRS_RATE_FINE_POPS(rows[i].forced);
      if (!decode(d, rows[i].chip, true))
         fail_msg("row %u: %s", i, d->fault.message);
      assert_int_equal(d->draw.rate.fine, rows[i].fine);
      free(d);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_chip_is_ordered), cmocka_unit_test(mistakes_show),  cmocka_unit_test(punchout),
      cmocka_unit_test(seen_samples),          cmocka_unit_test(unseen_samples), cmocka_unit_test(coarse_shading),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
