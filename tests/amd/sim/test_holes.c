/* Pages of sparse resources without memory: vector loads read zeros there, scalar loads do only on GFX9; later they
 * end in a fault (erratum smem-null-prt). What a load has of other pages it reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hazard_rig.h"
#include "text_program.h"

enum { HOLE_B = RIG_SIZE_B, AFTER_B = 2 * RIG_SIZE_B, DATA = 0x11111111, AFTER = 0x22222222 };

static const struct row {
   unsigned offset_B, size_log2; /* dwords: 2^size_log2 */
   bool buffer;                  /* of the first page: what lies past it is not accessed */
   bool meets;
} rows[] = {
   {0, 4, false, false},
   {HOLE_B - 64, 4, false, false},
   {HOLE_B - 4, 0, false, false},
   {HOLE_B - 4, 1, false, true},
   {HOLE_B - 60, 4, false, true},
   {HOLE_B, 0, false, true},
   {HOLE_B + 1024, 3, false, true},
   {AFTER_B - 64, 4, false, true},
   {AFTER_B - 4, 1, false, true},
   {AFTER_B, 0, false, false},
   {AFTER_B, 4, false, false},
   {HOLE_B - 4, 0, true, false},
   {HOLE_B - 4, 1, true, false},
   {HOLE_B, 2, true, false},
};

static uint32_t
word_at(const struct row *row, unsigned dw)
{
   const unsigned at_B = row->offset_B + 4 * dw;
   return at_B < HOLE_B ? DATA : at_B < AFTER_B || row->buffer ? 0 : AFTER;
}

static const char *
load_name(enum amd_gen gen, unsigned size_log2)
{
   static const char *const names[2][5] = {{"dword", "dwordx2", "dwordx4", "dwordx8", "dwordx16"},
                                           {"b32", "b64", "b128", "b256", "b512"}};
   return names[gen >= AMD_GFX11][size_log2];
}

struct text {
   char at[2048];
   size_t length;
};

static void __attribute__((format(printf, 2, 3)))
add(struct text *text, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   text->length += (size_t)vsnprintf(text->at + text->length, sizeof(text->at) - text->length, format, args);
   va_end(args);
}

/* 2^size_log2 registers from `first` on. */
static void
add_registers(struct text *text, char file, unsigned first, unsigned size_log2)
{
   if (size_log2)
      add(text, "%c[%u:%u]", file, first, first + (1u << size_log2) - 1);
   else
      add(text, "%c%u", file, first);
}

/* One instruction into s16 and on. */
static void
add_scalar_load(struct text *text, enum amd_gen gen, const struct row *row)
{
   add(text, "s_%sload_%s ", row->buffer ? "buffer_" : "", load_name(gen, row->size_log2));
   add_registers(text, 's', 16, row->size_log2);
   add(text, ", s[%s], 0x%x\ns_waitcnt 0\n", row->buffer ? "8:11" : "0:1", row->offset_B);
}

/* Up to four dwords into v4 and on. */
static void
add_vector_load(struct text *text, enum amd_gen gen, const struct row *row, unsigned dw)
{
   const unsigned size_log2 = MIN2(row->size_log2, 2u);
   add(text, "v_mov_b32 v2, 0x%x\nglobal_load_%s ", row->offset_B + 4 * dw, load_name(gen, size_log2));
   add_registers(text, 'v', 4, size_log2);
   add(text, ", v2, s[0:1]\ns_waitcnt 0\n");
}

/* The words go to the first ones of the data. */
static bool
run_loads(const char *chip, const struct row *row, bool scalar, uint32_t words[16], struct sim_fault *fault)
{
   const enum amd_gen gen = amd_chip_by_name(chip)->gen;
   struct text text = {.length = 0};
   if (scalar)
      add_scalar_load(&text, gen, row);
   for (unsigned i = 0; i < 1u << row->size_log2; i++) {
      if (scalar)
         add(&text, "v_mov_b32 v4, s%u\n", 16 + i);
      else if (i % 4 == 0)
         add_vector_load(&text, gen, row, i);
      add(&text, "v_mov_b32 v3, %u\nglobal_store_%s v3, v%u, s[0:1]\n", 4 * i, load_name(gen, 0),
          scalar ? 4 : 4 + i % 4);
   }
   add(&text, "s_endpgm\n");
   write_text_program(rig.code, gen, true, text.at);
   const bool ended = hazard_rig_run(chip, 64, fault);
   memcpy(words, rig.data, 16 * 4);
   for (unsigned i = 0; i < RIG_SIZE_B / 4; i++)
      ((uint32_t *)rig.data)[i] = DATA;
   return ended;
}

static void
check_words(const char *chip, const struct row *row, const uint32_t *words)
{
   for (unsigned i = 0; i < 1u << row->size_log2; i++)
      if (words[i] != word_at(row, i))
         fail_msg("%s: dword %u of 2^%u at 0x%x is 0x%x", chip, i, row->size_log2, row->offset_B, words[i]);
}

static void
loads_of_holes(void **state)
{
   static const char *const chips[] = {"vega10", "renoir", "navi10", "navi21", "navi31", "gfx1150"};
   static uint32_t after[RIG_SIZE_B / 4] __attribute__((aligned(4096)));
   for (unsigned i = 0; i < ARRAY_SIZE(after); i++)
      after[i] = AFTER;
   assert_true(sim_vm_map(rig.vm, sim_va(RIG_DATA_VA + HOLE_B), RIG_SIZE_B, NULL, SIM_READ | SIM_WRITE | SIM_PRT));
   assert_true(sim_vm_map(rig.vm, sim_va(RIG_DATA_VA + AFTER_B), RIG_SIZE_B, after, SIM_READ | SIM_WRITE));
   for (unsigned i = 0; i < RIG_SIZE_B / 4; i++)
      ((uint32_t *)rig.data)[i] = DATA;
   for (unsigned n = 0; n < ARRAY_SIZE(chips) * ARRAY_SIZE(rows); n++) {
      const char *chip = chips[n / ARRAY_SIZE(rows)];
      const struct row *row = &rows[n % ARRAY_SIZE(rows)];
      const bool faults = row->meets && amd_chip_by_name(chip)->gen != AMD_GFX9;
      struct sim_fault fault = {0};
      uint32_t words[16];
      const bool ended = run_loads(chip, row, true, words, &fault);
      if (ended == faults || (faults && !strstr(fault.message, "smem-null-prt")))
         fail_msg("%s: 2^%u dwords at 0x%x: %s", chip, row->size_log2, row->offset_B,
                  ended ? "no fault" : fault.message);
      if (ended)
         check_words(chip, row, words);
      if (row->buffer)
         continue;
      if (!run_loads(chip, row, false, words, &fault))
         fail_msg("%s: vector loads: %s", chip, fault.message);
      check_words(chip, row, words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(loads_of_holes)};
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}
