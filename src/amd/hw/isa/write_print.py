"""isa_print.c: the text rules as C."""
import re

from columns import enum, symbol
from fail import TableError
from image_rules import DIMS
from modifiers import DPP_CONTROLS
from operands import FLOAT_BITS, INV_2PI_64, LITERALS, NAMED_SGPRS, NUMBER, OPERANDS, SCALAR_FILES
import text_rules
from write_decode import labels

HEAD = '''/* Generated from the tables of src/amd/hw. */
#include "amd/hw/isa_runtime.h"

/* Text that is cut to size but counted in full. */
struct out {
   char *text;
   size_t size, length;
   enum amd_gen gen;
   char last;
};

static inline void
put_n(struct out *out, const char *text, size_t n)
{
   if (out->length + n < out->size)
      memcpy(out->text + out->length, text, n);
   else if (out->length < out->size)
      memcpy(out->text + out->length, text, out->size - out->length);
   out->length += n;
   out->last = n ? text[n - 1] : out->last;
}

static inline void
put(struct out *out, const char *text)
{
   put_n(out, text, strlen(text));
}

static void
put_base(struct out *out, uint32_t value, unsigned base)
{
   char digits[12];
   unsigned n = sizeof(digits);
   do
      digits[--n] = "0123456789abcdef"[value % base];
   while (value /= base);
   put_n(out, digits + n, sizeof(digits) - n);
}

static inline void
put_u(struct out *out, uint32_t value)
{
   put_base(out, value, 10);
}

static inline void
put_x(struct out *out, uint32_t value)
{
   put(out, "0x");
   put_base(out, value, 16);
}

static inline void
put_d(struct out *out, int32_t value)
{
   put(out, value < 0 ? "-" : "");
   put_u(out, value < 0 ? -(uint32_t)value : (uint32_t)value);
}

static inline void
put_sx(struct out *out, int32_t value)
{
   put(out, value < 0 ? "-" : "");
   put_x(out, value < 0 ? -(uint32_t)value : (uint32_t)value);
}

static inline void
put_blank(struct out *out)
{
   put(out, out->last == ' ' ? "" : " ");
}

static void
put_range(struct out *out, const char *prefix, unsigned first, unsigned count)
{
   put(out, prefix);
   put(out, count > 1 ? "[" : "");
   put_u(out, first);
   if (count > 1) {
      put(out, ":");
      put_u(out, first + count - 1);
      put(out, "]");
   }
}

static inline bool
isa_is_short(const struct amd_inst *in)
{
   return in->enc == AMD_ENC_VOP1 || in->enc == AMD_ENC_VOP2 || in->enc == AMD_ENC_VOPC;
}

static inline const char *
modifier_suffix(const struct amd_inst *in)
{
   if (in->modifier == AMD_MOD_SDWA)
      return "_sdwa";
   return in->enc == AMD_ENC_VOP3 || in->enc == AMD_ENC_VOP3P ? "_e64_dpp" : in->enc == AMD_ENC_VOPC ? "" : "_dpp";
}

static inline void
put_v(struct out *out, unsigned first, unsigned count)
{
   put_range(out, "v", first - AMD_VGPR0, count);
}

static inline void
put_nsa(struct out *out, const struct amd_inst *in)
{
   for (unsigned i = 0; i < in->nsa_count && i + 1 < amd_isa_image_address_dw(in); i++) {
      put(out, ", v");
      put_u(out, in->nsa[i]);
   }
}

/* All that one dword does not hold is a group after the last register. */
static inline void
put_nsa_tail(struct out *out, const struct amd_inst *in)
{
   for (unsigned i = 0; i < in->nsa_count && i < 4; i++) {
      put(out, ", ");
      put_range(out, "v", in->nsa[i], i == 3 ? in->nsa_count - 3u : 1);
   }
}

'''

SOURCE = '''
/* A vector source: sign, absolute value, sign extension. The mix operations have abs in neg_hi. */
static void
put_source(struct out *out, const struct amd_inst *in, const struct isa_entry *e, unsigned i, bool wave64)
{
   bool mix = e->flags & ISA_MIX, packed = in->enc == AMD_ENC_VOP3P && !mix;
   bool neg = !packed && in->neg >> i & 1, abs = !packed && (mix ? in->neg_hi : in->abs) >> i & 1;
   bool sext = in->sdwa_sext >> i & 1;
   unsigned n = in->src[i];
   bool around = neg && !abs && (@CONSTANT@);
   put(out, around ? "neg(" : neg ? "-" : "");
   put(out, abs ? "|" : "");
   put(out, sext ? "sext(" : "");
   if (mix && n == AMD_LITERAL)
      put_literal(out, in->literal, AMD_TYPE_F16);
   else
      put_operand(out, in, n, isa_columns[out->gen].ops[in->op].src[i], wave64);
   put(out, isa_is_short(in) && in->op_sel >> i & 1 ? ".h" : "");
   put(out, sext ? ")" : "");
   put(out, abs ? "|" : "");
   put(out, around ? ")" : "");
}

'''
SECOND = '''
static void
print_second(struct out *out, const struct amd_inst *inst, bool wave64)
{
   struct amd_inst y = amd_isa_second(inst);
   const struct isa_entry *e = isa_find(out->gen, y.op, AMD_ENC_VOPDY);
   put(out, " :: ");
   put(out, e ? e->name : "?");
   if (e)
      encoding_vopd(out, &y, e, &isa_columns[out->gen].ops[y.op], wave64);
}

'''
CALLS = {'u': 'put_u(o, {})', 'd': 'put_d(o, {})', 'x': 'put_x(o, {})', 'sx': 'put_sx(o, {})', 'v': 'put_v(o, {})',
         'src': 'put_source(o, in, e, {}, wave64)', 'literal': 'put_literal(o, {}, AMD_TYPE_B32)',
         'nsa': 'put_nsa(o, in)', 'nsatail': 'put_nsa_tail(o, in)', 'blank': 'put_blank(o)'}


def split(text):
  """Text and calls: [(literal, None) or (name, argument)]."""
  out, at = [], 0
  while at < len(text):
    start = text.find('{', at)
    if start != at:
      out.append((text[at:start if start >= 0 else None], None))
    if start < 0:
      break
    at, depth, name = start + 1, 0, re.match(r'\w+', text[start + 1:])[0]
    begin = at + len(name) + 1
    while depth or text[at] != '}':
      depth += {'(': 1, ')': -1}.get(text[at], 0)
      at += 1
    out.append((name, text[begin:at - 1]))
    at += 1
  return out


def by_generation(table):
  return isinstance(next(iter(text_rules.NAMES[table].values())), dict)


def name_rows(names):
  return '{' + ', '.join(f'[{i}] = "{n}"' for i, n in names.items()) + '}'


class Printer:
  """Writes parts as functions, each once and before its use."""

  def __init__(self):
    self.functions, self.done, self.names = [], set(), set()

  def condition(self, text):
    return re.sub(r'has\((\w+), (.*?)\)(?= |$|\))', lambda m: f'({self.name(m[1], m[2])}[0] != 0)', text)

  def name(self, table, index):
    """C of a name."""
    self.names.add(table)
    rows = f'names_{table}[o->gen]' if by_generation(table) else f'names_{table}'
    return f'isa_name({rows}, sizeof({rows}), {index})'

  def text(self, text, indent):
    out = ''
    for name, argument in split(text):
      if argument is None:
        escaped = name.replace('"', '\\"')
        out += f'{indent}put_n(o, "{escaped}", {len(name)});\n'
      elif name == 'n':
        table, _, index = argument.partition(', ')
        out += f'{indent}put(o, {self.name(table, index)});\n'
      elif name == 'op':
        info = f'info->{argument}'
        out += f'{indent}put_operand(o, in, in->{argument}, {info}, wave64);\n'
      elif name == 'part':
        out += f'{indent}{self.part(argument)}(o, in, e, info, wave64);\n'
      elif name == 'if':
        out += f'{indent}if ({self.condition(argument)}) {{\n'
      elif name == 'end':
        out += f'{indent}}}\n'
      else:
        out += f'{indent}{CALLS[name].format(argument)};\n'
    return out

  def alternatives(self, rules, indent='   '):
    """An if chain; '1' is else."""
    out = ''
    for i, (condition, text) in enumerate(rules):
      head = f'if ({self.condition(condition)}) ' if condition != '1' else ''
      out += f'{indent if not i else " else "}{head}{{\n{self.text(text, indent + "   ")}{indent}}}'
    return out + '\n'

  def part(self, name):
    """The name of the function of a part."""
    function = f'part_{name}'
    if name not in self.done:
      self.done.add(name)
      if name.startswith('imm_'):
        rules = text_rules.IMMEDIATES[name[4:]]
      elif re.fullmatch(r's?dst|src\d', name):
        high = '{part(high_half)}' if name == 'dst' else ''
        place = f'src[{name[3]}]' if name.startswith('src') else name
        rules = [(f'info->{place}.cls', f'{{op({place})}}{high}')]
      elif name == 'imm':
        return self.immediate()
      elif name == 'dpp_ctrl':
        rules = [(f'c >= {first:#x} && c <= {last:#x}' if first else f'c <= {last:#x}', text)
                 for first, last, _, text, _ in DPP_CONTROLS]
      else:
        rules = text_rules.PARTS[name]
      self.function(function, self.alternatives(rules))
    return function

  def function(self, name, body):
    self.functions.append(
      f'static void\n{name}(struct out *o, const struct amd_inst *in, const struct isa_entry *e, '
      'const struct amd_op_info *info, bool wave64)\n{\n   uint32_t i = in->simm16, c = in->dpp_ctrl, offset = '
      f'(uint32_t)in->offset;\n   (void)e, (void)info, (void)wave64, (void)i, (void)c, (void)offset;\n{body}}}\n\n')

  def immediate(self):
    cases = ''.join(f'   case ISA_IMM_{kind}:\n      {self.part("imm_" + kind)}(o, in, e, info, wave64);\n'
                    f'      break;\n'
                    for kind in text_rules.IMMEDIATES)
    self.function('part_imm', f'   switch (e->imm) {{\n{cases}   }}\n')
    return 'part_imm'

  def encoding(self, enc):
    if enc not in text_rules.ENCODINGS:
      raise TableError(f'text_rules.py has no text for the encoding {enc}')
    slots, suffixes = text_rules.ENCODINGS[enc]
    name = f'encoding_{symbol(enc).replace("@", "_")}'
    body = '   const char *comma = " ";\n   size_t before, mark;\n' if slots else ''
    for slot in slots.split():
      body += (f'   before = o->length;\n   put(o, comma);\n   mark = o->length;\n'
               f'   {self.part(slot)}(o, in, e, info, wave64);\n'
               '   if (o->length == mark)\n      o->length = before;\n   else\n      comma = ", ";\n')
    body += ''.join(f'   {self.part(s)}(o, in, e, info, wave64);\n' for s in suffixes.split())
    self.function(name, body)
    return name

  def case(self, enc, gens):
    """The call for an encoding, by generation where one has its own text."""
    own = [g for g in gens if f'{enc}@{g}' in text_rules.ENCODINGS]
    call = ''.join(f'gen == {enum(g)} ? {self.encoding(f"{enc}@{g}")} : ' for g in own) + self.encoding(enc)
    second = '      print_second(&out, inst, wave64);\n' if enc == 'VOPD' else ''
    return f'   case AMD_ENC_{enc}:\n      ({call})(&out, inst, e, info, wave64);\n{second}      break;\n'

  def name_tables(self):
    out = ('static inline const char *\nisa_name(const char *const *names, size_t size, unsigned i)\n{\n'
           '   return i < size / sizeof(*names) && names[i] ? names[i] : "";\n}\n\n')
    for table in sorted(self.names):
      names = text_rules.NAMES[table]
      if by_generation(table):
        count = 1 + max(max(part) for part in names.values())
        rows = ',\n'.join(f'   [{enum(gen)}] = {name_rows(part)}' for gen, part in names.items())
        out += f'static const char *const names_{table}[AMD_GEN_COUNT][{count}] = {{\n{rows}}};\n'
      else:
        out += f'static const char *const names_{table}[] = {name_rows(names)};\n'
    return out + '\n'


def operand_c():
  """put_operand: ranges of numbers as a switch."""
  cases = ''
  for first, last, name, text, kind, _ in OPERANDS:
    head = labels(range(first, last + 1))
    if kind == 'register':
      continue
    if kind == 'vgpr':
      body = 'put_range(out, "v", n - AMD_VGPR0, size);'
    elif kind == 'int':
      body = 'put_u(out, n - AMD_INT_0);' if first == 128 else 'put(out, "-");\n      put_u(out, n - AMD_INT_M1 + 1);'
    elif kind == 'literal':
      body = ('if (info.cls == AMD_CLASS_LITERAL)\n         put_x(out, in->literal);\n      else\n'
              '         put_literal(out, in->literal, scalar16 ? AMD_TYPE_B32 : info.type);')
    elif kind == 'float':
      long = f'info.size_dw == 2 && info.cls != AMD_CLASS_MASK ? "{INV_2PI_64}" : ' if name == 'FLOAT_INV_2PI' else ''
      body = f'put(out, int16 ? "{FLOAT_BITS[name][0]:#x}" : {long}"{text}");'
    else:
      body = f'put(out, "{text}");'
    cases += f'{head}      {body}\n      break;\n'
  for first, last, prefix, group in SCALAR_FILES:
    single = {o[0]: o[3] for o in OPERANDS}
    if group:
      body = f'put(out, size > 1 ? "{group}" : n == {first} ? "{single[first]}" : "{single[last]}");'
    else:
      body = f'put_range(out, "{prefix}", n - {first}, size);'
    cases += f'{labels(range(first, last + 1))}      {body}\n      break;\n'
  named = ''.join(f'   if (out->gen == {enum(gen)} && n >= {first} && n <= {last}) {{\n'
                  f'      put(out, size > 1 ? "{pair}" : n == {first} ? "{low}" : "{high}");\n      return;\n   }}\n'
                  for gen, files in NAMED_SGPRS.items() for first, last, (low, high), pair in files)
  grouped = {n for first, last, _, _ in SCALAR_FILES for n in range(first, last + 1)}
  for first, _, _, text, kind, _ in OPERANDS:
    if kind == 'register' and first not in grouped:
      cases += f'   case {first}:\n      put(out, "{text}");\n      break;\n'
  return ('static void\n'
          'put_operand(struct out *out, const struct amd_inst *in, unsigned n, struct amd_operand_info info, '
          'bool wave64)\n{\n   unsigned size = info.cls == AMD_CLASS_MASK ? (wave64 ? 2 : 1) : info.size_dw;\n'
          '   if (info.type == AMD_TYPE_MATRIX && wave64)\n      size /= 2;\n'
          '   bool int16 = info.type == AMD_TYPE_I16 || info.type == AMD_TYPE_U16;\n'
          '   bool scalar16 = info.type == AMD_TYPE_B16 && info.cls == AMD_CLASS_SSRC;\n'
          f'{named}   switch (n) {{\n{cases}   default:\n      put(out, "?");\n   }}\n}}\n')


def literal_c():
  """A literal dword, written as the constant of the same bits where there is one."""
  names = {o[2]: o[3] for o in OPERANDS}
  out = ''
  for column in range(3):
    cases = ''.join(f'   case {bits[column]:#x}:\n      return "{names[name]}";\n'
                    for name, bits in FLOAT_BITS.items() if bits[column])
    out += (f'static const char *\nfloat_name_{column}(uint32_t bits)\n{{\n   switch (bits) {{\n{cases}   }}\n'
            '   return NULL;\n}\n\n')
  cases = ''
  for kind, (bits, integers, column, written) in LITERALS.items():
    value = '(int16_t)literal' if bits == 16 else '(int32_t)literal'
    if bits == 64:  # the upper half of a float, the lower half of an integer
      value = '(int64_t)((uint64_t)literal << 32)' if kind == 'F64' else 'literal'
    cases += f'   case AMD_TYPE_{kind}:\n' if kind != 'F32' else '   default:\n'
    cases += '      literal &= 0xffff;\n' if bits == 16 else ''
    cases += f'      small = {value};\n' if integers else ''
    cases += f'      name = float_name_{column}(literal);\n' if column is not None else ''
    cases += '      literal &= 0xffff;\n' if bits != 16 == written else ''
    cases += '      break;\n'
  low, high = NUMBER['INT_M1'] - 1 - 208, NUMBER['INT_M1'] - 1 - NUMBER['INT_0']
  return out + ('static void\nput_literal(struct out *out, uint32_t literal, unsigned type)\n{\n'
                '   int64_t small = INT64_MAX;\n'
                f'   const char *name = NULL;\n   switch (type) {{\n{cases}   }}\n'
                f'   if (small >= {low} && small <= {high})\n      put_d(out, (int32_t)small);\n   else if (name)\n'
                '      put(out, name);\n   else\n      put_x(out, literal);\n}\n\n')


def print_c(built):
  printer = Printer()
  encs = list({e.enc: None for entries, _ in built.values() for e in entries if 'half' not in e.form.properties})
  cases = ''.join(printer.case(enc, built) for enc in encs)
  functions = ''.join(printer.functions)
  constants = ' || '.join(f'(n >= {first} && n <= {last})' for first, last, _, _, kind, _ in OPERANDS
                          if kind in ('int', 'float', 'literal'))
  return (HEAD + literal_c() + operand_c() + SOURCE.replace('@CONSTANT@', constants) + printer.name_tables()
          + functions + (SECOND if 'encoding_vopd' in functions else '')
          + 'int\n'
            'amd_isa_print(enum amd_gen gen, const struct amd_inst *inst, bool wave64, char *text, size_t size)\n{\n'
          '   struct out out = {text, size, 0, gen, 0};\n'
          '   const struct isa_entry *e = isa_find(gen, inst->op, inst->enc);\n'
          '   put(&out, e ? e->name : amd_isa_op_name((enum amd_op)inst->op));\n   if (e) {\n'
          '      const struct amd_op_info *info = &isa_columns[gen].ops[inst->op];\n'
          '      put(&out, inst->modifier ? modifier_suffix(inst) : e->suffix);\n'
          f'   switch (inst->enc) {{\n{cases}   }}\n   }}\n'
          '   if (size)\n      text[out.length < size ? out.length : size - 1] = 0;\n   return (int)out.length;\n}\n')
