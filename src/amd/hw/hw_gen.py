#!/usr/bin/python3
"""Generates C from the register, packet and descriptor tables of this folder (hw_tables.py reads them).

    hw_gen.py registers.h|pm4.h|sdma.h|descriptors.h|reg_table.c OUTPUT TABLE.txt...

The headers hold R_ (offsets), S_, G_ and C_ (fields) and V_ (values). What lies at one place in every generation that
has it is a constant or a macro of one argument. What moved takes the generation as its first argument instead, and
asking for it in a generation that lacks it ends the program with a sentence.
"""
import pathlib

from hw_tables import GENERATIONS, TableError, Tables  # also finds the folder of hw_generator
from hw_generator import array, by_value, generate, generated, header_file
from packet_structs import packet_structs
from word_structs import ENUMERATORS, descriptor_structs, sdma_structs

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = 'the tables of src/amd/hw'

# Headers


def guard(name, lines):
  return header_file(SOURCE, f'INDIUM_AMD_{name.upper()}', lines)


def per_generation(name, parameters, expressions):
  """A function of the generation; expressions: {generation: C expression}."""
  body = []
  for expression, gens in by_value(expressions).items():
    body += [f'   case {ENUMERATORS[g]}:' for g in gens] + [f'      return {expression};']
  lacking = [f'   case {ENUMERATORS[g]}:' for g in GENERATIONS if g not in expressions]
  body += lacking + ['      break;'] * bool(lacking)
  return ['', 'static inline uint32_t', f'{name}(enum amd_gen gen{parameters})', '{', '   switch (gen) {', *body,
          '   }', f'   amd_gen_lacks(gen, "{name}");', '}']


def constant(name, values):
  """{generation: value} -> lines that define the name."""
  if len(set(values.values())) == 1:
    return [f'#define {name} 0x{next(iter(values.values())):x}u']
  return per_generation(name, '', {g: f'0x{v:x}u' for g, v in values.items()})


def field_accessors(name, bits):
  """{generation: (low, width)} -> lines that define S_name, G_name and C_name."""
  masks = {g: (low, (1 << width) - 1) for g, (low, width) in bits.items()}
  kinds = {'S': '((uint32_t)(x) & 0x{m:x}u) << {low}', 'G': '((uint32_t)(x) >> {low}) & 0x{m:x}u'}
  if len(set(masks.values())) == 1:
    low, m = next(iter(masks.values()))
    return [f'#define {kind}_{name}(x) ({text.format(m=m, low=low)})' for kind, text in kinds.items()] + [
      f'#define C_{name} 0x{~(m << low) & 0xffffffff:08x}u']
  out = []
  for kind, text in kinds.items():
    texts = {g: text.format(m=m, low=low) for g, (low, m) in masks.items()}
    out += per_generation(f'{kind}_{name}', ', uint32_t x', texts)
  return out + per_generation(f'C_{name}', '', {g: f'0x{~(m << low) & 0xffffffff:08x}u'
                                                for g, (low, m) in masks.items()})


def word_accessors(words):
  """words: (name, word); dwords of one name (of several forms of a packet) are one."""
  fields = {}
  for name, word in words:
    if word.is_plain():
      continue
    for generation in word.gens:
      for f in word.fields(generation):
        if f.owned:
          places = fields.setdefault(f'{name}_{f.name}', {})
          if places.setdefault(generation, (f.low, f.width)) != (f.low, f.width):
            raise TableError(f'{word.where}: {name}.{f.name} has two places on {generation}')
  return [line for name, bits in fields.items() for line in field_accessors(name, bits)]


def enum_values(tables, enums):
  out, defined = [], set()
  for enum in enums:
    out += ['', f'/* {enum} */']
    values = {}
    for value, name, gens in tables.enums[enum]:
      values.setdefault(name, {}).update({g: value for g in gens})
    for name, by_generation in values.items():
      if name not in defined:
        out += constant(f'V_{name}', by_generation)
      defined.add(name)
  return out


def used_enums(words):
  return sorted({f.enum for w in words for f in w.all_fields if f.enum})


def registers_h(tables):
  lines = ['#include <stdint.h>', '', '#include "amd/hw/gen.h"']
  for word in tables.registers.values():
    lines += [''] + constant(f'R_{word.name}', {g: at for g, (at, _) in word.places.items()})
    if word.count > 1:
      lines += constant(f'R_{word.name}_STEP', {g: step for g, (_, step) in word.places.items()})
    lines += word_accessors([(word.name, word)])
  return guard('registers_h', lines + enum_values(tables, used_enums(tables.registers.values())))


def descriptors_h(tables):
  lines = ['#include <assert.h>', '#include <stdbool.h>', '#include <stdint.h>', '', '#include "amd/hw/gen.h"', '']
  lines += word_accessors([(word.name, word) for word in tables.descriptors.values()])
  shared = set(used_enums(tables.registers.values()))
  return guard('descriptors_h', lines + enum_values(
    tables, [e for e in used_enums(tables.descriptors.values()) if e not in shared]) + descriptor_structs(tables))


def initiator_h(packets):
  """Which packets start work: those that carry an initiator."""
  cases = {}
  for packet in packets:
    for form in packet.forms:
      for at, word in enumerate(form.words):
        if word.alias in ('VGT_DRAW_INITIATOR', 'COMPUTE_DISPATCH_INITIATOR'):
          case = (word.alias, len(form.words) - at)
          if cases.setdefault(packet.name, case) != case:
            raise TableError(f'{word.where}: {packet.name} has its initiator in two places')
  lines = ['', '/* The initiator in a packet that draws or dispatches: its register, and its dword, counted from the',
           ' * end of the payload. 0 and 0 for other packets. */',
           'struct amd_pm4_initiator {', '   uint32_t reg_B;', '   uint32_t from_end_dw;', '};', '',
           'static inline struct amd_pm4_initiator', 'amd_pm4_initiator(unsigned opcode)', '{',
           '   switch (opcode) {']
  for case in sorted(set(cases.values())):
    lines += [f'   case PKT3_{name}:' for name in cases if cases[name] == case]
    lines += [f'      return (struct amd_pm4_initiator){{R_{case[0]}, {case[1]}}};']
  return lines + ['   }', '   return (struct amd_pm4_initiator){0};', '}', '']


def registers_set_h(packets):
  """Which registers a packet sets by dwords of its own."""
  lines = ['/* The registers that a packet sets by dwords after the number of the first one, in bytes. 0 and 0 for',
           ' * other packets. */', 'struct amd_pm4_registers {', '   uint32_t start_B, end_B;', '};', '',
           'static inline struct amd_pm4_registers', 'amd_pm4_registers(unsigned opcode)', '{',
           '   switch (opcode) {']
  for space in sorted({packet.sets for packet in packets if packet.sets}):
    lines += [f'   case PKT3_{packet.name}:' for packet in packets if packet.sets == space]
    lines += [f'      return (struct amd_pm4_registers){{AMD_{space}_REG_START, AMD_{space}_REG_END}};']
  return lines + ['   }', '   return (struct amd_pm4_registers){0};', '}', '']


def pm4_h(tables):
  lines = ['#include <assert.h>', '#include <stdbool.h>', '', '#include "amd/hw/reg_table.h"',
           '#include "amd/hw/registers.h"', '']
  opcodes = {}
  for packet in tables.packets:
    opcodes.setdefault(packet.name, {}).update({g: packet.opcode for g in packet.gens})
  for name, opcode in opcodes.items():
    lines += constant(f'PKT3_{name}', opcode)
  lines += [''] + word_accessors(list(tables.headers.items()))
  lines += ['', '/* Header of a packet with payload_dw dwords after it. */',
            '#define PKT3(opcode, payload_dw) \\',
            '   (S_PKT3_TYPE(3) | S_PKT3_COUNT((payload_dw) - 1) | S_PKT3_OPCODE(opcode))',
            '', '/* A whole packet of one dword that does nothing. */', '#define PKT3_NOP_PAD 0xffff1000u', '']
  lines += initiator_h(tables.packets) + registers_set_h(tables.packets)
  words = [(f'{packet.name}_{word.name}', word) for packet in tables.packets for form in packet.forms
           for word in form.all_words if not word.alias]
  shared = set(used_enums(tables.registers.values()))
  return guard('pm4_h', lines + word_accessors(words) + enum_values(
    tables, [e for e in used_enums(word for _, word in words) if e not in shared]) + packet_structs(tables))


def sdma_h(tables):
  lines = ['#include <assert.h>', '#include <stdbool.h>', '', '#include "amd/hw/registers.h"', '',
           '/* SUB_OP 15:8, OP 7:0 */']
  for packet in tables.sdma:
    lines += constant(f'SDMA_{packet.name}', {g: packet.opcode for g in packet.gens})
  words = [(f'SDMA_{packet.name}_{word.name}', word) for packet in tables.sdma for form in packet.forms
           for word in form.all_words]
  return guard('sdma_h', lines + word_accessors(words) + enum_values(
    tables, used_enums(word for _, word in words)) + sdma_structs(tables))


# Tables in C


class TableC:
  def __init__(self, tables):
    self.tables, self.lists, self.lines = tables, {}, []

  def shared(self, kind, entries):
    """The name of a static array with these entries; equal arrays are one."""
    key = (kind, tuple(entries))
    if key not in self.lists:
      self.lists[key] = f'{kind.split("_")[-1]}_{len(self.lists)}'
      self.lines += array(f'static const struct {kind} {self.lists[key]}[]', entries)
    return self.lists[key]

  def field(self, f, generation):
    label, values = f'"{f.name}"' if f.owned or f.name == 'dropped' else 'NULL', '0, NULL'
    if f.enum:
      entries = [f'{{0x{value:x}, "{name}"}}'
                 for value, name, gens in self.tables.enums[f.enum] if generation in gens]
      values = f'{len(entries)}, {self.shared("amd_enum_value", entries)}' if entries else values
    return f'{{{label}, {f.low}, {f.high}, {values}}}'

  def generation(self, word, generation):
    fields = [self.field(f, generation) for f in word.fields(generation)]
    if not fields:
      return '{0}'
    offset, step = word.places.get(generation, (0, 4))
    known = sum((1 << f.width) - 1 << f.low for f in word.fields(generation) if f.owned or f.name == 'dropped')
    return f'{{true, 0x{offset:x}, {step}, {len(fields)}, 0x{known:x}, {self.shared("amd_field", fields)}}}'

  def row(self, word):
    columns = ', '.join(self.generation(word, g) for g in GENERATIONS)
    label = f'"{word.format}"' if word.format else 'NULL'
    return f'{{"{word.name}", {label}, {word.count}, 0x{word.clear:x}, {{{columns}}}}}'

  def generate(self):
    tables = self.tables
    registers = list(tables.registers.values())
    for symbol, words in (('registers', registers), ('descriptors', tables.descriptors.values())):
      self.lines += array(f'static const struct amd_reg {symbol}[]', [self.row(w) for w in words])
    self.index(registers)
    self.packets('packets', 'word', tables.packets)
    self.packets('sdma_packets', 'sdma_word', tables.sdma)
    head = [generated(SOURCE),
            '#include "amd/hw/reg_table.h"', '#include <stdio.h>', '#include <stdlib.h>', '#include <string.h>', '',
            '#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))', '',
            'struct place {', '   uint32_t offset_B;', '   uint16_t reg, element;', '};', '',
            'static const char *const gen_names[] = {' + ', '.join(f'"{g}"' for g in GENERATIONS) + '};']
    return head + self.lines + (HERE / 'reg_table.c.in').read_text().splitlines()

  def index(self, registers):
    rows = []
    for g in GENERATIONS:
      places = sorted((w.places[g][0] + i * w.places[g][1], n, i)
                      for n, w in enumerate(registers) if g in w.places for i in range(w.count))
      self.lines += array(f'static const struct place places_{g}[]',
                          [*(f'{{0x{at:x}, {n}, {i}}}' for at, n, i in places), '{UINT32_MAX, 0, 0}'])
      regs = [str(n) for _, n, i in places if not i] or ['0']
      self.lines += [f'static const uint16_t regs_{g}[] = {{{", ".join(regs)}}};']
      rows.append(f'   {{places_{g}, {len(places)}, regs_{g}, {sum(not i for _, _, i in places)}}},')
    self.lines += ['static const struct {', '   const struct place *places;', '   unsigned count;',
                   '   const uint16_t *regs;', '   unsigned reg_count;', '} generations[] = {'] + rows + ['};']

  def mask(self, gens):
    return ' | '.join(f'1u << {ENUMERATORS[g]}' for g in gens)

  def packets(self, symbol, word_symbol, packets):
    rows = []
    for n, packet in enumerate(packets):
      parts = []
      for i, form in enumerate(packet.forms):
        symbols = []
        for k, word in enumerate(form.all_words):
          row = self.row(word)
          symbols.append(f'&{word_symbol}_{n}_{i}_{k}')
          self.lines.append(f'static const struct amd_reg {word_symbol}_{n}_{i}_{k} = {row};')
        gens = [g for g in form.gens if g in packet.gens]
        parts.append(f'{{{self.mask(gens)}, {len(form.words)}, {"true" if form.rest else "false"}, '
                     f'{{{", ".join(symbols)}}}}}')
      forms = self.shared('amd_pm4_form', parts)
      rows.append(f'{{"{packet.name}", 0x{packet.opcode:x}, {self.mask(packet.gens)}, {len(parts)}, {forms}}}')
    self.lines += array(f'static const struct amd_pm4_packet {symbol}[]', rows)


MAKERS = {'registers.h': registers_h, 'descriptors.h': descriptors_h, 'pm4.h': pm4_h, 'sdma.h': sdma_h,
          'reg_table.c': lambda tables: TableC(tables).generate()}


if __name__ == '__main__':
  generate(MAKERS, Tables)
