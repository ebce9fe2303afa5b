#!/usr/bin/python3
"""Generates the tables of the AGX instruction set, which the code of isa/ reads.

    isa_gen.py isa_table.txt isa_formats.txt OUTPUT...    (isa_opcodes.h, isa_tables.c)

Refuses a bit with two owners or none, an opcode that its form cannot hold, two rows that match one word unless one of
them is the narrower, and an unknown word anywhere; the sentence names both sides.
"""
import collections
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from bit_tables import TableError, table_lines

KINDS = ['none', 'reg', 'uniform', 'cf', 'ts', 'ss', 'imm', 'simm', 'fimm']
FLAGS = ['hint', 'cache', 'discard', 'abs', 'neg', 'sext', 'size32', 'size64']
SOURCES_MAX = 6

Piece = collections.namedtuple('Piece', 'low width to shared')
Row = collections.namedtuple('Row', 'name text form opcode mask value group where')


def number(where, text, base=10):
  try:
    return int(text, base)
  except ValueError:
    raise TableError(f'{where}: "{text}" is no number') from None


def bit_list(where, text):
  """"0:5,10:11" -> [(0, 6), (10, 2)]: lowest bit and width of each part."""
  parts = []
  for part in text.split(','):
    low, _, high = part.partition(':')
    low = number(where, low)
    width = number(where, high) - low + 1 if high else 1
    if width < 1:
      raise TableError(f'{where}: {part} ends before it begins')
    parts.append((low, width))
  return parts


class Owners:
  """Who owns each bit of a word."""

  def __init__(self, what, width):
    self.what, self.width, self.names = what, width, {}

  def take(self, where, low, width, name):
    for bit in range(low, low + width):
      if bit >= self.width:
        raise TableError(f'{where}: {self.what} has no bit {bit}')
      if bit in self.names:
        raise TableError(f'{where}: bit {bit} of {self.what} is owned by {self.names[bit]} and {name}')
      self.names[bit] = name

  def finish(self, where):
    for bit in range(self.width):
      if bit not in self.names:
        raise TableError(f'{where}: nobody owns bit {bit} of {self.what}')


class Case:
  """One meaning of an operand."""

  def __init__(self, where, kind, width, words):
    self.meaning, *items = words
    if self.meaning not in KINDS:
      raise TableError(f'{where}: an operand cannot be "{self.meaning}"')
    self.values, self.shift, self.mask, self.value = [], 0, 0, 0
    self.at = dict.fromkeys(FLAGS + ['count', 'popcount'], 0)
    self.inverted, self.size, self.count, self.read = False, 16, 1, 0
    owners = Owners(f'{kind}: {" ".join(words)}', width)
    for item in items:
      self.add(where, owners, item)
    owners.finish(where)
    self.written = (1 << width) - 1 & ~self.read

  def add(self, where, owners, item):
    key, _, text = item.partition('=')
    if key == 'size' or key == 'count' and len(text) == 1:
      setattr(self, key, number(where, text))
      return
    if key == 'value':
      text, _, shift = text.partition('<<')
      self.shift = number(where, shift or '0')
    exact = '0'
    if key == 'is':
      text, _, exact = text.rpartition(':')
    if key == 'sext' and text.startswith('~'):
      text, self.inverted = text[1:], True
    parts = bit_list(where, text)
    for low, width in parts:
      owners.take(where, low, width, key)
    low, width = parts[0]
    if key == 'value':
      self.values = parts
    elif key in ('is', 'zero'):
      self.fix(where, parts, number(where, exact, 2), item)
    elif key in ('mask', 'rest'):
      self.read |= (1 << width) - 1 << low
      self.at['popcount'] = low + 1 if key == 'mask' else 0
    elif key in self.at:
      if width != (2 if key in ('hint', 'count') else 1) or len(parts) > 1:
        raise TableError(f'{where}: {item} has the wrong number of bits')
      self.at[key] = low + 1
    else:
      raise TableError(f'{where}: "{key}" is unknown')

  def fix(self, where, parts, value, item):
    if value >> sum(width for _, width in parts):
      raise TableError(f'{where}: {item} has too many digits')
    for low, width in parts:
      self.mask |= (1 << width) - 1 << low
      self.value |= (value & (1 << width) - 1) << low
      value >>= width


class Place:
  """An operand or a modifier of a form, with the pieces of the word that hold it."""

  def __init__(self, name, kind):
    self.name, self.kind, self.pieces, self.signed, self.number = name, kind, [], False, False

  def width(self):
    return max(p.to + p.width for p in self.pieces)


class Form:
  FIELD = re.compile(r'(\d+)(?::(\d+))? (\+?)(=[01]+|\w+)(?:/(\w+))?(?:\.(\d+))?(?::(signed|number))?$')

  def __init__(self, where, header):
    match = re.match(r'(\w+) (\d+)(?:/(\d+)@(\d+))?( long)? : ?(.*)$', header)
    if not match:
      raise TableError(f'{where}: a form is NAME BYTES[/LONG@BIT] [long] : PLACES')
    self.name, self.where = match[1], where
    self.short_B, self.long_B = int(match[2]), int(match[3] or match[2])
    self.length_bit = int(match[4] or 0)
    self.long_text = bool(match[5])
    self.order = match[6].split()
    self.places, self.op, self.mask, self.value = {}, [], 0, 0
    self.owners = Owners(self.name, self.long_B * 8)

  def add(self, where, line, tables):
    match = self.FIELD.match(line)
    if not match:
      raise TableError(f'{where}: "{line}" is no field')
    high, low = int(match[1]), int(match[2] or match[1])
    shared, name, kind = bool(match[3]), match[4], match[5]
    width = high - low + 1
    if width < 1:
      raise TableError(f'{where}: {high}:{low} ends before it begins')
    if not shared:
      self.owners.take(where, low, width, f'{name}/{kind}' if kind else name)
    elif not kind or any(bit not in self.owners.names for bit in range(low, high + 1)):
      raise TableError(f'{where}: {name} shares bits that nobody before it owns')
    piece = Piece(low, width, int(match[6] or 0), shared)
    if name[0] == '=' or name == 'zero':
      digits = name[1:] if name[0] == '=' else '0' * width
      if len(digits) != width:
        raise TableError(f'{where}: {name} has not {width} digits')
      self.mask |= (1 << width) - 1 << low
      self.value |= int(digits, 2) << low
    elif name == 'length':
      if not self.length_bit or low != self.length_bit or width != 1:
        raise TableError(f'{where}: bit {low} is not the one that the form names for its length')
    elif name == 'op':
      self.op.append(piece)
    else:
      self.add_piece(where, name, kind, piece, match[7], tables)

  def add_piece(self, where, name, kind, piece, how, tables):
    if name not in self.order:
      raise TableError(f'{where}: {name} has no place in the text of {self.name}')
    if kind and kind not in tables.kinds:
      raise TableError(f'{where}: there is no kind {kind}')
    place = self.places.setdefault(name, Place(name, kind))
    if place.kind != kind:
      raise TableError(f'{where}: {name} is {place.kind} and {kind}')
    place.signed |= how == 'signed'
    place.number |= how == 'number'
    place.pieces.append(piece)

  def shares(self):
    return any(piece.shared for place in self.places.values() for piece in place.pieces)

  def finish(self, tables):
    self.owners.finish(self.where)
    missing = set(self.order) - set(self.places)
    if missing:
      raise TableError(f'{self.where}: nothing holds {", ".join(sorted(missing))} of {self.name}')
    if self.long_B > self.short_B and self.owners.names[self.length_bit] != 'length':
      raise TableError(f'{self.where}: nothing says the length of {self.name}')
    for place in self.places.values():
      inside = Owners(f'{self.name} {place.name}', tables.kinds[place.kind][0] if place.kind else place.width())
      for piece in place.pieces:
        inside.take(self.where, piece.to, piece.width, place.name)
      inside.finish(self.where)
    if len([p for p in self.places.values() if p.kind]) - ('dst' in self.places) > SOURCES_MAX:
      raise TableError(f'{self.where}: {self.name} has more than {SOURCES_MAX} sources')


class Tables:
  def __init__(self, table, formats):
    self.enums, self.kinds, self.forms, self.rows, self.undecoded = {}, {}, {}, [], []
    self.read_formats(formats)
    self.read_rows(table)
    self.check_matches()

  def read_formats(self, path):
    section, current = None, None
    for where, _, tokens in table_lines(path):
      line, word, rest = ' '.join(tokens), tokens[0], ' '.join(tokens[1:])
      if word in ('ENUM', 'KIND', 'FORM'):
        section = word
        current = self.begin(where, word, rest)
      elif section == 'ENUM':
        value = number(where, word)
        if value in dict(current):
          raise TableError(f'{where}: the value {value} stands twice')
        current.append((value, '' if rest == '-' else rest))
      elif section == 'KIND':
        current[1].append(Case(where, 'an operand', current[0], line.split()))
      elif section == 'FORM' and word == '::':
        current.order += rest.split()
      elif section == 'FORM':
        current.add(where, line, self)
      else:
        raise TableError(f'{where}: "{line}" belongs to nothing')
    for form in self.forms.values():
      form.finish(self)

  def begin(self, where, section, rest):
    name, _, more = rest.partition(' ')
    home = {'ENUM': self.enums, 'KIND': self.kinds, 'FORM': self.forms}[section]
    if name in home:
      raise TableError(f'{where}: {section} {name} stands twice')
    home[name] = {'ENUM': lambda: [], 'KIND': lambda: (number(where, more), []),
                  'FORM': lambda: Form(where, rest)}[section]()
    return home[name]

  def read_rows(self, path):
    for where, _, tokens in table_lines(path):
      cells = [cell.strip() for cell in ' '.join(tokens).split('|')]
      if tokens[0] == '-':
        self.undecoded.append(cells[0][2:])
      elif len(cells) != 6 or not all(cells):
        raise TableError(f'{where}: a row has six columns')
      else:
        self.rows.append(self.row(where, *cells[:5]))
    names = [row.name for row in self.rows] + self.undecoded
    for name in names:
      if names.count(name) > 1:
        raise TableError(f'{path}: {name} stands twice')

  def row(self, where, name, text, form, opcode, group):
    if form not in self.forms:
      raise TableError(f'{where}: there is no form {form}')
    form = self.forms[form]
    op = 0
    for part in opcode.split('+'):
      value, _, shift = part.partition('.')
      op |= number(where, value, 16) << number(where, shift or '0')
    mask, value, held = form.mask, form.value, 0
    for piece in form.op:
      ones = (1 << piece.width) - 1
      mask |= ones << piece.low
      value |= (op >> piece.to & ones) << piece.low
      held |= ones << piece.to
    if op & ~held:
      raise TableError(f'{where}: {form.name} cannot hold the opcode {opcode} of {name}')
    return Row(name, name if text == '=' else text, form, op, mask, value, group, where)

  def check_matches(self):
    """Two rows may have words in common only if one has all of them."""
    for i, a in enumerate(self.rows):
      for b in self.rows[:i]:
        if (a.value ^ b.value) & a.mask & b.mask:
          continue
        if a.mask == b.mask or a.mask & b.mask not in (a.mask, b.mask):
          raise TableError(f'{a.where}: a word can be {a.name} and {b.name}')

  def roles(self):
    names = dict.fromkeys(p for f in self.forms.values() for p in f.order if f.places[p].kind and p != 'dst')
    return list(names)

  def modifiers(self):
    return list(dict.fromkeys(p for f in self.forms.values() for p in f.order if not f.places[p].kind))

  def groups(self):
    return list(dict.fromkeys(row.group for row in self.rows))


# C


def enumeration(name, prefix, values, count=True):
  lines = [f'enum {name} {{'] + [f'   {prefix}{v.upper()},' for v in values]
  return lines + [f'   {prefix}COUNT,'] * count + ['};', '']


def opcodes_h(tables):
  guard = 'INDIUM_ASAHI_HW_ISA_OPCODES_H'
  lines = ['/* Generated by isa_gen.py from isa_table.txt and isa_formats.txt. */', f'#ifndef {guard}',
           f'#define {guard}', '', '#include <stdint.h>', '']
  lines += enumeration('agx_op', 'AGX_OP_', [row.name for row in tables.rows])
  lines += enumeration('agx_class', 'AGX_CLASS_', tables.groups(), False)
  lines += ['/* What a source is for. */'] + enumeration('agx_role', 'AGX_ROLE_', tables.roles(), False)
  lines += enumeration('agx_kind', 'AGX_', KINDS, False)
  for name, values in tables.enums.items():
    seen = set()
    lines += [f'enum agx_{name} {{']
    for value, text in values:
      symbol = re.sub(r'\W+', '_', text or 'none').upper()
      symbol += f'_{value}' if symbol in seen else ''
      seen.add(symbol)
      lines.append(f'   AGX_{name.upper()}_{symbol} = {value},')
    lines += ['};', '']
  lines += ['/* What an instruction has besides its operands; 0 where its form has no such field. */',
            'struct agx_modifiers {'] + [f'   uint32_t {name};' for name in tables.modifiers()] + ['};', '']
  return lines + [f'#define AGX_SOURCES_MAX {SOURCES_MAX}', '', '#endif']


class TablesC:
  def __init__(self, tables):
    self.tables, self.pieces, self.lines = tables, [], []

  def span(self, pieces):
    """Where these pieces stand in the array of all: a run of it, shared with those that are alike."""
    for at in range(len(self.pieces) - len(pieces) + 1):
      if self.pieces[at:at + len(pieces)] == pieces:
        return at
    self.pieces += pieces
    return len(self.pieces) - len(pieces)

  def array(self, kind, name, rows):
    self.lines += [f'const struct isa_{kind} isa_{name}[] = {{'] + [f'   {row},' for row in rows] + ['};']

  def case(self, case):
    pieces, to = [], 0
    for low, width in case.values:
      pieces.append(Piece(low, width, to, False))
      to += width
    at = ', '.join(f'.{key} = {value}' for key, value in case.at.items() if value)
    return (f'{{.kind = AGX_{case.meaning.upper()}, .mask = 0x{case.mask:x}, .value = 0x{case.value:x}, '
            f'.written = 0x{case.written:x}, .first = {self.span(pieces)}, .pieces = {len(pieces)}, .bits = {to}, '
            f'.shift = {case.shift}, .size = {case.size}, .fixed_count = {case.count}, '
            f'.inverted = {int(case.inverted)}{", " + at if at else ""}}}')

  def place(self, place, index):
    first, enums, kinds = self.span(place.pieces), list(self.tables.enums), list(self.tables.kinds)
    shared = int(any(piece.shared for piece in place.pieces))
    head = f'"{place.name}", {first}, {len(place.pieces)}, {place.width()}, {shared}'
    if place.kind:
      role = 0 if place.name == 'dst' else self.tables.roles().index(place.name)
      return f'{{{head}, ISA_OPERAND, {index}, {role}, {kinds.index(place.kind)}, 0}}'
    how = 'ISA_NUMBER' if place.number or place.width() > 1 else 'ISA_FLAG'
    values = 0
    if place.name in enums:
      how, values = 'ISA_ENUM', enums.index(place.name)
    if place.signed:
      how = 'ISA_SIGNED'
    return f'{{{head}, {how}, 0, 0, {values}, offsetof(struct agx_modifiers, {place.name})}}'

  def roles(self, form):
    sources = [name for name in form.order if form.places[name].kind and name != 'dst']
    return ', '.join(f'AGX_ROLE_{name.upper()}' for name in sources) or '0'

  def generate(self):
    tables = self.tables
    cases, kinds = [], []
    for width, list_ in tables.kinds.values():
      kinds.append(f'{{{len(cases)}, {len(list_)}, {width}}}')
      cases += [self.case(case) for case in list_]
    places, rows, infos = [], [], []
    for row in tables.rows:
      form, first, source = row.form, len(places), 0
      for name in form.order:
        place = form.places[name]
        places.append(self.place(place, 0 if name == 'dst' else source + 1))
        source += bool(place.kind) and name != 'dst'
      words = [', '.join(f'0x{x >> 32 * i & 0xffffffff:x}' for i in range(3)) for x in (row.mask, row.value)]
      rows.append(f'{{{{{{{words[0]}}}}}, {{{{{words[1]}}}}}, {first}, {len(form.order)}, {form.short_B}, '
                  f'{form.long_B}, {form.length_bit}, {int(form.shares())}, {int(form.long_text)}}}')
      infos.append(f'{{"{row.name}", "{row.text}", AGX_CLASS_{row.group.upper()}, {source}, '
                   f'{int("dst" in form.order)}, {form.short_B}, {form.long_B}, {{{self.roles(form)}}}}}')
    values = [f'{{{value}, "{text}"}}' for list_ in tables.enums.values() for value, text in list_]
    starts = [0]
    for list_ in tables.enums.values():
      starts.append(starts[-1] + len(list_))
    self.array('case', 'cases', cases)
    self.array('operand_kind', 'kinds', kinds)
    self.array('place', 'places', places)
    self.array('row', 'rows', rows)
    self.lines += ['const struct agx_op_info agx_op_infos[] = {'] + [f'   {info},' for info in infos] + ['};']
    self.array('enum_value', 'enum_values', values)
    self.lines += [f'const uint16_t isa_enum_first[] = {{{", ".join(map(str, starts))}}};']
    self.candidates()
    self.array('piece', 'pieces', [f'{{{p.low}, {p.width}, {p.to}, {int(p.shared)}}}' for p in self.pieces])
    return ['/* Generated by isa_gen.py from isa_table.txt and isa_formats.txt. */', '#include <stddef.h>', '',
            '#include "asahi/hw/isa/isa_tables.h"', ''] + self.lines

  def candidates(self):
    """By the first byte of a word, the rows that it can be; the narrower before the wider."""
    order = sorted(range(len(self.tables.rows)), key=lambda n: -self.tables.rows[n].mask.bit_count())
    flat, first = [], [0]
    for byte in range(256):
      flat += [n for n in order if not (self.tables.rows[n].value ^ byte) & self.tables.rows[n].mask & 0xff]
      first.append(len(flat))
    self.lines += [f'const uint16_t isa_candidate_first[] = {{{", ".join(map(str, first))}}};',
                   f'const uint8_t isa_candidates[] = {{{", ".join(map(str, flat))}}};']


def main():
  table, formats, *outputs = sys.argv[1:]
  try:
    tables = Tables(table, formats)
    writers = {'isa_opcodes.h': lambda: opcodes_h(tables), 'isa_tables.c': lambda: TablesC(tables).generate()}
    for output in map(pathlib.Path, outputs):
      output.write_text('\n'.join(writers[output.name]()) + '\n')
  except TableError as error:
    sys.exit(f'isa_gen.py: {error}')


if __name__ == '__main__':
  main()
