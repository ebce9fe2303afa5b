#!/usr/bin/python3
"""The generators of Intel's packets and of drivers' rules refuse tables that contradict themselves.

Usage: test_hw_gen.py HW_GEN.PY UAV_RULES_GEN.PY
"""
import pathlib
import subprocess
import sys
import tempfile

P = 'walk f8000000 78000000 7:0\npacket P 3.3.0.10 2 2 -\n'
PACKETS = {
  'X and Y share bits of P on gen8': P + ' X 1:3 1:3 -\n Y 1:4 1:3 -\n',
  'the header and X share bits of P on gen75': P + ' X 0:16 - -\n',
  'P.X lies outside of it on gen8': P + ' X 1:0 2:0 -\n',
  'P.X lies outside of it on gen9': P + ' X 1:0 - 1:0\n',
  'P.X has 2 widths': P + ' X 1:0 1:1:0 -\n',
  'P.X has 0 widths': P + ' X - - -\n',
  'P.X has more names than values': P + ' X 1:0 - - {a,b,c}\n',
  'bits 0:1 of a dword': P + ' X 1:0:1 - -\n',
  '1 is no place': P + ' X 1 - -\n',
  'P has two fields of one name': P + ' X 1:0 - -\n X 1:1 - -\n',
  'P stands twice': P + 'packet P 3.3.0.11 2 2 2\n',
  'P has the header of Q': P + 'packet Q 3.3.0.10 2 2 2\n',
  'no walk finds the 1 dwords of Q': P + 'packet Q 3.3.0.11 1 2 2\n',
  'no walk finds the 2 dwords of Q': P + 'packet Q 3.1.0.11 2 2 2\n',
  'table.txt:1 hides the row': 'walk f8000000 78000000 7:0\nwalk ff000000 79000000 1\n',
  '3.3.0 is no command': 'packet P 3.3.0 2 2 2\n',
  'a line that belongs to nothing': ' X 1:0 - -\n',
  'register?': 'register X\n',
}
RULES = {
  'no generation gen10': 'rule a gen10 b\n',
  'a stands twice for gen8': 'rule a gen8 b\nrule a gen9,gen8 b\n',
  'a rule has a name': 'rule a gen8\n',
  'xs is no bit': 'rule a gen8 b\n xs = kills\n',
  'ps is no bit, or said twice': 'rule a gen8 b\n ps = kills\n ps = kills\n',
  'discards is not expected here': 'rule a gen8 b\n ps = discards\n',
  'kills is not expected here': 'rule a gen8 b\n ps = kills kills\n',
  '|| is not expected here': 'rule a gen8 b\n ps = kills && || kills\n',
  ') is not expected here': 'rule a gen8 b\n ps = kills)\n',
  '; is not expected here': 'rule a gen8 b\n ps = kills; kills\n',
  'the expression does not end': 'rule a gen8 b\n ps = (kills\n',
  'a line that belongs to nothing': ' ps = kills\n',
}


def generate(command, text):
  with tempfile.TemporaryDirectory() as folder:
    table, out = pathlib.Path(folder, 'table.txt'), pathlib.Path(folder, 'out')
    table.write_text(text)
    return subprocess.run([sys.executable, '-B', *command, out, table], capture_output=True, text=True)


def main():
  faults = []
  for command, cases in ([sys.argv[1], 'packets.c'], PACKETS), ([sys.argv[2]], RULES):
    for expected, text in cases.items():
      result = generate(command, text)
      if result.returncode != 1 or expected not in result.stderr or 'Traceback' in result.stderr:
        faults.append(f'expected "{expected}": {result.stderr.strip()}')
  for command, text in ([sys.argv[1], 'packets.c'], P + ' X 1:3 1:3 -\n'), ([sys.argv[2]], 'rule a gen8 b\n'):
    result = generate(command, text)
    if result.returncode:
      faults.append(result.stderr)
  print('\n'.join([*faults, f'{len(PACKETS) + len(RULES)} tables, {len(faults)} faults']))
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
