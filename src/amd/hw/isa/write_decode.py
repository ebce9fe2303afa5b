"""isa_decode.c: for each form a function that extracts its fields, for each encoding one that finds the row."""
from columns import enum, symbol
from forms import KINDS
from operands import DPP_SCALAR_SRC1, NUMBER, translation
from rows import MODIFIERS, PLACES


def place_c(place):
  return f'in->src[{place[3]}]' if place.startswith('src') else f'in->{place}'


def raw(form, what):
  """The value of a field as C; w0 and w1 are the dwords (w0, if only the second dword is given)."""
  parts = []
  for high, low, shift in form.fields.get(what, []):
    word, at, ones = f'w{low // 32}', low % 32, (1 << high - low + 1) - 1
    part = f'{word} >> {at}' if at else word
    part = f'({part})' if high % 32 == 31 else f'({part} & {ones:#x}u)'
    parts.append(f'({part} << {shift})' if shift else part)
  return parts[0] if len(parts) == 1 else f'({" | ".join(parts) or "0u"})'


def member(form, what):
  """The statement for a field that is a member."""
  name, _, kind = what.partition('/')
  value = raw(form, what)
  if kind == 'i':
    shift = 32 - form.width(what)
    return f'   in->{name} = (int32_t)({value} << {shift}) >> {shift};\n'
  if kind == 'src1':
    return f'   ok &= info->src_count > 1 || !{value};\n   in->{name} = {value};\n'
  if name == 'nsa':
    return f'   in->nsa_count = (uint8_t)({value} * 4);\n'
  return f'   in->{name} = {value};\n'


def frees_src1(form, gen):
  """Whether a second dword leaves the second source as it is."""
  return form.enc in ('VOP3', 'VOP3P') and gen in DPP_SCALAR_SRC1


class Writer:
  def __init__(self, gen, entries):
    self.gen, self.name = gen, symbol(gen)
    self.moved = translation(gen)
    self.entries = entries
    self.forms = {e.form.name: e.form for e in entries}
    self.seconds = {f.name: f for e in entries for f in e.seconds.values()}

  def number(self, kind):
    """C of our operand number from raw."""
    scalar = f'our_number_{self.name}[raw]' if self.moved else 'raw'
    if kind == 'd':
      return f'e->flags & ISA_DST_VGPR ? raw + AMD_VGPR0 : {scalar}'
    text = KINDS[kind][1] or 'raw'
    if kind == 's2n':
      return scalar.replace('raw', text)
    return text.replace('raw', scalar) if KINDS[kind][0][0] < 256 else text

  def null(self):
    """What the hardware calls null."""
    return next((theirs for theirs, ours in self.moved.items() if ours == NUMBER['NULL']), NUMBER['NULL'])

  def operand(self, form, what):
    place, kind = what.split('/')
    kind, index, value = kind.rstrip('?'), PLACES.index(place), raw(form, what)
    target, entry_set = place_c(place), f'e->set[{index}]'
    take = 'ok &= isa_take(sets, {}, &{}, raw, {});'
    if kind == 'flag':
      return (f'   if ({value})\n      {target} -= AMD_VGPR0;\n'
              f'   ok &= {entry_set} ? sets[{target}] >> ISA_SET_SDWA & 1 : !{value};\n')
    if kind == 'vcc':
      return (f'   raw = {value};\n   ok &= info->dst.cls ? !raw || raw >= 0x80 : !raw;\n'
              + f'   if (info->dst.cls)\n      {target} = raw ? raw & 0x7f : AMD_VCC_LO;\n')
    if kind == 'present':
      return f'   if (!{value}) {{\n      ok &= {target} == AMD_VGPR0;\n      {target} = AMD_OPERAND_NONE;\n   }}\n'
    if kind == 'smem':
      return f'   raw = {value};\n   ok &= isa_take_smem(sets, {entry_set}, in, raw);\n'
    if kind in ('saddr', 'saddr_st', 'saddr_7f'):
      taken = take.format(entry_set, target, self.number(kind))
      none = '0x7f' if kind == 'saddr_7f' else self.null()
      alone = '   if (raw == 0x7f)\n      in->src[0] = AMD_OPERAND_NONE;\n   else' if kind == 'saddr_st' else '  '
      return f'   raw = {value};\n{alone} if (raw != {none})\n      {taken}\n'
    if kind == 'soffset':
      return f'   raw = {value};\n   raw = {entry_set} || raw != {self.null()} ? raw : 0;\n   ' + take.format(
        entry_set, target, self.number(kind)) + '\n'
    if form.properties.get('marker'):
      entry_set = 'ISA_SET_VGPR'
    elif place == 'src0' and self.has_second(form):
      return f'   raw = {value};\n   if (!in->modifier)\n      {take.format(entry_set, target, self.number(kind))}\n'
    elif place == 'src1' and self.has_second(form) and not frees_src1(form, self.gen):
      entry_set = f'{entry_set} && in->modifier ? ISA_SET_VGPR : {entry_set}'
    return f'   raw = {value};\n   {take.format(entry_set, target, self.number(kind))}\n'

  @staticmethod
  def has_second(form):
    return any(m in form.properties for m in MODIFIERS)

  def form(self, form):
    """The function that reads all fields of a form. Members before operands, the flags of operands last."""
    fields = [f for f in form.fields if f != 'op']
    operands = [f for f in fields if f.split('/')[0] in PLACES]
    operands.sort(key=lambda f: f.endswith(('/flag', '/saddr_st?', '/present')))
    body = ''.join(member(form, f) for f in fields if f not in operands)
    body += ''.join(self.operand(form, f) for f in operands)
    checks = []
    for word in range(form.size_dw):
      mask, value = form.mask >> 32 * word & 0xffffffff, form.value >> 32 * word & 0xffffffff
      if mask:
        checks.append(f'(w{word} & {mask:#x}u) == {value:#x}u')
    words = ', '.join(f'uint32_t w{i}' for i in range(form.size_dw))
    unused = ', (void)w0' if 'half' in form.properties else ''
    return (f'static bool\nread_{self.name}_{form.name}({words}, const struct isa_entry *e, struct amd_inst *in)\n'
            f'{{\n'
            f'   const struct amd_op_info *info = &isa_ops_{self.name}[in->op];\n'
            f'   const uint32_t *sets = isa_sets_{self.name};\n   uint32_t raw = 0;\n'
            f'   (void)e, (void)info, (void)sets, (void)raw{unused};\n'
            f'   bool ok = {" && ".join(checks) or "true"};\n{body}{self.implied(form)}   return ok;\n}}\n\n')

  def implied(self, form):
    """Operands without a field."""
    if form.properties.get('marker'):
      return ''
    implied = {(p, c) for e in self.entries if e.form is form for p, c in e.implied.items()}
    out = ''
    for place, cls in sorted(implied):
      info = f'info->{place}' if not place.startswith('src') else f'info->src[{place[3]}]'
      number = 'AMD_VCC_LO' if cls == 'MASK' else 'AMD_LITERAL'
      out += f'   if ({info}.cls == AMD_CLASS_{cls})\n      {place_c(place)} = {number};\n'
    return out

  def modifier(self, form):
    """Finds the modifier in src0 of the first dword."""
    cases = ''
    for m, constant in MODIFIERS.items():
      second = self.seconds.get(form.properties.get(m))
      if second:
        fi = second.properties.get('marker_fi')
        if fi:
          cases += f'   case 0x{fi}:\n      in->fetch_inactive = true;\n      __attribute__((fallthrough));\n'
        cases += f'   case 0x{second.properties["marker"]}:\n      in->modifier = AMD_MOD_{constant};\n      break;\n'
    source = raw(form, 'src0/a') if 'src0/a' in form.fields else '0u'
    return (f'   switch ({source}) {{\n{cases}   }}\n' if cases else
            '') + ('   if (in->modifier && !(e->modifiers >> in->modifier & 1))\n      return 0;\n' if cases else '')

  def tail(self, form):
    out = ''
    cases = ''.join(f'   case AMD_MOD_{constant}:\n'
                    f'      ok &= n < count && read_{self.name}_{form.properties[m]}(words[n], e, in);\n'
                    '      n++;\n      break;\n'
                    for m, constant in MODIFIERS.items() if form.properties.get(m) in self.seconds)
    if cases:
      out += f'   switch (in->modifier) {{\n{cases}   }}\n'
    if 'literal' in form.properties:
      out += ('   if (isa_has_literal(e, in)) {\n      if (n >= count || in->modifier)\n         return 0;\n'
              '      in->literal = words[n++];\n   }\n')
    if 'nsa' in form.properties:
      out += '   n = isa_read_nsa(words, count, n, in);\n'
    if 'nsa_tail' in form.properties:
      out += '   n = isa_read_nsa_tail(words, count, n, in);\n'
    return out

  def encoding(self, enc):
    mine = [e for e in self.entries if e.enc == enc]
    forms = {e.form.name: e.form for e in mine}
    form = next(iter(forms.values()))
    size = max(f.size_dw for f in forms.values())
    index = {e.number: self.entries.index(e) + 1 for e in mine}
    words = ', '.join(f'w{i}' for i in range(size))
    if len(forms) == 1:
      read = f'   bool ok = read_{self.name}_{form.name}({words}, e, in);\n'
    else:
      read = '   bool ok = false;\n   switch (e->form) {\n' + ''.join(
        f'   case ISA_FORM_{f}:\n      ok = read_{self.name}_{f}({words}, e, in);\n      break;\n'
        for f in forms) + '   }\n'
    returns = (f'   if (e->flags & ISA_ATOMIC && in->glc && isa_ops_{self.name}[in->op].dst.cls)\n'
               '      in->dst = in->src[3];\n'
               if 'returns' in form.properties else '')
    return (f'static unsigned\ndecode_{self.name}_{enc}(const uint32_t *words, unsigned count, struct amd_inst *in)\n'
            f'{{\n'
            '   static const uint16_t entries[] = {'
            + ', '.join(f'[{n:#x}] = {i}' for n, i in sorted(index.items())) + '};\n'
            f'   if (count < {size})\n      return 0;\n'
            + ''.join(f'   uint32_t w{i} = words[{i}];\n' for i in range(size))
            + f'   unsigned opcode = {raw(form, "op")};\n'
            '   if (opcode >= sizeof(entries) / sizeof(entries[0]) || !entries[opcode])\n      return 0;\n'
            f'   const struct isa_entry *e = &isa_entries_{self.name}[entries[opcode] - 1];\n'
            '   *in = empty;\n   in->op = e->op;\n   in->enc = e->enc;\n'
            + self.modifier(form) + read + returns + self.second_half(form) + f'   unsigned n = {size};\n'
            + self.tail(form)
            + ('   isa_take_halves(e, in);\n' if 'true16' in form.properties else '') +
            f'   if (!ok || !n || !isa_check({enum(self.gen)}, e, in))\n      return 0;\n'
            '   in->size_dw = (uint8_t)n;\n   return n;\n}\n\n')

  def second_half(self, form):
    """Reads the operation that runs in parallel with this one."""
    if 'dual' not in form.properties:
      return ''
    enc = form.properties['dual']
    mine = [e for e in self.entries if e.enc == enc]
    numbers = ', '.join(f'[{e.number:#x}] = {self.entries.index(e) + 1}' for e in mine)
    forms = {e.form.name: e.form for e in mine}
    cases = ''.join(f'   case ISA_FORM_{f}:\n      ok &= read_{self.name}_{f}(w0, w1, second, &y);\n      break;\n'
                    for f in forms)
    op = raw(next(iter(forms.values())), 'op')
    return (f'   static const uint16_t seconds[] = {{{numbers}}};\n   unsigned number = {op};\n'
            '   if (number >= sizeof(seconds) / sizeof(seconds[0]) || !seconds[number])\n      return 0;\n'
            f'   const struct isa_entry *second = &isa_entries_{self.name}[seconds[number] - 1];\n'
            '   struct amd_inst y = empty;\n   y.op = second->op;\n'
            f'   switch (second->form) {{\n{cases}   }}\n'
            '   y.dst |= ~in->dst & 1;\n   isa_join(in, &y);\n')

  def dispatch(self):
    """From the top nine bits to the encodings that have an operation there; where several remain, their other
    constant bits decide."""
    cases = {}
    for key in range(512):
      candidates = {}
      for e in self.entries:
        if 'half' in e.form.properties:
          continue
        mask, value = e.form.op_bits(e.number, e.row)
        if not (key ^ value >> 23) & mask >> 23 & 0x1ff:
          base = e.form
          candidates.setdefault(e.enc, (base.mask & 0x7fffff, base.value & 0x7fffff))
      tests = sorted(candidates.items(), key=lambda c: -bin(c[1][0]).count('1'))
      if tests:
        cases.setdefault(tuple(tests), []).append(key)
    out = '   switch (words[0] >> 23) {\n'
    for tests, keys in cases.items():
      out += labels(keys)
      for i, (enc, (mask, value)) in enumerate(tests):
        call = f'return decode_{self.name}_{enc}(words, count_dw, inst);\n'
        if len(tests) > 1 and mask:
          out += f'      if ((words[0] & {mask:#x}u) == {value:#x}u)\n         {call}'
        else:
          out += f'      {call}'
      if len(tests) > 1 and tests[-1][1][0]:
        out += '      return 0;\n'
    return out + '   }\n   return 0;\n'

  def write(self):
    out = ''
    if self.moved:
      table = ', '.join(str(self.moved.get(n, n)) for n in range(512))
      out += f'static const uint16_t our_number_{self.name}[512] = {{{table}}};\n\n'
    out += ''.join(self.form(f) for f in self.seconds.values())
    out += ''.join(self.form(f) for f in self.forms.values())
    encs = list({e.enc: None for e in self.entries if 'half' not in e.form.properties})
    out += ''.join(self.encoding(enc) for enc in encs)
    return out + (f'static unsigned\n'
                  f'decode_{self.name}(const uint32_t *words, unsigned count_dw, struct amd_inst *inst)\n{{\n'
                  f'{self.dispatch()}}}\n\n')


def labels(keys):
  """case lines of numbers, runs as ranges."""
  out, start = '', None
  for key, following in zip(keys, [*keys[1:], None]):
    start = key if start is None else start
    if following != key + 1:
      out += f'   case {start:#x}:\n' if start == key else f'   case {start:#x} ... {key:#x}:\n'
      start = None
  return out


HEAD = '''/* Generated from the tables of src/amd/hw. */
#include "amd/hw/isa_runtime.h"

static const struct amd_inst empty = {
   .dst = AMD_OPERAND_NONE, .sdst = AMD_OPERAND_NONE,
   .src = {AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE},
   .dual_dst = AMD_OPERAND_NONE, .dual_src = {AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE},
};

/* GFX9: the register of a scalar access stands in its own field (bit 8 of raw) or, without an immediate (bit 7), in
 * that of the offset. */
static inline bool
isa_take_smem(const uint32_t *sets, unsigned set, struct amd_inst *in, unsigned raw)
{
   bool immediate = raw & 0x80, own = raw & 0x100;
   if (!set)
      return !raw && !in->offset;
   if (immediate && !own) {
      in->src[1] = AMD_NULL;
      return !(raw & 0x7f);
   }
   unsigned n = own ? raw & 0x7f : (unsigned)in->offset;
   bool unused = own ? !immediate && in->offset : raw & 0x7f;
   in->offset = immediate ? in->offset : 0;
   return !unused && n < 128 && isa_take(sets, set, &in->src[1], n, n);
}

/* The dwords of further addresses; 0 if they are cut off, too few or more than the address needs. */
static inline unsigned
isa_read_nsa(const uint32_t *words, unsigned count, unsigned n, struct amd_inst *in)
{
   if (n + in->nsa_count / 4u > count)
      return 0;
   for (unsigned i = 0; i < in->nsa_count; i++)
      in->nsa[i] = (uint8_t)(words[n + i / 4] >> 8 * (i % 4));
   n += in->nsa_count / 4u;
   unsigned needed = amd_isa_image_address_dw(in);
   if (in->nsa_count && in->nsa_count / 4u != (needed + 2) / 4)
      return 0;
   in->nsa_count = in->nsa_count ? (uint8_t)(needed - 1) : 0;
   return n;
}


/* The same with one dword: what does not fit follows the last register that it names. */
static inline unsigned
isa_read_nsa_tail(const uint32_t *words, unsigned count, unsigned n, struct amd_inst *in)
{
   if (!in->nsa_count)
      return n;
   unsigned needed = amd_isa_image_address_dw(in);
   if (n >= count || needed < 2 || needed > 1 + sizeof(in->nsa))
      return 0;
   for (unsigned i = 0; i < needed - 1; i++)
      in->nsa[i] = i < 4 ? (uint8_t)(words[n] >> 8 * i) : (uint8_t)(in->nsa[i - 1] + 1);
   in->nsa_count = (uint8_t)(needed - 1);
   return needed > 5 && in->nsa[3] + needed - 5 > 255 ? 0 : n + 1;
}

/* Registers of 16 bits in short forms: bit 7 of the number is the half. */
static inline void
isa_take_half(unsigned op_sel, unsigned bit, uint16_t *place, struct amd_inst *in)
{
   if (op_sel >> bit & 1 && *place != AMD_OPERAND_NONE && *place >= AMD_VGPR0 + 128) {
      *place -= 128;
      in->op_sel |= (uint8_t)(1u << bit);
   }
}

static inline void
isa_take_halves(const struct isa_entry *e, struct amd_inst *in)
{
   isa_take_half(e->op_sel, 3, &in->dst, in);
   for (unsigned i = 0; i < 3; i++)
      isa_take_half(e->op_sel, i, &in->src[i], in);
}

static inline void
isa_join(struct amd_inst *in, const struct amd_inst *y)
{
   in->dual_op = y->op;
   in->dual_dst = y->dst;
   for (unsigned i = 0; i < 3; i++)
      in->dual_src[i] = y->src[i];
}

'''


def decode_c(built):
  cases = ''.join(f'   case {enum(g)}:\n      return decode_{symbol(g)}(words, count_dw, inst);\n' for g in built)
  return (HEAD + ''.join(Writer(gen, entries).write() for gen, (entries, _) in built.items())
          + 'unsigned\n'
            'amd_isa_decode(enum amd_gen gen, const uint32_t *words, unsigned count_dw, struct amd_inst *inst)\n{\n'
          '   if (!count_dw)\n      return 0;\n'
          f'   switch ((int)gen) {{\n{cases}   }}\n   return 0;\n}}\n')
