#!/usr/bin/env python3
"""Generates the instruction tables from isa_table.txt (operations) and isa_formats.txt (bit fields).

Usage: isa_gen.py opcodes isa_table.txt OUT.h
       isa_gen.py tables isa_table.txt isa_formats.txt OUT.c

Fails on a bit with two owners or none, on an opcode that its field cannot hold, on two rows that match the same word,
and on an unknown word anywhere.
"""
import re
import sys

GENS = ['GFX9', 'GFX10', 'GFX10.3', 'GFX11', 'GFX11.5']
ENCS = ('NONE SOP1 SOP2 SOPK SOPC SOPP SMEM VOP1 VOP2 VOPC VOP3 VOP3P VINTRP DS MUBUF MTBUF MIMG FLAT GLOBAL SCRATCH '
        'EXP').split()
# Formats beyond the encodings: a variant of VOP3 and the second dwords.
FORMATS = ENCS + ['VOP3B', 'DPP16', 'DPP8', 'SDWA', 'SDWAB']
SECOND = ('DPP16', 'DPP8', 'SDWA', 'SDWAB')
PLACES = ['dst', 'sdst', 'src0', 'src1', 'src2', 'src3']
KINDS = 'a c s s2 s4 v d k flag'.split()
MEMBERS = ('op simm16 soffset21 offset16 offset12 soffset12 offset11 glc dlc slc lds gds offen idxen tfe lwe unrm r128 '
           'a16 d16 dmask dim nsa format attr chan interp data saddr exp_vm exp_done exp_compr exp_target exp_en clamp '
           'omod neg abs op_sel op_sel_hi neg_hi row_mask bank_mask bound_ctrl fetch_inactive dpp_ctrl dpp8 '
           'sdwa_sext sdwa_src_sel0 sdwa_src_sel1 sdwa_dst_sel sdwa_dst_unused sdwab_dst').split()
CLASSES = {'v': 'VGPR', 's': 'SGPR', 'c': 'SSRC', 'a': 'SRC', 'm': 'MASK', 'L': 'LITERAL', 'l': 'VLANE'}
FLAGS = {'exec': 'READS_EXEC', 'wexec': 'WRITES_EXEC', 'wscc': 'WRITES_SCC', 'rscc': 'READS_SCC', 'rvcc': 'READS_VCC',
         'rm0': 'READS_M0', 'rdst': 'READS_DST', 'commutes': 'COMMUTES', 'clamp': 'CLAMP', 'omod': 'OMOD',
         'trans': 'TRANS', 'vm': 'VMCNT', 'vs': 'VSCNT', 'lgkm': 'LGKMCNT', 'exp': 'EXPCNT', 'load': 'LOAD',
         'store': 'STORE', 'atomic': 'ATOMIC', 'd16': 'D16', 'd16hi': 'D16_HI', 'samp': 'SAMPLE',
         'deriv': 'DERIVATIVE', 'branch': 'BRANCH', 'end': 'END', 'barrier': 'BARRIER', 'two': 'TWO_OFFSETS'}
MODIFIERS = {'sdwa': 'SDWA', 'dpp16': 'DPP16', 'dpp8': 'DPP8'}
IMAGE_PARTS = {'o': 'OFFSET', 'c': 'COMPARE', 'b': 'BIAS', 'l': 'LOD', 'lz': 'LOD_ZERO', 'd': 'GRADIENT',
               'cd': 'GRADIENT', 'cl': 'CLAMP', 'mip': 'LOD', 'g16': 'G16'}


def fail(message):
  sys.exit(f'isa_gen.py: {message}')


class Row:
  """One operation."""

  def __init__(self, line):
    columns = [c.strip() for c in line.split('|')]
    if len(columns) != 9:
      fail(f'{columns[0]}: {len(columns)} columns instead of 9')
    self.name = columns[0]
    self.encs = [self.parse_encodings(c) for c in columns[1:6]]
    self.dst = self.parse_operands(columns[6])
    self.src = self.parse_operands(columns[7])
    self.attributes = columns[8].split() if columns[8] != '-' else []

  def parse_encodings(self, text):
    encs = {}
    for word in text.split():
      if word == '-':
        continue
      match = re.fullmatch(r'(\w+)=([0-9a-f]+)((?:\+\w+)*)', word)
      if not match or match[1] not in ENCS:
        fail(f'{self.name}: cannot read the encoding {word}')
      encs[match[1]] = (int(match[2], 16), [m for m in match[3].split('+') if m])
    return encs

  def parse_operands(self, text):
    operands = []
    for word in text.split() if text != '-' else []:
      if word == '-':
        operands.append(None)
        continue
      cls, kind = word.split(':')
      operands.append((CLASSES[cls],) + self.parse_type(kind))
    return operands

  def parse_type(self, kind):
    if kind == 'mask':
      return 'B64', 2
    if kind == 'w':
      return 'WIDE', 0
    if match := re.fullmatch(r'w(\d+)', kind):
      return 'WIDE', int(match[1])
    if match := re.fullmatch(r'p([fiu])16', kind):
      return 'V2' + match[1].upper() + '16', 1
    if match := re.fullmatch(r'([bfiu])(16|32|64)', kind):
      return kind.upper(), 2 if match[2] == '64' else 1
    fail(f'{self.name}: unknown type {kind}')

  def numbers(self, prefix):
    """The digits after an attribute, such as 01 of mods01, as a bit mask."""
    for attribute in self.attributes:
      if match := re.fullmatch(prefix + r'(\d+)', attribute):
        return sum(1 << int(d) for d in match[1])
    return 0

  def flags(self):
    flags = []
    for attribute in self.attributes:
      name = attribute.split('=')[0]
      if name in FLAGS:
        flags.append(FLAGS[name])
      elif name.startswith('opsel') and not name.startswith('opselhi'):
        flags.append('OPSEL')
      elif not re.fullmatch(r'(mods|neglo|neghi|opselhi)\d+', name):
        fail(f'{self.name}: unknown attribute {attribute}')
    return flags

  def image(self):
    if not self.name.startswith('image_'):
      return ['0']
    parts = ['GATHER'] if 'gather4' in self.name else []
    return ['AMD_IMAGE_' + p for p in parts + [IMAGE_PARTS[w] for w in self.name.split('_') if w in IMAGE_PARTS]] or ['0']


def read_rows(path):
  rows = [Row(line) for line in open(path) if line.strip() and not line.startswith('#')]
  names = {row.name for row in rows}
  if len(names) != len(rows):
    fail('a mnemonic stands twice')
  return rows


class Format:
  """The fields of one encoding: (hi, lo, name, shift) and constants."""

  def __init__(self, name, gens):
    self.name, self.gens = name, gens
    self.fields, self.mask, self.value, self.owned = [], 0, 0, 0

  def add(self, hi, lo, what):
    bits = ((1 << (hi - lo + 1)) - 1) << lo
    if self.owned & bits:
      fail(f'{self.name}: bits {hi}:{lo} have two owners')
    self.owned |= bits
    if what.startswith('='):
      if len(what) - 1 != hi - lo + 1:
        fail(f'{self.name}: {what} does not fill bits {hi}:{lo}')
      self.mask |= bits
      self.value |= int(what[1:], 2) << lo
      return
    base, _, shift = what.partition('.')
    place, _, kind = base.partition('/')
    if kind and (place not in PLACES or kind not in KINDS) or not kind and base not in MEMBERS:
      fail(f'{self.name}: unknown field {what}')
    self.fields.append((hi, lo, base, int(shift or 0)))

  def size(self):
    return 1 if self.owned < 1 << 32 else 2

  def check(self):
    if self.owned != (1 << 32 * self.size()) - 1:
      fail(f'{self.name}: bits without an owner: {((1 << 32 * self.size()) - 1) & ~self.owned:#x}')

  def op_bits(self, opcode):
    """(mask, value) of the op fields for an opcode."""
    mask = value = held = 0
    for hi, lo, base, shift in self.fields:
      if base == 'op':
        width = hi - lo + 1
        mask |= ((1 << width) - 1) << lo
        value |= (opcode >> shift & ((1 << width) - 1)) << lo
        held |= ((1 << width) - 1) << shift
    if opcode & ~held:
      fail(f'{self.name}: opcode {opcode:#x} does not fit')
    return mask, value


def read_formats(path):
  formats, current = {}, None
  for line in open(path):
    words = line.split()
    if not words or words[0].startswith('#'):
      continue
    if match := re.fullmatch(r'(\d+):(\d+)', words[0]):
      current.add(int(match[1]), int(match[2]), words[1])
    else:
      if words[0] not in FORMATS or any(g not in GENS for g in words[1:]):
        fail(f'unknown format line {line.strip()}')
      current = formats[words[0]] = Format(words[0], words[1:])
  for f in formats.values():
    f.check()
  return formats


def check_matches(rows, formats, gen):
  """No word may match two rows (the second dword included, as far as it is constant)."""
  patterns = []
  for row in rows:
    for enc, (opcode, _) in row.encs[gen].items():
      f = formats[enc]
      mask, value = f.op_bits(opcode)
      patterns.append((f.mask | mask, f.value | value, row.name, enc))
  by_top = {}
  for pattern in patterns:
    top = pattern[0] >> 25 & 0x7f
    for key in range(128):
      if key & top == pattern[1] >> 25 & 0x7f & top:
        by_top.setdefault(key, []).append(pattern)
  for group in by_top.values():
    group.sort(key=lambda p: (p[0] & 0xffffffff, p[1] & 0xffffffff))
    for i, (mask, value, name, enc) in enumerate(group):
      for other_mask, other_value, other, other_enc in group[i + 1:]:
        common = mask & other_mask
        if value & common == other_value & common:
          fail(f'{name} ({enc}) and {other} ({other_enc}) match the same word')


def operand_c(operand):
  if operand is None:
    return '{0}'
  return f'{{AMD_CLASS_{operand[0]}, AMD_TYPE_{operand[1]}, {operand[2]}}}'


def row_c(row, index):
  gens = ''.join(
      f'[{g}] = {{{" | ".join(f"1u << AMD_ENC_{e}" for e in encs)}, '
      f'{" | ".join(sorted({f"1u << AMD_MOD_{MODIFIERS[m]}" for _, ms in encs.values() for m in ms})) or 0}}}, '
      for g, encs in enumerate(row.encs) if encs)
  dst = row.dst + [None] * (2 - len(row.dst))
  src = row.src + [None] * (4 - len(row.src))
  flags = ' | '.join(f'AMD_FLAG_{f}' for f in row.flags()) or '0'
  commuted = next((a.split('=')[1] for a in row.attributes if a.startswith('commutes=')), row.name)
  mods = row.numbers('mods') or row.numbers('neglo')
  return (f'   [AMD_OP_{row.name}] = {{"{row.name}", {{{gens}}}, {operand_c(dst[0])}, {operand_c(dst[1])}, '
          f'{{{", ".join(operand_c(s) for s in src)}}}, {flags}, {len(row.src)}, {mods}, {row.numbers("opsel")}, '
          f'{" | ".join(row.image())}, AMD_OP_{commuted if "COMMUTES" in row.flags() else "COUNT"}}},\n')


def format_c(f):
  fields = ''.join(f'{{ISA_FIELD_{base.replace("/", "_")}, {lo}, {hi - lo + 1}, {shift}}}, '
                   for hi, lo, base, shift in f.fields)
  return (f'   [ISA_FORMAT_{f.name}] = {{{f.mask:#x}ull, {f.value:#x}ull, {f.size()}, {len(f.fields)}, {{{fields}}}}},\n')


def write_opcodes(table, out):
  with open(out, 'w') as f:
    f.write('/* Generated from isa_table.txt. */\n#ifndef INDIUM_AMD_HW_ISA_OPCODES_H\n'
            '#define INDIUM_AMD_HW_ISA_OPCODES_H\n\nenum amd_op {\n')
    f.write(''.join(f'   AMD_OP_{row.name},\n' for row in read_rows(table)))
    f.write('   AMD_OP_COUNT\n};\n\n#endif\n')


def write_fields(out):
  """The enums that the codec switches over."""
  places = [f'{p}_{k}' for p in PLACES for k in KINDS]
  with open(out, 'w') as f:
    f.write('/* Generated by isa_gen.py. */\nenum isa_field_name {\n')
    f.write(''.join(f'   ISA_FIELD_{n},\n' for n in places + MEMBERS) + '};\n\n')
    f.write(f'#define ISA_KIND_COUNT {len(KINDS)}\nenum isa_kind {{\n' + ''.join(f'   ISA_KIND_{k},\n' for k in KINDS) + '};\n\n')
    f.write('enum isa_format {\n' + ''.join(f'   ISA_FORMAT_{n},\n' for n in FORMATS) + '   ISA_FORMAT_COUNT\n};\n')


def write_tables(table, formats_path, out):
  rows, formats = read_rows(table), read_formats(formats_path)
  for gen in range(len(GENS)):
    check_matches(rows, formats, gen)
  names = {row.name for row in rows}
  for row in rows:
    for attribute in row.attributes:
      if attribute.startswith('commutes=') and attribute[9:] not in names:
        fail(f'{row.name}: {attribute} names no row')
  with open(out, 'w') as f:
    f.write('/* Generated from isa_table.txt and isa_formats.txt. */\n#include "amd/hw/isa_private.h"\n\n')
    f.write('const struct amd_op_info isa_ops[AMD_OP_COUNT] = {\n')
    f.write(''.join(row_c(row, i) for i, row in enumerate(rows)) + '};\n\n')
    f.write('const struct isa_format_info isa_formats[ISA_FORMAT_COUNT] = {\n')
    f.write(''.join(format_c(x) for x in formats.values()) + '};\n\n')
    write_numbers(f, rows)
    order = sorted((x for x in formats.values() if x.name not in SECOND + ('VOP3B',)),
                   key=lambda x: -bin(x.mask & 0xffffffff).count('1'))
    f.write('const uint8_t isa_decode_order[ISA_DECODE_ORDER_COUNT] = {'
            + ', '.join(f'ISA_FORMAT_{x.name}' for x in order) + '};\n')
    if len(order) != len(ENCS) - 1:
      fail('an encoding has no format')


def write_numbers(f, rows):
  """Opcode numbers both ways: number -> op + 1 for each generation and encoding, and op -> numbers."""
  f.write('const struct isa_number isa_numbers[AMD_OP_COUNT][AMD_GEN_COUNT][2] = {\n')
  for row in rows:
    gens = ''.join(f'[{g}] = {{' + ', '.join(f'{{AMD_ENC_{e}, {n:#x}}}' for e, (n, _) in encs.items()) + '}, '
                   for g, encs in enumerate(row.encs) if encs)
    if any(len(encs) > 2 for encs in row.encs):
      fail(f'{row.name}: more than two encodings')
    f.write(f'   [AMD_OP_{row.name}] = {{{gens}}},\n')
  f.write('};\n\n')
  tables = {}
  for g in range(len(GENS)):
    for row in rows:
      for enc, (number, _) in row.encs[g].items():
        tables.setdefault((g, enc), {})[number] = row.name
  for (g, enc), table in tables.items():
    f.write(f'static const uint16_t ops_{g}_{enc}[{max(table) + 1}] = {{\n')
    f.write(''.join(f'   [{n:#x}] = AMD_OP_{name} + 1,\n' for n, name in table.items()) + '};\n')
  f.write('const struct isa_op_list isa_op_lists[AMD_GEN_COUNT][AMD_ENC_COUNT] = {\n')
  f.write(''.join(f'   [{g}][AMD_ENC_{e}] = {{ops_{g}_{e}, {max(t) + 1}}},\n' for (g, e), t in tables.items()))
  f.write('};\n\n')


def main():
  if sys.argv[1] == 'opcodes':
    write_opcodes(sys.argv[2], sys.argv[3])
  elif sys.argv[1] == 'fields':
    write_fields(sys.argv[2])
  else:
    write_tables(sys.argv[2], sys.argv[3], sys.argv[4])


if __name__ == '__main__':
  main()
