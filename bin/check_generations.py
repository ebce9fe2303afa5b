#!/usr/bin/python3
"""Fails where a generation of chips is named outside the tables: elsewhere code asks for a capability."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from options import Parser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent / 'src'
# Files that hold one row a generation, or are generated from the tables.
TABLES = re.compile(r'(amd|asahi|intel)/hw/.*|amd/common/ac_(descriptor|descriptor_parts|pops_caps)\.c|'
                    r'amd/common/ac_(surface|surface_mode|modifier)\.c|amd/sim/base/model\.c|'
                    r'tools/\w+/(mesa_shim|vendors|mutants_chip)\.c|'
                    r'gallium/drivers/radeonsi/cs/si_gen_\w+\.c')
NAMED = re.compile(r'\b(AMD_GFX|AGX_G|INTEL_GEN)\d\w*|"(gfx|g)\d\w*"|'
                   r'\bgen\s*[<>]=?\s*\w|generation\s*([<>]=?|[=!]=|[-+])\s*\d')
COMMENT = re.compile(r'/\*.*?\*/', re.S)


def check(name, text):
  """What is wrong with a file of src/."""
  text = COMMENT.sub(lambda match: '\n' * match[0].count('\n'), '' if TABLES.fullmatch(name) else text)
  return [f'src/{name}:{number}: a generation is named: {line.strip()}'
          for number, line in enumerate(text.splitlines(), 1) if NAMED.search(line)]


def main():
  Parser(__doc__, prog='bin/check_generations.py').parse_args()
  paths = sorted(ROOT.rglob('*.[ch]'))
  faults = [fault for path in paths for fault in check(path.relative_to(ROOT).as_posix(), path.read_text())]
  print('\n'.join([*faults, f'{len(paths)} files, {len(faults)} places outside the tables']))
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
