#!/usr/bin/python3
"""Generates C from swizzle*.txt: swizzle_gen.py OUTPUT.c DESC.txt SWIZZLE.txt...

DESC.txt gives the numbers of the swizzle modes. Fails on a pattern that is not a bijection between the coordinates
of a block and the bytes of a block, and on a second pattern for one chip.
"""
import pathlib
import re
import sys

from pattern import rank

TAIL = '''
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* config_fields: those of GB_ADDR_CONFIG that decide, NUM_PIPES with NUM_BANKS and NUM_SHADER_ENGINES, or with
 * NUM_PKRS. */
static const struct {
   uint32_t config_fields;
   bool tail_of_32_bits;
} rules[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {0x187007, false},
   [AMD_GFX10] = {0x707, false},
   [AMD_GFX10_3] = {0x707, true},
   [AMD_GFX11] = {0x707, true},
   [AMD_GFX11_5] = {0x707, true},
};

uint32_t
amd_swizzle_config(enum amd_gen gen, uint32_t gb_addr_config)
{
   return gb_addr_config & rules[gen].config_fields;
}

bool
amd_swizzle_tail_of_32_bits(enum amd_gen gen, unsigned mode, unsigned element_log2)
{
   return rules[gen].tail_of_32_bits && mode >= 4 && mode % 4 == 0 && element_log2 < 2;
}

static const struct amd_swizzle_equation *
find(enum amd_gen gen, uint32_t gb_addr_config, unsigned mode, unsigned element_log2, unsigned samples_log2,
     bool is_3d)
{
   uint32_t config = amd_swizzle_config(gen, gb_addr_config);

   if (mode >= ARRAY_LENGTH(first) - 1)
      return NULL;
   for (unsigned i = first[mode]; i < first[mode + 1]; i++) {
      const struct amd_swizzle_equation *e = &equations[i];

      if (e->gen == gen && e->config == config && e->element_log2 == element_log2 &&
          e->samples_log2 == samples_log2 && e->is_3d == is_3d)
         return e;
   }
   return NULL;
}

const struct amd_swizzle_equation *
amd_swizzle_find(enum amd_gen gen, uint32_t gb_addr_config, unsigned mode, unsigned element_log2,
                 unsigned samples_log2)
{
   return find(gen, gb_addr_config, mode, element_log2, samples_log2, false);
}

const struct amd_swizzle_equation *
amd_swizzle_find_3d(enum amd_gen gen, uint32_t gb_addr_config, unsigned mode, unsigned element_log2)
{
   const struct amd_swizzle_equation *e = find(gen, gb_addr_config, mode, element_log2, 0, true);

   return e ? e : find(gen, gb_addr_config, mode, element_log2, 0, false);
}

const struct amd_swizzle_equation *
amd_swizzle_at(unsigned n)
{
   return n < ARRAY_LENGTH(equations) ? &equations[n] : NULL;
}
'''


def log2(value):
  if value <= 0 or value & (value - 1):
    sys.exit(f'swizzle_gen.py: {value} is not a power of two')
  return value.bit_length() - 1


# Width, height and depth of thick blocks by address bits and bytes of an element.
THICK = {12: [(4, 4, 4), (3, 4, 4), (3, 4, 3), (3, 3, 3), (2, 3, 3)],
         16: [(6, 5, 5), (5, 5, 5), (5, 5, 4), (5, 4, 4), (4, 4, 4)],
         18: [(6, 6, 6), (5, 6, 6), (5, 6, 5), (5, 5, 5), (4, 5, 5)]}


def block_size_log2(bits, element_log2, samples_log2):
  """Width and height of a block in elements."""
  n = bits - element_log2 - samples_log2
  width = (n + (samples_log2 % 2 == 0)) // 2
  return width, n - width


def check(where, terms, element_log2, samples_log2, thick):
  """The bits minus those inside the element must have full rank over the coordinates of one block."""
  width, height = block_size_log2(len(terms), element_log2, samples_log2)
  depth = 0
  if thick:
    width, height, depth = thick
  place = {('X', i): i for i in range(width)} | {('Z', i): 20 + i for i in range(depth)}
  place |= {('Y', i): 10 + i for i in range(height)} | {('S', i): 20 + i for i in range(samples_log2)}
  rows = []
  for i, term in enumerate(terms):
    if (term == '0') != (i < element_log2):
      sys.exit(f'{where}: bit {i} is {term}')
    row = 0
    for t in [] if term == '0' else term.split('^'):
      if (t[0], int(t[1:])) in place:
        row ^= 1 << place[t[0], int(t[1:])]
    rows.append(row)
  if rank(rows) != len(terms) - element_log2:
    sys.exit(f'{where}: not a bijection')


def masks(term):
  out = dict.fromkeys('XYZS', 0)
  for t in [] if term == '0' else term.split('^'):
    out[t[0]] |= 1 << int(t[1:])
  return '{' + ', '.join(f'0x{out[c]:x}' for c in 'XYZS') + '}'


def parse(table, modes, rows):
  """Adds what the file has: rows of mode and C."""
  attributes, seen = None, set()
  for number, line in enumerate(table.read_text().splitlines(), 1):
    line = line.split('#')[0]
    where = f'{table.name}:{number}'
    if line.startswith('config='):
      attributes = dict(t.split('=') for t in line.split())
    elif line.split():
      terms = line.split()
      element, samples = log2(int(attributes['element_B'])), log2(int(attributes['samples']))
      if len(terms) not in (8, 12, 16, 18):
        sys.exit(f'{where}: {len(terms)} bits')
      dim = attributes.get('dim')
      thick = THICK[len(terms)][element] if dim == '3' else None
      check(where, terms, element, samples, thick)
      size = ', '.join(map(str, thick or (0, 0, 0)))
      mode, bits = modes[attributes['mode']], ', '.join(masks(t) for t in terms)
      for gen, config in (c.split('/') for c in attributes['config'].split(',')):
        key = gen, config, mode, element, samples, dim
        if key in seen:
          sys.exit(f'{where}: a second pattern for {gen}/{config}')
        seen.add(key)
        rows.append((mode, f'   {{AMD_{gen}, 0x{config}, {mode}, {element}, {samples}, {len(terms)}, '
                           f'{str(bool(dim)).lower()}, {{{size}}}, {{\n      {bits}}}}},'))


def main():
  output, desc, *tables = map(pathlib.Path, sys.argv[1:])
  modes = {name: int(value) for value, name in re.findall(r'(?m)^ (\d+)\s+(SW_\w+)$', desc.read_text())}
  rows = []
  for table in tables:
    parse(table, modes, rows)
  rows.sort(key=lambda row: row[0])
  first = [sum(row[0] < mode for row in rows) for mode in range(max(modes.values()) + 2)]
  head = ['/* Generated by swizzle_gen.py from swizzle*.txt. */', '#include "amd/hw/swizzle.h"',
          '#include <stddef.h>', '', '/* By mode. */', 'static const struct amd_swizzle_equation equations[] = {']
  starts = ['};', '', 'static const uint16_t first[] = {' + ', '.join(map(str, first)) + '};']
  output.write_text('\n'.join(head + [row[1] for row in rows] + starts) + '\n' + TAIL)


if __name__ == '__main__':
  main()
