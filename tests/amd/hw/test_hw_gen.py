"""The generator of registers, packets and descriptors: it refuses tables that contradict themselves in some
generation, and gives a generation that differs from the others its own accessors, decoder and printer.

Usage: test_hw_gen.py HW_GEN.PY SOURCE_ROOT CC...
"""
import pathlib
import subprocess
import sys
import tempfile

BAD = {
  'bit 3 of A has two owners, X and Y': 'reg A gfx103=28000\n 3:0 X\n 31:3 Y\n',
  'has no owner': 'reg A gfx103=28000\n 3:0 X\n 31:5 Y\n',
  'bit 31 of A has no owner': 'reg A gfx103=28000\n 30:0 X\n',
  'bit 4 of A has no owner on gfx11': 'reg A gfx9-gfx11=28000\n 3:0 X\n 31:4 Y @gfx9-gfx103\n',
  'bit 3 of A has two owners, X and Y on gfx10':
    'reg A gfx9-gfx11=28000\n 3:0 X\n 31:4 Z @gfx9\n 31:3 Y @gfx10-gfx11\n',
  'B and A share offset 28000 on gfx103': 'reg A gfx103=28000\n 31:0 X\nreg B gfx10-gfx11=28000\n 31:0 X\n',
  'A has two places on gfx10': 'reg A gfx9-gfx10=28000 gfx10=28004\n 31:0 X\n',
  'A exists in no generation': 'reg A clear=1\n 31:0 X\n',
  'no generation gfx12': 'reg A gfx12=28000\n 31:0 X\n',
  'gfx11-gfx9 is no range': 'reg A gfx11-gfx9=28000\n 31:0 X\n',
  'two values on gfx9': 'enum E\n 0 X @gfx9-gfx10\nenum F\n 1 X @gfx9\n',
  'no enum': 'reg A gfx103=28000\n 31:0 X NOWHERE\n',
  'packets A and B: opcode 10 stands twice on gfx9':
    ''.join(f'packet {name} 10 @{gens}\n rest D\n  31:0 VALUE\n'
            for name, gens in (('A', 'gfx9'), ('B', 'gfx9-gfx11'))),
  'two forms of one length': 'packet A 10\n word D\n  31:0 VALUE\nor\n word E\n  31:0 VALUE\n',
  'two forms of one length, 1 dwords or more and 3 dwords':
    'packet A 10\n word D\n  31:0 VALUE\n rest R\n  31:0 VALUE\nor\n'
    + ''.join(f' word {n}\n  31:0 VALUE\n' for n in 'EFG'),
  'bit 8 of D has two owners, X and Y': 'desc D gfx103=0\n 8:0 X\n 31:8 Y\n',
  'bit 9 of D has no owner': 'packet A 10\n word D\n  8:0 X\n  31:10 Y\n',
  'D stands twice': 'desc D gfx103=0\n 31:0 X\ndesc D gfx103=4\n 31:0 X\n',
  'two fields of one name': 'reg A gfx103=28000\n 0 X\n 31:1 X\n',
  'packet B: two forms of the name A':
    'packet A 10\n word D\n  31:0 VALUE\npacket B 11\nform A\n word D\n  31:0 VALUE\n',
  'no layout or packet B before this line': 'packet A 10 like B\n',
  'no dwords D_WORD0 and so on before this line': 'desc D_WORD1 gfx103=4\n 31:0 X\nstruct D\n',
  'D has no WORD7': 'desc D_WORD0 gfx103=0\n 31:0 X\nstruct D\n X WORD0 WORD7\n',
}

# What a struct of a packet cannot say.
BAD_PACKETS = {
  'A has two members of one name':
    'packet A 10\n word D_LO\n  31:0 VALUE\n word D_HI\n  31:0 VALUE\n word E\n  31:0 D\n',
  'D.X moves': 'packet A 10\n word D\n  3:0 X @gfx9\n  31:4 zero @gfx9\n  4:0 X @gfx10-gfx115\n'
               '  31:5 zero @gfx10-gfx115\n',
}

# A generation in which a register and fields moved, others are gone or new, a value has another number and a packet
# other forms.
TABLES = '''
reg MOVED{0-3} gfx9-gfx103=28100+10 gfx11=28200+4 clear=5
 3:0    FIXED Kind
 7:4    MOVES @gfx9-gfx103
 7:4    NEW @gfx11
 11:8   zero @gfx9-gfx103
 11:8   MOVES @gfx11
 12     GONE @gfx9-gfx103
 31:13  zero @gfx9-gfx103
 31:12  zero @gfx11
reg OLD gfx9-gfx103=28300
 31:0   VALUE
reg SHARED_REG gfx9-gfx115=28500
 31:0   VALUE
enum Kind
 1      KIND_SAME
 2      KIND_OTHER @gfx9-gfx103
 3      KIND_OTHER @gfx11
 2      KIND_NEW @gfx11
packet THING 42
form OLD_THING @gfx9-gfx103
 word OLD_WORD
  31:0   VALUE
or @gfx11
 word NEW_WORD
  0      BIT
  31:1   zero
or LONG_THING @gfx11
 word LONG_WORD
  31:0   VALUE
 word SECOND
  31:0   VALUE
layout SHARED
 word CONTROL
  0      CONTINUE
  3:1    zero
  7:4    KIND
  31:8   BIG
 word ADDRESS_LO
  0      FLAG
  1      zero
  31:2   VALUE
 word ADDRESS_HI
  31:0   VALUE
 word SIZE
  31:0   VALUE
 word SIZE_HI
  31:0   VALUE
 word FIRST_REG
  15:0   REG
  31:16  zero
 word SECOND
  15:0   REG
  30:16  zero
  31     KIND
 word OFFSET_B
  31:0   VALUE
 word INITIATOR reg=SHARED_REG
 rest DATA
  31:0   VALUE
desc D_WORD0 gfx9-gfx115=0
 7:0    PLACE_LO
 11:8   MOVED @gfx9
 12     OLD @gfx9
 31:13  zero @gfx9
 31:8   NEW @gfx10-gfx115
desc D_WORD1 gfx9-gfx115=4
 15:0   PLACE_HI
 31:16  TWICE @gfx9
 19:16  MOVED @gfx10-gfx115
 31:20  TWICE @gfx10-gfx115
desc D_WORD2 gfx9-gfx115=8
 31:0   TWICE @gfx9
 31:0   zero @gfx10-gfx115
struct D
 TWICE WORD2 WORD1 @gfx9
sdma COPY 01 02
 word HEADER
  7:0    OP
  15:8   SUB_OP
  31:16  zero
 word COUNT
  21:0   COUNT_B_1 @gfx9
  31:22  zero @gfx9
  31:0   COUNT_B_1 @gfx10-gfx115
 word SRC
  7:0    KIND
  31:8   zero
 word DST_LO
  31:0   VALUE
 word DST_HI
  7:0    VALUE
  15:8   KIND
  31:16  zero
packet ONE 43 like SHARED
packet OTHER 44 like SHARED sets=SH @gfx11
'''
PROGRAM = r'''
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amd/hw/descriptors.h"
#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "amd/hw/sdma.h"

static const char *value_name(enum amd_gen gen, uint32_t value)
{
   return amd_field_value_name(amd_reg_field(gen, amd_reg_by_name("MOVED0", NULL), 0), value);
}

/* Dwords of a packet by hand, and its fields. */
static void packs_fields(void)
{
   const uint32_t words[] = {0xc00a4400, 0xabcde071, 0x89abcdfd, 0x01234567, 0x11111111, 0x22222222,
                             0x0000aaaa, 0x8000bbbb, 0x33333333, 0x44444444};
   const struct amd_pm4_shared shared = {.continue_ = true, .control_kind = 7, .big = 0xabcde0, .flag = true,
                                         .address = 0x0123456789abcdfc, .size = 0x2222222211111111,
                                         .first_reg = 0xaaaa, .second_reg = 0xbbbb, .second_kind = true,
                                         .offset_B = 0x33333333, .initiator = 0x44444444};
   uint32_t out[16] = {0};

   assert(amd_pm4_shared_pack(out, PKT3_OTHER, &shared, 2) == out + 10 && AMD_PM4_SHARED_DW == 9);
   assert(!memcmp(out, words, sizeof(words)) && !out[10]);
   const struct amd_pm4_shared back = amd_pm4_shared_unpack(words + 1);
   memset(out, 0, sizeof(out));
   amd_pm4_shared_pack(out, PKT3_OTHER, &back, 2);
   assert(!memcmp(out, words, sizeof(words)) && back.address == shared.address && back.control_kind == 7);
   assert(amd_pm4_long_thing_pack(out, &(struct amd_pm4_long_thing){.long_word = 5, .second = 6}) == out + 3);
   assert(amd_pm4_registers(PKT3_OTHER).start_B == AMD_SH_REG_START && !amd_pm4_registers(PKT3_ONE).start_B);
   assert(out[0] == 0xc0014200 && out[1] == 5 && out[2] == 6);
   assert(amd_pm4_thing_pack(out, &(struct amd_pm4_thing){.bit = true}) == out + 2 && out[0] == 0xc0004200);
}

/* Dwords by hand, and fields that lie elsewhere in another generation. */
static void moves_fields(void)
{
   const uint32_t first[3] = {0x00001556, 0xabcd1234, 0x11223344}, other[3] = {0x65432156, 0x9ab51234, 0};
   const struct amd_d a = {.place = 0x123456, .moved = 5, .old = true, .twice = 0xabcd11223344};
   const struct amd_d b = {.place = 0x123456, .moved = 5, .new = 0x654321, .twice = 0x9ab};
   const uint32_t copy[5] = {0x00000201, 0x80000000, 0x42, 0x89abcdef, 0x00007767};
   const struct amd_sdma_copy c = {.count_B_1 = 0x80000000, .src_kind = 0x42, .dst = 0x6789abcdef,
                                   .dst_hi_kind = 0x77};
   uint32_t words[5];

   assert(AMD_D_DW == 3 && AMD_SDMA_COPY_DW == 5);
   amd_d_pack(AMD_GFX9, &a, words);
   assert(!memcmp(words, first, sizeof(first)));
   amd_d_pack(AMD_GFX11, &b, words);
   assert(!memcmp(words, other, sizeof(other)));
   const struct amd_d back = amd_d_unpack(AMD_GFX9, first), there = amd_d_unpack(AMD_GFX11, other);
   assert(back.place == a.place && back.moved == 5 && back.old && !back.new && back.twice == a.twice);
   assert(there.place == b.place && there.moved == 5 && !there.old && there.new == b.new && there.twice == b.twice);
   amd_sdma_copy_pack(AMD_GFX11, &c, words);
   assert(!memcmp(words, copy, sizeof(copy)));
   const struct amd_sdma_copy again = amd_sdma_copy_unpack(AMD_GFX11, copy);
   assert(again.count_B_1 == c.count_B_1 && again.dst == c.dst &&
          again.src_kind == 0x42 && again.dst_hi_kind == 0x77);
}

int main(int argc, char **argv)
{
   const struct amd_d absent = {.old = true};
   const struct amd_reg *reg;
   const struct amd_pm4_packet *packet;
   const struct amd_pm4_shared too_large = {.first_reg = 0x10000};
   char name[32];
   unsigned index;

   if (argc > 1 && !strcmp(argv[1], "too large"))
      return (int)*amd_pm4_shared_pack((uint32_t[16]){0}, PKT3_ONE, &too_large, 0);
   if (argc > 1 && !strcmp(argv[1], "absent"))
      amd_d_pack(AMD_GFX11, &absent, (uint32_t[3]){0});
   if (argc > 1)
      return (int)R_OLD_IN(AMD_GFX11);
   packs_fields();
   moves_fields();
   assert(amd_pm4_find(AMD_GFX11, PKT3_OTHER) && !amd_pm4_find(AMD_GFX10, PKT3_OTHER));
   assert(amd_pm4_find(AMD_GFX10, PKT3_ONE));
   assert(R_MOVED0(AMD_GFX10) == 0x28100 && R_MOVED0(AMD_GFX11) == 0x28200);
   assert(R_MOVED0_STEP(AMD_GFX9) == 16 && R_MOVED0_STEP(AMD_GFX11) == 4);
   assert(S_MOVED0_MOVES(AMD_GFX9, 3) == 0x30 && S_MOVED0_MOVES(AMD_GFX11, 3) == 0x300);
   assert(G_MOVED0_MOVES(AMD_GFX9, 0x120) == 2 && G_MOVED0_MOVES(AMD_GFX11, 0x120) == 1);
   assert(S_MOVED0_FIXED(9) == 9 && S_MOVED0_NEW(1) == 0x10 && S_MOVED0_GONE(1) == 0x1000);
   assert(V_KIND_OTHER(AMD_GFX9) == 2 && V_KIND_OTHER(AMD_GFX11) == 3 && V_KIND_SAME == 1);
   assert((reg = amd_reg_find(AMD_GFX10, 0x28120, &index)) && index == 2);
   amd_reg_name(reg, index, name, sizeof(name));
   assert(!strcmp(name, "MOVED2"));
   assert(!amd_reg_find(AMD_GFX11, 0x28120, NULL) && amd_reg_find(AMD_GFX11, 0x28208, &index) == reg && index == 2);
   assert(!amd_reg_find(AMD_GFX11, 0x28300, NULL) && amd_reg_find(AMD_GFX9, 0x28300, NULL));
   assert(!strcmp(amd_reg_at(AMD_GFX9, 1)->name, "OLD") && !amd_reg_at(AMD_GFX11, 2) && !amd_reg_at(AMD_GFX11_5, 1));
   assert(amd_reg_clear_value(AMD_GFX11, 0x28204) == 5 && amd_reg_clear_value(AMD_GFX11, 0x28110) == 0);
   assert(amd_reg_unknown_bits(AMD_GFX9, reg) == 0xffffef00 && amd_reg_unknown_bits(AMD_GFX11, reg) == 0xfffff000);
   assert(amd_reg_unknown_bits(AMD_GFX11_5, reg) == 0xffffffff);
   assert(!strcmp(amd_reg_field(AMD_GFX9, reg, 5)->name, "MOVES"));
   assert(!strcmp(amd_reg_field(AMD_GFX11, reg, 5)->name, "NEW"));
   assert(!strcmp(value_name(AMD_GFX9, 2), "KIND_OTHER") && !strcmp(value_name(AMD_GFX11, 2), "KIND_NEW"));
   assert(!value_name(AMD_GFX9, 3) && !strcmp(value_name(AMD_GFX11, 1), "KIND_SAME"));
   assert((packet = amd_pm4_find(AMD_GFX9, PKT3_THING)) && !amd_pm4_form(AMD_GFX9, packet, 2));
   assert(!strcmp(amd_pm4_word(amd_pm4_form(AMD_GFX9, packet, 1), 0)->name, "OLD_WORD"));
   assert(!strcmp(amd_pm4_word(amd_pm4_form(AMD_GFX11, packet, 1), 0)->name, "NEW_WORD"));
   assert(!strcmp(amd_pm4_word(amd_pm4_form(AMD_GFX11, packet, 2), 1)->name, "SECOND"));
   return 0;
}
'''


# The header of packets is what pm4.h builds on.
HEADER = 'header PKT3\n 0 PREDICATE\n 1 SHADER_TYPE\n 7:2 zero\n 15:8 OPCODE\n 29:16 COUNT\n 31:30 TYPE\n'


def refuses_bad_tables(generator, folder):
  failures = 0
  table = folder / 'table.txt'
  cases = [('registers.h', *case) for case in BAD.items()]
  cases += [('pm4.h', message, HEADER + text) for message, text in BAD_PACKETS.items()]
  for output, message, text in cases:
    table.write_text(text)
    run = subprocess.run([sys.executable, '-B', generator, output, folder / 'out.h', table],
                         capture_output=True, text=True)
    if run.returncode == 0 or message not in run.stderr:
      failures += 1
      print(f'expected "{message}", got {run.returncode}: {run.stderr.strip()}')
  return failures


def keeps_generations_separate(generator, cc, source, folder):
  """Accessors, search, decoding and names of TABLES, compiled and run."""
  out = folder / 'amd/hw'
  out.mkdir(parents=True)
  table = folder / 'table.txt'
  one_generation = 'reg OLD_IN gfx9=28400 gfx10=28404\n 31:0 VALUE\n'
  table.write_text(HEADER + TABLES + one_generation)
  for name in ('registers.h', 'descriptors.h', 'pm4.h', 'sdma.h', 'reg_table.c'):
    subprocess.run([sys.executable, '-B', generator, name, out / name, table], check=True)
  program = folder / 'program.c'
  program.write_text(PROGRAM)
  subprocess.run([*cc, '-std=c17', '-Wall', '-Werror', '-Wno-unused-function', '-I', folder, '-I', source, '-o',
                  folder / 'program', program, out / 'reg_table.c'], check=True)
  failures = subprocess.run([folder / 'program']).returncode != 0
  lacks = subprocess.run([folder / 'program', 'lacking'], capture_output=True, text=True)
  if lacks.returncode == 0 or 'gfx11 has no R_OLD_IN' not in lacks.stderr:
    print(f'a generation that lacks a register: {lacks.returncode}, {lacks.stderr.strip()}')
    failures += 1
  large = subprocess.run([folder / 'program', 'too large'], capture_output=True, text=True)
  if large.returncode == 0 or 'a value fits its field' not in large.stderr:
    print(f'a value that does not fit its field: {large.returncode}, {large.stderr.strip()}')
    failures += 1
  absent = subprocess.run([folder / 'program', 'absent'], capture_output=True, text=True)
  if absent.returncode == 0 or 'old fits, and is 0 where it is not' not in absent.stderr:
    print(f'a field that a generation does not have: {absent.returncode}, {absent.stderr.strip()}')
    failures += 1
  return failures


def main():
  generator, source, *cc = sys.argv[1:]
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    return refuses_bad_tables(generator, folder) + keeps_generations_separate(generator, cc, source, folder)


if __name__ == '__main__':
  sys.exit(main())
