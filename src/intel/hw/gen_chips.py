#!/usr/bin/python3
"""Writes the rows of chips.toml as C: gen_chips.py chips.toml OUTPUT"""
import sys
import tomllib

NUMBERS = 'device_id revision slices subslices eus timestamp_Hz va_bits system_B'.split()
OTHERS = 'name gen product chosen'.split()

FUNCTION = '''
const struct intel_chip *
intel_chip_by_name(const char *name)
{
   for (unsigned i = 0; i < intel_chip_count; i++)
      if (!strcmp(intel_chips[i].name, name))
         return &intel_chips[i];
   return NULL;
}
'''


def chip_row(row):
  wrong = set(row) ^ set(NUMBERS + OTHERS)
  assert not wrong, f'{row["name"]}: {sorted(wrong)} missing or unknown'
  assert set(row['chosen']) <= set(NUMBERS), f'{row["name"]}: chosen {row["chosen"]}'
  assert max(row['slices'], row['subslices']) <= 8, f'{row["name"]}: masks are a byte each'
  out = [f'.name = "{row["name"]}", .product = "{row["product"]}", .gen = INTEL_{row["gen"].upper()}']
  out += [f'.{k} = {row[k]:#x}' for k in NUMBERS]
  return '   {\n' + ''.join(f'      {line},\n' for line in out) + '   },\n'


def main():
  table, output = sys.argv[1:]
  with open(table, 'rb') as f:
    chips = tomllib.load(f)['chip']
  for key in 'name', 'device_id':
    assert len({row[key] for row in chips}) == len(chips), f'two rows share a {key}'
  with open(output, 'w') as f:
    f.write(f'/* Generated from chips.toml. */\n#include "intel/hw/chips.h"\n\n#include <string.h>\n\n'
            f'const unsigned intel_chip_count = {len(chips)};\nconst struct intel_chip intel_chips[] = {{\n'
            f'{"".join(map(chip_row, chips))}}};\n{FUNCTION}')


if __name__ == '__main__':
  main()
