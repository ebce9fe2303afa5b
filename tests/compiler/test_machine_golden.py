#!/usr/bin/python3
"""Assembly of small nir programs against the golden texts (NAME.nir, NAME.s; NAME.OPTION.nir: with --OPTION), and of
machine IR from the phase on that its text names (NAME.aco, NAME.agx).

Usage: test_machine_golden.py INDIUM FOLDER [--update] [OPTION OF nir]... With --update the golden texts are written
anew: read the difference.
"""
import difflib
import pathlib
import subprocess
import sys


def main():
  indium, folder = sys.argv[1], pathlib.Path(sys.argv[2])
  wrong = count = 0
  for_nir = [argument for argument in sys.argv[3:] if argument != '--update']
  for path in sorted([*folder.glob('*.nir'), *folder.glob('*.aco'), *folder.glob('*.agx')]):
    options = [f'--{option}' for option in path.name.split('.')[1:-1]]
    options += for_nir if path.suffix == '.nir' else []
    run = subprocess.run([indium, 'shader', str(path), '--print', 'asm', *options],
                         capture_output=True, text=True, check=False)
    if run.returncode:
      print(run.stderr)
      return 1
    golden = path.with_suffix('.s')
    if '--update' in sys.argv:
      golden.write_text(run.stdout)
    expected = golden.read_text()
    count += 1
    if run.stdout != expected:
      wrong += 1
      print(''.join(difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True), golden.name, 'now')))
  print(f'{count} programs, {wrong} differ')
  return wrong != 0 or count == 0


if __name__ == '__main__':
  sys.exit(main())
