"""Reads isa_table.txt: the operations, their numbers in each generation, operands and attributes."""
import re

from columns import GENS
from fail import TableError
from operands import CLASSES
import text_rules

FLAGS = {'exec': 'READS_EXEC', 'wexec': 'WRITES_EXEC', 'wscc': 'WRITES_SCC', 'rscc': 'READS_SCC', 'rvcc': 'READS_VCC',
         'rm0': 'READS_M0', 'rdst': 'READS_DST', 'commutes': 'COMMUTES', 'clamp': 'CLAMP', 'omod': 'OMOD',
         'trans': 'TRANS', 'vm': 'VMCNT', 'vs': 'VSCNT', 'lgkm': 'LGKMCNT', 'exp': 'EXPCNT', 'load': 'LOAD',
         'store': 'STORE', 'atomic': 'ATOMIC', 'd16': 'D16', 'd16hi': 'D16_HI', 'samp': 'SAMPLE',
         'deriv': 'DERIVATIVE', 'branch': 'BRANCH', 'end': 'END', 'barrier': 'BARRIER', 'two': 'TWO_OFFSETS'}
# Attributes that only encoder, decoder and printer look at.
TRAITS = ['mix', 'sel2', 'bus0', 'bus1', 'lit', 'bare', 'lds', 'swizzle', 'nogds', 'nod16', 'pair']
MODIFIERS = {'sdwa': 'SDWA', 'dpp16': 'DPP16', 'dpp8': 'DPP8'}
PLACES = ['dst', 'sdst', 'src0', 'src1', 'src2', 'src3']


class Row:
  """One operation. operands: {place: (class, type, size_dw)};
  encs: {generation: {encoding: (number, modifiers, name)}}."""

  def __init__(self, line, where):
    columns = [c.strip() for c in line.split('|')]
    self.name, self.where = columns[0], where
    if len(columns) != 4 + len(GENS):
      raise TableError(f'{where}: {self.name} has {len(columns)} columns instead of {4 + len(GENS)}')
    self.encs, before = {}, None
    for gen, column in zip(GENS, columns[1:]):
      if column == '=' and not before:
        raise TableError(f'{where}: {self.name} is the same in {gen} as in a generation that lacks it')
      before = self.encs[gen] = before if column == '=' else self.parse_encodings(column)
    results, sources = (self.parse_operands(c) for c in columns[-3:-1])
    if len(results) > 2 or len(sources) > 4:
      raise TableError(f'{where}: {self.name} has more than two results or four sources')
    self.operands = dict(zip(PLACES[:2], results)) | dict(zip(PLACES[2:], sources))
    self.operands = {place: operand for place, operand in self.operands.items() if operand}
    self.source_count = len(sources)
    self.attributes = columns[-1].split() if columns[-1] != '-' else []
    self.check_attributes()

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
    if match := re.fullmatch(r'p([fiu])16', kind):
      return 'V2' + match[1].upper() + '16', 1
    if match := re.fullmatch(r'([bfiu])(16|32|64)', kind):
      return kind.upper(), 2 if match[2] == '64' else 1
    raise TableError(f'{self.where}: {self.name}: unknown type {kind}')

  def check_attributes(self):
    for attribute in self.attributes:
      name, _, value = attribute.partition('=')
      name, _, gen = name.partition('@')
      known = name in FLAGS or name in TRAITS or re.fullmatch(r'(mods|neglo|neghi|opsel|opselhi)\d+', name)
      if name == 'imm':
        known = value in text_rules.IMMEDIATES or value == 'none'
      if not known or gen and gen not in GENS:
        raise TableError(f'{self.where}: {self.name}: unknown attribute {attribute}')

  def has(self, attribute, gen=None):
    return attribute in self.attributes or f'{attribute}@{gen}' in self.attributes

  def value(self, attribute, gen=None, default=None):
    """What stands behind attribute=, that of the generation before that of all."""
    values = dict(a.split('=') for a in self.attributes if '=' in a)
    return values.get(f'{attribute}@{gen}', values.get(attribute, default))

  def digits(self, prefix):
    """The digits after an attribute, such as 01 of mods01, as a bit mask."""
    for attribute in self.attributes:
      if match := re.fullmatch(prefix + r'(\d+)', attribute):
        return sum(1 << int(d) for d in match[1])
    return 0

  @property
  def mods(self):
    return self.digits('mods') or self.digits('neglo')

  @property
  def op_sel(self):
    return self.digits('opsel')

  def flags(self):
    names = [a.split('=')[0] for a in self.attributes]
    return [FLAGS[n] for n in names if n in FLAGS] + (['OPSEL'] if self.op_sel else [])

  def commuted(self):
    """The operation that gives the same with src0 and src1 swapped."""
    return self.value('commutes', default=self.name if self.has('commutes') else None)


def read_rows(path):
  rows, names = [], {}
  for number, line in enumerate(open(path), 1):
    if line.strip() and not line.startswith('#'):
      row = Row(line, f'{path}:{number}')
      if row.name in names:
        raise TableError(f'{row.where}: {row.name} stands in {names[row.name]} too')
      names[row.name] = row.where
      rows.append(row)
  for row in rows:
    if row.commuted() and row.commuted() not in names:
      raise TableError(f'{row.where}: {row.name} commutes to {row.commuted()}, which names no row')
  return rows
