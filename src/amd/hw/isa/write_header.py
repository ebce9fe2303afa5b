"""isa_opcodes.h: the enums that isa.h takes from the tables; isa_runtime.h: what the generated files share."""
import pathlib

from columns import symbol
from modifiers import DPP_CONTROLS, SDWA_SELECTIONS, SDWA_UNUSED, dpp_base
from hwregs import HWREGS
from memory import ATOMICS
from operands import OPERANDS
import text_rules
import waits

FLAGS = ('CLAMP OMOD SDWA_CLAMP SDWA_OMOD MIX SEL2 BUS0 BUS1 LIT LDS SWIZZLE LOAD STORE ATOMIC TWO RVCC DST_VGPR '
         'NO_IMM SETREG NOGDS NOD16 PAIR INTERP PROBE GDSONLY MESSAGE DIRECT').split()


def c_enum(name, values, comment=''):
  """values: names, or (name, value) pairs."""
  pairs = [(v, None) if isinstance(v, str) else v for v in values]
  lines = ''.join(f'   {n},\n' if v is None else f'   {n} = {v},\n' for n, v in pairs)
  return (f'/* {comment} */\n' if comment else '') + f'enum {name} {{\n{lines}}};\n\n'


def encodings(forms):
  """All encodings, in order of the table."""
  names = {}
  for table in forms.values():
    names |= {f.enc: None for f in table.values() if 'marker' not in f.properties}
  return list(names)


def opcodes_h(rows, forms):
  encs = encodings(forms)
  return ('/* Generated from the tables of src/amd/hw. */\n#ifndef INDIUM_AMD_HW_ISA_OPCODES_H\n'
          '#define INDIUM_AMD_HW_ISA_OPCODES_H\n\n'
          + c_enum('amd_op', [f'AMD_OP_{row.name}' for row in rows] + ['AMD_OP_COUNT'])
          + c_enum('amd_enc', ['AMD_ENC_NONE'] + [f'AMD_ENC_{e}' for e in encs])
          + f'#define AMD_ENC_COUNT {len(encs) + 1}\n\n'
          + c_enum('amd_operand', [(f'AMD_{o[2]}', o[0]) for o in OPERANDS] + [('AMD_OPERAND_NONE', '0xffff')],
                   "The hardware's 9-bit source space, used for destinations too (a VGPR destination is 256 + n).")
          + c_enum('amd_atomic', [f'AMD_ATOMIC_{a.upper()}' for a in ['none'] + ATOMICS])
          + c_enum('amd_wait', [waits.symbol(c) for c in waits.COUNTERS] + ['AMD_WAIT_COUNT'],
                   'Counters of s_waitcnt.')
          + c_enum('amd_hwreg', [(f'AMD_HWREG_{name}', n) for n, name, _ in HWREGS], 'Of s_getreg and s_setreg.')
          + c_enum('amd_sdwa_sel', [f'AMD_SDWA_{s}' for s in SDWA_SELECTIONS])
          + c_enum('amd_sdwa_unused', [f'AMD_SDWA_{s}' for s in SDWA_UNUSED])
          + c_enum('amd_dpp_ctrl', [(f'AMD_DPP_{c[2]}', f'{dpp_base(c[0]):#05x}') for c in DPP_CONTROLS],
                   'Patterns with a count: + the count. QUAD_PERM: + sel0 | sel1 << 2 | sel2 << 4 | sel3 << 6.')
          + '#endif\n')


def runtime_h(forms, gens):
  names = {}
  for table in forms.values():
    names |= {f.name: None for f in table.values() if 'marker' not in f.properties}
  text = ''.join(f'#define ISA_{name} {1 << i:#x}u\n' for i, name in enumerate(FLAGS)) + '\n'
  text += c_enum('isa_form', [f'ISA_FORM_{n}' for n in names])
  text += c_enum('isa_imm', ['ISA_IMM_none'] + [f'ISA_IMM_{n}' for n in text_rules.IMMEDIATES])
  externs = ''.join(f'extern const struct amd_op_info isa_ops_{symbol(g)}[AMD_OP_COUNT];\n'
                    f'extern const struct isa_entry isa_entries_{symbol(g)}[];\n'
                    f'extern const uint32_t isa_sets_{symbol(g)}[512];\n'
                    for g in gens)
  template = (pathlib.Path(__file__).parent / 'runtime.h.in').read_text()
  return template.replace('@FLAGS@\n', text.rstrip('\n') + '\n').replace('@COLUMNS@\n', externs)
