"""Reads isa_table.txt: the operations, their numbers in each generation, operands and attributes."""
import re

from columns import GENS
from fail import TableError
import image_rules
import memory
from operands import CLASSES
import text_rules

FLAGS = {'exec': 'READS_EXEC', 'wexec': 'WRITES_EXEC', 'wscc': 'WRITES_SCC', 'rscc': 'READS_SCC', 'rvcc': 'READS_VCC',
         'rm0': 'READS_M0', 'rdst': 'READS_DST', 'commutes': 'COMMUTES', 'clamp': 'CLAMP', 'omod': 'OMOD',
         'trans': 'TRANS', 'vm': 'VMCNT', 'vs': 'VSCNT', 'lgkm': 'LGKMCNT', 'exp': 'EXPCNT', 'load': 'LOAD',
         'store': 'STORE', 'atomic': 'ATOMIC', 'd16': 'D16', 'd16hi': 'D16_HI', 'samp': 'SAMPLE',
         'deriv': 'DERIVATIVE', 'branch': 'BRANCH', 'end': 'END', 'barrier': 'BARRIER', 'two': 'TWO_OFFSETS'}
# Attributes that only encoder, decoder and printer look at.
TRAITS = ['mix', 'sel2', 'bus0', 'bus1', 'lit', 'bare', 'lds', 'swizzle', 'nogds', 'gdsonly', 'nod16', 'pair',
          'interp', 'probe', 'message', 'direct']
# Generations in which every operand of 16 bits may be the high half of a register.
TRUE16 = {'GFX11', 'GFX11.5'}
HALVES = {'B16', 'F16', 'I16', 'U16'}
COLUMNS = 5
MODIFIERS = {'sdwa': 'SDWA', 'dpp16': 'DPP16', 'dpp8': 'DPP8'}
# Attributes that name operands by number; 3 is the result.
PLACE_MASKS = ['mods', 'neglo', 'neghi', 'opsel', 'opselhi']
PLACES = ['dst', 'sdst', 'src0', 'src1', 'src2', 'src3']


class Row:
  """One operation.
  encs: {generation: {encoding: (number, modifiers, name)}}; operands: {generation: {place: (class, type, size_dw)}};
  attributes: {generation that has it: {name: value}}; image: what image= names."""

  def __init__(self, line, where):
    columns = [c.strip() for c in line.split('|')]
    self.name, self.where = columns[0], where
    if len(columns) != COLUMNS:
      raise TableError(f'{where}: {self.name} has {len(columns)} columns instead of {COLUMNS}')
    self.encs = self.parse_cells(columns[1])
    results, sources = (self.parse_operands(c) for c in columns[2:4])
    if len(results) > 2 or len(sources) > 4:
      raise TableError(f'{where}: {self.name} has more than two results or four sources')
    operands = dict(zip(PLACES[:2], results)) | dict(zip(PLACES[2:], sources))
    self.operands = {gen: {place: o for place, o in operands.items() if o} for gen in GENS}
    self.source_count = len(sources)
    self.attributes = {gen: {} for gen in GENS if self.encs[gen]}
    words = columns[-1].split() if columns[-1] != '-' else []
    for own in (False, True):  # what one generation says goes before what holds for all
      for word in words:
        if own == ('@' in word):
          self.parse_attribute(word)
    memory.check_access(self)
    self.image = image_rules.parts(self)

  def parse_cells(self, text):
    """'GENERATION ENCODINGS, ...' -> {generation: encodings}"""
    cells = {}
    for cell in text.split(','):
      gen, _, encodings = cell.strip().partition(' ')
      if gen not in GENS or cells and GENS.index(gen) <= GENS.index(list(cells)[-1]):
        raise TableError(f'{self.where}: {self.name}: {gen} is no generation, or none after the cell before')
      if cells and encodings == list(cells.values())[-1] or not cells and encodings == '-':
        raise TableError(f'{self.where}: {self.name} is the same in {gen} as before')
      cells[gen] = encodings
    encs, now = {}, '-'
    for gen in GENS:
      now = cells.get(gen, now)
      encs[gen] = self.parse_encodings(now)
    return encs

  def parse_encodings(self, text):
    encs = {}
    for word in text.split():
      if word == '-':
        continue
      match = re.fullmatch(r'(\w+)=([0-9a-f]+)(?::(\w+))?((?:\+\w+)*)', word)
      if not match or any(m not in MODIFIERS for m in match[4].split('+')[1:]):
        raise TableError(f'{self.where}: {self.name}: cannot read the encoding {word}')
      encs[match[1]] = (int(match[2], 16), match[4].split('+')[1:], match[3] or self.name)
    return encs

  def parse_operands(self, text):
    operands = []
    for word in text.split() if text != '-' else []:
      cls, _, kind = word.partition(':')
      if word != '-' and cls not in CLASSES:
        raise TableError(f'{self.where}: {self.name}: unknown operand class {cls}')
      operands.append((CLASSES[cls][0],) + self.parse_type(kind) if word != '-' else None)
    return operands

  def parse_type(self, kind):
    if kind == 'mask':
      return 'B64', 2
    if match := re.fullmatch(r'w(\d*)', kind):
      return 'WIDE', int(match[1] or 0)
    if match := re.fullmatch(r'x(\d+)', kind):
      return 'MATRIX', int(match[1])
    if match := re.fullmatch(r'p([fiu])16', kind):
      return 'V2' + match[1].upper() + '16', 1
    if match := re.fullmatch(r'([bfiu])(16|32|64)', kind):
      return kind.upper(), 2 if match[2] == '64' else 1
    raise TableError(f'{self.where}: {self.name}: unknown type {kind}')

  def parse_attribute(self, word):
    """NAME, NAME=VALUE or a name with digits, each with @GENERATION or without; NAME@GENERATION=none;
    PLACE@GENERATION=CLASS:TYPE; @GENERATION+: from there on."""
    name, _, value = word.partition('=')
    name, _, gen = name.partition('@')
    if gen.endswith('+') and gen[:-1] in GENS:
      for each in (g for g in GENS[GENS.index(gen[:-1]):] if g in self.attributes):
        self.parse_attribute(f'{name}@{each}' + (f'={value}' if value else ''))
      return
    if gen in self.attributes and name in PLACES:
      self.operands[gen].pop(name, None)
      if value != 'none':
        self.operands[gen][name] = self.parse_operands(value)[0]
      return
    if gen in self.attributes and value == 'none' and self.attributes[gen].pop(name, None) is not None:
      return
    if match := re.fullmatch(rf'({"|".join(PLACE_MASKS)})(\d+)', name):
      name, value = match.groups()
    known = (name in FLAGS or name in TRAITS) and memory.takes(name, value)
    known = known or name in [*PLACE_MASKS, 'image'] and value
    if name == 'imm':
      known = value in text_rules.IMMEDIATES or value == 'none'
    if not known or gen and gen not in GENS:
      raise TableError(f'{self.where}: {self.name}: unknown attribute {word}')
    if gen and gen not in self.attributes:
      raise TableError(f'{self.where}: {self.name} is not in {gen}, for which it has the attribute {word}')
    if gen and self.attributes[gen].get(name) == value:
      raise TableError(f'{self.where}: {self.name}: {word} says again what holds for every generation')
    for each in [gen] if gen else self.attributes:
      self.attributes[each][name] = value

  def has(self, attribute, gen):
    return attribute in self.attributes[gen]

  def value(self, attribute, gen, default=None):
    """What stands after attribute=."""
    return self.attributes[gen].get(attribute) or default

  def digits(self, prefix, gen):
    """The digits after an attribute, such as 01 of mods01, as a bit mask."""
    return sum(1 << int(d) for d in self.value(prefix, gen, ''))

  def mods(self, gen):
    return self.digits('mods', gen) or self.digits('neglo', gen)

  def op_sel(self, gen):
    sel = self.digits('opsel', gen)
    if gen in TRUE16 and {'VOP1', 'VOP2', 'VOPC', 'VOP3'} & set(self.encs[gen]):
      half = lambda place: self.operands[gen].get(place, ('', ''))[0] in ('VGPR', 'SRC') and (
        self.operands[gen][place][1] in HALVES)
      sel |= sum(1 << i for i, place in enumerate(('src0', 'src1', 'src2', 'dst')) if half(place))
    return sel

  def flags(self, gen):
    return [FLAGS[n] for n in self.attributes[gen] if n in FLAGS] + (['OPSEL'] if self.op_sel(gen) else [])

  def commuted(self, gen):
    """The operation that gives the same with src0 and src1 swapped."""
    return self.value('commutes', gen, self.name) if self.has('commutes', gen) else None


def read_rows(path):
  rows, names = [], {}  # names: {name: row}
  for number, line in enumerate(open(path), 1):
    if line.strip() and not line.startswith('#'):
      row = Row(line, f'{path}:{number}')
      if row.name in names:
        raise TableError(f'{row.where}: {row.name} stands in {names[row.name].where} too')
      names[row.name] = row
      rows.append(row)
  for row in rows:
    for gen in row.attributes:
      other = row.commuted(gen)
      if other and (other not in names or not names[other].encs[gen]):
        raise TableError(f'{row.where}: {row.name} commutes to {other}, which names no row of {gen}')
  return rows
