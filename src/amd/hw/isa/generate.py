#!/usr/bin/python3
"""Generates encoder, decoder, validator and printer of the shader instruction set.

Usage: generate.py isa_table.txt isa_formats.txt OUT... (names of OUT choose what is written: isa_opcodes.h,
isa_runtime.h, isa_tables.c, isa_encode.c, isa_decode.c, isa_check.c, isa_print.c,
isa_loose.c)

Refuses a bit with two owners or none, an opcode or operand that no field holds, two operations that match the same
word, a name that stands twice and an unknown word anywhere; the sentence names both sides.
"""
import pathlib
import sys

sys.dont_write_bytecode = True

from entries import build
from fail import TableError
from forms import read_forms
from operands import check_operands
from rows import read_rows
from write_check import check_c
from write_decode import decode_c
from write_encode import encode_c
from write_header import opcodes_h, runtime_h
from write_loose import loose_c
from write_print import print_c
from write_tables import tables_c


def main():
  table, formats, *outputs = sys.argv[1:]
  try:
    check_operands()
    rows, forms = read_rows(table), read_forms(formats)
    built = build(rows, forms)
    writers = {'isa_opcodes.h': lambda: opcodes_h(rows, forms), 'isa_runtime.h': lambda: runtime_h(forms, built),
               'isa_tables.c': lambda: tables_c(rows, built), 'isa_encode.c': lambda: encode_c(built),
               'isa_decode.c': lambda: decode_c(built), 'isa_check.c': lambda: check_c(built),
               'isa_print.c': lambda: print_c(built), 'isa_loose.c': lambda: loose_c(built)}
    for output in map(pathlib.Path, outputs):
      output.write_text(writers[output.name]())
  except TableError as error:
    sys.exit(f'isa: {error}')


if __name__ == '__main__':
  main()
