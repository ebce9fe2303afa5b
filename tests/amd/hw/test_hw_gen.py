"""The generator refuses tables with overlaps, gaps and double meanings."""
import pathlib
import subprocess
import sys
import tempfile

BAD = {
  'bit 3 of A has two owners, X and Y': 'reg A gfx103=28000\n 3:0 X\n 31:3 Y\n',
  'has no owner': 'reg A gfx103=28000\n 3:0 X\n 31:5 Y\n',
  'bit 31 of A has no owner': 'reg A gfx103=28000\n 30:0 X\n',
  'B and A share offset': 'reg A gfx103=28000\n 31:0 X\nreg B gfx103=28000\n 31:0 X\n',
  'two values': 'enum E\n 0 X\nenum F\n 1 X\n',
  'no enum': 'reg A gfx103=28000\n 31:0 X NOWHERE\n',
  'packets A and B: opcode 10 stands twice':
    ''.join(f'packet {name} 10\n rest D\n  31:0 VALUE\n' for name in 'AB'),
  'two forms of one length': 'packet A 10\n word D\n  31:0 VALUE\nor\n word E\n  31:0 VALUE\n',
  'two forms of one length, 1 dwords or more and 3 dwords':
    'packet A 10\n word D\n  31:0 VALUE\n rest R\n  31:0 VALUE\nor\n'
    + ''.join(f' word {n}\n  31:0 VALUE\n' for n in 'EFG'),
  'bit 8 of D has two owners, X and Y': 'desc D gfx103=0\n 8:0 X\n 31:8 Y\n',
  'bit 9 of D has no owner': 'packet A 10\n word D\n  8:0 X\n  31:10 Y\n',
  'D stands twice': 'desc D gfx103=0\n 31:0 X\ndesc D gfx103=4\n 31:0 X\n',
  'two fields of one name': 'reg A gfx103=28000\n 0 X\n 31:1 X\n',
}


def main():
  generator = pathlib.Path(sys.argv[1])
  failures = 0
  with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / 'table.txt'
    for message, text in BAD.items():
      table.write_text(text)
      run = subprocess.run([sys.executable, generator, 'registers.h', f'{folder}/out.h', table],
                           capture_output=True, text=True)
      if run.returncode == 0 or message not in run.stderr:
        failures += 1
        print(f'expected "{message}", got {run.returncode}: {run.stderr.strip()}')
  return failures


if __name__ == '__main__':
  sys.exit(main())
