#!/usr/bin/python3
"""Writes the rows of chips.toml as C: gen_chips.py chips.toml OUTPUT"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from hw_generator import check_keys, check_unique, find_by_name, generated, initializer, read_chips

NUMBERS = 'device_id revision slices subslices eus timestamp_Hz va_bits system_B'.split()
OTHERS = 'name gen product chosen'.split()


def chip_row(row):
  check_keys(row, NUMBERS + OTHERS)
  assert set(row['chosen']) <= set(NUMBERS), f'{row["name"]}: chosen {row["chosen"]}'
  assert max(row['slices'], row['subslices']) <= 8, f'{row["name"]}: masks are a byte each'
  out = [f'.name = "{row["name"]}", .product = "{row["product"]}", .gen = INTEL_{row["gen"].upper()}']
  out += [f'.{k} = {row[k]:#x}' for k in NUMBERS]
  return initializer(out)


def main():
  table, output = sys.argv[1:]
  chips = read_chips(table)['chip']
  check_unique(chips, 'name', 'device_id')
  with open(output, 'w') as f:
    f.write(generated('chips.toml') + f'\n#include "intel/hw/chips.h"\n\n#include <string.h>\n\n'
            f'const unsigned intel_chip_count = {len(chips)};\nconst struct intel_chip intel_chips[] = {{\n'
            f'{"".join(map(chip_row, chips))}}};\n{find_by_name("intel")}')


if __name__ == '__main__':
  main()
