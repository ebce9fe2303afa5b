#!/usr/bin/python3
"""Writes the rows of chips.toml as C: gen_chips.py chips.toml chips.c"""
import sys
import tomllib

NUMBERS = '''generation revision chip_id num_dies num_clusters num_cores_per_cluster max_frequency_kHz'''.split()
OTHERS = 'name compatible variant chosen'.split()

FUNCTIONS = '''
const struct agx_chip *
agx_chip_by_name(const char *name)
{
   for (unsigned i = 0; i < agx_chip_count; i++)
      if (!strcmp(agx_chips[i].name, name))
         return &agx_chips[i];
   return NULL;
}
'''


def check(row):
  name = row['name']
  assert set(row) == {*NUMBERS, *OTHERS}, f'{name}: {sorted(set(row) ^ {*NUMBERS, *OTHERS})} missing or unknown'
  assert set(row['chosen']) <= set(NUMBERS), f'{name}: chosen {row["chosen"]}'
  assert 1 <= len(row['compatible']) <= 2, f'{name}: {len(row["compatible"])} compatible strings'
  assert row['variant'] in 'GSCD', f'{name}: unknown variant'
  assert row['num_clusters'] % row['num_dies'] == 0, f'{name}: clusters on no die'
  core = f'g{row["generation"]}{row["variant"].lower()}'
  assert row['compatible'][0].endswith(core), f'{name}: {row["compatible"][0]} is not of a {core}'
  return core


def c_row(row):
  core = check(row)
  out = [f'.name = "{row["name"]}", .core = "{core}", .variant = \'{row["variant"]}\'',
         '.compatible = {' + ', '.join(f'"{text}"' for text in row['compatible']) + '}']
  out += [f'.{k} = {row[k]:#x}' for k in NUMBERS]
  return '   {\n' + ''.join(f'      {line},\n' for line in out) + '   },\n'


def main():
  with open(sys.argv[1], 'rb') as f:
    rows = tomllib.load(f)['chip']
  for key in 'name', 'chip_id':
    assert len({row[key] for row in rows}) == len(rows), f'two rows share a {key}'
  with open(sys.argv[2], 'w') as f:
    f.write('/* Generated from chips.toml. */\n#include "asahi/hw/chips.h"\n\n#include <string.h>\n\n')
    f.write(f'const unsigned agx_chip_count = {len(rows)};\nconst struct agx_chip agx_chips[] = {{\n')
    f.write(''.join(map(c_row, rows)) + '};\n' + FUNCTIONS)


if __name__ == '__main__':
  main()
