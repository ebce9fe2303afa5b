"""isa_loose.c: which bits of an instruction hardware does not look at ('~' in isa_formats.txt), and a decoder that
passes over them."""
from columns import enum, symbol
from rows import PLACES

HEAD = '''/* Generated from the tables of src/amd/hw. */
#include "amd/hw/isa_runtime.h"

/* An operation with bits that hardware ignores: where (words & mask) == value, those in `ignored` may be anything,
 * and the strict decoder wants `proper` there. sources: the lowest bit of each operand field of the second dword, or
 * of the first (bits below 32), that could announce another dword; 0xff: none. */
struct isa_loose {
   uint64_t mask, value, ignored, proper;
   uint8_t sources[3];
};

/* Source numbers that announce a dword: what hardware makes of them in a field that it ignores, nobody says. */
static bool
announces(unsigned number)
{
   switch (number) {
   case 0xe9:
   case 0xea:
   case 0xf9:
   case 0xfa:
   case AMD_LITERAL:
      return true;
   default: /* others: nothing follows */
      return false;
   }
}

static bool
is_loose(const struct isa_loose *l, uint64_t words)
{
   if ((words & l->mask) != l->value || (words & l->ignored) == l->proper)
      return false;
   for (unsigned i = 0; i < 3; i++)
      if (l->sources[i] != 0xff && announces(words >> l->sources[i] & (l->sources[i] < 32 ? 0xff : 0x1ff)))
         return false;
   return true;
}

'''

TAIL = '''
uint64_t
amd_isa_ignored_bits(enum amd_gen gen, const uint32_t *words, unsigned count_dw)
{
   uint64_t both = count_dw ? words[0] : 0, ignored = 0;
   both |= count_dw > 1 ? (uint64_t)words[1] << 32 : 0;
   for (const struct isa_loose *l = columns[gen]; count_dw && l && l->mask; l++)
      if ((both & l->mask) == l->value)
         ignored |= l->ignored;
   return ignored;
}

bool
amd_isa_clear_ignored(enum amd_gen gen, const uint32_t *words, unsigned count_dw, uint32_t cleared[2])
{
   uint64_t both = count_dw ? words[0] : 0;
   both |= count_dw > 1 ? (uint64_t)words[1] << 32 : 0;
   const uint64_t before = both;
   for (const struct isa_loose *l = columns[gen]; count_dw && l && l->mask; l++)
      if (is_loose(l, both))
         both = (both & ~l->ignored) | l->proper;
   cleared[0] = (uint32_t)both;
   cleared[1] = (uint32_t)(both >> 32);
   return both != before;
}

unsigned
amd_isa_decode_loosely(enum amd_gen gen, const uint32_t *words, unsigned count_dw, struct amd_inst *inst)
{
   uint32_t changed[AMD_INST_MAX_DW] = {0};
   unsigned size = amd_isa_decode(gen, words, count_dw, inst);
   if (size || !amd_isa_clear_ignored(gen, words, count_dw, changed))
      return size;
   for (unsigned i = 2; i < AMD_INST_MAX_DW && i < count_dw; i++)
      changed[i] = words[i];
   return amd_isa_decode(gen, changed, count_dw < AMD_INST_MAX_DW ? count_dw : AMD_INST_MAX_DW, inst);
}
'''


def bits(high, low):
  return (1 << high + 1) - (1 << low)


def is_ignored(e, what):
  """Whether a field of the row marked '~' has no meaning."""
  if what.startswith('='):
    return True
  place = what.split('/')[0]
  return place not in e.operands if place in PLACES else e.row.value('imm', e.gen, '') == 'none'


def loose_rows(e):
  """What the entry's words may hold: (mask, value, ignored, proper, fields that could announce a dword)."""
  mask, value = e.form.op_bits(e.number, e.row)
  ignored = proper = 0
  sources, rows = [], []
  for high, low, what in e.form.loose:
    if what.endswith('/present'):
      place = what.split('/')[0] + '/'
      at = next(l for _, l, w in e.form.lines if w.startswith(place) and not w.startswith(place + 'present'))
      rows.append((mask | bits(high, low), value, bits(at + 7, at), 0, []))
    elif is_ignored(e, what):
      ignored |= bits(high, low)
      proper |= value & bits(high, low)
      sources += [low] if what.endswith(('/a', '/c')) else []
  mask, value = mask & ~ignored, value & ~ignored
  return ([(mask, value, ignored, proper, sources)] if ignored else []) + rows


def row_c(mask, value, ignored, proper, sources):
  places = ', '.join(map(str, (sources + [255] * 3)[:3]))
  return f'   {{{mask:#x}, {value:#x}, {ignored:#x}, {proper:#x}, {{{places}}}}},\n'


def loose_c(built):
  out = HEAD
  for gen, (entries, _) in built.items():
    rows = list(dict.fromkeys(row_c(*row) for e in entries for row in loose_rows(e)))
    out += f'static const struct isa_loose loose_{symbol(gen)}[] = {{\n{"".join(rows)}   {{0}},\n}};\n'
  columns = ''.join(f'   [{enum(gen)}] = loose_{symbol(gen)},\n' for gen in built)
  return out + f'static const struct isa_loose *const columns[AMD_GEN_COUNT] = {{\n{columns}}};\n' + TAIL
