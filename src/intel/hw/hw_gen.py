#!/usr/bin/python3
"""Generates C from the packet table of this folder: hw_gen.py packets.h|packets.c OUTPUT packets.txt (its format).

An error is: two fields that share a bit, with each other or with the header; a field outside of its packet, or of
different widths; more names than values; two packets of one header; a length that walking would not find; a row of
walking that an earlier one hides.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / 'util'))
from bit_tables import TableError, table_lines
from hw_generator import generate, generated, header_file

GENERATIONS = ['gen75', 'gen8', 'gen9']  # enum intel_gen
LENGTH_BITS = 0xff  # of a header, of the packets here


def mask_of(high, low):
  return (1 << (high - low + 1)) - 1 << low


class Field:
  def __init__(self, name, places, members, values, where):
    self.name, self.places, self.members, self.values, self.where = name, places, members, values, where

  @property
  def width(self):
    return next(high - low + 1 for _, high, low in filter(None, self.places))


class Packet:
  def __init__(self, name, header, mask, lengths, where):
    self.name, self.header, self.mask, self.lengths, self.where, self.fields = name, header, mask, lengths, where, []

  @property
  def symbol(self):
    return f'INTEL_{self.name}'


def header_of(text, where):
  """(value, mask) of 3.SUBTYPE.OPCODE.SUB, hexadecimal, or mi.OPCODE."""
  parts = text.split('.')
  if parts[0] == 'mi' and len(parts) == 2:
    return int(parts[1], 16) << 23, 0xff800000
  if len(parts) != 4:
    raise TableError(f'{where}: {text} is no command')
  kind, subtype, opcode, sub = (int(p, 16) for p in parts)
  return kind << 29 | subtype << 27 | opcode << 24 | sub << 16, 0xffff0000


def place_of(text, where):
  """(dword, high, low), or None."""
  if text == '-':
    return None
  match = re.fullmatch(r'(\d+):(\d+)(?::(\d+))?', text)
  if not match:
    raise TableError(f'{where}: {text} is no place')
  dword, high, low = int(match[1]), int(match[2]), int(match[3] or match[2])
  if not low <= high < 32:
    raise TableError(f'{where}: bits {high}:{low} of a dword')
  return dword, high, low


class Tables:
  def __init__(self, paths):
    path, = paths
    self.walk, self.packets = [], []  # walk: (mask, value, dwords or (high, low), where)
    for where, indented, tokens in table_lines(path):
      if indented:
        self.field(tokens, where)
      elif tokens[0] == 'walk' and len(tokens) == 4:
        high, _, low = tokens[3].partition(':')
        length = (int(high), int(low)) if low else int(high)
        self.walk.append((int(tokens[1], 16), int(tokens[2], 16), length, where))
      elif (tokens[0], len(tokens)) in (('packet', 6), ('struct', 5)):
        header = header_of(tokens[2], where) if tokens[0] == 'packet' else (0, 0)
        self.packets.append(Packet(tokens[1], *header, [0 if t == '-' else int(t) for t in tokens[-3:]], where))
      else:
        raise TableError(f'{where}: {tokens[0]}?')
    self.check()

  def field(self, tokens, where):
    if not self.packets or not 4 <= len(tokens) <= 6:
      raise TableError(f'{where}: a line that belongs to nothing')
    values = tokens.pop()[1:-1].split(',') if tokens[-1].startswith('{') else []
    members = tokens[4].split(',') if len(tokens) > 4 else []
    places = [place_of(t, where) for t in tokens[1:4]]
    self.packets[-1].fields.append(Field(tokens[0], places, members, values, where))

  def check(self):
    names, headers = set(), {}
    for packet in self.packets:
      if packet.name in names:
        raise TableError(f'{packet.where}: {packet.name} stands twice')
      names.add(packet.name)
      other = headers.setdefault((packet.header, packet.mask), packet) if packet.mask else packet
      if other is not packet:
        raise TableError(f'{packet.where}: {other.name} has the header of {packet.name}')
      self.check_fields(packet)
      for g, length in enumerate(packet.lengths):
        self.check_bits(packet, g, length)
        if packet.mask and length and not self.walks_to(packet.header, length):
          raise TableError(f'{packet.where}: no walk finds the {length} dwords of {packet.name}')
    for i, (mask, value, _, where) in enumerate(self.walk):
      for early_mask, early_value, _, early in self.walk[:i]:
        if mask & early_mask == early_mask and value & early_mask == early_value:
          raise TableError(f'{where}: {early} hides the row')

  def check_fields(self, packet):
    if len({f.name for f in packet.fields}) != len(packet.fields):
      raise TableError(f'{packet.where}: {packet.name} has two fields of one name')
    for field in packet.fields:
      widths = {high - low + 1 for _, high, low in filter(None, field.places)}
      if len(widths) != 1:
        raise TableError(f'{field.where}: {packet.name}.{field.name} has {len(widths)} widths')
      if len(field.values) > 1 << field.width:
        raise TableError(f'{field.where}: {packet.name}.{field.name} has more names than values')

  def check_bits(self, packet, g, length):
    on = f'on {GENERATIONS[g]}'
    lengths = LENGTH_BITS if packet.mask and length > 1 else 0
    owners = {0: [('the header', packet.mask | lengths)]}
    for field in packet.fields:
      if not field.places[g]:
        continue
      dword, high, low = field.places[g]
      if dword >= length:
        raise TableError(f'{field.where}: {packet.name}.{field.name} lies outside of it {on}')
      for owner, mask in owners.setdefault(dword, []):
        if mask & mask_of(high, low):
          raise TableError(f'{field.where}: {owner} and {field.name} share bits of {packet.name} {on}')
      owners[dword].append((field.name, mask_of(high, low)))

  def walks_to(self, header, length):
    for mask, value, dwords, _ in self.walk:
      if header & mask == value:
        return dwords == length if isinstance(dwords, int) else length >= 2 and (length - 2) >> (dwords[0] + 1) == 0
    return False


def packets_h(tables):
  return header_file('packets.txt', 'INDIUM_INTEL_PACKETS_H', [
    '/* Packets, and structures in memory. */', 'enum intel_packet {', '   INTEL_PACKET_NONE,',
    *(f'   {p.symbol},' for p in tables.packets), '   INTEL_PACKETS', '};', '', 'enum intel_field {',
    *(f'   {p.symbol}_{f.name.upper()},' for p in tables.packets for f in p.fields), '   INTEL_FIELDS', '};'])


def value_of(symbol, member):
  """(member, how the field becomes its value)"""
  name, differs, number = member.partition('!=')
  get = f'intel_field_get(state->gen, {symbol}, dw)'
  return name, f'{get} != {number}' if differs else get


def apply_packet(packet):
  """Whether a generation has the field at all decides first: what it lacks is not of the packet there."""
  members = {}
  for field in packet.fields:
    symbol = f'{packet.symbol}_{field.name.upper()}'
    for member in field.members:
      name, value = value_of(symbol, member)
      members.setdefault(name, []).append((symbol, value))
  yield f'   case {packet.symbol}:'
  for name, values in members.items():
    has = ' || '.join(f'intel_field_exists(state->gen, {symbol})' for symbol, _ in values)
    both = ' || '.join(f'(intel_field_exists(state->gen, {s}) && {v})' for s, v in values)
    yield f'      if ({has})\n         state->{name} = {values[0][1] if len(values) == 1 else both};'
  yield '      break;'


def place_text(place):
  return f'{{true, {place[0]}, {place[1]}, {place[2]}}}' if place else '{0}'


def packets_c(tables):
  yield generated('packets.txt') + '\n#include "intel/hw/packet_table.h"\n'
  yield '#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n'
  yield 'const struct intel_packet_info intel_packets[INTEL_PACKETS] = {'
  first = 0
  for p in tables.packets:
    yield (f'   [{p.symbol}] = {{"{p.name}", 0x{p.header:x}, 0x{p.mask:x}, {{{", ".join(map(str, p.lengths))}}}, '
           f'{first}, {len(p.fields)}}},')
    first += len(p.fields)
  yield '};\n\nconst struct intel_field_info intel_fields[INTEL_FIELDS] = {'
  for p in tables.packets:
    for f in p.fields:
      names = ''.join(f'"{v}", ' for v in f.values)
      places = ', '.join(map(place_text, f.places))
      yield (f'   [{p.symbol}_{f.name.upper()}] = {{"{f.name}", {p.symbol}, {{{places}}}, {len(f.values)}, '
             f'{{{names}}}}},')
  yield '};\n\nstatic const struct {\n   uint32_t mask, value;\n   uint8_t dwords, high, low;\n} walk[] = {'
  for mask, value, dwords, _ in tables.walk:
    length = f'{dwords}, 0, 0' if isinstance(dwords, int) else f'0, {dwords[0]}, {dwords[1]}'
    yield f'   {{0x{mask:08x}, 0x{value:08x}, {length}}},'
  yield '};\n\nstatic void\napply(struct intel_uav_state *state, enum intel_packet packet, const uint32_t *dw)\n{'
  yield '   switch (packet) {\n   case INTEL_PACKET_NONE:\n   case INTEL_PACKETS:\n      break;'
  for packet in tables.packets:
    yield from apply_packet(packet)
  yield '   }\n}'
  yield (HERE / 'packet_table.c.in').read_text().rstrip()


MAKERS = {'packets.h': packets_h, 'packets.c': packets_c}

if __name__ == '__main__':
  generate(MAKERS, Tables)
