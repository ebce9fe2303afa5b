/* Arithmetic, selects, nesting counters, ballots and shuffles against applegpu's emulator: alu_vectors.txt. */
#include "wave_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "util/macros.h"

#define TESTED 32 /* registers */

static const char *path;

/* What a register's lane or a uniform begins with: as in make_alu_vectors.py. */
static uint32_t
begin_value(uint32_t place)
{
   static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
                                      0x00400000, 0x3f800000, 0x00800000, 0x3c003c00, 0x7c00fc00, 0x04010001,
                                      0x80018000, 0x7bff7bff, 0xbf800000, 0x0000ffff};
   uint32_t x = (place + 1) * 0x9e3779b1u;
   x = (x ^ x >> 15) * 0x85ebca77u;
   x = (x ^ x >> 13) * 0xc2b2ae3du;
   x ^= x >> 16;
   uint32_t kind = x >> 3 & 7;
   if (kind < 2)
      return special[x >> 8 & 15];
   if (kind == 2)
      return x >> 26;
   return kind < 5 ? 0x3f000000 | (x >> 7 & 0x00ffffff) | x << 31 : x;
}

static uint32_t
begin_register(unsigned r, unsigned lane)
{
   uint32_t v = begin_value(r * 32 + lane);
   return r ? v : (v & 0xffff0000) | (begin_value(lane) >> 16 & 3);
}

static void
prepare(struct rig *r)
{
   rig_open(r, 1);
   for (unsigned u = 2; u < TESTED; u++) {
      r->program->uniforms[2 * u] = (uint16_t)begin_value(4096 + u);
      r->program->uniforms[2 * u + 1] = (uint16_t)(begin_value(4096 + u) >> 16);
   }
   for (unsigned i = 0; i < TESTED; i++)
      for (unsigned l = 0; l < 32; l++)
         ((uint32_t *)(void *)r->data)[l * 32 + i] = begin_register(i, l);
}

/* Loads that give the registers what they begin with. */
static unsigned
load_registers(struct rig *r)
{
   unsigned size_B = rig_assemble(r, 0, "mov r40, thread_index_in_simdgroup\nshl r40, r40, 5\n");
   for (unsigned i = 0; i < TESTED; i += 4) {
      char text[200];
      snprintf(text, sizeof(text), "iadd r41, r40, %u\nload r%u_r%u_r%u_r%u, du0, r41, i32, xyzw, a\n", i, i, i + 1,
               i + 2, i + 3);
      size_B += rig_assemble(r, size_B, text);
   }
   return size_B + rig_assemble(r, size_B, "ldimm r50, 8\nwait a\n");
}

static void
check_row(struct rig *r, unsigned code_B, const char *line)
{
   static const unsigned lanes[] = {0, 5, 18, 31};
   char hex[32], text[128] = "?";
   unsigned half, bits;
   uint32_t value[4];
   unsigned long long wide[4];
   assert_int_equal(
      sscanf(line, "%31s %u %u %llx %llx %llx %llx", hex, &half, &bits, &wide[0], &wide[1], &wide[2], &wide[3]), 7);
   unsigned size_B = (unsigned)strlen(hex) / 2;
   for (unsigned i = 0; i < size_B; i++) {
      unsigned byte;
      assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
      r->code[code_B + i] = (uint8_t)byte;
   }
   struct agx_inst in;
   assert_true(agx_isa_decode(r->code + code_B, size_B, &in));
   /* All threads must be active where they end: r50 is then what each had in its nesting counter. */
   bool nests = in.op >= AGX_OP_POP_EXEC && in.op <= AGX_OP_WHILE_FCMP;
   unsigned end_B = code_B + size_B;
   for (unsigned i = 0; i < 8 && nests; i++)
      end_B += rig_assemble(r, end_B, "isub r50, r50, 1\npop_exec 1\n");
   rig_assemble(r, end_B, "");
   agx_isa_print(&in, text, sizeof(text));
   if (!rig_run(r, NULL, 32, 32))
      fail_msg("%s: %s", text, r->fault.message);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned part = 0; part < (bits + 31) / 32; part++) {
         value[i] = (uint32_t)(wide[i] >> 32 * part);
         uint32_t have =
            nests ? r->left->r[50][lanes[i]] : state_get(r->left, half + 2 * part, bits == 16 ? 16 : 32, lanes[i]);
         if (have != value[i])
            fail_msg("%s %s: lane %u has 0x%x, not 0x%x", hex, text, lanes[i], have, value[i]);
      }
   }
   for (unsigned h = 0; h < 2 * TESTED; h++)
      for (unsigned l = 0; l < 32 && !(h >= half && h < half + bits / 16); l++)
         if (state_half(r->left, h, l) != (begin_register(h / 2, l) >> h % 2 * 16 & 0xffff))
            fail_msg("%s %s: half %u of lane %u has changed", hex, text, h, l);
}

static void
test_vectors(void **state)
{
   struct rig r;
   char line[128];
   unsigned rows = 0;
   FILE *file = fopen(path, "r");
   (void)state;
   assert_non_null(file);
   prepare(&r);
   unsigned code_B = load_registers(&r);
   while (fgets(line, sizeof(line), file)) {
      if (line[0] != '#') {
         check_row(&r, code_B, line);
         rows++;
      }
   }
   assert_true(rows > 1900);
   rig_close(&r);
   fclose(file);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
   if (argc != 2)
      return 2;
   path = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
