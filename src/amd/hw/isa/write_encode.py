"""isa_encode.c: for each form a function that puts its fields together."""
from columns import enum, symbol
from forms import KINDS, MEMBERS
from operands import BUS_LIMIT, translation
from rows import MODIFIERS, PLACES
from write_decode import frees_src1, place_c

HEAD = '''/* Generated from the tables of src/amd/hw. */
#include "amd/hw/isa_runtime.h"

static inline unsigned
isa_write_nsa(const struct amd_inst *in, unsigned n, uint32_t *out)
{
   for (unsigned i = 0; i < in->nsa_count; i += 4) {
      uint32_t word = 0;
      for (unsigned j = 0; j < 4 && i + j < in->nsa_count; j++)
         word |= (uint32_t)in->nsa[i + j] << 8 * j;
      out[n++] = word;
   }
   return n;
}

/* All that one dword does not hold follows the last register. */
static inline bool
isa_write_nsa_tail(const struct amd_inst *in, unsigned *n, uint32_t *out)
{
   if (!in->nsa_count)
      return true;
   uint32_t word = 0;
   for (unsigned i = 0; i < in->nsa_count; i++) {
      if (i > 3 && in->nsa[i] != in->nsa[i - 1] + 1)
         return false;
      word |= i < 4 ? (uint32_t)in->nsa[i] << 8 * i : 0;
   }
   out[(*n)++] = word;
   return true;
}

/* Registers of 16 bits in short forms: the half is bit 7 of the number. in becomes one with such numbers. */
static inline bool
isa_give_halves(const struct isa_entry *e, const struct amd_inst **in, struct amd_inst *whole)
{
   if (!e->op_sel)
      return true;
   *whole = **in;
   *in = whole;
   for (unsigned bit = 0; bit < 4; bit++) {
      uint16_t *place = bit == 3 ? &whole->dst : &whole->src[bit];
      bool high = whole->op_sel >> bit & 1, is_vgpr = *place != AMD_OPERAND_NONE && *place >= AMD_VGPR0;
      if (e->op_sel >> bit & 1 && is_vgpr && *place >= AMD_VGPR0 + 128)
         return false;
      if (high && (!(e->op_sel >> bit & 1) || !is_vgpr))
         return false;
      *place += high ? 128 : 0;
   }
   return true;
}

/* At most limit different scalar values feed a vector instruction. A pair and its first register are two values; a
 * lane select is one where the limit is one. */
static bool
isa_bus_fits(unsigned limit, const uint32_t *sets, const struct amd_op_info *info, const struct isa_entry *e,
             const struct amd_inst *in)
{
   uint32_t seen[5];
   unsigned count = 0;
   if (e->flags & ISA_BUS0)
      return true;
   if (e->flags & ISA_RVCC)
      seen[count++] = AMD_VCC_LO | 1u << 16;
   for (unsigned i = 0; i < info->src_count; i++) {
      uint32_t n = in->src[i];
      if (n >= AMD_VGPR0 || !(sets[n] & 1))
         continue;
      if (limit > 1 && info->src[i].cls == AMD_CLASS_VLANE)
         continue;
      bool pair = info->src[i].size_dw == 2 && info->src[i].cls != AMD_CLASS_MASK && n != AMD_LITERAL;
      n |= pair ? 2u << 16 : 1u << 16;
      bool known = false;
      for (unsigned j = 0; j < count; j++)
         known |= seen[j] == n;
      if (!known)
         seen[count++] = n;
   }
   return count <= (e->flags & ISA_BUS1 ? 1u : limit);
}

'''
VECTOR = ('VOP1', 'VOP2', 'VOPC', 'VOP3', 'VOP3P')


class Writer:
  def __init__(self, gen, entries):
    self.gen, self.name, self.entries = gen, symbol(gen), entries
    self.moved = {ours: theirs for theirs, ours in translation(gen).items()}
    self.forms = {e.form.name: e.form for e in entries}
    self.seconds = {f.name: f for e in entries for f in e.seconds.values()}

  @staticmethod
  def put(form, what):
    """The parts of a field's value v in the dwords."""
    out = ''
    for high, low, shift in form.fields[what]:
      ones = (1 << high - low + 1) - 1
      part = f'(v >> {shift} & {ones:#x}u)' if shift else f'(v & {ones:#x}u)'
      out += f'   w[{low // 32}] |= {part} << {low % 32};\n' if low % 32 else f'   w[{low // 32}] |= {part};\n'
    return out

  def member(self, form, what):
    if what == 'nsa' and 'nsa_tail' in form.properties:
      return '   v = in->nsa_count != 0;\n' + self.put(form, what)
    name, _, kind = what.partition('/')
    width, check = form.width(what), ''
    value = f'in->{name}'
    if kind == 'i':
      check = f'   ok &= in->{name} >= -{1 << width - 1} && in->{name} < {1 << width - 1};\n'
    elif name == 'nsa':
      value, check = '(in->nsa_count + 3u) / 4', f'   ok &= in->nsa_count <= {4 * ((1 << width) - 1)};\n'
    elif width < MEMBERS[name]:
      check = f'   ok &= !((uint32_t)in->{name} >> {width});\n'
    if kind == 'src1':
      value = f'info->src_count > 1 ? {value} : 0u'
    return f'{check}   v = (uint32_t)({value});\n' + self.put(form, what)

  def field(self, kind):
    """C of the field from our operand number n."""
    scalar = f'(n < 512 ? hardware_number_{self.name}[n] : 0u)' if self.moved else 'n'
    text = KINDS[kind][2] if KINDS[kind][2] else 'n'
    return text.replace('n', scalar, 1) if 'AMD_VGPR0' not in text else text

  def operand(self, form, what):
    place, kind = what.split('/')
    optional, kind, index = kind.endswith('?'), kind.rstrip('?'), PLACES.index(place)
    target, entry_set = place_c(place), f'e->set[{index}]'
    if kind == 'flag':
      return f'   v = {entry_set} && {target} < AMD_VGPR0;\n' + self.put(form, what)
    if kind == 'vcc':
      return (f'   n = {target};\n   ok &= info->dst.cls ? n < 128 : n == AMD_OPERAND_NONE;\n'
              '   v = info->dst.cls && n != AMD_VCC_LO ? 0x80u | n : 0;\n' + self.put(form, what))
    if kind == 'present':
      return f'   v = {target} != AMD_OPERAND_NONE;\n' + self.put(form, what)
    if kind == 'smem':
      low = form.fields['offset/i'][0][1]
      return (f'   n = {target};\n   v = !{entry_set} ? 0 : n == AMD_NULL ? 0x80u : in->offset ? n | 0x180u : 0;\n'
              f'   ok &= ({entry_set} && n == AMD_NULL) || isa_gives(sets, {entry_set}, n);\n'
              f'   if ({entry_set} && !v)\n      w[{low // 32}] |= n << {low % 32};\n' + self.put(form, what))
    if kind in ('saddr', 'saddr_st', 'saddr_7f'):
      null = f'hardware_number_{self.name}[AMD_NULL]' if self.moved else 'AMD_NULL'
      null = '0x7fu' if kind == 'saddr_7f' else null
      alone = ('   ok &= v != 0x7f;\n   if (n == AMD_OPERAND_NONE && in->src[0] == AMD_OPERAND_NONE)\n'
               '      v = 0x7f;\n')
      return (f'   n = {target};\n   if (n != AMD_OPERAND_NONE)\n      ok &= isa_gives(sets, {entry_set}, n);\n'
              f'   v = n == AMD_OPERAND_NONE || n == AMD_NULL ? {null} : {self.field(kind)};\n'
              + (alone if kind == 'saddr_st' else '') + self.put(form, what))
    if form.properties.get('marker'):
      entry_set = '(in->modifier == AMD_MOD_SDWA ? ISA_SET_SDWA : ISA_SET_VGPR)'
      entry_set = f'info->src[0].cls ? {entry_set} : 0'
    elif self.has_second(form) and (
            place == 'src0' or place == 'src1' and not frees_src1(form, self.gen)):
      entry_set = (f'!{entry_set} || !in->modifier ? {entry_set} : in->modifier == AMD_MOD_SDWA ? ISA_SET_SDWA : '
                   f'ISA_SET_VGPR')
    value = {'v': 'n & 255', 'first': 'n & 255', 'd': 'n & 255'}.get(kind)
    if not value or kind == 'd' and self.moved:
      value = self.field(kind) if kind != 'd' else f'n < AMD_VGPR0 ? {self.field(kind)} : n & 255'
    test = f'isa_gives(sets, {entry_set}, n)'
    if optional:
      test = f'n == AMD_OPERAND_NONE || {test}'
    if place == 'src0' and self.has_second(form):
      test = f'in->modifier || {test}'
    out = f'   n = {target};\n   ok &= {test};\n   v = n == AMD_OPERAND_NONE ? 0 : {value};\n'
    if place == 'src0' and self.has_second(form):
      out = out[:-1].replace('v = ', 'v = in->modifier ? isa_marker(in) : ') + '\n'
    return out + self.put(form, what)

  @staticmethod
  def has_second(form):
    return any(m in form.properties for m in MODIFIERS)

  def form(self, form):
    body = ''
    for what in form.fields:
      if what == 'op':
        body += '   v = e->opcode;\n' + self.put(form, what)
      elif what.split('/')[0] in PLACES:
        body += self.operand(form, what)
      else:
        body += self.member(form, what)
    words = range(0 if 'half' in form.properties else form.size_dw)
    start = ''.join(f'   w[{i}] = {form.value >> 32 * i & 0xffffffff:#x};\n' for i in words)
    return (f'static bool\n'
            f'write_{self.name}_{form.name}(const struct isa_entry *e, const struct amd_inst *in, uint32_t *w)\n{{\n'
            f'   const struct amd_op_info *info = &isa_ops_{self.name}[in->op];\n'
            f'   const uint32_t *sets = isa_sets_{self.name};\n   uint32_t v, n = 0;\n   bool ok = true;\n'
            f'   (void)e, (void)info, (void)sets, (void)n;\n{start}{body}{self.implied(form)}   return ok;\n}}\n\n')

  def implied(self, form):
    """Operands without a field can only be what they are."""
    if form.properties.get('marker'):
      return ''
    second = self.seconds.get(form.properties.get('sdwa'))
    out = ''
    for place, cls in sorted({(p, c) for e in self.entries if e.form is form for p, c in e.implied.items()}):
      info = f'info->{place}' if not place.startswith('src') else f'info->src[{place[3]}]'
      number = 'AMD_VCC_LO' if cls == 'MASK' else 'AMD_LITERAL'
      named = ' && in->modifier != AMD_MOD_SDWA' if second and place in second.places() else ''
      out += f'   ok &= !({info}.cls == AMD_CLASS_{cls}{named}) || {place_c(place)} == {number};\n'
    # Operands that neither the row nor the form has.
    for place in PLACES:
      if place not in form.places():
        out += f'   ok &= {place_c(place).replace("in->", "info->")}.cls || {place_c(place)} == AMD_OPERAND_NONE;\n'
    return out

  def encoding(self, enc):
    mine = [e for e in self.entries if e.enc == enc]
    forms = {e.form.name: e.form for e in mine}
    form = next(iter(forms.values()))
    out = (f'static unsigned\nencode_{self.name}_{enc}(const struct isa_entry *e, const struct amd_inst *in, '
           'uint32_t *out)\n{\n')
    if 'true16' in form.properties:
      out += '   struct amd_inst whole;\n   if (!isa_give_halves(e, &in, &whole))\n      return 0;\n'
    if len(forms) == 1:
      out += f'   bool ok = write_{self.name}_{form.name}(e, in, out);\n'
    else:
      out += '   bool ok = false;\n   switch (e->form) {\n' + ''.join(
        f'   case ISA_FORM_{f}:\n      ok = write_{self.name}_{f}(e, in, out);\n      break;\n'
        for f in forms) + '   }\n'
    if 'returns' in form.properties:
      out += '   ok &= in->dst == AMD_OPERAND_NONE || in->src[3] == AMD_OPERAND_NONE || in->dst == in->src[3];\n'
    out += f'   unsigned n = {form.size_dw};\n'
    cases = ''.join(f'   case AMD_MOD_{c}:\n      ok &= write_{self.name}_{form.properties[m]}(e, in, out + n++);\n'
                    f'      break;\n'
                    for m, c in MODIFIERS.items() if form.properties.get(m) in self.seconds)
    if cases:
      out += f'   switch (in->modifier) {{\n{cases}   }}\n'
    if 'literal' in form.properties:
      out += ('   if (isa_has_literal(e, in)) {\n      ok &= !in->modifier;\n      out[n++] = in->literal;\n   }\n')
    if 'nsa' in form.properties:
      out += '   if (ok)\n      n = isa_write_nsa(in, n, out);\n'
    if 'nsa_tail' in form.properties:
      out += '   ok = ok && isa_write_nsa_tail(in, &n, out);\n'
    if 'dual' in form.properties:
      out = out.replace('   unsigned n =', self.second_half(form) + '   unsigned n =')
    if enc in VECTOR:
      out += (f'   ok = ok && isa_bus_fits({BUS_LIMIT[self.gen]}, isa_sets_{self.name}, '
              f'&isa_ops_{self.name}[in->op], e, in);\n')
    return out + '   return ok ? n : 0;\n}\n\n'

  def second_half(self, form):
    enc = form.properties['dual']
    cases = ''.join(f'   case ISA_FORM_{f}:\n      ok &= write_{self.name}_{f}(second, &y, out);\n      break;\n'
                    for f in {e.form.name: None for e in self.entries if e.enc == enc})
    return ('   struct amd_inst y = amd_isa_second(in);\n'
            f'   const struct isa_entry *second = isa_find({enum(self.gen)}, y.op, AMD_ENC_{enc});\n'
            '   if (!second || !((in->dst ^ y.dst) & 1))\n      return 0;\n'
            f'   switch (second->form) {{\n{cases}   }}\n')

  def marker(self):
    cases = ''
    for m, constant in MODIFIERS.items():
      for second in {f.properties[m]: None for f in self.forms.values() if m in f.properties}:
        p = self.seconds[second].properties if second in self.seconds else None
        if p and f'AMD_MOD_{constant}:' not in cases:
          fi = f'in->fetch_inactive ? 0x{p["marker_fi"]} : ' if 'marker_fi' in p else ''
          cases += f'   case AMD_MOD_{constant}:\n      return {fi}0x{p["marker"]};\n'
    return (f'static inline uint32_t\nisa_marker_{self.name}(const struct amd_inst *in)\n{{\n'
            f'   switch (in->modifier) {{\n{cases}   }}\n   return 0;\n}}\n\n')

  def write(self):
    encs = list({e.enc: None for e in self.entries})
    out = self.marker()
    if self.moved:
      out += (f'static const uint16_t hardware_number_{self.name}[512] = {{'
              f'{", ".join(str(self.moved.get(n, n)) for n in range(512))}}};\n\n')
    out += ''.join(self.form(f) for f in [*self.seconds.values(), *self.forms.values()]).replace(
      'isa_marker(in)', f'isa_marker_{self.name}(in)')
    encs = [e for e in encs if not any('half' in f.properties for f in self.forms.values() if f.enc == e)]
    out += ''.join(map(self.encoding, encs))
    cases = ''.join(f'   case AMD_ENC_{e}:\n      return encode_{self.name}_{e}(e, in, out);\n' for e in encs)
    return out + (f'static unsigned\n'
                  f'encode_{self.name}(const struct isa_entry *e, const struct amd_inst *in, uint32_t *out)\n{{\n'
                  f'   switch (e->enc) {{\n{cases}   }}\n   return 0;\n}}\n\n')


def encode_c(built):
  cases = ''.join(f'   case {enum(g)}:\n      *size_dw = encode_{symbol(g)}(e, inst, out);\n      break;\n'
                  for g in built)
  return (HEAD + ''.join(Writer(gen, entries).write() for gen, (entries, _) in built.items())
          + 'bool\namd_isa_encode(enum amd_gen gen, const struct amd_inst *inst, uint32_t *out, unsigned *size_dw)\n'
            '{\n'
          '   const struct isa_entry *e = isa_find(gen, inst->op, inst->enc);\n'
          '   if (!e || (inst->modifier && !(e->modifiers >> inst->modifier & 1)) || !isa_check(gen, e, inst))\n'
          '      return false;\n'
          f'   *size_dw = 0;\n   switch ((int)gen) {{\n{cases}   }}\n   return *size_dw != 0;\n}}\n')
