#!/usr/bin/python3
"""Reads the deliberate mistakes of this folder and writes C from them.

    rows.py list.h OUTPUT MISTAKES.txt...                      all, for `indium mutants`
    rows.py SEAM OUTPUT MISTAKES.txt... [--tables TABLE.txt...]   the rows of a seam (util/mutant_row.h)

'#' starts a comment. A mistake:

    mistake NAME WHERE      WHERE: the chips where it can matter (src/tools/mutants/mutants_chip.h), without MUTANTS_
      says TEXT             what goes wrong
      check NAME; NAME      the checks that must notice it (src/tools/mutants/mutants_check.c), the usual one first
      code                  the mistake is mutant("NAME") in the code, or rows instead:
      SEAM OBJECT [@GENS] [if TEST, ...] [every N]: EDIT, ...
        a deeper line continues the line before it

The seams, their objects and fields:

    register NAME           a write of a register: fields of src/amd/hw/reg_*.txt
    packet NAME             a PM4 packet: WORD.FIELD of src/amd/hw/pm4.txt
    descriptor NAME         a dword of a descriptor (enum ac_mutant_descriptor): fields of src/amd/hw/desc.txt
    aco NAME                an instruction of AMD: members of struct amd_inst; NAME may be *
    record NAME             a record of AGX: fields of src/asahi/hw/{control,desc,submit}.txt
    agx NAME                an instruction of AGX: members of struct agx_instr; NAME may be *
    struct NAME             a struct that radeonsi passes on (enum si_mutant_struct): its members
    agx_struct NAME         a struct that asahi passes on (enum agx_mutant_struct): its members
    atoms NAME              atoms that radeonsi marks dirty (enum si_mutant_atoms): a bit of each, without SI_ATOM_

A TEST is FIELD=VALUE, FIELD!=VALUE, FIELD<=VALUE or the name of a context, as the seam has them. An EDIT is
FIELD=VALUE, FIELD+=VALUE, FIELD^=VALUE, FIELD<-FIELD, FIELD<->FIELD, or drop: the object is left out. A VALUE is a
number (of a record: its bits), a value of the field's enum, or for members of structs a constant of C. "every 2"
means: every second time.

An error is: a name of a register, packet, field, value, member or instruction that does not exist; a mistake without
says, check, or anything that makes it.
"""
import functools
import importlib.util
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'src/util'))
from bit_tables import TableError

RELATIONS = {'=': 'MUTANT_EQUAL', '!=': 'MUTANT_UNEQUAL', '<=': 'MUTANT_AT_MOST'}
ACTIONS = {'=': 'MUTANT_SET', '+=': 'MUTANT_ADD', '^=': 'MUTANT_XOR', '<-': 'MUTANT_COPY'}


class Mistake:
  def __init__(self, name, chips, where):
    self.name, self.chips, self.where = name, chips, where
    self.says, self.checks, self.code, self.rows = None, [], False, []


class Row:
  """A line of a seam, not yet resolved."""

  def __init__(self, mistake, line, where):
    self.mistake, self.where = mistake, where
    head, colon, edits = line.partition(': ')
    match = re.fullmatch(r'(\w+) (\S+)(?: @(\S+))?(?: if (.+?))?(?: every (\d+))?', head)
    if not match or not colon:
      raise TableError(f'{where}: {line}?')
    self.seam, self.object, self.gens, tests, every = match.groups()
    self.every = int(every or 0)
    self.tests, self.contexts, self.edits, self.drop = [], [], [], False
    for test in tests.split(', ') if tests else []:
      parts = re.fullmatch(r'(\S+?)(=|!=|<=)(\S+)', test)
      if parts:
        self.tests.append(parts.groups())
      else:
        self.contexts.append(test)
    for edit in edits.split(', '):
      self.edit(edit)

  def edit(self, text):
    parts = re.fullmatch(r'(\S+?)(<->|<-|\+=|\^=|=)(\S+)', text)
    if text == 'drop':
      self.drop = True
    elif not parts:
      raise TableError(f'{self.where}: {text}?')
    elif parts[2] == '<->':
      self.edits += [(parts[1], '<-', parts[3]), (parts[3], '<-', parts[1])]
    else:
      self.edits.append(parts.groups())


def lines_of(path):
  """(where, line) of each line with what continues it."""
  lines = []
  for number, text in enumerate(path.read_text().splitlines(), 1):
    line = text.split('#')[0].rstrip()
    if line.startswith('    ') and lines:
      lines[-1] = (lines[-1][0], f'{lines[-1][1]} {line.strip()}')
    elif line:
      lines.append((f'{path.name}:{number}', line.strip()))
  return lines


def read(paths):
  mistakes = {}
  for path in paths:
    mistake = None
    for where, line in lines_of(pathlib.Path(path)):
      key, _, rest = line.partition(' ')
      if key == 'mistake':
        name, chips = rest.split()
        if name in mistakes:
          raise TableError(f'{where}: {name} stands twice')
        mistake = mistakes[name] = Mistake(name, chips, where)
      elif key == 'says':
        mistake.says = rest
      elif key == 'check':
        mistake.checks = [check for check in rest.split('; ') if check]
      elif line == 'code':
        mistake.code = True
      elif key in SEAMS:
        mistake.rows.append(Row(mistake, line, where))
      else:
        raise TableError(f'{where}: {line}?')
  for mistake in mistakes.values():
    if not mistake.says or not mistake.checks or not (mistake.code or mistake.rows):
      raise TableError(f'{mistake.where}: {mistake.name} lacks what it says, its check or what makes it')
  return list(mistakes.values())


def bits(low, width):
  return f'{{{low}, {width}}}'


def c_row(row, number, gens, place, value, size_dw=0, context='0'):
  """place(field) and value(field, text) -> C."""
  tests = ', '.join(f'{{{place(f)}, {RELATIONS[r]}, {value(f, v)}}}' for f, r, v in row.tests)
  edits = ', '.join(f'{{{place(f)}, {ACTIONS[a]}, 0, {place(v)}}}' if a == '<-' else
                    f'{{{place(f)}, {ACTIONS[a]}, (uint64_t)({value(f, v)}), {{0, 0}}}}' for f, a, v in row.edits)
  return (f'   {{"{row.mistake.name}", {number}, {gens}, {context}, {size_dw}, {int(row.drop)}, {row.every}, '
          f'{len(row.tests)}, {len(row.edits)}, {{{tests or "{{0, 0}, 0, 0}"}}}, '
          f'{{{edits or "{{0, 0}, 0, 0, {0, 0}}"}}}, 0}},')


def reader(vendor):
  """The module that reads a vendor's tables."""
  spec = importlib.util.spec_from_file_location(f'{vendor}_tables', ROOT / f'src/{vendor}/hw/hw_tables.py')
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  return module


class Amd:
  """Rows of words: one for each place and set of fields that generations have."""

  def __init__(self, paths):
    self.hw = reader('amd')
    self.tables = self.hw.Tables(paths)

  def gens(self, row):
    return self.hw.generations(row.gens, row.where) if row.gens else tuple(self.hw.GENERATIONS)

  def field(self, row, word, name, generation):
    for field in word.fields(generation):
      if field.name == name and field.owned:
        return field
    raise TableError(f'{row.where}: {word.name} has no field {name} on {generation}')

  def value(self, row, field, text, generation):
    if re.fullmatch(r'0x[0-9a-f]+|\d+', text):
      number = int(text, 0)
    else:
      of_enum = [v for v, name, gens in self.tables.enums.get(field.enum, []) if name == text and generation in gens]
      if not of_enum:
        raise TableError(f'{row.where}: {field.name} has no value {text} on {generation}')
      number = of_enum[0]
    if number >> field.width:
      raise TableError(f'{row.where}: {text} does not fit {field.name}')
    return f'0x{number:x}'

  def resolved(self, row, generation, number, field_of, low_of, size_dw=0):
    return c_row(row, number, 1 << self.hw.GENERATIONS.index(generation),
                 lambda name: bits(low_of(name) + field_of(name).low, field_of(name).width),
                 lambda name, text: self.value(row, field_of(name), text, generation), size_dw)

  def word(self, row, words, kind=''):
    if row.object not in words:
      raise TableError(f'{row.where}: nothing is called {row.object}')
    word, out = words[row.object], []
    for generation in self.gens(row):
      if generation not in word.places:
        if row.gens:
          raise TableError(f'{row.where}: {generation} has no {row.object}')
        continue
      offset, step = word.places[generation]
      out += [self.resolved(row, generation, f'{kind}0x{offset + i * step:x}',
                            lambda name: self.field(row, word, name, generation), lambda name: 0)
              for i in range(word.count)]
    return out

  def descriptor(self, row):
    kind = re.match(r'SQ_[A-Z]+_[A-Z]+(?=_WORD\d)', row.object)
    return self.word(row, self.tables.descriptors, f'AC_MUTANT_{kind[0]} + ' if kind else '')

  def packet(self, row):
    out = []
    for generation in self.gens(row):
      forms = [(packet, form) for packet in self.tables.packets if packet.name == row.object
               for form in packet.forms_of(generation)]
      used = {name.partition('.')[0] for name in self.names(row)}
      forms = [(packet, form) for packet, form in forms if used <= {word.name for word in form.words}]
      if not forms and row.gens:
        raise TableError(f'{row.where}: {generation} has no packet {row.object} with {", ".join(sorted(used))}')
      for packet, form in forms:
        at = {word.name: i for i, word in enumerate(form.words)}
        out.append(self.resolved(
          row, generation, f'0x{packet.opcode:x}',
          lambda name: self.field(row, form.words[at[name.partition('.')[0]]], name.partition('.')[2], generation),
          lambda name: 32 * at[name.partition('.')[0]], 0 if form.rest else len(form.words)))
    if not out:
      raise TableError(f'{row.where}: no packet {row.object} has these words')
    return out

  def names(self, row):
    return [f for f, _, _ in row.tests + row.edits] + [v for _, a, v in row.edits if a == '<-']


class Agx:
  def __init__(self, paths):
    self.tables = reader('asahi').Tables(paths)

  def record(self, row):
    record = self.tables.records.get(row.object)
    if not record:
      raise TableError(f'{row.where}: no record is called {row.object}')

    def place(name):
      field = record.field(name, row.where)
      return bits(field.low, field.width)

    def value(name, text):
      if re.fullmatch(r'-?\d+|0x[0-9a-f]+', text):
        return text
      return f'0x{self.tables.value(record, name, text, row.where):x}'
    return [c_row(row, f'AGX_RECORD_{row.object}', 'UINT32_MAX', place, value)]


def members(type_name, number, context, vendor=None):
  """Rows of C structs, which the compiler checks."""
  def rows(row):
    gens = 'UINT32_MAX'
    if row.gens and vendor:
      hw = reader(vendor)
      gens = f'0x{sum(1 << hw.GENERATIONS.index(g) for g in hw.generations(row.gens, row.where)):x}'
    elif row.gens:
      raise TableError(f'{row.where}: {row.seam} has no generations')
    return [c_row(row, 'MUTANT_ANY' if row.object == '*' else number(row.object), gens,
                  lambda name: f'MUTANT_MEMBER(struct {type_name(row.object)}, {name})', lambda name, text: text,
                  context=' | '.join(f'{context}_{name.upper()}' for name in row.contexts) or '0')]
  return rows


def atoms(row):
  if row.gens or row.contexts:
    raise TableError(f'{row.where}: atoms have no generations and no contexts')
  return [c_row(row, f'SI_MUTANT_{row.object}', 'UINT32_MAX', lambda name: f'{{SI_ATOM_{name}, 1}}',
                lambda name, text: text)]


# Seam: (the array, what the C includes, what makes C of a row)
SEAMS = {
  'register': ('si_register_rows', [], lambda tables: lambda row: tables.word(row, tables.tables.registers)),
  'packet': ('si_packet_rows', [], lambda tables: tables.packet),
  'descriptor': ('ac_descriptor_rows', ['amd/common/ac_mutant.h'], lambda tables: tables.descriptor),
  'aco': ('aco_rows', ['amd/compiler/aco_mutant.h', 'amd/hw/isa.h'],
          lambda tables: members(lambda name: 'amd_inst', lambda name: f'AMD_OP_{name}', 'ACO_MUTANT', 'amd')),
  'record': ('agx_record_rows', ['asahi/hw/records.h'], lambda tables: tables.record),
  'agx': ('agx_rows', ['asahi/compiler/agx_mutant.h'],
          lambda tables: members(lambda name: 'agx_instr', lambda name: f'AGX_OP_{name}', 'AGX_MUTANT')),
  'agx_struct': ('agx_struct_rows', ['gallium/drivers/asahi/agx_record_mutant.h',
                                     'gallium/drivers/asahi/varyings/agx_varyings.h',
                                     'gallium/winsys/asahi/asahi_winsys.h'],
                 lambda tables: members(lambda name: name, lambda name: f'MUTANT_{name}', 'AGX_MUTANT')),
  'atoms': ('si_atom_rows', ['gallium/drivers/radeonsi/si_context.h', 'gallium/drivers/radeonsi/cs/si_mutant.h'],
            lambda tables: atoms),
  'struct': ('si_struct_rows', ['gallium/drivers/radeonsi/cs/si_mutant.h',
                                'gallium/drivers/radeonsi/meta/si_meta.h',
                                'gallium/drivers/radeonsi/order/si_out_of_order.h',
                                'gallium/drivers/radeonsi/shader/si_pops.h'],
             lambda tables: members(lambda name: name, lambda name: f'MUTANT_{name}', 'SI_MUTANT')),
}
TABLES = {'register': Amd, 'packet': Amd, 'descriptor': Amd, 'record': Agx}


@functools.lru_cache
def tables_of(kind, paths):
  return kind(paths)


def seam_c(seam, mistakes, paths):
  array, includes, maker = SEAMS[seam]
  rows = maker(tables_of(TABLES[seam], tuple(paths)) if seam in TABLES else None)
  lines = [line for mistake in mistakes for row in mistake.rows if row.seam == seam for line in rows(row)]
  return ['/* Generated by rows.py from tests/mutants. */', '#include <stddef.h>', '',
          *(f'#include "{name}"' for name in includes), '#include "util/mutant_row.h"', '',
          f'struct mutant_row {array}[] = {{', *lines, '   {.name = ""},', '};',
          f'const unsigned num_{array} = {len(lines)};']


def list_h(mistakes):
  rows = [f'   X("{m.name}", {m.chips}, "{m.says}", "{"; ".join(m.checks)}")' for m in mistakes]
  return ['/* Generated by rows.py from tests/mutants: X(name, where it can matter (enum mutants_where), what goes',
          ' * wrong, the checks that must notice it) */', '#define MUTANTS(X) \\',
          *(row + ' \\' for row in rows[:-1]), rows[-1]]


def main():
  kind, output, *paths = sys.argv[1:]
  cut = paths.index('--tables') if '--tables' in paths else len(paths)
  try:
    mistakes = read(paths[:cut])
    lines = list_h(mistakes) if kind == 'list.h' else seam_c(kind, mistakes, paths[cut + 1:])
  except TableError as error:
    sys.exit(f'rows.py: {error}')
  pathlib.Path(output).write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
  main()
