"""Structs of descriptors and of SDMA packets, for hw_gen.py: a member for each field, wherever generations have it; a
function that packs a struct into the dwords of a generation, and one that unpacks them.

A member has the field's name in small letters. X_LO, X and X_HI of one generation are one member x, from its lowest
bits on. VALUE gets the dword's name. A name that stands in two dwords of one generation gets the dword's name before
it.
"""
from hw_tables import GENERATIONS, TableError
from hw_generator import by_value
from packet_structs import is_value, member_name

ORDER = ('_LO', '', '_HI')  # the parts of a number
ENUMERATORS = dict(zip(GENERATIONS, ['AMD_GFX9', 'AMD_GFX10', 'AMD_GFX10_3', 'AMD_GFX11', 'AMD_GFX11_5']))

class Place:
  """Bits of a member in a dword; shift: where they begin in the member."""

  def __init__(self, dword, low, width, shift):
    self.dword, self.low, self.width, self.shift = dword, low, width, shift

  def key(self):
    return self.dword, self.low, self.width, self.shift


def split_name(name):
  """'X_HI' -> ('X', 2)"""
  for rank, suffix in enumerate(ORDER):
    if suffix and name.endswith(suffix):
      return name.removesuffix(suffix), rank
  return name, 1


def fields_of(words, generation):
  """(name, dword, field) of each field with an owner; a value has the name of its dword."""
  for dword, word in enumerate(words):
    for field in word.fields(generation):
      if field.owned:
        yield word.name if is_value(word, field) else field.name, dword, field


def prefixed(words):
  """Names that stand in two dwords of one generation, other than by `parts`."""
  twice = set()
  for generation in GENERATIONS:
    dwords = {}
    for name, dword, _ in fields_of(words, generation):
      if dwords.setdefault(name, dword) != dword:
        twice.add(name)
  return twice


def numbers_of(words, generation, parts, twice):
  """{name: [(rank, dword, field)]}; parts: {(name, generation): dwords from the lowest bits on}."""
  numbers = {}
  for name, dword, field in fields_of(words, generation):
    if (name, generation) in parts:
      key, rank = name, parts[name, generation].index(dword)
    elif name in twice and not any(n == name for n, _ in parts):
      key, rank = f'{words[dword].name}_{name}', 1
    else:
      key, rank = split_name(name)
    numbers.setdefault(key, []).append((rank, dword, field))
  return numbers


def members_of(name, words, parts=None):
  """{member: {generation: [Place]}}"""
  parts, members, twice = parts or {}, {}, prefixed(words)
  for generation in GENERATIONS:
    for key, found in numbers_of(words, generation, parts, twice).items():
      if len({rank for rank, _, _ in found}) != len(found):
        raise TableError(f'{words[0].where}: {name} has two fields {key} on {generation}')
      places, shift = [], 0
      for _, dword, field in sorted(found, key=lambda part: part[0]):
        places.append(Place(dword, field.low, field.width, shift))
        shift += field.width
      members.setdefault(member_name(key), {})[generation] = places
  return members


def width_of(places):
  return max(place.shift + place.width for place in places)


def kind_of(by_generation):
  width = max(width_of(places) for places in by_generation.values())
  return 'bool' if width == 1 else 'uint32_t' if width <= 32 else 'uint64_t'


def generation_set(gens):
  return ' | '.join(f'1u << {ENUMERATORS[g]}' for g in gens)


def choose(values, gens, otherwise):
  """The C expression of a value by generation; without a question if all the struct's have the same."""
  groups = by_value(values)
  if set(values) == set(gens) and len(groups) == 1:
    return next(iter(groups))
  text = otherwise
  for value, of in groups.items():
    text = f'1u << gen & ({generation_set(of)}) ? {value} : {text}'
  return text


def pack_term(member, kind, place):
  value = f'(uint32_t)(from->{member}' + (f' >> {place.shift})' if place.shift else ')')
  if kind != 'bool' and place.width < 32:
    value = f'({value} & 0x{(1 << place.width) - 1:x}u)'
  return f'{value} << {place.low}' if place.low else value


def unpack_value(places, kind):
  terms = []
  for place in places:
    word = f'words[{place.dword}]' + (f' >> {place.low}' if place.low else '')
    term = f'({word} & 0x{(1 << place.width) - 1:x}u)' if place.width < 32 else f'({word})'
    if kind == 'uint64_t' and place.shift:
      term = f'(uint64_t){term}'
    terms.append(f'{term} << {place.shift}' if place.shift else term)
  return f'({" | ".join(terms)})' if len(terms) > 1 else terms[0]


def unpack_member(places, kind, gens):
  return choose({g: unpack_value(of, kind) for g, of in places.items()}, gens, '0')


def check_lines(members, gens):
  """That values fit; what a generation does not have is 0."""
  for member, places in members.items():
    widths = {g: f'0x{(1 << width_of(p)) - 1:x}' for g, p in places.items()}
    largest = choose(widths, gens, '0')
    if largest not in ('0x1', '0xffffffff', '0xffffffffffffffff'):
      yield f'   assert(from->{member} <= ({largest}) && "{member} fits, and is 0 where it is not");'


def word_lines(members, kinds, dword, gens, constant):
  terms = [constant] if constant else []
  for member, places in members.items():
    here = {g: [p for p in of if p.dword == dword] for g, of in places.items()}
    texts = {g: pack_term(member, kinds[member], of[0]) for g, of in here.items() if of}
    if texts:
      term = choose(texts, gens, '0')
      terms.append(f'({term})')
  return [f'   words[{dword}] = {terms[0] if terms else "0"}' + (';' if len(terms) < 2 else ' |'),
          *(f'               {term} |' for term in terms[1:-1]), *(f'               {term};' for term in terms[-1:]
                                                                   if len(terms) > 1)]


def struct_lines(prefix, words, gens, parts=None, opcode=None):
  """opcode: of a packet, whose header is the first dword."""
  members = members_of(prefix, words, parts)
  if opcode:
    members = {name: places for name, places in members.items() if name not in ('op', 'sub_op')}
  kinds = {name: kind_of(places) for name, places in members.items()}
  name, count = f'amd_{prefix.lower()}', len(words)
  lines = ['', f'#define AMD_{prefix.upper()}_DW {count}u', '', f'struct {name} {{',
           *(f'   {kinds[member]} {member};' for member in members), '};', '',
           'static inline void', f'{name}_pack(enum amd_gen gen, const struct {name} *from, uint32_t words[{count}])',
           '{', '   (void)gen;', *check_lines(members, gens)]
  for dword in range(count):
    lines += word_lines(members, kinds, dword, gens, opcode if not dword else None)
  return lines + ['}', '', f'static inline struct {name}',
                  f'{name}_unpack(enum amd_gen gen, const uint32_t words[{count}])', '{', '   (void)gen;',
                  f'   return (struct {name}){{',
                  *(f'      .{m} = {unpack_member(places, kinds[m], gens)},' for m, places in members.items()),
                  '   };', '}']


def descriptor_structs(tables):
  lines = []
  for struct in tables.structs.values():
    lines += struct_lines(struct.name, struct.words, GENERATIONS, struct.parts)
  return lines


def sdma_structs(tables):
  lines = []
  for packet in tables.sdma:
    for form in packet.forms:
      lines += struct_lines(f'sdma_{form.name}', form.words, packet.gens, opcode=f'SDMA_{packet.name}')
  return lines
