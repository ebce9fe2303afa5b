"""What differs by generation next to registers, records and instructions: reads a vendor's traits.txt and writes
structs of generations, one for each side.

One item a line, '#' starts a comment:

    source NAME GRADE TEXT                          where values are from; GRADE: doc, observed or assumed
    trait NAME TYPE SIDE,... CELL... <- SOURCE,...  followed by indented lines: what it means, and "cell CELL" lines

SIDE is one of the vendor's (its traits_gen.py names them and their structs). A header has the traits of its side
only.

CELL is GENS=VALUE, of a bool GENS; GENS a generation or a range of them. A generation without a cell has 0, or false.

    TYPE      bool; u8, u16, u32, unsigned: VALUE is a C expression; range: LOW..HIGH; offsets4: up to four numbers
              with commas; targets: numbers and ranges of them with commas, a bit each

An error is: an unknown generation, type, side, grade or source; two values in one generation; a trait that stands
twice, without a cell or without a meaning.
"""
import collections

from bit_tables import TableError, table_lines
from hw_generator import add_once, generation_range, header_file

# gens: {generation: enumerator}; structs: {side: struct}; types: {type: type of C}; header: that of the enumerators
Vendor = collections.namedtuple('Vendor', 'name gens structs types header')
GRADES = ('doc', 'observed', 'assumed')


class Trait:
  def __init__(self, vendor, name, kind, sides, where):
    self.vendor, self.name, self.kind, self.sides, self.where = vendor, name, kind, sides, where
    self.cells, self.meaning, self.sources = {}, [], []

  def cell(self, text, where):
    gens, equals, value = text.partition('=')
    if bool(equals) != (self.kind != 'bool'):
      raise TableError(f'{where}: {text} is no cell of a {self.kind}')
    for generation in generation_range(list(self.vendor.gens), gens, where):
      if generation in self.cells:
        raise TableError(f'{where}: {self.name} has two values on {generation}')
      self.cells[generation] = value or 'true'

  def value(self, generation):
    """The C expression of a cell."""
    text = self.cells[generation]
    if self.kind == 'range':
      return '{' + text.replace('..', ', ') + '}'
    if self.kind == 'offsets4':
      return '{' + text.replace(',', ', ') + '}'
    if self.kind == 'targets':
      bits = 0
      for part in text.split(','):
        low, _, high = part.partition('-')
        bits |= sum(1 << n for n in range(int(low), int(high or low) + 1))
      return f'UINT64_C(0x{bits:x})'
    return text

  def member(self):
    return f'{self.vendor.types[self.kind]} {self.name}{"[4]" if self.kind == "offsets4" else ""};'


class Traits:
  def __init__(self, vendor, paths):
    self.vendor = vendor
    self.traits, self.sources, trait = {}, {}, None
    for path in paths:
      for where, indented, tokens in table_lines(path):
        if not indented:
          trait = self.start(tokens, where)
        elif not trait:
          raise TableError(f'{where}: a line that belongs to nothing')
        elif tokens[0] == 'cell':
          trait.cell(tokens[1], where)
        else:
          trait.meaning += tokens
    for trait in self.traits.values():
      if not trait.cells or not trait.meaning:
        raise TableError(f'{trait.where}: {trait.name} has no {"meaning" if trait.cells else "cell"}')

  def start(self, tokens, where):
    if tokens[0] == 'source':
      if tokens[2] not in GRADES:
        raise TableError(f'{where}: no grade {tokens[2]}')
      add_once(self.sources, 'source', tokens[1], ' '.join(tokens[2:]), where)
      return None
    if tokens[0] != 'trait' or tokens[-2] != '<-':
      raise TableError(f'{where}: {tokens[0]}?')
    name, kind, sides = tokens[1:4]
    unknown = [s for s in sides.split(',') if s not in self.vendor.structs]
    unknown += [kind] * (kind not in self.vendor.types)
    unknown += [s for s in tokens[-1].split(',') if s not in self.sources]
    if unknown:
      raise TableError(f'{where}: {unknown[0]}?')
    trait = add_once(self.traits, 'trait', name, 
                     Trait(self.vendor, name, kind, sides.split(','), where), where)
    trait.sources = tokens[-1].split(',')
    for text in tokens[4:-2]:
      trait.cell(text, where)
    return trait


def side_h(side):
  def lines(tables):
    vendor = tables.vendor
    struct = vendor.structs[side]
    macro = struct.upper()
    traits = [t for t in tables.traits.values() if side in t.sides]
    out = ['#include <stdbool.h>', '#include <stdint.h>', '', '#include ' + f'"{vendor.header}"', '']
    if any(t.kind == 'range' for t in traits):
      out += ['/* Distances that an instruction can add to an address, both ends included. */',
              'struct aco_offsets {', '   int min_B, max_B;', '};', '']
    out += [f'#define {macro}_MEMBERS \\',
            *(f'   /* {" ".join(t.meaning)} ({", ".join(t.sources)}) */ {t.member()} \\' for t in traits), '',
            f'struct {struct} {{', f'   {macro}_MEMBERS', '};', '', '/* By generation. */',
            f'#define {macro}_ROWS \\']
    for generation, enumerator in vendor.gens.items():
      cells = [f'.{t.name} = {t.value(generation)}' for t in traits if generation in t.cells]
      out.append(f'   [{enumerator}] = {{{", ".join(cells)}}}, \\')
    return header_file('traits.txt', f'INDIUM_{vendor.name.upper()}_TRAITS_{side.upper()}_H', out + [''])
  return lines


def makers(vendor):
  return {f'{side}.h': side_h(side) for side in vendor.structs}
