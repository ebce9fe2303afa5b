"""Reads and checks the register, packet and descriptor tables of this folder.

One item a line, '#' starts a comment, numbers of registers, descriptors and packets are hexadecimal:

    reg NAME GENS=OFFSET[+STEP] ... [clear=VALUE]   a register
    desc NAME GENS=OFFSET ...                       a descriptor dword
    struct NAME                                     the descriptor of the dwords NAME_WORD0 and so on; its lines name
                                                    the dwords of a number that has one name in them, from the lowest
                                                    bits on: "FIELD WORD7 WORD5 [@GENS]"
    enum NAME                                       a list of values: "VALUE NAME [@GENS]" lines
    packet NAME OPCODE [like OTHER] [sets=SPACE] [@GENS]
                                                    a PM4 packet; like: with the dwords of an earlier one; sets: its
                                                    last dwords are registers of AMD_SPACE_REG_START
    layout NAME                                     the dwords of packets "like" it
    sdma NAME OP SUB_OP [@GENS]                     a packet of SDMA, its header among its dwords
    header NAME                                     a dword that is neither

GENS is a generation or a range of them: gfx103, gfx9-gfx10. What has no "@GENS" holds wherever its item exists.
A register's NAME may hold {0-7}: an array of 8, STEP bytes apart; or {_:1-15}: NAME, NAME_1 ... NAME_15. In a packet
"word NAME" and "rest NAME" start the dwords, "or [NAME] [@GENS]" another form, "or NAME more [@GENS]" one with the
dwords of the form before it and others after them; "form [NAME] [@GENS]" says the same of the first; a form without a
name has the packet's. "word NAME reg=REGISTER" has a register's fields. Items are followed by field lines: "HIGH:LOW
NAME [ENUM] [@GENS]" or "BIT NAME ...", "HIGH:LOW zero|unknown" for bits without an owner, "HIGH:LOW dropped" for bits
that the hardware has not and drivers write, as the end of an address, or "like REGISTER" for the fields of an earlier
register.

An error is, in any generation: a bit with two owners or with none, two registers at one offset, two packets of one
opcode, two forms of one length or name, a field or a value of two meanings, an unknown enum.
"""
import copy
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from bit_tables import TableError, bit_range, check_owners, table_lines
from hw_generator import BitField, add_once, check_field_names, generation_range

GENERATIONS = ['gfx9', 'gfx10', 'gfx103', 'gfx11', 'gfx115']  # enum amd_gen


def generations(text, where):
  return generation_range(GENERATIONS, text, where)


def split_generations(tokens, where):
  """Tokens without "@GENS", and its generations (all when there is none)."""
  if tokens and tokens[-1].startswith('@'):
    return tokens[:-1], generations(tokens[-1][1:], where)
  return tokens, tuple(GENERATIONS)


class Field(BitField):
  nobody = ('zero', 'unknown', 'dropped')

  def __init__(self, low, high, name, enum, gens):
    super().__init__(low, high, name)
    self.enum, self.gens = enum, gens


class Word:
  """32 bits with fields: a register, a descriptor dword, a packet dword."""

  def __init__(self, pattern, attributes, where, gens=tuple(GENERATIONS)):
    self.pattern, self.where, self.all_fields, self.clear, self.alias = pattern, where, [], 0, None
    match = re.search(r'\{(?:(0)|(_):1)-(\d+)\}', pattern)
    self.name, self.format, self.count = pattern, None, 1
    if match:
      self.count = int(match[3]) + 1
      self.name = pattern.replace(match[0], match[1] or '')
      self.format = pattern.replace(match[0], (match[2] or '') + '%u')
    self.places = {}  # generation: (offset, step)
    for attribute in attributes:
      self.attribute(*attribute.split('='))
    self.gens = tuple(self.places) or gens

  def attribute(self, key, value):
    if key == 'clear':
      self.clear = int(value, 16)
    elif key == 'reg':
      self.alias = value
    else:
      offset, _, step = value.partition('+')
      for generation in generations(key, self.where):
        if generation in self.places:
          raise TableError(f'{self.where}: {self.name} has two places on {generation}')
        self.places[generation] = (int(offset, 16), int(step or '4', 16))

  def fields(self, generation):
    """From the lowest bit on; none where the generation has no such dword."""
    return [f for f in self.all_fields if generation in f.gens] if generation in self.gens else []

  def is_plain(self):
    return len(self.all_fields) == 1 and self.all_fields[0].name == 'VALUE'


class Form:
  def __init__(self, name, gens):
    self.name, self.words, self.rest, self.gens = name, [], None, gens

  def take_words(self, words):
    self.words = words
    for word in words:
      word.gens = tuple(g for g in word.gens if g in self.gens)

  @property
  def all_words(self):
    return self.words + ([self.rest] if self.rest else [])


class Packet:
  def __init__(self, name, opcode, gens):
    self.name, self.opcode, self.gens, self.forms = name, opcode, gens, [Form(name, gens)]
    self.like = self.sets = None

  def forms_of(self, generation):
    return [form for form in self.forms if generation in form.gens and generation in self.gens]

  def take_forms(self, other):
    self.like, self.forms = other.name, copy.deepcopy(other.forms)
    for form in self.forms:
      for word in form.all_words:
        word.gens = tuple(g for g in word.gens if g in self.gens)


class Struct:
  """A descriptor: dwords that follow each other."""

  def __init__(self, name, words):
    self.name, self.words, self.parts = name, words, {}

  def add_parts(self, tokens, where):
    (field, *names), gens = split_generations(tokens, where)
    numbers = [word.name.removeprefix(f'{self.name}_') for word in self.words]
    for name in names:
      if name not in numbers:
        raise TableError(f'{where}: {self.name} has no {name}')
    for generation in gens:
      self.parts[field, generation] = [numbers.index(name) for name in names]


class Tables:
  def __init__(self, paths):
    self.registers, self.descriptors, self.headers, self.enums, self.structs = {}, {}, {}, {}, {}
    self.packets, self.layouts, self.sdma = [], [], []
    for path in paths:
      self.read(path)
    self.check()

  # Parsing

  def read(self, path):
    item = packet = None
    for where, indented, tokens in table_lines(path):
      if not indented:
        packet = packet if tokens[0] in ('or', 'form') else None
        item, packet = self.start(tokens, packet, where)
      elif tokens[0] in ('word', 'rest'):
        item = self.packet_word(tokens, packet, where)
      elif isinstance(item, list):
        (value, name), gens = split_generations(tokens, where)
        item.append((int(value, 0), name, gens))
      elif isinstance(item, Struct):
        item.add_parts(tokens, where)
      elif isinstance(item, Word):
        self.field(item, tokens, where)
      else:
        raise TableError(f'{where}: a line that belongs to nothing')

  def start(self, tokens, packet, where):
    kind = tokens[0]
    if kind in ('reg', 'desc', 'header'):
      word = Word(tokens[1], tokens[2:], where)
      table = {'reg': self.registers, 'desc': self.descriptors, 'header': self.headers}[kind]
      add_once(table, '', word.name, word, where)
      if kind != 'header' and not word.places:
        raise TableError(f'{where}: {word.name} exists in no generation')
      return word, None
    if kind == 'struct':
      struct = Struct(tokens[1], self.words_of(tokens[1], where))
      return add_once(self.structs, 'struct', struct.name, struct, where), None
    if kind == 'enum':
      return add_once(self.enums, 'enum', tokens[1], [], where), None
    tokens, gens = split_generations(tokens, where)
    if kind == 'packet':
      self.packets.append(Packet(tokens[1], int(tokens[2], 16), gens))
      if tokens[3:4] == ['like']:
        self.packets[-1].take_forms(self.layout(tokens[4], where))
      if tokens[-1].startswith('sets='):
        self.packets[-1].sets = tokens[-1].removeprefix('sets=')
      return None, self.packets[-1]
    if kind == 'layout':
      self.layouts.append(Packet(tokens[1], None, gens))
      return None, self.layouts[-1]
    if kind == 'sdma':
      self.sdma.append(Packet(tokens[1], int(tokens[3], 16) << 8 | int(tokens[2], 16), gens))
      return None, self.sdma[-1]
    if kind == 'or' and packet:
      words = copy.deepcopy(packet.forms[-1].words) if tokens[2:3] == ['more'] else []
      packet.forms.append(Form((tokens[1:] or [packet.name])[0], gens))
      packet.forms[-1].take_words(words)
      return None, packet
    if kind == 'form' and packet and not packet.forms[0].words:
      packet.forms[0] = Form((tokens[1:] or [packet.name])[0], gens)
      return None, packet
    raise TableError(f'{where}: {kind}?')

  def words_of(self, name, where):
    words = [word for key, word in self.descriptors.items() if key.startswith(f'{name}_WORD')]
    if not words or any(word.name != f'{name}_WORD{i}' for i, word in enumerate(words)):
      raise TableError(f'{where}: no dwords {name}_WORD0 and so on before this line')
    return words

  def layout(self, name, where):
    """The layout or packet above this line that a packet is like."""
    for packet in self.layouts + self.packets[:-1]:
      if packet.name == name and not packet.like:
        return packet
    raise TableError(f'{where}: no layout or packet {name} before this line')

  def packet_word(self, tokens, packet, where):
    if not packet:
      raise TableError(f'{where}: a dword outside a packet')
    form = packet.forms[-1]
    word = Word(tokens[1], tokens[2:], where, tuple(g for g in form.gens if g in packet.gens))
    if tokens[0] == 'rest':
      form.rest = word
    else:
      form.words.append(word)
    return word

  def field(self, word, tokens, where):
    if tokens[0] == 'like':
      other = self.registers.get(tokens[1])
      if not other:
        raise TableError(f'{where}: no register {tokens[1]} before this line')
      word.all_fields = list(other.all_fields)
      return
    tokens, gens = split_generations(tokens, where)
    enum = tokens[2] if len(tokens) > 2 else None
    word.all_fields.append(Field(*bit_range(tokens[0]), tokens[1], enum, gens))

  # Checks

  def words(self):
    yield from self.registers.values()
    yield from self.descriptors.values()
    yield from self.headers.values()
    for packet in self.packets + self.layouts + self.sdma:
      for form in packet.forms:
        yield from form.all_words

  def check(self):
    for word in self.words():
      if word.alias:
        if word.alias not in self.registers:
          raise TableError(f'{word.where}: no register {word.alias}')
        word.all_fields = self.registers[word.alias].all_fields
      word.all_fields = sorted(word.all_fields, key=lambda f: (f.low, f.gens))
      for generation in word.gens:
        self.check_bits(word, word.fields(generation), f' on {generation}')
    for generation in GENERATIONS:
      self.check_offsets(generation)
      self.check_values(generation)
      self.check_packets(generation, self.packets)
      self.check_packets(generation, self.sdma)
    self.check_forms()

  def check_values(self, generation):
    meaning = {}
    for enum, values in self.enums.items():
      for value, name, gens in values:
        if generation in gens and meaning.setdefault(name, value) != value:
          raise TableError(f'enum {enum}: {name} has two values on {generation}')

  def check_forms(self):
    names = set()
    for packet in self.packets + self.layouts:
      for form in () if packet.like else packet.forms:
        if form.name in names:
          raise TableError(f'packet {packet.name}: two forms of the name {form.name}')
        names.add(form.name)

  def check_packets(self, generation, packets):
    """A header names one packet, a length one form of it."""
    owner = {}
    for packet in packets:
      if generation not in packet.gens:
        continue
      if owner.setdefault(packet.opcode, packet) is not packet:
        other = owner[packet.opcode].name
        raise TableError(f'packets {other} and {packet.name}: opcode {packet.opcode:x} stands twice on {generation}')
      forms = packet.forms_of(generation)
      for i, form in enumerate(forms):
        for other in forms[:i]:
          a, b = (len(form.words), bool(form.rest)), (len(other.words), bool(other.rest))
          if a[0] == b[0] or a[1] and b[1] or a[1] and a[0] < b[0] or b[1] and b[0] < a[0]:
            both = ' and '.join(f'{n} dwords{" or more" if rest else ""}' for n, rest in (b, a))
            raise TableError(f'packet {packet.name}: two forms of one length, {both}, on {generation}')

  def check_bits(self, word, fields, on):
    check_field_names(fields, word.name, word.where, on)
    for field in fields:
      if field.enum and field.enum not in self.enums:
        raise TableError(f'{word.where}: no enum {field.enum}')
    check_owners(fields, 32, word.name, word.where, on)

  def check_offsets(self, generation):
    owner = {}
    for word in self.registers.values():
      if generation not in word.gens:
        continue
      offset, step = word.places[generation]
      for i in range(word.count):
        at = offset + i * step
        if owner.setdefault(at, word.name) != word.name:
          raise TableError(f'{word.where}: {word.name} and {owner[at]} share offset {at:x} on {generation}')
