#!/usr/bin/python3
"""Writes the rows of chips.toml as C: gen_chips.py chips.toml gen.h|chips.c OUTPUT"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from hw_generator import check_keys, check_unique, find_by_name, generated, header_file, initializer, read_chips

GEN = 'name generation cores clusters'.split()
NUMBERS = '''generation revision chip_id num_dies num_clusters num_cores_per_cluster num_cores
max_frequency_kHz'''.split()
OTHERS = 'name compatible variant chosen'.split()
MAX_CORES = 3  # struct agx_gen_info
MAX_CLUSTERS = 8  # AGX_MAX_CLUSTERS

FUNCTIONS = '''
bool
agx_gen_find(uint32_t generation, uint32_t num_clusters, enum agx_gen *gen)
{
   for (*gen = 0; *gen < AGX_GEN_COUNT; ++*gen)
      if (agx_gens[*gen].generation == generation && agx_gens[*gen].clusters == (num_clusters > 1))
         return true;
   return false;
}

''' + find_by_name('agx') + '''
const struct agx_chip *
agx_chip_by_name_or_core(const char *name)
{
   const struct agx_chip *chip = agx_chip_by_name(name);

   for (unsigned i = 0; !chip && i < agx_chip_count; i++)
      if (!strcmp(agx_chips[i].core, name))
         chip = &agx_chips[i];
   return chip;
}

bool
agx_gen_by_name_or_core(const char *name, enum agx_gen *gen)
{
   const struct agx_chip *chip = agx_chip_by_name(name);

   for (*gen = 0; *gen < AGX_GEN_COUNT; ++*gen)
      for (unsigned i = 0; agx_gens[*gen].cores[i]; i++)
         if (!strcmp(agx_gens[*gen].cores[i], chip ? chip->core : name))
            return true;
   return false;
}
'''


def gen_of(row, core, gens):
  found = [gen for gen in gens if core in gen['cores']]
  assert len(found) == 1, f'{row["name"]}: {len(found)} kinds of cores'
  kind, clusters = found[0], row['num_clusters'] > 1
  assert (kind['generation'], kind['clusters']) == (row['generation'], clusters), f'{row["name"]}: no {kind["name"]}'
  return kind


def check(row):
  name = row['name']
  check_keys(row, NUMBERS + OTHERS)
  assert set(row['chosen']) <= set(NUMBERS), f'{name}: chosen {row["chosen"]}'
  assert 1 <= len(row['compatible']) <= 2, f'{name}: {len(row["compatible"])} compatible strings'
  assert row['num_clusters'] % row['num_dies'] == 0, f'{name}: clusters on no die'
  missing = row['num_clusters'] * row['num_cores_per_cluster'] - row['num_cores']
  assert 0 <= missing <= row['num_clusters'] <= MAX_CLUSTERS, f'{name}: {missing} cores are missing'
  core = f'g{row["generation"]}{row["variant"].lower()}'
  assert row['compatible'][0].endswith(core), f'{name}: {row["compatible"][0]} is not of a {core}'
  return core


def core_masks(row):
  """Of those that are missing each is the last of its cluster."""
  full = (1 << row['num_cores_per_cluster']) - 1
  missing = row['num_clusters'] * row['num_cores_per_cluster'] - row['num_cores']
  masks = [full] * (row['num_clusters'] - missing) + [full >> 1] * missing
  return ', '.join(f'{mask:#x}' for mask in masks)


def strings(texts):
  return ', '.join(f'"{text}"' for text in texts)


def constant(gen):
  return f'AGX_{gen["name"].upper()}'


def chip_row(row, gens, variants):
  core = check(row)
  suffix = [v['suffix'] for v in variants if v['name'] == row['variant']]
  assert suffix and re.fullmatch(rf'm\d{suffix[0].lower()}', row['name']), f'{row["name"]}: variant {row["variant"]}'
  out = [f'.name = "{row["name"]}", .core = "{core}", .variant = \'{row["variant"]}\'',
         f'.gen = {constant(gen_of(row, core, gens))}',
         f'.compatible = {{{strings(row["compatible"])}}}', f'.core_masks = {{{core_masks(row)}}}']
  out += [f'.{k} = {row[k]:#x}' for k in NUMBERS]
  return initializer(out)


def gen_row(gen):
  check_keys(gen, GEN)
  assert len(gen['cores']) <= MAX_CORES, gen['name']
  return (f'   [{constant(gen)}] = {{.generation = {gen["generation"]}, .cores = {{{strings(gen["cores"])}}}, '
          f'.clusters = {str(gen["clusters"]).lower()}}},\n')


def header(gens, *_):
  lines = ['/* Kinds of the graphics core. */', 'enum agx_gen {', *(f'   {constant(gen)},' for gen in gens), '};',
           f'#define AGX_GEN_COUNT {len(gens)}']
  return '\n'.join(header_file('chips.toml', 'INDIUM_ASAHI_HW_GEN_H', lines)) + '\n'


def suffix_code(variants):
  cases = ''.join(f"   case '{v['name']}':\n      return \"{v['suffix']}\";\n" for v in variants)
  return ('\nconst char *\nagx_variant_suffix(char variant)\n{\n   switch (variant) {\n'
          f'{cases}   default: /* others: no table has them */\n      return "";\n   }}\n}}\n')


def code(gens, variants, chips):
  return (generated('chips.toml') + f'\n#include "asahi/hw/chips.h"\n\n#include <string.h>\n\n'
          f'const struct agx_gen_info agx_gens[AGX_GEN_COUNT] = {{\n{"".join(map(gen_row, gens))}}};\n\n'
          f'const unsigned agx_chip_count = {len(chips)};\nconst struct agx_chip agx_chips[] = {{\n'
          f'{"".join(chip_row(chip, gens, variants) for chip in chips)}}};\n{FUNCTIONS}' + suffix_code(variants))


def main():
  table, kind, output = sys.argv[1:]
  tables = read_chips(table)
  gens, variants, chips = tables['gen'], tables['variant'], tables['chip']
  check_unique(gens, 'name')
  check_unique(variants, 'name', 'suffix')
  check_unique(chips, 'name', 'chip_id')
  with open(output, 'w') as f:
    f.write({'gen.h': header, 'chips.c': code}[kind](gens, variants, chips))


if __name__ == '__main__':
  main()
