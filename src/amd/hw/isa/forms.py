"""Reads isa_formats.txt: which bits of an encoding hold what. A form is one layout of an encoding; an encoding has a
form for all its rows and others that say which rows they are for. Every bit has one owner."""
import re

from columns import GENS
from fail import TableError
from operands import ADMITTED
from rows import FLAGS, MODIFIERS, PLACES, TRAITS

# Kinds of operand fields: (numbers that the field can hold, C of the number from `raw`, C of the field from `n`).
KINDS = {
  'a': (range(0, 512), 'raw', 'n'),
  'c': (range(0, 256), 'raw', 'n'),
  's': (range(0, 128), 'raw', 'n'),
  's2': (range(0, 128, 2), 'raw * 2', 'n / 2'),
  's2n': (sorted({*range(0, 124, 2), 125, 126}), 'raw * 2', 'n / 2'), # with null, whose number is even
  's4': (range(0, 128, 4), 'raw * 4', 'n / 4'),
  'v': (range(256, 512), 'raw + AMD_VGPR0', 'n - AMD_VGPR0'),
  'd': (range(0, 512), None, None),     # a VGPR or a scalar register, by the row's class
  'first': (range(256, 512), 'raw + AMD_VGPR0', 'n - AMD_VGPR0'), # of VGPRs whose number the use decides
  'sdata': (sorted({*range(0, 124), 125}), 'raw', 'n'),              # neither M0 nor EXEC
  'soffset': (range(0, 128), 'raw', 'n'),                            # a row without the place has 0, or null
  'saddr': (range(0, 128), None, None), # null stands for none
  'saddr_7f': (range(0, 128), None, None), # 0x7f stands for none
  'smem': (range(0, 128), None, None), # GFX9: bit 7 an immediate, bit 8 this register, neither: as the offset says
  'saddr_st': (range(0, 128), None, None), # the same; 0x7f stands for neither SGPR nor VGPR
  'flag': (None, None, None),           # SDWA: the place's number is scalar, not a VGPR
  'present': (None, None, None),        # 0: the place is left out
  'vcc': (range(0, 128), None, None),   # SDWA of VOPC: bit 7 clear stands for VCC
}
# Members of struct amd_inst that fields hold, with the bits of their C type.
MEMBERS = dict(
  {m: 1 for m in 'clamp glc dlc slc lds gds offen idxen tfe lwe unrm r128 a16 d16 exp_done exp_vm exp_compr '
                 'bound_ctrl row_en '
   'fetch_inactive high da'.split()},
  **{m: 8 for m in 'neg abs op_sel op_sel_hi neg_hi omod row_mask bank_mask sdwa_dst_sel sdwa_dst_unused '
     'sdwa_src_sel[0] sdwa_src_sel[1] sdwa_sext dmask dim format nsa attr chan exp_target exp_en '
     'wait_vdst wait_exp'.split()},
  simm16=16, dpp_ctrl=16, dpp8=32, offset=32)
PROPERTIES = ['like', 'where', 'marker', 'marker_fi', 'literal', 'nsa', 'nsa_tail', 'returns', 'true16',
              'dual', 'half'] + list(MODIFIERS)


class Form:
  """One layout. fields: {what: [(high, low, lowest bit of the value)]}; properties: {name: value}; loose: [(high,
  low, what)] of the bits that hardware may ignore."""

  def __init__(self, name, gens, properties, where):
    self.name, self.gens, self.properties, self.where = name, gens, properties, where
    self.enc = properties.get('like', name)
    self.lines, self.fields, self.loose = [], {}, []
    self.mask = self.value = 0

  def add(self, high, low, what, where):
    if high < low or high > 63 or high // 32 != low // 32:
      raise TableError(f'{where}: {self.name} cannot have bits {high}:{low}')
    if what.rstrip('~') in ('zero', 'unknown'):
      what = '=' + '0' * (high - low + 1) + what[what.find('~'):] * ('~' in what)
    for other_high, other_low, other in self.lines:
      if low <= other_high and other_low <= high:
        bit = max(low, other_low)
        raise TableError(f'{where}: bit {bit} of {self.name} has two owners, {other} and {what}')
    self.lines.append((high, low, what))

  def inherit(self, base):
    """Copies the bits that this form does not define from the form it is like."""
    mine = list(self.lines)
    for high, low, what in base.lines:
      left = [b for b in range(low, high + 1) if not any(l <= b <= h for h, l, _ in mine)]
      if len(left) == high - low + 1:
        self.lines.append((high, low, what))
      elif left:
        raise TableError(f'{self.where}: bit {left[0]} of {self.name} has no owner: {what} of {base.name} is cut')
    self.properties = {k: v for k, v in base.properties.items() if k not in self.properties} | self.properties

  @property
  def size_dw(self):
    return 1 + any(high > 31 for high, _, _ in self.lines)

  def finish(self):
    """Checks that no bit is left and sorts the lines into fields."""
    owned = {b for high, low, _ in self.lines for b in range(low, high + 1)}
    for bit in range(32 * self.size_dw):
      if bit not in owned:
        raise TableError(f'{self.where}: bit {bit} of {self.name} has no owner; a bit that must be zero is marked '
                         f'zero')
    for high, low, what in sorted(self.lines):
      if what.endswith('~'):
        what = what[:-1]
        self.loose.append((high, low, what))
      if what.startswith('='):
        if len(what) - 1 != high - low + 1:
          raise TableError(f'{self.where}: {what} does not fill bits {high}:{low} of {self.name}')
        self.mask |= (1 << high + 1) - (1 << low)
        self.value |= int(what[1:], 2) << low
        continue
      if what == 'dual':  # a field of the other half
        continue
      match = re.fullmatch(r'([\w\[\]]+?)(/\w+\??)?(?:\.(\d+))?', what)
      place, kind = match[1], (match[2] or '/')[1:].rstrip('?')
      is_member = place in MEMBERS and kind in ('', 'i', 'src1')
      if not (place in PLACES and kind in KINDS or is_member or what.startswith('op')):
        raise TableError(f'{self.where}: {self.name}: unknown field {what}')
      self.fields.setdefault(match[1] + (match[2] or ''), []).append((high, low, int(match[3] or 0)))

  def width(self, what):
    return sum(high - low + 1 for high, low, _ in self.fields[what])

  def places(self):
    """{place: kind} of the operand fields; a kind may end in '?': the operand may be left out."""
    return {w.split('/')[0]: w.split('/')[1] for w in self.fields if '/' in w and w.split('/')[0] in PLACES
            and not w.endswith('/present')}

  def members(self):
    return {w.split('/')[0] for w in self.fields} - set(PLACES) - {'op'}

  def op_bits(self, number, row):
    """(mask, value) of the constant bits and the op fields for an opcode."""
    mask, value, held = self.mask, self.value, 0
    for high, low, shift in self.fields.get('op', []):
      ones = (1 << high - low + 1) - 1
      mask |= ones << low
      value |= (number >> shift & ones) << low
      held |= ones << shift
    if number & ~held:
      raise TableError(f'{row.where}: opcode {number:#x} of {row.name} does not fit the field of {self.name}')
    return mask, value

  def is_for(self, row, gen):
    condition = self.properties.get('where')
    if not condition:
      return True
    if condition.startswith('!'):
      return condition[1:] not in row.operands[gen]
    place, _, cls = condition.partition(':')
    if place not in PLACES:
      return row.attributes[gen].get(place) == cls
    return place in row.operands[gen] and cls in ('', row.operands[gen][place][0])


def check_header(words, properties, where):
  for gen in words[1:]:
    if gen not in GENS:
      raise TableError(f'{where}: unknown generation {gen}')
  for name, value in properties.items():
    condition = value.lstrip('!').partition(':') if name == 'where' else ('dst', '', '')
    known = condition[0] in PLACES and condition[2] in ['', *ADMITTED] or condition[0] in {*TRAITS, *FLAGS}
    if name not in PROPERTIES or not known:
      raise TableError(f'{where}: unknown property {name}={value}')


def read_forms(path):
  """{generation: {name: form}}"""
  forms, current = {gen: {} for gen in GENS}, []
  for number, line in enumerate(open(path), 1):
    where = f'{path}:{number}'
    line = line.split('#')[0].strip()
    head, _, tail = line.partition(' : ')
    words = head.split()
    if not words:
      continue
    if match := re.fullmatch(r'(\d+)(?::(\d+))?', words[0]):
      if not current or len(words) != 2:
        raise TableError(f'{where}: a field line is HIGH:LOW NAME inside a form')
      for form in current:
        form.add(int(match[1]), int(match[2] or match[1]), words[1], where)
      continue
    properties = {p.partition('=')[0]: p.partition('=')[2] for p in tail.split()}
    check_header(words, properties, where)
    current = []  # one for each generation: what a form is like may differ
    for gen in words[1:]:
      if words[0] in forms[gen]:
        raise TableError(f'{where}: {words[0]} of {gen} stands in {forms[gen][words[0]].where} too')
      forms[gen][words[0]] = Form(words[0], words[1:], properties, where)
      current.append(forms[gen][words[0]])
  finish_all(forms)
  return forms


def finish_all(forms):
  for gen, table in forms.items():
    for form in table.values():
      if 'like' in form.properties:
        if form.enc not in table or 'where' not in form.properties:
          raise TableError(f'{form.where}: {form.name} needs like=, an encoding of {gen}, and where=')
        form.inherit(table[form.enc])
      form.finish()
