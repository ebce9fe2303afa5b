"""The generator of the instruction set: it refuses tables that contradict themselves, with a sentence that names
both sides, and keeps generations separate.

Usage: test_isa_gen.py GENERATE.PY SOURCE_ROOT CC...
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FORMS = '''
SOP1 GFX10.3 : literal
31:23 =101111101
22:16 dst/s
15:8 op
7:0 src0/c

SOP2 GFX10.3 : literal
31:30 =10
29:23 op
22:16 dst/s
15:8 src1/c
7:0 src0/c

SMEM GFX10.3
31:26 =111101
25:18 op
17:17 zero
16:16 glc
15:15 zero
14:14 dlc
13:13 zero
12:6 dst/sdata
5:0 src0/s2
63:57 src1/soffset
56:53 zero
52:32 offset/i
'''
# mnemonic | encodings by generation | results | sources | attributes
ROWS = {
  's_mov_b32': 'GFX10.3 SOP1=3, GFX11 SOP1=0, GFX11.5 - | s:b32 | c:b32 | -',
  's_add_u32': 'GFX10.3 SOP2=0, GFX11 - | s:u32 | c:u32 c:u32 | wscc commutes',
  's_load_dword': 'GFX10.3 SMEM=0, GFX11 SMEM=0:s_load_b32, GFX11.5 - | s:b32 | s:b64 s:u32 | load lgkm',
}


def rows(**more):
  """The table with GFX10.3 only, and more rows."""
  old = {name: re.sub(r', GFX11 .*?\|', ', GFX11 - |', row) for name, row in ROWS.items()}
  return ''.join(f'{name} | {row}\n' for name, row in (old | more).items())


def row(enc, results='s:b32', sources='c:b32', attributes='-'):
  return f'GFX10.3 {enc}, GFX11 - | {results} | {sources} | {attributes}'


# What the sentence names: (rows, forms).
BAD = {
  ('bit 5 of SOP1', 'two owners', 'src0/c', 'simm16'): (rows(), FORMS.replace('15:8 op', '15:8 op\n6:5 simm16', 1)),
  ('bit 15 of SOP1', 'no owner'): (rows(), FORMS.replace('15:8 op', '14:8 op', 1)),
  ('bit 17 of SMEM', 'no owner'): (rows(), FORMS.replace('17:17 zero\n', '')),
  ('bit 8 of SOP1X', 'no owner', 'op of SOP1'): (rows(), FORMS + 'SOP1X GFX10.3 : like=SOP1 where=!src0\n9:9 zero\n'),
  ('s_mov_b32 (SOP1)', 's_two (SOP1)', 'same word', 'GFX10.3'): (rows(s_two=row('SOP1=3')), FORMS),
  ('s_mov_b32 (SOP1)', 's_two (SOP2)', 'same word'): (rows(s_two=row('SOP2=7d', sources='c:b32 c:b32')), FORMS),
  ('0x100 of s_two', 'does not fit', 'SOP1'): (rows(s_two=row('SOP1=100')), FORMS),
  ('SOP1', 'no field for src1 of s_two'): (rows(s_two=row('SOP1=9', sources='c:b32 c:b32')), FORMS),
  ('src0/s2 of SMEM', 's_two'): (rows(s_two=row('SMEM=9', sources='v:b64')), FORMS),
  ('GFX10.3', 'no encoding SOPQ', 's_two'): (rows(s_two=row('SOPQ=9')), FORMS),
  ('GFX11', 'no encoding SOP2', 's_two'): (rows(s_two='GFX11 SOP2=9, GFX11.5 - | s:b32 | c:b32 c:b32 | -'), FORMS),
  ('s_two', 'unknown attribute quick'): (rows(s_two=row('SOP1=9', attributes='quick')), FORMS),
  ('s_two', 'same in GFX11.5 as before'): (
    rows(s_two='GFX10.3 SOP1=9, GFX11.5 SOP1=9 | s:b32 | c:b32 | -'), FORMS),
  ('s_two', 'same in GFX9 as before'): (rows(s_two='GFX9 -, GFX11 SOP1=9 | s:b32 | c:b32 | -'), FORMS),
  ('s_two', 'GFX10 is no generation, or none after'): (
    rows(s_two='GFX10.3 SOP1=9, GFX10 SOP1=8 | s:b32 | c:b32 | -'), FORMS),
  ('s_two', 'GFX12 is no generation'): (rows(s_two='GFX12 SOP1=9 | s:b32 | c:b32 | -'), FORMS),
  ('s_two', 'unknown operand class q'): (rows(s_two=row('SOP1=9', sources='q:b32')), FORMS),
  ('s_two', 'unknown type b33'): (rows(s_two=row('SOP1=9', sources='c:b33')), FORMS),
  ('s_two', 'commutes to s_gone'): (rows(s_two=row('SOP1=9', attributes='commutes=s_gone')), FORMS),
  ('s_two', 'not in GFX11', 'wscc@GFX11'): (rows(s_two=row('SOP1=9', attributes='wscc@GFX11')), FORMS),
  ('s_two', 'wscc@GFX10.3', 'again'): (rows(s_two=row('SOP1=9', attributes='wscc@GFX10.3 wscc')), FORMS),
  ('s_two', 'does not say', 'atomic'): (rows(s_two=row('SOP1=9', attributes='atomic')), FORMS),
  ('s_two', 'unknown attribute atomic=nand'): (rows(s_two=row('SOP1=9', attributes='atomic=nand')), FORMS),
  ('s_two', 'unknown attribute load=12'): (rows(s_two=row('SOP1=9', attributes='load=12')), FORMS),
  ('s_two', 'image=lod+lod', 'twice'): (rows(s_two=row('SOP1=9', attributes='image=lod+lod')), FORMS),
  ('s_two', 'image=lod+size', 'unknown'): (rows(s_two=row('SOP1=9', attributes='image=lod+size')), FORMS),
  ('s_two', 'unknown attribute image'): (rows(s_two=row('SOP1=9', attributes='image')), FORMS),
  ('unknown property where=quick',): (rows(), FORMS + 'SOP1X GFX10.3 : like=SOP1 where=quick\n9:9 zero\n'),
  ('s_two', 'unknown attribute wscc=1'): (rows(s_two=row('SOP1=9', attributes='wscc=1')), FORMS),
  ('s_two', 'commutes to s_old', 'no row of GFX10.3'): (
    rows(s_old='GFX9 SOP1=8, GFX10 - | s:b32 | c:b32 | -',
         s_two=row('SOP1=9', attributes='commutes@GFX10.3=s_old')), FORMS),
  ('s_mov_b32', 'table.txt:1'): (rows() + 's_mov_b32 | ' + row('SOP1=9') + '\n', FORMS),
  ('SOP1 of GFX10.3', 'forms.txt:2'): (rows(), FORMS + 'SOP1 GFX10.3\n31:0 zero\n'),
  ('s_mov_b32', 'SOP1P', 'SOP1Q'): (rows(), FORMS + ''.join(
    f'SOP1{n} GFX10.3 : like=SOP1 where={place}\n22:16 dst/s\n' for n, place in (('P', 'dst'), ('Q', 'src0')))),
  ('=1 does not fill', 'SOP1'): (rows(), FORMS.replace('31:23 =101111101', '31:23 =1')),
  ('unknown field dst/q', 'SOP1'): (rows(), FORMS.replace('22:16 dst/s', '22:16 dst/q', 1)),
  ('unknown generation GFX12',): (rows(), FORMS.replace('SOP1 GFX10.3', 'SOP1 GFX12')),
}
OUTPUTS = ['isa_opcodes.h', 'isa_runtime.h', 'isa_tables.c', 'isa_encode.c', 'isa_decode.c', 'isa_check.c',
           'isa_print.c']
# A row with attributes of its own in each of two generations.
OWN = {'s_not_b32': 'GFX10.3 SOP1=7, GFX11 SOP1=1e, GFX11.5 - | s:b32 | c:b32 | '
                    'wscc rdst@GFX10.3 opsel0 exec@GFX11+ opsel3@GFX11'}
# The same instructions on two generations: numbers, cache bits, M0, null and attributes differ.
COLUMNS_C = r'''
#include <stdio.h>
#include <stdlib.h>
#include "amd/hw/isa.h"
_Noreturn void
amd_gen_lacks(enum amd_gen gen, const char *what)
{
   exit(2);
}
static bool
is(enum amd_gen gen, uint32_t encs, uint32_t flags, unsigned op_sel)
{
   const struct amd_op_info *info = amd_isa_op_info(gen, AMD_OP_s_not_b32);
   flags |= AMD_FLAG_WRITES_SCC | AMD_FLAG_OPSEL;
   return info->encs == encs && info->flags == flags && info->op_sel == op_sel;
}
static void
show(enum amd_gen gen, struct amd_inst in)
{
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size = 0;
   struct amd_inst again;
   char text[128] = "";
   if (amd_isa_encode(gen, &in, words, &size) && amd_isa_decode(gen, words, size, &again) == size)
      amd_isa_print(gen, &again, false, text, sizeof(text));
   for (unsigned i = 0; i < size; i++)
      printf("%08x ", words[i]);
   printf("|%s\n", text);
}
int
main(void)
{
   for (enum amd_gen gen = AMD_GFX10_3; gen <= AMD_GFX11; gen++) {
      struct amd_inst mov = amd_inst_init(AMD_OP_s_mov_b32, AMD_ENC_SOP1);
      mov.dst = amd_sgpr(5);
      mov.src[0] = AMD_M0;
      show(gen, mov);
      mov.src[0] = AMD_NULL;
      show(gen, mov);
      struct amd_inst load = amd_inst_init(AMD_OP_s_load_dword, AMD_ENC_SMEM);
      load.dst = amd_sgpr(7);
      load.src[0] = amd_sgpr(2);
      load.src[1] = AMD_NULL;
      load.offset = 0x40;
      load.glc = true;
      show(gen, load);
      load.src[1] = amd_sgpr(9);
      load.offset = 0;
      load.dlc = true;
      show(gen, load);
      struct amd_inst add = amd_inst_init(AMD_OP_s_add_u32, AMD_ENC_SOP2);
      add.dst = add.src[0] = add.src[1] = amd_sgpr(1);
      show(gen, add);
   }
   return amd_isa_opcode(AMD_GFX9, AMD_OP_s_mov_b32, AMD_ENC_SOP1) != -1 ||
          !is(AMD_GFX10_3, 1u << AMD_ENC_SOP1, AMD_FLAG_READS_DST, 1) ||
          !is(AMD_GFX11, 1u << AMD_ENC_SOP1, AMD_FLAG_READS_EXEC, 8) ||
          amd_isa_op_info(AMD_GFX11, AMD_OP_s_add_u32)->encs || amd_isa_op_info(AMD_GFX11, AMD_OP_s_add_u32)->flags;
}
'''
COLUMNS = '''\
be85037c |s_mov_b32 s5, m0
be85037d |s_mov_b32 s5, null
f40101c1 fa000040 |s_load_dword s7, s[2:3], 0x40 glc
f40141c1 12000000 |s_load_dword s7, s[2:3], s9 glc dlc
80010101 |s_add_u32 s1, s1, s1
be85007d |s_mov_b32 s5, m0
be85007c |s_mov_b32 s5, null
f40041c1 f8000040 |s_load_b32 s7, s[2:3], 0x40 glc
f40061c1 12000000 |s_load_b32 s7, s[2:3], s9 glc dlc
|
'''


def generate(generator, folder, table, forms, outputs):
  for name, text in (('table.txt', table), ('forms.txt', forms)):
    (folder / name).write_text(text)
  return subprocess.run([sys.executable, generator, folder / 'table.txt', folder / 'forms.txt',
                         *(folder / 'amd/hw' / o for o in outputs)], capture_output=True, text=True, check=False)


def check_bad(generator, folder):
  wrong = 0
  for words, (table, forms) in BAD.items():
    run = generate(generator, folder, table, forms, OUTPUTS[:1])
    sentence = run.stderr.strip()
    if run.returncode == 0 or any(w not in sentence for w in words) or '\n' in sentence:
      wrong += 1
      print(f'expected {words}, got {run.returncode}: {sentence[-400:]}')
  return wrong


def witness(output):
  """LLVM reads the same words; None without it."""
  if not shutil.which('llvm-mc-19'):
    return None
  wrong = 0
  for line, cpu in zip(output.splitlines(), ['gfx1030'] * 5 + ['gfx1100'] * 5):
    words, text = line.split('|')
    code = ' '.join(f'{b:#04x}' for w in words.split() for b in int(w, 16).to_bytes(4, 'little'))
    run = subprocess.run(['llvm-mc-19', '-disassemble', '-triple=amdgcn--amdpal', f'-mcpu={cpu}'], input=code,
                         capture_output=True, text=True, check=False)
    theirs = ' '.join(run.stdout.split()).removeprefix('.text').strip()
    if theirs != text:
      wrong += 1
      print(f'{cpu} {words}: ours {text}, LLVM {theirs}')
  return wrong


def check_columns(generator, folder, cc, root):
  forms = (pathlib.Path(root) / 'amd/hw/isa_formats.txt').read_text()
  table = ''.join(f'{name} | {row}\n' for name, row in (ROWS | OWN).items())
  run = generate(generator, folder, table, forms, OUTPUTS)
  if run.returncode:
    print(run.stderr)
    return 1
  (folder / 'main.c').write_text(COLUMNS_C)
  sources = [folder / 'amd/hw' / o for o in OUTPUTS if o.endswith('.c')]
  subprocess.run([*cc, '-std=gnu17', '-Wall', '-Werror', '-Wno-unused-function', f'-I{folder}', f'-I{root}', *sources,
                  folder / 'main.c', '-o', folder / 'main'], check=True)
  output = subprocess.run([folder / 'main'], capture_output=True, text=True, check=True).stdout
  if output != COLUMNS:
    print(f'two columns give\n{output}instead of\n{COLUMNS}')
    return 1
  return witness(output) or 0


# A generation after all others, of which the table says one thing: a row has another number.
LATER = '''
import sys
sys.path.insert(0, sys.argv[1])
import columns
columns.GENS.append('GFX12')
import rows
for row in rows.read_rows(sys.argv[2]):
  other = row.name == 's_add_u32'
  same = row.encs['GFX12'] == row.encs['GFX11.5'] and row.operands['GFX12'] == row.operands['GFX11.5']
  same = same and row.attributes.get('GFX12') == row.attributes.get('GFX11.5')
  if same == other or other and row.encs['GFX12'] != {'SOP2': (0x7f, [], 's_add_co_u32')}:
    sys.exit(f'{row.name} on GFX12: {row.encs["GFX12"]}')
'''


def check_later(generator, folder, root):
  """A new generation touches only the rows that differ."""
  table = (pathlib.Path(root) / 'amd/hw/isa_table.txt').read_text()
  changed = re.sub(r'(?m)^(s_add_u32 .*?GFX9 SOP2=0)', r'\1, GFX12 SOP2=7f:s_add_co_u32', table)
  (folder / 'later.txt').write_text(changed)
  run = subprocess.run([sys.executable, '-B', '-c', LATER, pathlib.Path(generator).parent, folder / 'later.txt'],
                       capture_output=True, text=True, check=False)
  if run.returncode:
    print(run.stderr.strip())
  return changed == table or run.returncode != 0


def main():
  generator, root, *cc = sys.argv[1:]
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / 'amd/hw').mkdir(parents=True)
    return check_bad(generator, folder) + check_columns(generator, folder, cc, root) + check_later(
      generator, folder, root) != 0


if __name__ == '__main__':
  sys.exit(main())
