#!/usr/bin/python3
"""The generator of user SGPRs: it refuses tables that contradict themselves, and writes blocks where the table puts
them.

Usage: test_user_data_gen.py USER_DATA_GEN.PY CC...
"""
import pathlib
import subprocess
import sys
import tempfile

BAD = {
  's1 of a has two owners, x and y': 'stage a\n 0 x u64\n 1 y u32\n',
  's2 of b has two owners, x and y': 'stage a\n 2 x u32\nstage b a\n 1 y u32[2]\n',
  'x stands twice': 'stage a\n 0 x u32\nstage b a\n 1 x u32\n',
  'stage a stands twice': 'stage a\nstage a\n',
  'no stage b': 'stage a b\n',
  'a has more than 1 SGPRs': 'stage a\n 0 x u64\n count 1\n',
  'y does not follow x': 'stage a\n 0 x u32 in=z\n 2 y u32 in=z\n',
  '0 x u8?': 'stage a\n 0 x u8\n',
  '0 x u32 nor?': 'stage a\n 0 x u32 nor\n',
  's0 x u32?': 'stage a\n s0 x u32\n',
}
TABLE = '''
stage all
 0 sets u32[3]
stage v all
 3 x float[2] in=mixed
 5 y u64 in=mixed
 7 z u32 in=mixed
 5 instead u64 or arg
 count 8
'''
PROGRAM = r'''
#include <assert.h>
#include <stddef.h>
#include "si_abi.h"

int main(void)
{
   uint32_t dw[8] = {0};
   const struct si_user_v_mixed from = {.x = {1, -2}, .y = UINT64_C(0x123456789a), .z = 7};
   assert(SI_SGPR_SETS_COUNT == 3 && SI_SGPR_V_Y == 5 && SI_SGPR_V_INSTEAD == 5);
   assert(si_user_v_mixed_pack(dw, R_COMPUTE_USER_DATA_0, &from) == dw + 7);
   assert(dw[0] == PKT3(PKT3_SET_SH_REG, 6) && dw[1] == (R_COMPUTE_USER_DATA_0 - AMD_SH_REG_START) / 4 + 3);
   assert(dw[2] == 0x3f800000 && dw[3] == 0xc0000000 && dw[4] == 0x3456789a && dw[5] == 0x12 && dw[6] == 7);
   const struct aco_args args = si_args_v();
   assert(args.num_user_sgprs == 8 && args.scratch_address == 5 && args.draw_id == ACO_NO_REG);
}
'''


def generate(generator, folder, table):
  path = folder / 'table.txt'
  path.write_text(table)
  return subprocess.run([sys.executable, '-B', generator, 'si_abi.h', str(folder / 'si_abi.h'), str(path)],
                        capture_output=True, text=True)


def main():
  generator, *cc = sys.argv[1:]
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for sentence, table in BAD.items():
      result = generate(generator, folder, table)
      assert result.returncode and sentence in result.stderr, f'{sentence}: {result.stderr or "accepted"}'
    result = generate(generator, folder, TABLE.replace('instead', 'scratch_address'))
    assert not result.returncode, result.stderr
    program = folder / 'program.c'
    program.write_text(PROGRAM.replace('INSTEAD', 'SCRATCH_ADDRESS'))
    subprocess.run([*cc, '-Wall', '-Werror', '-Wno-unused-function', '-I', str(folder), str(program), '-o',
                    str(folder / 'program')], check=True)
    subprocess.run([str(folder / 'program')], check=True)


if __name__ == '__main__':
  main()
