"""Structs of packets, for hw_gen.py: a member for each field, a function that packs one into dwords, and one that
unpacks dwords. A struct stands for a form of a packet, or for a layout that several packets share.

A member has the field's name in small letters. VALUE, REG and a field with the name of its dword get the dword's
name; a name that stands twice gets the dword's name before it. A dword with a register's fields is one member. X_LO
and X_HI (or X and X_HI) are one member x of 64 bits, in which the bits of fields below X_LO's VALUE are 0.
"""
import re

from hw_tables import TableError

FITS = '''
static inline uint32_t
amd_pm4_fits(uint32_t value, uint32_t mask)
{
   assert(value <= mask && "a value fits its field");
   return value;
}'''


class Member:
  def __init__(self, name, kind, dword, low, width):
    self.name, self.kind, self.dword, self.low, self.width = name, kind, dword, low, width

  @property
  def mask(self):
    return (1 << self.width) - 1


def member_name(name):
  lower = re.sub(r'_b(?=_|$)', '_B', name.lower())  # bytes
  return lower + '_' if lower == 'continue' else lower


def is_value(word, field):
  return field.name in ('VALUE', word.name)


def is_pair(word, high):
  """Whether two dwords are one number: X_LO or X, then X_HI."""
  base = word.name.removesuffix('_LO')
  fields = [f for f in word.all_fields if f.owned]
  return (high.name == base + '_HI' and high.is_plain() and not word.alias and fields
          and is_value(word, fields[-1]) and fields[-1].high == 31)


def owned_fields(word):
  """The fields with a name; of each generation, if they differ."""
  fields = {}
  for field in word.all_fields:
    if field.owned and fields.setdefault(field.name, (field.low, field.width)) != (field.low, field.width):
      raise TableError(f'{word.where}: {word.name}.{field.name} moves, which a struct of a packet cannot say')
  return [(name, *place) for name, place in fields.items()]


def field_member(word, dword, name, low, width, names):
  name = word.name if name in ('VALUE', word.name) else name
  if name == 'REG':
    name = word.name.removesuffix('_REG') + '_REG'
  elif names.count(name) > 1:
    name = f'{word.name}_{name}'
  return Member(member_name(name), 'bool' if width == 1 else 'uint32_t', dword, low, width)


def members_of(form):
  names = [name for word in form.words if not word.alias for name, _, _ in owned_fields(word)]
  members, skip = [], False
  for dword, word in enumerate(form.words):
    fields = [] if word.alias else owned_fields(word)
    if skip:
      skip = False
    elif word.alias:
      members.append(Member(word.name.lower(), 'uint32_t', dword, 0, 32))
    elif dword + 1 < len(form.words) and is_pair(word, form.words[dword + 1]):
      low = fields[-1][1]
      members += [field_member(word, dword, *field, names) for field in fields[:-1]]
      members.append(Member(member_name(word.name.removesuffix('_LO')), 'uint64_t', dword, low, 64 - low))
      skip = True
    else:
      members += [field_member(word, dword, *field, names) for field in fields]
  if len({m.name for m in members}) != len(members):
    raise TableError(f'{form.words[0].where}: {form.name} has two members of one name')
  return members


def dword_value(members, dword):
  """The C expression of a dword from the members of *packet."""
  terms = []
  for m in members:
    value = f'packet->{m.name}'
    if m.kind == 'uint64_t' and m.dword + 1 == dword:
      terms.append(f'(uint32_t)({value} >> 32)')
    elif m.dword != dword:
      continue
    elif m.kind == 'uint64_t':
      terms.append(f'((uint32_t){value} & 0x{0xffffffff >> m.low << m.low:x}u)' if m.low else f'(uint32_t){value}')
    elif m.width == 32:
      terms.append(value)
    else:
      value = f'(uint32_t){value}' if m.kind == 'bool' else f'amd_pm4_fits({value}, 0x{m.mask:x})'
      terms.append(f'{value} << {m.low}' if m.low else value)
  return ' | '.join(terms) or '0'


def member_value(m):
  """The C expression of a member from the payload."""
  word = f'payload[{m.dword}]'
  if m.kind == 'uint64_t':
    low = f'({word} & 0x{0xffffffff >> m.low << m.low:x}u)' if m.low else word
    return f'(uint64_t)payload[{m.dword + 1}] << 32 | {low}'
  shifted = f'{word} >> {m.low}' if m.low else word
  return shifted if m.low + m.width == 32 else f'{shifted} & 0x{m.mask:x}u'


def struct_lines(packet, form, shared):
  """shared: the packets have the layout, so that the opcode is a parameter."""
  members = members_of(form)
  if not members:
    return []
  name, count = f'amd_pm4_{form.name.lower()}', len(form.words)
  parameters = 'uint32_t *dw, ' + 'uint32_t opcode, ' * shared + f'const struct {name} *packet'
  opcode = 'opcode' if shared else f'PKT3_{packet.name}'
  rest = ' + rest_dw' if form.rest else ''
  return ['', f'#define AMD_PM4_{form.name}_DW {count}u', '', f'struct {name} {{',
          *(f'   {m.kind} {m.name};' for m in members), '};', '',
          'static inline uint32_t *', f'{name}_pack({parameters}{", uint32_t rest_dw" if form.rest else ""})', '{',
          f'   dw[0] = PKT3({opcode}, {count}u{rest});',
          *(f'   dw[{i + 1}] = {dword_value(members, i)};' for i in range(count)),
          f'   return dw + {count + 1};', '}', '',
          f'static inline struct {name}', f'{name}_unpack(const uint32_t *payload)', '{',
          f'   return (struct {name}){{', *(f'      .{m.name} = {member_value(m)},' for m in members), '   };', '}']


def packet_structs(tables):
  lines = ['', '/* Packets by their fields. A pack function writes the header and the dwords of the struct, and',
           ' * returns the address after them; rest_dw: how many dwords the caller writes there. */', FITS]
  shared = {packet.like for packet in tables.packets}
  for packet in tables.layouts + tables.packets:
    for form in () if packet.like else packet.forms:
      lines += struct_lines(packet, form, packet.name in shared or packet in tables.layouts)
  return lines
