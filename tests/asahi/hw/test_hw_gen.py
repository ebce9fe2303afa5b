"""The generator of AGX records refuses tables that contradict themselves.

Usage: test_hw_gen.py HW_GEN.PY
"""
import pathlib
import subprocess
import sys
import tempfile

FORMS = 'record A 4\nform p if X=0\nform q if X=1\n 0 X\n'
BAD = {
  'bit 3 of A has two owners, X and Y': 'record A 4\n 3:0 X\n 31:3 Y\n',
  'bit 4 of A has no owner': 'record A 4\n 3:0 X\n 31:5 Y\n',
  'bit 31 of A has no owner': 'record A 4\n 30:0 X\n',
  'A.Y has bits 32:4': 'record A 4\n 3:0 X\n 32:4 Y\n',
  'A.Y has bits 63:32': 'record A 4\n 31:0 X\nword 1\n 31:0 Y\n',
  'bit 1 of A has no owner in form q': FORMS + ' 31:1 Y ?p\n 31:2 Z ?q\n',
  'bit 1 of A has two owners, Y and Z in form p': FORMS + ' 31:1 Y\n 1 Z ?p\n',
  'A.Y is of a form that there is not': FORMS + ' 31:1 Y ?r\n',
  "A with {'X': 1} has 0 forms": 'record A 4\nform p if X=0\n 0 X\n 31:1 Y\n',
  "A with {'X': 0} has 2 forms": 'record A 4\nform p if X=0\nform q if X=0,1\n 0 X\n 31:1 Y\n',
  'A.X is never HIGH': 'enum E\n 0 LOW\nrecord A 4\nform p if X=HIGH\n 0 X E\n 31:1 Y\n',
  'no enum NOWHERE': 'record A 4\n 31:0 X NOWHERE\n',
  'no record NOWHERE': 'record A 4\n 31:0 X as=NOWHERE\n',
  'no record NOWHERE before this line': 'record A 4\n like NOWHERE\n',
  'record A stands twice': 'record A 4\n 31:0 X\nrecord A 4\n 31:0 X\n',
  'two fields of one name': 'record A 4\n 0 X\n 31:1 X\n',
  'stands twice in its enum': 'enum E\n 0 X\n 0 Y\n',
  'X stands twice in its enum': 'enum E\n 0 X\n 1 X\n',
  'A has no field Z': 'record A 4\n 31:0 X\nrecord B 4\n 31:0 X\nsequence A\n part B if Z\n',
  'no record C': 'record A 4\n 31:0 X\nsequence A\n part C if X\n',
  'no generation g12': 'record A 4\n 31:0 X\nsequence A\n part A @g12\n',
  'A does not say 1 at 31:29': 'record A 4\n 28:0 X\n 31:29 Y =2\nstream S 31:29\n 1 A\n',
  'values of A.X have more than 64 bits': 'record A 8\n 63:0 X shr(4)\n',
  'modulo(3)?': 'record A 4\n 31:0 X modulo(3)\n',
  'a line that belongs to nothing': ' 31:0 X\n',
}


def generate(text):
  with tempfile.TemporaryDirectory() as folder:
    table, out = pathlib.Path(folder, 'table.txt'), pathlib.Path(folder, 'out')
    table.write_text(text)
    return subprocess.run([sys.executable, '-B', sys.argv[1], 'records.h', out, table],
                          capture_output=True, text=True)


def main():
  faults = []
  for expected, text in BAD.items():
    run = generate(text)
    if run.returncode == 0 or not run.stderr.startswith('hw_gen.py: table.txt:') or expected not in run.stderr:
      faults.append(f'expected "{expected}", got {run.returncode} and "{run.stderr.strip()}"')
  if generate('record A 4\n 31:0 X\n').returncode:
    faults.append('a table without a fault is refused')
  print('\n'.join(faults))
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
