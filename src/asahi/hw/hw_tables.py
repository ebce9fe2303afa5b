"""Reads and checks the tables of records of this folder.

One item a line, '#' starts a comment:

    record NAME SIZE        SIZE bytes
    enum NAME               a list of values: "VALUE NAME" lines
    sequence NAME           the record NAME and what follows it
    stream NAME HIGH:LOW    records one after another; these bits of the first word say which record is next:
                            "VALUE RECORD" lines

Of a record, "HIGH:LOW NAME [TYPE] [MODIFIER...] [=VALUE] [as=RECORD] [?FORM,...]" lines: bits (one bit: "BIT NAME"),
counted from the last "word N" line, of 32 bits, on. "HIGH:LOW zero" are bits that nobody has seen set or knows.
"like RECORD" has the fields of an earlier record.

    TYPE      an enum, in capitals; hex; address; float: IEEE, of 32 bits; lod: unsigned 4.6 bits, up to 14. Without
              one it is a number, and a single bit a bool
    MODIFIER  how the value becomes bits. minus(N): N less; shr(N): without the low N bits, which are zero; log2;
              groups(N): in groups of N, rounded up, at least one, and as many as do not fit are 0; fixed(N): a real
              number with N bits after the point. minus comes before shr and after fixed
    =VALUE    always these bits: the record is known by them
    as=       the bits are such a record
    ?FORM     in these forms only. "form NAME if FIELD=VALUE,... ..." lines ahead of the fields say when

Of a sequence, "part RECORD [if FIELD[=VALUE,...]] [times FIELD] [@GENS]": FIELD of the first record says whether it
is there and how often. "align N [unless FIELD]": the whole takes up a multiple of N bytes.

GENS is one of g13, g13x, g14, g14x, or a range.

An error is: a bit with two owners or with none, in any form; a state that is of no form or of two; a name that
nothing has; a value or name that stands twice in an enum; a part that depends on what the head does not have.
"""
import itertools
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from bit_tables import TableError, bit_range, check_owners, table_lines
from hw_generator import BitField, add_once, check_field_names, generation_range, read_chips

CHIPS = pathlib.Path(__file__).resolve().parent / 'chips.toml'
GENERATIONS = [gen['name'] for gen in read_chips(CHIPS)['gen']]  # enum agx_gen
TYPES = ('hex', 'address', 'float', 'lod')


class Field(BitField):
  def __init__(self, low, high, name):
    super().__init__(low, high, name)
    self.type, self.enum, self.minus, self.shr, self.groups, self.fixed = 'uint', None, 0, 0, 0, 0
    self.constant = self.record = self.forms = None

  def read(self, token, where):
    modifier = re.fullmatch(r'(minus|shr|groups|fixed)\((\w+)\)', token)
    if modifier:
      setattr(self, modifier[1], int(modifier[2], 0))
      self.type = modifier[1] if modifier[1] in ('groups', 'fixed') else self.type
    elif token in TYPES or token == 'log2':
      self.type = token
    elif token.startswith('as='):
      self.record, self.type = token[3:], 'hex'
    elif token[0] == '=':
      self.constant = int(token[1:], 0)
    elif token[0] == '?':
      self.forms = token[1:].split(',')
    elif re.fullmatch('[A-Z][A-Z0-9_]*', token):
      self.enum, self.type = token, 'enum'
    else:
      raise TableError(f'{where}: {token}?')

  @property
  def largest(self):
    """Of the value, not of the bits; of numbers."""
    if self.type == 'groups':
      return self.groups << self.width
    if self.type == 'log2':
      return 1 << ((1 << self.width) - 1)
    return ((((1 << self.width) - 1) << self.shr) + self.minus)


class Record:
  def __init__(self, name, size_B, where):
    self.name, self.size_B, self.where = name, size_B, where
    self.fields, self.forms = [], {}  # forms: name -> {field: [value names]}

  def of_form(self, form):
    return sorted((f for f in self.fields if f.forms is None or form in f.forms), key=lambda f: f.low)

  def field(self, name, where):
    for field in self.fields:
      if field.name == name and field.owned:
        return field
    raise TableError(f'{where}: {self.name} has no field {name}')


class Part:
  def __init__(self, record, where):
    self.record, self.where = record, where
    self.condition, self.values, self.times, self.gens = None, None, None, tuple(GENERATIONS)


class Sequence:
  def __init__(self, name, where):
    self.name, self.where, self.parts, self.align, self.unless = name, where, [], 1, None


class Stream:
  def __init__(self, name, bits, where):
    self.name, self.where, self.records = name, where, {}
    self.low, self.high = bits


class Tables:
  def __init__(self, paths):
    self.records, self.enums, self.sequences, self.streams = {}, {}, {}, {}
    for path in paths:
      self.read(path)
    self.check()

  # Parsing

  def read(self, path):
    item = None
    for where, indented, tokens in table_lines(path):
      if tokens[0] in ('form', 'word'):
        self.record_line(item, tokens, where)
      elif not indented:
        item = self.start(tokens, where)
        self.base = 0
      elif isinstance(item, Record):
        self.record_line(item, tokens, where)
      elif isinstance(item, Sequence):
        self.sequence_line(item, tokens, where)
      elif isinstance(item, Stream):
        item.records[int(tokens[0], 0)] = tokens[1]
      elif isinstance(item, dict):
        self.enum_line(item, tokens, where)
      else:
        raise TableError(f'{where}: a line that belongs to nothing')

  def start(self, tokens, where):
    kind, name = tokens[:2]
    table, item = {
      'record': lambda: (self.records, Record(name, int(tokens[2]), where)),
      'enum': lambda: (self.enums, {}),
      'sequence': lambda: (self.sequences, Sequence(name, where)),
      'stream': lambda: (self.streams, Stream(name, bit_range(tokens[2]), where)),
    }.get(kind, lambda: (None, None))()
    if table is None:
      raise TableError(f'{where}: {kind}?')
    return add_once(table, kind, name, item, where)

  def enum_line(self, values, tokens, where):
    value, name = int(tokens[0], 0), tokens[1]
    if value in values or name in values.values():
      raise TableError(f'{where}: {value} or {name} stands twice in its enum')
    values[value] = name

  def record_line(self, record, tokens, where):
    if not isinstance(record, Record):
      raise TableError(f'{where}: a line of a record outside of one')
    if tokens[0] == 'word':
      self.base = int(tokens[1]) * 32
    elif tokens[0] == 'form':
      conditions = (token.partition('=') for token in tokens[3:])
      record.forms[tokens[1]] = {name: values.split(',') for name, _, values in conditions}
    elif tokens[0] == 'like':
      if tokens[1] not in self.records:
        raise TableError(f'{where}: no record {tokens[1]} before this line')
      record.fields = list(self.records[tokens[1]].fields)
    else:
      low, high = bit_range(tokens[0])
      field = Field(low + self.base, high + self.base, tokens[1])
      if field.owned and field.width == 1:
        field.type = 'bool'
      for token in tokens[2:]:
        field.read(token, where)
      record.fields.append(field)

  def sequence_line(self, sequence, tokens, where):
    words = iter(tokens)
    if tokens[0] == 'align':
      sequence.align = int(tokens[1])
      sequence.unless = tokens[3] if tokens[2:3] == ['unless'] else None
      return
    if next(words) != 'part':
      raise TableError(f'{where}: {tokens[0]}?')
    part = Part(next(words), where)
    for word in words:
      if word == 'if':
        part.condition, _, values = next(words).partition('=')
        part.values = values.split(',') if values else None
      elif word == 'times':
        part.times = next(words)
      elif word[0] == '@':
        part.gens = generation_range(GENERATIONS, word[1:], where)
      else:
        raise TableError(f'{where}: {word}?')
    sequence.parts.append(part)

  # Checks

  def value(self, record, name, value, where):
    """The bits of a field that are written as a number or by name."""
    field = record.field(name, where)
    if value.isdigit() and not field.enum:
      return int(value)
    for number, known in self.enums.get(field.enum, {}).items():
      if known == value:
        return number
    raise TableError(f'{where}: {record.name}.{name} is never {value}')

  def check(self):
    for record in self.records.values():
      self.check_names(record)
      for form in record.forms or [None]:
        self.check_form(record, form)
      self.check_forms(record)
    for sequence in self.sequences.values():
      self.check_sequence(sequence)
    for stream in self.streams.values():
      for value, name in stream.records.items():
        self.check_stream(stream, value, name)

  def check_names(self, record):
    for field in record.fields:
      if field.enum and field.enum not in self.enums:
        raise TableError(f'{record.where}: no enum {field.enum}')
      if field.record and field.record not in self.records:
        raise TableError(f'{record.where}: no record {field.record}')
      if field.forms and not set(field.forms) <= set(record.forms):
        raise TableError(f'{record.where}: {record.name}.{field.name} is of a form that there is not')
      if field.owned and field.largest >> 64:
        raise TableError(f'{record.where}: values of {record.name}.{field.name} have more than 64 bits')

  def check_form(self, record, form):
    fields = record.of_form(form)
    check_field_names(fields, record.name, record.where)
    check_owners(fields, record.size_B * 8, record.name, record.where, f' in form {form}' if form else '')

  def check_forms(self, record):
    """Of all that the conditions look at, exactly one form holds."""
    looked_at = sorted({name for conditions in record.forms.values() for name in conditions})
    widths = [record.field(name, record.where).width for name in looked_at]
    for values in itertools.product(*(range(1 << width) for width in widths)):
      state = dict(zip(looked_at, values))
      holding = [form for form, conditions in record.forms.items()
                 if all(state[name] in [self.value(record, name, v, record.where) for v in allowed]
                        for name, allowed in conditions.items())]
      if record.forms and len(holding) != 1:
        raise TableError(f'{record.where}: {record.name} with {state} has {len(holding)} forms')

  def head(self, name, where):
    if name not in self.records:
      raise TableError(f'{where}: no record {name}')
    return self.records[name]

  def check_sequence(self, sequence):
    head = self.head(sequence.name, sequence.where)
    for part in sequence.parts:
      self.head(part.record, part.where)
      for name in filter(None, (part.condition, part.times)):
        head.field(name, part.where)
      for value in part.values or []:
        self.value(head, part.condition, value, part.where)
    if sequence.unless:
      head.field(sequence.unless, sequence.where)

  def check_stream(self, stream, value, name):
    """The record has the value as a constant at the place that the stream looks at."""
    for field in self.head(name, stream.where).fields:
      if (field.low, field.high, field.constant) == (stream.low, stream.high, value):
        return
    raise TableError(f'{stream.where}: {name} does not say {value} at {stream.high}:{stream.low}')
