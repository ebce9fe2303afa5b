#!/usr/bin/python3
"""Fails where a generation of AMD's chips is named outside the tables: elsewhere code asks for a capability.

Usage: check_generations.py [SOURCE_FOLDER]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / 'src'
# Files that hold one row a generation, or are generated from the tables.
TABLES = re.compile(r'amd/hw/.*|amd/common/ac_(gpu_info|pops_caps)\.c|amd/compiler/aco_target\.c|amd/sim/model\.c|'
                    r'gallium/drivers/radeonsi/si_gen_\w+\.c')
NAMED = re.compile(r'\bAMD_GFX\d\w*|\bgen\s*[<>]=?\s*\w')


def main():
  root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
  faults = []
  for path in sorted(root.rglob('*.[ch]')):
    name = path.relative_to(root).as_posix()
    if TABLES.fullmatch(name):
      continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
      if NAMED.search(line):
        faults.append(f'src/{name}:{number}: a generation is named: {line.strip()}')
  print('\n'.join(faults))
  print(f'{len(faults)} places outside the tables')
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
