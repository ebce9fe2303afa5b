#!/usr/bin/python3
"""Generates C from the register, packet and descriptor tables of this folder.

    hw_gen.py registers.h|pm4.h|descriptors.h|reg_table.c OUTPUT TABLE.txt...

Table format, one item a line, '#' starts a comment:

    reg NAME gfx103=OFFSET [step=BYTES] [clear=VALUE]   a register; offsets and values hexadecimal
    desc NAME gfx103=OFFSET                             a descriptor dword
    enum NAME                                           a list of values: "VALUE NAME" lines
    packet NAME OPCODE                                  a PM4 packet
    header NAME                                         a dword that is neither

A register's NAME may hold {0-7}: an array of 8, step bytes apart; or {_:1-15}: NAME, NAME_1 ... NAME_15. In a packet
"word NAME" and "rest NAME" start the dwords, "or" another form; "word NAME reg=REGISTER" has a register's fields.
Items are followed by field lines: "HIGH:LOW NAME [ENUM]" or "BIT NAME [ENUM]", "HIGH:LOW zero|unknown" for bits
without an owner, or "like REGISTER" for the fields of an earlier register. A bit with two owners or with none is an
error, as is a value name with two meanings, an unknown enum and two registers at one offset.
"""
import pathlib
import re
import sys

GENERATIONS = ['gfx9', 'gfx10', 'gfx103', 'gfx11', 'gfx115']  # enum amd_gen
HERE = pathlib.Path(__file__).resolve().parent


class TableError(Exception):
  pass


class Field:
  def __init__(self, low, high, name, enum):
    self.low, self.high, self.name, self.enum = low, high, name, enum

  @property
  def width(self):
    return self.high - self.low + 1

  @property
  def owned(self):
    return self.name not in ('zero', 'unknown')


class Word:
  """32 bits with fields: a register, a descriptor dword, a packet dword."""

  def __init__(self, pattern, where):
    self.pattern, self.where, self.fields, self.attributes, self.alias = pattern, where, [], {}, None
    match = re.search(r'\{(?:(0)|(_):1)-(\d+)\}', pattern)
    self.name, self.format, self.count = pattern, None, 1
    if match:
      self.count = int(match[3]) + 1
      self.name = pattern.replace(match[0], match[1] or '')
      self.format = pattern.replace(match[0], (match[2] or '') + '%u')

  def offset(self, generation):
    return int(self.attributes.get(generation, '0'), 16)

  @property
  def step(self):
    return int(self.attributes.get('step', '4'), 16)

  @property
  def clear(self):
    return int(self.attributes.get('clear', '0'), 16)

  def is_plain(self):
    return len(self.fields) == 1 and self.fields[0].name == 'VALUE'


class Packet:
  def __init__(self, name, opcode):
    self.name, self.opcode, self.forms = name, opcode, [Form()]


class Form:
  def __init__(self):
    self.words, self.rest = [], None


class Tables:
  def __init__(self):
    self.registers, self.descriptors, self.headers, self.packets, self.enums = {}, {}, {}, [], {}

  # Parsing

  def read(self, path):
    item = packet = None
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
      where = f'{pathlib.Path(path).name}:{number}'
      tokens = line.split('#')[0].split()
      if not tokens:
        continue
      if line[0] != ' ':
        packet = packet if tokens[0] == 'or' else None
        item, packet = self.start(tokens, packet, where)
      elif tokens[0] in ('word', 'rest'):
        item = self.packet_word(tokens, packet, where)
      elif isinstance(item, list):
        item.append((int(tokens[0], 0), tokens[1]))
      elif isinstance(item, Word):
        self.field(item, tokens, where)
      else:
        raise TableError(f'{where}: a line that belongs to nothing')

  def start(self, tokens, packet, where):
    kind = tokens[0]
    if kind in ('reg', 'desc', 'header'):
      word = Word(tokens[1], where)
      word.attributes = dict(t.split('=') for t in tokens[2:])
      table = {'reg': self.registers, 'desc': self.descriptors, 'header': self.headers}[kind]
      if word.name in table:
        raise TableError(f'{where}: {word.name} stands twice in the tables')
      table[word.name] = word
      return word, None
    if kind == 'enum':
      if tokens[1] in self.enums:
        raise TableError(f'{where}: enum {tokens[1]} stands twice in the tables')
      self.enums[tokens[1]] = values = []
      return values, None
    if kind == 'packet':
      self.packets.append(Packet(tokens[1], int(tokens[2], 16)))
      return None, self.packets[-1]
    if kind == 'or' and packet:
      packet.forms.append(Form())
      return None, packet
    raise TableError(f'{where}: {kind}?')

  def packet_word(self, tokens, packet, where):
    if not packet:
      raise TableError(f'{where}: a dword outside a packet')
    word = Word(tokens[1], where)
    word.attributes = dict(t.split('=') for t in tokens[2:])
    word.alias = word.attributes.get('reg')
    form = packet.forms[-1]
    if tokens[0] == 'rest':
      form.rest = word
    else:
      form.words.append(word)
    return word

  def field(self, word, tokens, where):
    if tokens[0] == 'like':
      other = self.registers.get(tokens[1])
      if not other:
        raise TableError(f'{where}: no register {tokens[1]} before this line')
      word.fields = list(other.fields)
      return
    high, _, low = tokens[0].partition(':')
    low = int(low or high)
    word.fields.append(Field(low, int(high), tokens[1], tokens[2] if len(tokens) > 2 else None))

  # Checks

  def words(self):
    yield from self.registers.values()
    yield from self.descriptors.values()
    yield from self.headers.values()
    for packet in self.packets:
      for form in packet.forms:
        yield from form.words + ([form.rest] if form.rest else [])

  def check(self):
    for word in self.words():
      if word.alias:
        if word.alias not in self.registers:
          raise TableError(f'{word.where}: no register {word.alias}')
        word.fields = self.registers[word.alias].fields
      self.check_bits(word)
    self.check_offsets()
    meaning = {}
    for enum, values in self.enums.items():
      for value, name in values:
        if meaning.setdefault(name, value) != value:
          raise TableError(f'enum {enum}: {name} has two values')
    self.check_packets()

  def check_packets(self):
    """A header names one packet, a length one form of it."""
    owner = {}
    for packet in self.packets:
      if owner.setdefault(packet.opcode, packet) is not packet:
        other = owner[packet.opcode].name
        raise TableError(f'packets {other} and {packet.name}: opcode {packet.opcode:x} stands twice')
      for i, form in enumerate(packet.forms):
        for other in packet.forms[:i]:
          a, b = (len(form.words), bool(form.rest)), (len(other.words), bool(other.rest))
          if a[0] == b[0] or a[1] and b[1] or a[1] and a[0] < b[0] or b[1] and b[0] < a[0]:
            both = ' and '.join(f'{n} dwords{" or more" if rest else ""}' for n, rest in (b, a))
            raise TableError(f'packet {packet.name}: two forms of one length, {both}')

  def check_bits(self, word):
    word.fields.sort(key=lambda f: f.low)
    names = [f.name for f in word.fields if f.owned]
    if len(set(names)) != len(names):
      raise TableError(f'{word.where}: {word.name} has two fields of one name')
    following, owner = 0, None
    for field in word.fields:
      if field.low > field.high or field.high > 31:
        raise TableError(f'{word.where}: {word.name}.{field.name} has bits {field.high}:{field.low}')
      if field.low < following:
        owners = f'{owner.name} and {field.name}'
        raise TableError(f'{word.where}: bit {field.low} of {word.name} has two owners, {owners}')
      if field.low > following:
        raise TableError(f'{word.where}: bit {following} of {word.name} has no owner')
      if field.enum and field.enum not in self.enums:
        raise TableError(f'{word.where}: no enum {field.enum}')
      following, owner = field.high + 1, field
    if following != 32:
      raise TableError(f'{word.where}: bit {following} of {word.name} has no owner')

  def check_offsets(self):
    for generation in GENERATIONS:
      owner = {}
      for word in self.registers.values():
        for i in range(word.count if word.offset(generation) else 0):
          at = word.offset(generation) + i * word.step
          if owner.setdefault(at, word.name) != word.name:
            raise TableError(f'{word.where}: {word.name} and {owner[at]} share offset {at:x} on {generation}')


# Headers


def guard(name, lines):
  symbol = f'INDIUM_AMD_{name.upper()}'
  return ['/* Generated by hw_gen.py from the tables of src/amd/hw. */', f'#ifndef {symbol}', f'#define {symbol}', '',
          *lines, '', '#endif']


def field_macros(name, word):
  out = []
  for f in word.fields:
    if not f.owned or word.is_plain():
      continue
    mask = (1 << f.width) - 1
    full = f'{name}_{f.name}'
    out.append(f'#define S_{full}(x) (((uint32_t)(x) & 0x{mask:x}u) << {f.low})')
    out.append(f'#define G_{full}(x) (((uint32_t)(x) >> {f.low}) & 0x{mask:x}u)')
    out.append(f'#define C_{full} 0x{~(mask << f.low) & 0xffffffff:08x}u')
  return out


def enum_macros(tables, enums):
  out = []
  for enum in enums:
    out += ['', f'/* {enum} */'] + [f'#define V_{name} {value}u' for value, name in tables.enums[enum]]
  return out


def used_enums(words):
  return sorted({f.enum for w in words for f in w.fields if f.enum})


def registers_h(tables):
  lines = ['#include <stdint.h>']
  for word in tables.registers.values():
    lines += ['', f'#define R_{word.name} 0x{word.offset("gfx103"):05x}u']
    if word.count > 1:
      lines.append(f'#define R_{word.name}_STEP 0x{word.step:x}u')
    lines += field_macros(word.name, word)
  return guard('registers_h', lines + enum_macros(tables, used_enums(tables.registers.values())))


def descriptors_h(tables):
  lines = ['#include <stdint.h>']
  for word in tables.descriptors.values():
    lines += [''] + field_macros(word.name, word)
  shared = set(used_enums(tables.registers.values()))
  return guard('descriptors_h', lines + enum_macros(
    tables, [e for e in used_enums(tables.descriptors.values()) if e not in shared]))


def pm4_h(tables):
  lines = ['#include "amd/hw/registers.h"', '']
  lines += [f'#define PKT3_{p.name} 0x{p.opcode:02x}u' for p in tables.packets]
  for word in tables.headers.values():
    lines += [''] + field_macros(word.name, word)
  lines += ['', '/* Header of a packet with payload_dw dwords after it. */',
            '#define PKT3(opcode, payload_dw) \\',
            '   (S_PKT3_TYPE(3) | S_PKT3_COUNT((payload_dw) - 1) | S_PKT3_OPCODE(opcode))',
            '', '/* A whole packet of one dword that does nothing. */', '#define PKT3_NOP_PAD 0xffff1000u']
  words = []
  for packet in tables.packets:
    for form in packet.forms:
      for word in form.words + ([form.rest] if form.rest else []):
        if not word.alias:
          lines += [''] * (not word.is_plain()) + field_macros(f'{packet.name}_{word.name}', word)
          words.append(word)
  shared = set(used_enums(tables.registers.values()))
  return guard('pm4_h', lines + enum_macros(tables, [e for e in used_enums(words) if e not in shared]))


# Tables in C


class TableC:
  def __init__(self, tables):
    self.tables, self.lists, self.lines = tables, {}, []

  def fields(self, word):
    """The name of the field array of a word; equal arrays are shared."""
    key = tuple((f.low, f.high, f.name, f.enum) for f in word.fields)
    if key not in self.lists:
      name = f'fields_{len(self.lists)}'
      self.lists[key] = name
      self.lines.append(f'static const struct amd_field {name}[] = {{')
      for f in word.fields:
        label = f'"{f.name}"' if f.owned else 'NULL'
        values = f', ARRAY_LENGTH(values_{f.enum}), values_{f.enum}' if f.enum else ', 0, NULL'
        self.lines.append(f'   {{{label}, {f.low}, {f.high}{values}}},')
      self.lines.append('};')
    return self.lists[key]

  def row(self, word):
    offsets = ', '.join(f'0x{word.offset(g):x}' for g in GENERATIONS)
    label = f'"{word.format}"' if word.format else 'NULL'
    return (f'{{"{word.name}", {label}, {{{offsets}}}, {word.count}, {word.step}, {len(word.fields)}, '
            f'0x{word.clear:x}, {self.fields(word)}}}')

  def generate(self):
    tables = self.tables
    for enum, values in tables.enums.items():
      self.lines.append(f'static const struct amd_enum_value values_{enum}[] = {{')
      self.lines += [f'   {{0x{value:x}, "{name}"}},' for value, name in values] + ['};']
    registers = sorted(tables.registers.values(), key=lambda w: w.offset('gfx103'))
    rows = [self.row(w) for w in registers]
    self.lines += ['static const struct amd_reg registers[] = {'] + [f'   {row},' for row in rows] + ['};']
    rows = [self.row(w) for w in tables.descriptors.values()]
    self.lines += ['static const struct amd_reg descriptors[] = {'] + [f'   {row},' for row in rows] + ['};']
    self.index(registers)
    self.packets()
    head = ['/* Generated by hw_gen.py from the tables of src/amd/hw. */',
            '#include "amd/hw/reg_table.h"', '#include <stdio.h>', '#include <string.h>', '',
            '#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))', '',
            'struct place {', '   uint32_t offset_B;', '   uint16_t reg, element;', '};', '']
    return head + self.lines + (HERE / 'reg_table.c.in').read_text().splitlines()

  def index(self, registers):
    for generation in GENERATIONS:
      places = sorted((w.offset(generation) + i * w.step, n, i) for n, w in enumerate(registers)
                      if w.offset(generation) for i in range(w.count))
      self.lines += [f'static const struct place places_{generation}[] = {{']
      self.lines += [f'   {{0x{at:x}, {n}, {i}}},' for at, n, i in places] + ['   {UINT32_MAX, 0, 0},', '};']
    self.lines += ['static const struct { const struct place *places; unsigned count; } generations[] = {']
    self.lines += [f'   {{places_{g}, ARRAY_LENGTH(places_{g}) - 1}},' for g in GENERATIONS] + ['};']

  def packets(self):
    forms, rows = [], []
    for n, packet in enumerate(self.tables.packets):
      parts = []
      for i, form in enumerate(packet.forms):
        words = form.words + ([form.rest] if form.rest else [])
        symbols = []
        for k, word in enumerate(words):
          row = self.row(word)
          symbols.append(f'&word_{n}_{i}_{k}')
          self.lines.append(f'static const struct amd_reg word_{n}_{i}_{k} = {row};')
        parts.append(f'{{{len(form.words)}, {"true" if form.rest else "false"}, {{{", ".join(symbols)}}}}}')
      rows.append(f'   {{"{packet.name}", 0x{packet.opcode:x}, {len(parts)}, {{{", ".join(parts)}}}}},')
    self.lines += ['static const struct amd_pm4_packet packets[] = {'] + rows + ['};']


def generate(kind, paths):
  tables = Tables()
  for path in paths:
    tables.read(path)
  tables.check()
  makers = {'registers.h': registers_h, 'descriptors.h': descriptors_h, 'pm4.h': pm4_h,
            'reg_table.c': lambda t: TableC(t).generate()}
  return '\n'.join(makers[kind](tables)) + '\n'


def main():
  kind, output, *paths = sys.argv[1:]
  try:
    text = generate(kind, paths)
  except TableError as error:
    sys.exit(f'hw_gen.py: {error}')
  pathlib.Path(output).write_text(text)


if __name__ == '__main__':
  main()
