"""Operand numbers: names, text, and which of them an operand class admits.

The numbers are those of GFX10.3, and struct amd_inst holds these for every generation; where a generation numbers an
operand differently its row says so, and encoder and decoder of that generation translate; None: it has no such
operand. Sources: AMD "RDNA 2" Instruction Set Architecture, tables "SSRC" and "VSRC", section "Scalar memory:
alignment of SGPRs"; "RDNA 3" the same (M0 and NULL change places); text observed with LLVM 19 MC.
"""
from columns import GENS
from fail import TableError

# first, last, name in enum amd_operand, text ({}: number - first), what it is, {generation: other first number}.
# register: scalar and writable; int, float, value: read only; vgpr; literal: the dword that follows.
OPERANDS = [
  (0, 105, 'SGPR0', 's{}', 'register', {}),
  (106, 106, 'VCC_LO', 'vcc_lo', 'register', {}),
  (107, 107, 'VCC_HI', 'vcc_hi', 'register', {}),
  (108, 123, 'TTMP0', 'ttmp{}', 'register', {}),
  (124, 124, 'M0', 'm0', 'register', {'GFX11': 125, 'GFX11.5': 125}),
  (125, 125, 'NULL', 'null', 'register', {'GFX9': None, 'GFX11': 124, 'GFX11.5': 124}),
  (126, 126, 'EXEC_LO', 'exec_lo', 'register', {}),
  (127, 127, 'EXEC_HI', 'exec_hi', 'register', {}),
  (128, 192, 'INT_0', '{}', 'int', {}),
  (193, 208, 'INT_M1', '-{}', 'int', {}),
  (235, 235, 'SHARED_BASE', 'src_shared_base', 'value', {}),
  (236, 236, 'SHARED_LIMIT', 'src_shared_limit', 'value', {}),
  (237, 237, 'PRIVATE_BASE', 'src_private_base', 'value', {}),
  (238, 238, 'PRIVATE_LIMIT', 'src_private_limit', 'value', {}),
  (239, 239, 'POPS_EXITING_WAVE_ID', 'src_pops_exiting_wave_id', 'value', {}),
  (240, 240, 'FLOAT_0_5', '0.5', 'float', {}),
  (241, 241, 'FLOAT_M0_5', '-0.5', 'float', {}),
  (242, 242, 'FLOAT_1', '1.0', 'float', {}),
  (243, 243, 'FLOAT_M1', '-1.0', 'float', {}),
  (244, 244, 'FLOAT_2', '2.0', 'float', {}),
  (245, 245, 'FLOAT_M2', '-2.0', 'float', {}),
  (246, 246, 'FLOAT_4', '4.0', 'float', {}),
  (247, 247, 'FLOAT_M4', '-4.0', 'float', {}),
  (248, 248, 'FLOAT_INV_2PI', '0.15915494', 'float', {}),
  (251, 251, 'VCCZ', 'src_vccz', 'value', {}),
  (252, 252, 'EXECZ', 'src_execz', 'value', {}),
  (253, 253, 'SCC', 'src_scc', 'value', {}),
  (255, 255, 'LITERAL', '', 'literal', {}),
  (256, 511, 'VGPR0', 'v{}', 'vgpr', {}),
]

# Registers that a generation does not count among the SGPRs: {generation: [(first, last, texts, text of the pair)]}.
# Source: Vega ISA, table "SSRC".
NAMED_SGPRS = {'GFX9': [(102, 103, ('flat_scratch_lo', 'flat_scratch_hi'), 'flat_scratch'),
                        (104, 105, ('xnack_mask_lo', 'xnack_mask_hi'), 'xnack_mask')]}

# Bits of the float constants as 16-bit and 32-bit operands and the upper half as 64-bit operands; 1/(2 pi) prints
# longer in a 64-bit operand, and has no literal there.
FLOAT_BITS = {
  'FLOAT_0_5': (0x3800, 0x3f000000, 0x3fe00000), 'FLOAT_M0_5': (0xb800, 0xbf000000, 0xbfe00000),
  'FLOAT_1': (0x3c00, 0x3f800000, 0x3ff00000), 'FLOAT_M1': (0xbc00, 0xbf800000, 0xbff00000),
  'FLOAT_2': (0x4000, 0x40000000, 0x40000000), 'FLOAT_M2': (0xc000, 0xc0000000, 0xc0000000),
  'FLOAT_4': (0x4400, 0x40800000, 0x40100000), 'FLOAT_M4': (0xc400, 0xc0800000, 0xc0100000),
  'FLOAT_INV_2PI': (0x3118, 0x3e22f983, None),
}
INV_2PI_64 = '0.15915494309189532'
INV_2PI_BITS_64 = 0x3fc45f306dc9c882

# How a literal is written that has the bits of a constant, by the type of its operand: the bits that are compared,
# whether small integers and which column of FLOAT_BITS are written as such, the bits that are written otherwise.
# Types that are not named are like F32. Observed with LLVM 19 MC.
LITERALS = {
  'F16': (16, True, 0, 16), 'I16': (32, True, 1, 16), 'U16': (32, True, 1, 16), 'B16': (32, True, 1, 16),
  'V2F16': (32, True, 0, 32), 'V2I16': (32, True, 1, 32), 'V2U16': (32, True, 1, 32),
  'F64': (64, True, 2, 32), 'B64': (64, True, None, 32), 'I64': (64, True, None, 32), 'U64': (64, True, None, 32),
  'F32': (32, True, 1, 32),
}

# Scalar registers that follow each other: a group of several dwords stays in one, aligned to two or four.
SCALAR_FILES = [(0, 105, 's', None), (106, 107, 'vcc', 'vcc'), (108, 123, 'ttmp', None), (126, 127, 'exec', 'exec')]

WAVE64 = {'GFX9'}  # always: a lane mask is a pair
SOURCES = {'register', 'int', 'float', 'value', 'literal'}
# Letter in the table: (enum amd_operand_class, what it admits).
CLASSES = {
  'v': ('VGPR', {'vgpr'}),
  's': ('SGPR', {'register'}),
  'm': ('MASK', {'register'}),
  'c': ('SSRC', SOURCES),
  'a': ('SRC', SOURCES | {'vgpr'}),
  'l': ('VLANE', {'register', 'int', 'float', 'value'}),
  'L': ('LITERAL', {'literal'}),
}
ADMITTED = dict(CLASSES.values())

KIND_OF = {n: kind for first, last, _, _, kind, _ in OPERANDS for n in range(first, last + 1)}
NUMBER = {name: first for first, _, name, _, _, _ in OPERANDS}
# The constant bus of vector instructions (RDNA 2 ISA, "Constant bus"; Vega ISA): different scalar values, and what
# is one.
BUS_NUMBERS = frozenset(n for n, kind in KIND_OF.items()
                        if kind in ('register', 'value', 'literal')) - {NUMBER['NULL']}
# With DPP the second source of a long form is a VGPR, but here.
DPP_SCALAR_SRC1 = {'GFX11.5'}
BUS_LIMIT = {'GFX9': 1, 'GFX10': 2, 'GFX10.3': 2, 'GFX11': 2, 'GFX11.5': 2}


def check_operands():
  owner = {}
  for gen in GENS:
    for first, last, name, _, _, moved in OPERANDS:
      start = moved.get(gen, first)
      if start is None:
        continue
      for n in range(start, start + last - first + 1):
        if (gen, n) in owner:
          raise TableError(f'operand number {n} of {gen} is both {owner[gen, n]} and {name}')
        owner[gen, n] = name


def translation(gen):
  """{hardware number: our number} where they differ."""
  return {moved[gen] + i: first + i for first, last, _, _, _, moved in OPERANDS
          if moved.get(gen) is not None for i in range(last - first + 1)}


def starts_group(n, size_dw, gen):
  """Whether size_dw scalar registers may begin at n."""
  named = NAMED_SGPRS.get(gen, [])
  if size_dw < 2 or n == NUMBER['NULL']:
    return True
  for first, last, _, _ in named + SCALAR_FILES:
    if last == 105 and not first:  # RADV lets tuples of s registers end in VCC, LLVM has none
      last = named[0][0] - 1 if named else NUMBER['VCC_HI']
    if first <= n <= last:
      return n % (2 if size_dw == 2 else 4) == 0 and n + size_dw <= last + 1
  return False


def numbers(cls, size_dw, gen):
  """The operand numbers that a class admits for a value of size_dw dwords."""
  absent = {first for first, _, _, _, _, moved in OPERANDS if moved.get(gen, first) is None}
  def fits(n, kind):
    if cls == 'SRC' and size_dw > 2 and kind in ('register', 'literal'):
      return n == NUMBER['NULL']  # vectors of a matrix, or a constant for all of it
    if kind == 'register':
      return (cls == 'MASK' and gen not in WAVE64) or starts_group(n, size_dw, gen)
    if kind == 'vgpr':
      return n + max(size_dw, 1) <= 512
    return True
  return frozenset(n for n, kind in KIND_OF.items() if kind in ADMITTED[cls] and n not in absent and fits(n, kind))
