#!/usr/bin/env python3
"""Generates the instruction tables from isa_table.txt.

Usage: isa_gen.py opcodes isa_table.txt OUT.h
"""
import sys


def rows(path):
  """The table's rows as lists of stripped columns."""
  for line in open(path):
    line = line.rstrip('\n')
    if line and not line.startswith('#'):
      yield [column.strip() for column in line.split('|')]


def write_opcodes(table, out):
  names = [row[0] for row in rows(table)]
  if len(set(names)) != len(names):
    sys.exit(f'{table}: a mnemonic stands twice')
  with open(out, 'w') as f:
    f.write('/* Generated from isa_table.txt. */\n#ifndef INDIUM_AMD_HW_ISA_OPCODES_H\n'
            '#define INDIUM_AMD_HW_ISA_OPCODES_H\n\nenum amd_op {\n')
    f.write(''.join(f'   AMD_OP_{name},\n' for name in names))
    f.write('   AMD_OP_COUNT\n};\n\n#endif\n')


def main():
  if sys.argv[1] == 'opcodes':
    write_opcodes(sys.argv[2], sys.argv[3])


if __name__ == '__main__':
  main()
