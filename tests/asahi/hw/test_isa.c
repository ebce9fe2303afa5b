/* The instruction set of AGX: what other people's tools say that bytes are, both ways; then words that nobody chose.
 *
 * Usage: test_agx_isa FOLDER (of the vectors, whose heads say where they come from). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agx_isa_try.h"
#include "asahi/hw/isa.h"

#define WORDS 300000
#define INSTRUCTIONS 300000

static const char *folder;
static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t
rnd(void)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)(state >> 16);
}

static unsigned
read_bytes(const char *hex, uint8_t bytes[AGX_INST_MAX_B])
{
   unsigned size_B = 0;
   for (; strchr("0123456789abcdef", hex[0]) && hex[0] && size_B < AGX_INST_MAX_B; hex += 2) {
      const char digits[3] = {hex[0], hex[1]};
      bytes[size_B++] = (uint8_t)strtoul(digits, NULL, 16);
   }
   return size_B;
}

/* Text with one space wherever there are several. */
static void
squeeze(const char *text, char *out)
{
   for (; *text; text++) {
      if (*text != ' ' || text[1] != ' ')
         *out++ = *text;
   }
   *out = 0;
}

/* exact: the text of the file is that of the printer byte for byte. */
static void
check_row(const char *line, bool exact)
{
   bool other_bytes = *line == '=';
   line += other_bytes;
   const char *want = strchr(line, ' ');
   assert_non_null(want);
   want++;
   uint8_t bytes[AGX_INST_MAX_B], back[AGX_INST_MAX_B];
   unsigned size_B = read_bytes(line, bytes);
   char text[256], squeezed[256];
   struct agx_inst inst, parsed;
   assert_int_equal(agx_isa_decode(bytes, size_B, &inst), size_B);
   agx_isa_print(&inst, text, sizeof(text));
   squeeze(text, squeezed);
   assert_string_equal(exact ? text : squeezed, want);
   assert_int_equal(agx_isa_encode(&inst, back), size_B);
   assert_memory_equal(back, bytes, size_B);
   assert_true(agx_isa_parse(want, &parsed));
   unsigned parsed_B = agx_isa_encode(&parsed, back);
   agx_isa_print(&parsed, text, sizeof(text));
   squeeze(text, squeezed);
   assert_string_equal(exact ? text : squeezed, want);
   assert_int_equal(parsed_B == size_B && !memcmp(back, bytes, size_B), !other_bytes);
}

static void
check_file(const char *name, unsigned at_least, bool exact)
{
   char path[4096], line[512];
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   unsigned rows = 0;
   while (fgets(line, sizeof(line), file)) {
      line[strcspn(line, "\n")] = 0;
      if (*line == '#' || !*line)
         continue;
      check_row(line, exact);
      rows++;
   }
   fclose(file);
   assert_true(rows >= at_least);
}

static void
test_honeykrisp(void **unused)
{
   (void)unused;
   check_file("isa_honeykrisp.txt", 3269, true);
}

static void
test_apple(void **unused)
{
   (void)unused;
   check_file("isa_apple.txt", 556, false);
}

static void
test_random_words(void **unused)
{
   (void)unused;
   unsigned taken = 0;
   for (unsigned i = 0; i < WORDS; i++) {
      uint32_t words[3] = {rnd(), rnd(), rnd()};
      /* Few words are any: half of them with few bits. */
      if (i & 1) {
         for (unsigned n = 0; n < 3; n++)
            words[n] &= rnd() & rnd();
      }
      uint8_t bytes[AGX_INST_MAX_B];
      memcpy(bytes, words, sizeof(bytes));
      taken += agx_isa_try(bytes, AGX_INST_MAX_B) > 0;
   }
   assert_true(taken > WORDS / 50);
}

static uint32_t
some_bits(unsigned most)
{
   return rnd() & ((1u << rnd() % (most + 1)) - 1);
}

static struct agx_operand
random_operand(void)
{
   struct agx_operand o = {.kind = (uint8_t)(rnd() % (AGX_FIMM + 1))};
   if (o.kind == AGX_NONE)
      return o;
   o.value = (int32_t)some_bits(9) * (o.kind == AGX_SIMM && rnd() & 1 ? -1 : 1);
   o.sext = o.kind == AGX_SIMM || rnd() % 2;
   if (o.kind == AGX_REG || o.kind == AGX_UNIFORM) {
      o.size = (uint8_t)(16 << rnd() % 3);
      o.count = (uint8_t)(rnd() % 4 ? 1 : 1 + rnd() % 5);
      o.value &= o.size == 16 ? -1 : -2;
   }
   o.cache = rnd() % 6 == 0;
   o.discard = rnd() % 6 == 0;
   o.abs = rnd() % 8 == 0;
   o.neg = rnd() % 8 == 0;
   return o;
}

/* Operands that each place takes, whatever the others are, modifiers of few bits: encoded, or refused, but never as
 * something else. */
static void
test_random_instructions(void **unused)
{
   (void)unused;
   unsigned taken[AGX_OP_COUNT] = {0};
   for (unsigned i = 0; i < INSTRUCTIONS; i++) {
      struct agx_inst inst = {.op = (uint16_t)(i % AGX_OP_COUNT)}, back;
      struct agx_op_info info = agx_isa_op_info(inst.op);
      for (int n = -1; n < info.source_count; n++) {
         struct agx_operand *o = n < 0 ? &inst.dst : &inst.src[n];
         if (n < 0 && !info.has_dst)
            continue;
         for (unsigned tries = 0; tries < 64 && !agx_isa_takes(inst.op, n, o); tries++)
            *o = random_operand();
      }
      for (uint32_t *m = (uint32_t *)(void *)&inst.mod; m < (uint32_t *)(void *)(&inst.mod + 1); m++)
         *m = rnd() % 16 ? 0 : some_bits(5);
      uint8_t bytes[AGX_INST_MAX_B];
      unsigned size_B = agx_isa_encode(&inst, bytes);
      if (!size_B)
         continue;
      taken[inst.op]++;
      assert_int_equal(agx_isa_decode(bytes, size_B, &back), size_B);
      assert_int_equal(back.op, inst.op);
      assert_memory_equal(&back.dst, &inst.dst, sizeof(inst.dst));
      assert_memory_equal(back.src, inst.src, sizeof(inst.src));
      assert_memory_equal(&back.mod, &inst.mod, sizeof(inst.mod));
   }
   unsigned never = 0;
   for (unsigned op = 0; op < AGX_OP_COUNT; op++) {
      if (!taken[op]) {
         printf("no random %s was encoded\n", agx_isa_op_info((enum agx_op)op).name);
         never++;
      }
   }
   assert_int_equal(never, 0);
}

/* Text that means nothing is refused, whatever it is. */
static void
test_bad_text(void **unused)
{
   (void)unused;
   static const char *const bad[] = {"",
                                     " ",
                                     ",",
                                     "nonsense r0, r1",
                                     "fadd",
                                     "fadd r0, r1",
                                     "fadd r0, r1, r2, r3",
                                     "fadd r0, r128, r1",
                                     "fadd r0, ^$r1, r2",
                                     "fadd r0, r1.sx, r2",
                                     "fadd r0, 1.03, r2",
                                     "fadd r0, 1, r2",
                                     "iadd r0, 256, r1",
                                     "iadd r0, dr1, r2, lsl 5",
                                     "iadd dr1.neg, r0, r1",
                                     "mov r0, u256",
                                     "load r0_r2, dr0, 0, i32, xy, a",
                                     "load r0, dr0, 0, i32, xy, a",
                                     "load r0, dr0, 65536, i32, x, a",
                                     "load r0, du128, 0, i32, x, a",
                                     "ldimm r0l, 65536",
                                     "ldimm r0, 4294967296",
                                     "jmp_any 2147483648",
                                     "wait c",
                                     "stop 1",
                                     "hadd r0, r1l, r2l",
                                     "csel r0, r1, r2, r3l, r4, ieq",
                                     "imul r0, r1, r2, lsl 1",
                                     "mov du0, r0",
                                     "mov u0, dr0",
                                     "smpf r0, ts0, r1, ss0, 0, 2d, x, auto_lod, a",
                                     "atomic _, r0, du0, 0, cmpxchg, a"};
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      struct agx_inst inst;
      if (agx_isa_parse(bad[i], &inst))
         fail_msg("taken: %s", bad[i]);
   }
   for (unsigned i = 0; i < 20000; i++) {
      char text[64] = "";
      static const char *const words[] = {"mov", "load", "iadd",  " ", ", ", "r0", "_",  "^", "$",
                                          "r0l", ".sx",  "lsl 1", "-", "1",  "0.", "u3", "d"};
      for (unsigned n = rnd() % 12; n; n--)
         strcat(text, words[rnd() % (sizeof(words) / sizeof(words[0]))]);
      struct agx_inst inst;
      uint8_t bytes[AGX_INST_MAX_B];
      if (agx_isa_parse(text, &inst))
         assert_true(agx_isa_encode(&inst, bytes));
   }
}

static void
test_names(void **unused)
{
   (void)unused;
   for (unsigned op = 0; op < AGX_OP_COUNT; op++)
      assert_int_equal(agx_isa_op_by_name(agx_isa_op_info((enum agx_op)op).name), op);
   assert_int_equal(agx_isa_op_by_name("nonsense"), AGX_OP_COUNT);
   assert_int_equal(agx_isa_source(AGX_OP_LOAD, AGX_ROLE_BASE), 0);
   assert_int_equal(agx_isa_source(AGX_OP_SMPF, AGX_ROLE_COORDS), 3);
   assert_int_equal(agx_isa_source(AGX_OP_FADD, AGX_ROLE_COORDS), -1);
}

/* Values from the published encoding: sign, e = 0: m / 64, else (16 + m) * 2^(e - 7). */
static void
test_minifloats(void **unused)
{
   (void)unused;
   static const struct {
      unsigned code;
      float value;
   } rows[] = {{0, 0}, {0x30, 1}, {0x40, 2}, {0x7f, 31}, {0x1f, 31.0f / 64}, {0x0f, 15.0f / 64}, {0xb8, -1.5f}};
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      assert_true(agx_isa_minifloat(rows[i].code) >= rows[i].value &&
                  agx_isa_minifloat(rows[i].code) <= rows[i].value);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_honeykrisp),   cmocka_unit_test(test_apple),
      cmocka_unit_test(test_random_words), cmocka_unit_test(test_random_instructions),
      cmocka_unit_test(test_bad_text),     cmocka_unit_test(test_names),
      cmocka_unit_test(test_minifloats),
   };
   folder = argc > 1 ? argv[1] : ".";
   return cmocka_run_group_tests(tests, NULL, NULL);
}
