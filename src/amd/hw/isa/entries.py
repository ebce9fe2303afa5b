"""An entry is a row in one encoding of one generation, with all that follows from both: which form, which operand
numbers, which modifiers."""
from columns import GENS
from fail import TableError
from forms import KINDS
from match import check_matches
from operands import NUMBER, numbers
from rows import TRAITS

FLOATS = ('F16', 'F32', 'F64')


class Sets:
  """Sets of operand numbers, numbered from 1; 0 is no operand. Equal sets share a number."""

  def __init__(self):
    self.index = {}

  def number(self, members):
    return self.index.setdefault(frozenset(members), len(self.index) + 1)

  def bits(self, n):
    return sum(1 << i for members, i in self.index.items() if n in members)


class Entry:
  def __init__(self, row, gen, enc, table, sets):
    self.row, self.gen, self.enc = row, gen, enc
    self.number, self.modifiers, self.name = row.encs[gen][enc]
    self.operands = row.operands[gen]
    candidates = [f for f in table.values()
                  if f.enc == enc and f.is_for(row, gen) and 'marker' not in f.properties]
    special = [f for f in candidates if 'where' in f.properties]
    if not candidates or len(special) > 1:
      names = ' and '.join(f.name for f in special) or 'no form'
      raise TableError(f'{row.where}: {row.name} ({enc} of {gen}) matches {names}')
    self.form = (special or candidates)[0]
    self.seconds = {m: table.get(self.form.properties.get(m)) for m in self.modifiers}
    if None in self.seconds.values():
      raise TableError(f'{row.where}: {enc} of {gen} has no form for the modifiers of {row.name}')
    self.sets, self.implied = {}, {}
    for place in self.operands:
      self.place(place, sets)

  def place(self, place, sets):
    cls, _, size_dw = self.operands[place]
    kinds = self.form.places()
    if place == 'dst' and 'returns' in self.form.properties and 'src3' in self.operands:
      return
    if place not in kinds:
      if cls not in ('MASK', 'LITERAL'):
        raise TableError(f'{self.row.where}: {self.form.name} has no field for {place} of {self.row.name}')
      self.implied[place] = cls
      return
    kind = kinds[place].rstrip('?')
    # The long form frees the second source of a short operation from VGPRs.
    if cls == 'VGPR' and place == 'src1' and self.enc == 'VOP3' and len(self.row.encs[self.gen]) > 1:
      cls = 'SRC'
    admitted = numbers(cls, 1 if kind == 'first' else size_dw, self.gen) & frozenset(KINDS[kind][0])
    if 'literal' not in self.form.properties:
      admitted -= {NUMBER['LITERAL']}
    if not admitted:
      raise TableError(f'{self.row.where}: field {place}/{kind} of {self.form.name} can hold nothing that '
                       f'{self.row.name} takes')
    self.sets[place] = sets.number(admitted)

  def suffix(self):
    """What the assembler adds to the mnemonic."""
    encs = self.row.encs[self.gen]
    if self.enc == 'VINTRP':
      return '_e32'
    if self.enc in ('VOPD', 'VOPDY') or 'VOP3' not in encs or len(encs) == 1 or self.row.has('bare', self.gen):
      return ''
    return '_e64' if self.enc == 'VOP3' else '_e32'

  def holds(self, member):
    return member in self.form.members()

  def second_neg(self):
    """Sources that take neg and abs with a second dword, as a bit mask: floats, and bits where the long form does."""
    return self.source_bits(lambda i, t: t in FLOATS or t[0] == 'B') & self.row.mods(self.gen)

  def second_sext(self):
    """Sources whose SDWA dword may extend the sign: integers, and bits (v_cndmask too, which LLVM does not know)."""
    return self.source_bits(lambda i, t: t not in FLOATS)

  def source_bits(self, wanted):
    return sum(1 << i for i in range(2) if (o := self.operands.get(f'src{i}')) and wanted(i, o[1]))

  def flags(self):
    row, names = self.row, []
    result_float = self.operands.get('dst', ('', 'F32'))[1] in FLOATS
    names += ['CLAMP'] if row.has('clamp', self.gen) and self.holds('clamp') else []
    names += ['OMOD'] if row.has('omod', self.gen) and self.holds('omod') else []
    names += ['SDWA_CLAMP'] if row.has('clamp', self.gen) and 'sdwa' in self.modifiers else []
    names += ['SDWA_OMOD'] if row.has('omod', self.gen) and 'sdwa' in self.modifiers and result_float else []
    words = [t for t in TRAITS if t != 'bare'] + ['load', 'store', 'atomic', 'two', 'rvcc']
    names += [a.upper() for a in words if row.has(a, self.gen)]
    if self.sets.get('dst') and self.operands['dst'][0] == 'VGPR':
      names.append('DST_VGPR')
    return names


def build(rows, forms, gens=None):
  """{generation: (entries in order of the rows, sets)} of those that have rows; checks for double matches."""
  built = {}
  for gen in gens or GENS:
    sets, entries = Sets(), []
    sets.number(numbers('VGPR', 1, gen))                                  # set 1: a source with DPP
    sets.number(numbers('SRC', 1, gen) - {NUMBER['LITERAL']})    # set 2: a source with SDWA
    for row in rows:
      for enc in row.encs[gen]:
        if enc not in forms[gen]:
          raise TableError(f'{row.where}: {gen} has no encoding {enc}, which {row.name} names')
        entries.append(Entry(row, gen, enc, forms[gen], sets))
    if len(sets.index) > 31:
      raise TableError(f'{gen}: more than 31 different sets of operand numbers')
    check_matches(entries, gen)
    if entries:
      built[gen] = entries, sets
  return built
