"""isa_tables.c: what amd_isa_op_info tells, the entries of each generation and the functions that look things up."""
from columns import enum, symbol
from image_rules import DIMS, address_dw, flags as image_flags
from memory import access
from hwregs import names as hwreg_names
from operands import BUS_NUMBERS, FLOAT_BITS, INV_2PI_BITS_64, NUMBER
from rows import MODIFIERS, PLACES
from waits import COUNTERS, WAITS, symbol as wait_symbol

LOOKUP = '''
const struct amd_op_info *
amd_isa_op_info(enum amd_gen gen, enum amd_op op)
{
   if (!isa_columns[gen].ops)
      amd_gen_lacks(gen, "instruction table");
   return &isa_columns[gen].ops[op];
}

const char *
amd_isa_op_name(enum amd_op op)
{
   return names[op];
}

int
amd_isa_opcode(enum amd_gen gen, enum amd_op op, enum amd_enc enc)
{
   const struct isa_entry *e = isa_find(gen, op, enc);
   return e ? e->opcode : -1;
}

/* Whether name is mnemonic, with or without what the assembler adds to it. */
static bool
is_mnemonic(const char *mnemonic, const char *name)
{
   static const char *const suffixes[] = {"", "_e32", "_e64", "_sdwa", "_dpp"};
   size_t length = strlen(mnemonic);
   if (strncmp(mnemonic, name, length))
      return false;
   for (unsigned s = 0; s < 5; s++)
      if (!strcmp(name + length, suffixes[s]))
         return true;
   return false;
}

enum amd_op
amd_isa_op_by_name(const char *name)
{
   for (unsigned op = 0; op < AMD_OP_COUNT; op++)
      if (is_mnemonic(names[op], name))
         return (enum amd_op)op;
   return AMD_OP_COUNT;
}

enum amd_op
amd_isa_op_of(enum amd_gen gen, const char *name)
{
   const struct isa_column *column = &isa_columns[gen];
   for (unsigned i = 0; column->entries && i < column->first[AMD_OP_COUNT]; i++)
      if (is_mnemonic(column->entries[i].name, name))
         return (enum amd_op)column->entries[i].op;
   return amd_isa_op_by_name(name);
}

enum amd_enc
amd_isa_pick_encoding(enum amd_gen gen, const struct amd_inst *inst)
{
   const struct isa_column *column = &isa_columns[gen];
   enum amd_enc best = AMD_ENC_NONE;
   unsigned best_size = AMD_INST_MAX_DW + 1;
   if (!column->entries)
      return best;
   for (unsigned i = column->first[inst->op]; i < column->first[inst->op + 1]; i++) {
      struct amd_inst attempt = *inst;
      uint32_t words[AMD_INST_MAX_DW];
      unsigned size_dw;
      attempt.enc = column->entries[i].enc;
      if (amd_isa_encode(gen, &attempt, words, &size_dw) && size_dw < best_size) {
         best = (enum amd_enc)attempt.enc;
         best_size = size_dw;
      }
   }
   return best;
}

struct amd_inst
amd_isa_second(const struct amd_inst *inst)
{
   struct amd_inst y = amd_inst_init((enum amd_op)inst->dual_op, AMD_ENC_VOPD);
   y.dst = inst->dual_dst;
   for (unsigned i = 0; i < 3; i++)
      y.src[i] = inst->dual_src[i];
   y.literal = inst->literal;
   return y;
}

unsigned
amd_isa_image_address_dw(const struct amd_inst *inst)
{
   return image_address_dw[image_shape[inst->op]][inst->dim & 7][inst->a16];
}

unsigned
amd_isa_image_data_dw(const struct amd_inst *inst)
{
   /* Gathers give four values whatever the mask says. */
   unsigned gathered = image_parts[inst->op] & AMD_IMAGE_GATHER ? 4 : (unsigned)__builtin_popcount(inst->dmask);
   return (inst->d16 ? (gathered + 1) / 2 : gathered) + inst->tfe;
}
'''


def operand_c(operand):
  return f'{{AMD_CLASS_{operand[0]}, AMD_TYPE_{operand[1]}, {operand[2]}}}' if operand else '{0}'


def bits_c(names):
  return ' | '.join(names) or '0'


def row_c(row, gen):
  """What a generation has of a row; of one that it lacks nothing."""
  if not row.encs[gen]:
    return f'   [AMD_OP_{row.name}] = {{.commuted = AMD_OP_COUNT}},\n'
  encs = bits_c(f'1u << AMD_ENC_{e}' for e in row.encs[gen])
  modifiers = bits_c(sorted({f'1u << AMD_MOD_{MODIFIERS[m]}' for _, ms, _ in row.encs[gen].values() for m in ms}))
  operands = [operand_c(row.operands[gen].get(p)) for p in PLACES]
  flags = bits_c(f'AMD_FLAG_{f}' for f in row.flags(gen))
  return (f'   [AMD_OP_{row.name}] = {{{encs}, {modifiers}, {operands[0]}, {operands[1]}, '
          f'{{{", ".join(operands[2:])}}}, {flags}, {row.source_count}, {row.mods(gen)}, {row.op_sel(gen)}, '
          f'{access_c(row, gen)}, {image_c(row)}, AMD_OP_{row.commuted(gen) or "COUNT"}}},\n')


def access_c(row, gen):
  size_B, is_signed, components, atomic, units = access(row, gen)
  return f'{size_B}, {int(is_signed)}, {components}, {units}, AMD_ATOMIC_{(atomic or "none").upper()}'


def image_c(row):
  return bits_c(f'AMD_IMAGE_{p}' for p in image_flags(row))


def image_sizes_c(rows):
  """Sizes of addresses by the shape of an operation: [dim][a16]."""
  shapes = {}
  images = [row for row in rows if any('MIMG' in encs for encs in row.encs.values())]
  index = {row.name: shapes.setdefault(tuple((address_dw(row, d, 0), address_dw(row, d, 1))
                                             for d in range(len(DIMS))), len(shapes)) for row in images}
  table = ''.join('   {' + ', '.join(f'{{{a}, {b}}}' for a, b in shape) + '},\n'
                  for shape in shapes or [((0, 0),) * len(DIMS)])
  return ('static const uint16_t image_parts[AMD_OP_COUNT] = {\n   0,\n'
          + ''.join(f'   [AMD_OP_{row.name}] = {image_c(row)},\n' for row in images if image_flags(row))
          + '};\nstatic const uint8_t image_shape[AMD_OP_COUNT] = {\n   0,\n'
          + ''.join(f'   [AMD_OP_{n}] = {i},\n' for n, i in index.items() if i)
          + f'}};\nstatic const uint8_t image_address_dw[][{len(DIMS)}][2] = {{\n{table}}};\n\n')


def entry_c(e):
  row = e.row
  sets = ', '.join(str(e.sets.get(p, 0)) for p in PLACES)
  mods, op_sel = row.mods(e.gen), row.op_sel(e.gen)
  selects = e.holds('op_sel') or 'true16' in e.form.properties
  masks = [mods if e.holds(m) else 0 for m in ('neg', 'abs', 'neg_hi')] + [op_sel if selects else 0]
  second = f'{e.second_neg() if e.modifiers else 0}, {e.second_sext() if "sdwa" in e.modifiers else 0}'
  imm = row.value('imm', e.gen, 'hex' if e.holds('simm16') else 'none')
  flags = e.flags() + (['NO_IMM'] if imm == 'none' else [])
  setreg = imm == 'hwreg' and 'dst' not in e.operands
  flags += ['SETREG'] if setreg else []
  return (f'   {{"{e.name}", "{e.suffix()}", AMD_OP_{row.name}, {e.number:#x}, AMD_ENC_{e.enc}, '
          f'ISA_FORM_{e.form.name}, '
          f'{{{sets}}}, {", ".join(map(str, masks))}, {second}, '
          f'{bits_c(f"1u << AMD_MOD_{MODIFIERS[m]}" for m in e.modifiers)}, ISA_IMM_{"none" if setreg else imm}, '
          f'{bits_c(f"ISA_{f}" for f in flags)}}},\n')


def column_c(gen, rows, entries, sets):
  name, first, position = symbol(gen), [], 0
  count = {row.name: 0 for row in rows}
  for e in entries:
    count[e.row.name] += 1
  for row in rows:
    first.append(position)
    position += count[row.name]
  numbers = ', '.join(f'{sets.bits(n) | (n in BUS_NUMBERS):#x}' for n in range(512))
  return (f'const struct amd_op_info isa_ops_{name}[AMD_OP_COUNT] = {{\n'
          + ''.join(row_c(row, gen) for row in rows) + '};\n'
          f'const struct isa_entry isa_entries_{name}[] = {{\n{"".join(map(entry_c, entries))}}};\n'
          f'static const uint16_t first_{name}[AMD_OP_COUNT + 1] = {{{", ".join(map(str, first + [position]))}}};\n'
          f'/* Bit 0: counts on the constant bus. */\nconst uint32_t isa_sets_{name}[512] = {{{numbers}}};\n\n')


def waits_c():
  rows = ''
  for gen, table in WAITS.items():
    fields = ', '.join(f'[{wait_symbol(c)}] = {{{", ".join(f"{{{l}, {b}, {t}}}" for l, b, t in table[c])}}}'
                       for c in COUNTERS)
    rows += f'   [{enum(gen)}] = {{{fields}}},\n'
  return f'const struct amd_wait_field amd_isa_wait_fields[AMD_GEN_COUNT][AMD_WAIT_COUNT][2] = {{\n{rows}}};\n'


def hwregs_c():
  rows = ''.join(f'   [{enum(gen)}] = {sum(1 << n for n in table):#x},\n' for gen, table in hwreg_names().items())
  return f'const uint64_t amd_isa_hwregs[AMD_GEN_COUNT] = {{\n{rows}}};\n'


def inline_floats_c():
  rows = ''
  for name, (f16, f32, upper) in FLOAT_BITS.items():
    f64 = upper << 32 if upper else INV_2PI_BITS_64
    rows += f'   [{NUMBER[name] - NUMBER["FLOAT_0_5"]}] = {{{f16:#x}, {f32:#x}, {f64:#x}}},\n'
  return f'const struct amd_inline_float amd_isa_inline_floats[AMD_INLINE_FLOATS] = {{\n{rows}}};\n\n'


def tables_c(rows, built):
  mix = [row.name for row in rows if any('mix' in a for a in row.attributes.values())]
  mixes = ' || '.join(f'op == AMD_OP_{name}' for name in mix) or 'false'
  return ('/* Generated from the tables of src/amd/hw. */\n#include "amd/hw/isa_runtime.h"\n\n'
          'static const char *const names[AMD_OP_COUNT] = {\n'
          + ''.join(f'   [AMD_OP_{row.name}] = "{row.name}",\n' for row in rows) + '};\n\n'
          + waits_c() + hwregs_c() + inline_floats_c() + image_sizes_c(rows)
          + ''.join(column_c(gen, rows, *part) for gen, part in built.items())
          + 'const struct isa_column isa_columns[AMD_GEN_COUNT] = {\n'
          + ''.join(f'   [{enum(g)}] = {{isa_ops_{s}, isa_entries_{s}, first_{s}, isa_sets_{s}}},\n'
                    for g in built for s in [symbol(g)])
          + '};\n' + LOOKUP + f'''
struct amd_inst
amd_inst_init(enum amd_op op, enum amd_enc enc)
{{
   struct amd_inst inst = AMD_INST_INIT;
   inst.op = (uint16_t)op;
   inst.enc = (uint8_t)enc;
   if (enc == AMD_ENC_VOP3P && !({mixes}))
      inst.op_sel_hi = 7;
   return inst;
}}
''')
