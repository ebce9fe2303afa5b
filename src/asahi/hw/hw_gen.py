#!/usr/bin/python3
"""Generates C from the tables of records of this folder (hw_tables.py reads them).

    hw_gen.py records.h|record_table.c OUTPUT TABLE.txt...

records.h has an enum for each enum, and for each record a struct of its fields, its size, and functions that turn one
into the other. record_table.c has what is needed to walk, print and check records that nobody knows beforehand.
"""
import pathlib

from hw_tables import GENERATIONS, Tables  # also finds the folder of hw_generator
from hw_generator import array, generate, generated, header_file

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = 'the tables of src/asahi/hw'


def lower(name):
  return 'agx_' + name.lower()


def enumerator(enum, name):
  return f'AGX_{enum}_{name}'


def c_type(field):
  if field.type == 'bool':
    return 'bool'
  if field.type == 'enum':
    return f'enum {lower(field.enum)}'
  if field.type in ('float', 'lod', 'fixed'):
    return 'float'
  return 'uint64_t' if field.largest >> 32 else 'uint32_t'


def to_bits(f, value):
  return {
    'groups': f'agx_groups_to_bits({value}, {f.groups}, {f.width})',
    'log2': f'agx_log2_to_bits({value})',
    'lod': f'agx_lod_to_bits({value})',
    'float': f'agx_float_to_bits({value})',
    'fixed': f'agx_fixed_to_bits({value}, {f.fixed}, {f.minus})',
  }.get(f.type) or (f'agx_number_to_bits({value}, {f.minus}, {f.shr})' if f.minus or f.shr else value)


def from_bits(f):
  bits = f'agx_bits_get(words, {f.low}, {f.width})'
  return {
    'groups': f'agx_groups_from_bits({bits}, {f.groups}, {f.width})',
    'log2': f'agx_log2_from_bits({bits})',
    'lod': f'agx_lod_from_bits({bits})',
    'float': f'agx_float_from_bits({bits})',
    'fixed': f'agx_fixed_from_bits({bits}, {f.fixed}, {f.minus})',
  }.get(f.type) or (f'agx_number_from_bits({bits}, {f.minus}, {f.shr})' if f.minus or f.shr else bits)


def gen_mask(part):
  return ' | '.join(f'1 << AGX_{g.upper()}' for g in part.gens)


class Header:
  def __init__(self, tables):
    self.tables = tables

  def generate(self):
    lines = ['#include "asahi/hw/bits.h"', '#include "asahi/hw/gen.h"']
    for enum, values in self.tables.enums.items():
      names = [f'   {enumerator(enum, name)} = 0x{value:x},' for value, name in values.items()]
      lines += ['', f'enum {lower(enum)} {{', *names, '};']
    lines += ['', 'enum agx_record_id {', *(f'   AGX_RECORD_{name},' for name in self.tables.records), '};']
    for record in self.tables.records.values():
      lines += self.record(record)
    lines += ['', '/* Of records that follow others: bit (1 << enum agx_gen) where they do. */',
              *(f'#define AGX_{part.record}_GENS ({gen_mask(part)})' for sequence in self.tables.sequences.values()
                for part in sequence.parts if part.gens != tuple(GENERATIONS))]
    rows = [f'   X({r.name.lower()}, {r.name})' for r in self.tables.records.values()]
    lines += ['', '/* X(name, NAME) for each record. */', '#define AGX_RECORDS(X) \\',
              *(row + ' \\' for row in rows[:-1]), rows[-1]]
    return header_file(SOURCE, 'INDIUM_ASAHI_RECORDS_H', lines)

  def members(self, record):
    """name -> C type; a field of several forms is one member."""
    members = {}
    for field in record.fields:
      if field.owned and field.constant is None:
        kind = c_type(field)
        members[field.name] = 'uint64_t' if 'uint64_t' in (members.get(field.name), kind) else kind
    return members

  def record(self, record):
    name, members = lower(record.name), self.members(record)
    body = [f'   {kind} {member};' for member, kind in members.items()]
    words = (record.size_B + 3) // 4
    unused = [] if members else ['   (void)value;']
    return ['', f'#define AGX_{record.name}_SIZE_B {record.size_B}u', '', f'struct {name} {{',
            *(body or ['   char nothing; /* C has no empty struct */']), '};', '', 'static inline void',
            f'{name}_pack(void *out, const struct {name} *value)', '{',
            f'   uint32_t words[{words}] = {{0}};', *unused, *self.forms(record, self.pack),
            f'   AGX_PACKED(AGX_RECORD_{record.name}, words);',
            f'   memcpy(out, words, {record.size_B});', '}', '',
            'static inline void', f'{name}_unpack(struct {name} *value, const void *in)', '{',
            f'   uint32_t words[{words}] = {{0}};', f'   memcpy(words, in, {record.size_B});',
            '   memset(value, 0, sizeof(*value));', *self.forms(record, self.unpack), '}']

  def condition(self, record, form):
    tests = []
    for name, values in record.forms[form].items():
      field = record.field(name, record.where)
      numbers = [self.tables.value(record, name, v, record.where) for v in values]
      names = [enumerator(field.enum, v) if field.enum else str(n) for v, n in zip(values, numbers)]
      tests.append(' || '.join(f'value->{name} == {n}' for n in names))
    return ' && '.join(f'({t})' if '||' in t and len(tests) > 1 else t for t in tests)

  def forms(self, record, line):
    lines = [line(f, '   ') for f in record.fields if f.forms is None and f.owned]
    for form in record.forms:
      own = [line(f, '      ') for f in record.fields if f.forms and form in f.forms and f.owned]
      lines += [f'   if ({self.condition(record, form)}) {{', *own, '   }'] if own else []
    return [text for text in lines if text]

  def pack(self, f, indent):
    value = f'0x{f.constant:x}' if f.constant is not None else to_bits(f, f'value->{f.name}')
    return f'{indent}agx_bits_put(words, {f.low}, {f.width}, {value});'

  def unpack(self, f, indent):
    if f.constant is not None:
      return ''
    kind = c_type(f)
    cast = '' if kind in ('float', 'bool', 'uint64_t') else f'({kind})'
    return f'{indent}value->{f.name} = {cast}{from_bits(f)};'


class TableC:
  def __init__(self, tables):
    self.tables = tables

  def generate(self):
    lines = [generated(SOURCE), '#include "asahi/hw/record_table.h"', '#include <inttypes.h>', '#include <stdio.h>',
             '#include "asahi/hw/bits.h"', '#include "asahi/hw/records.h"', '']
    for enum, values in self.tables.enums.items():
      lines += array(f'static const struct agx_name names_{enum}[]',
                     [*(f'{{0x{v:x}, "{n}"}}' for v, n in values.items()), '{0, NULL}'])
    for record in self.tables.records.values():
      lines += self.record(record)
    for sequence in self.tables.sequences.values():
      lines += self.sequence(sequence)
    lines += self.sequences()
    for stream in self.tables.streams.values():
      lines += self.stream(stream)
    return lines + (HERE / 'record_table.c.in').read_text().splitlines()

  def record(self, record):
    lines, forms = [], []
    for form in record.forms or [None]:
      tests, fields = [], [self.field(f) for f in record.of_form(form)]
      for name, values in (record.forms[form] if form else {}).items():
        tests.append(self.test(record, name, values, record.where))
      lines += array(f'static const struct agx_field fields_{record.name}_{form}[]', fields)
      forms.append(f'{{"{form or ""}", {len(tests)}, {{{", ".join(tests)}}}, {len(fields)}, '
                   f'fields_{record.name}_{form}}}')
    return lines + [*array(f'static const struct agx_form forms_{record.name}[]', forms),
                    f'static const struct agx_record record_{record.name} = {{AGX_RECORD_{record.name}, '
                    f'"{record.name}", {record.size_B}, {len(forms)}, forms_{record.name}}};']

  def test(self, record, name, values, where):
    """{low, width, the values of the field that are meant}."""
    field = record.field(name, where)
    numbers = [self.tables.value(record, name, v, where) for v in values or ['1']]
    return f'{{{field.low}, {field.width}, 0x{sum(1 << n for n in numbers):x}}}'

  def field(self, f):
    number = {'groups': f.groups, 'fixed': f.fixed}.get(f.type, f.shr)
    names = f'names_{f.enum}' if f.enum else 'NULL'
    kind = 'ZERO' if not f.owned else 'CONSTANT' if f.constant is not None else f.type.upper()
    minus = f.constant if f.constant is not None else f.minus
    label = f'"{f.name}"' if f.owned else 'NULL'
    inner = f'&record_{f.record}' if f.record else 'NULL'
    return f'{{{label}, {f.low}, {f.width}, AGX_FIELD_{kind}, {number}, 0x{minus:x}, {names}, {inner}}}'

  def sequence(self, sequence):
    head, rows = self.tables.records[sequence.name], []
    for part in sequence.parts:
      gens = gen_mask(part)
      test = self.test(head, part.condition, part.values, part.where) if part.condition else '{0, 0, 1}'
      times = head.field(part.times, part.where) if part.times else None
      place = f'{times.low}, {times.width}, {times.minus}' if times else '0, 0, 1'
      rows.append(f'{{&record_{part.record}, {gens}, {test}, {place}}}')
    return array(f'static const struct agx_part parts_{sequence.name}[]', rows)

  def sequences(self):
    """A record that nothing follows is a sequence, too."""
    names = [n for s in self.tables.streams.values() for n in s.records.values()]
    lines = []
    for name in dict.fromkeys([*names, *self.tables.sequences]):
      known = self.tables.sequences.get(name)
      parts = f'{len(known.parts)}, parts_{name}' if known else '0, NULL'
      unless = known and known.unless
      test = self.test(self.tables.records[name], unless, None, known.where) if unless else '{0, 0, 0}'
      align = known.align if known else 1
      lines.append(f'static const struct agx_sequence sequence_{name} = '
                   f'{{&record_{name}, {parts}, {align}, {test}}};')
    return lines

  def stream(self, stream):
    rows = [f'{{0x{v:x}, &sequence_{n}}}' for v, n in stream.records.items()]
    return [*array(f'static const struct agx_stream_record stream_records_{stream.name}[]', rows),
            f'const struct agx_stream agx_stream_{stream.name.lower()} = {{"{stream.name}", {stream.low}, '
            f'{stream.high - stream.low + 1}, {len(rows)}, stream_records_{stream.name}}};']


MAKERS = {'records.h': lambda tables: Header(tables).generate(),
          'record_table.c': lambda tables: TableC(tables).generate()}

if __name__ == '__main__':
  generate(MAKERS, Tables)
