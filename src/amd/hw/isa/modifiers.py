"""Values of the second dword: lane patterns of DPP16 and selections of SDWA.
Sources: Vega ISA and RDNA 2 ISA, tables "DPP_CTRL Enumeration" and "SDWA"; text observed with LLVM 19 MC."""
from columns import GENS

LATER = GENS[1:]  # than GFX9

# first, last, name in enum amd_dpp_ctrl, text after the blank ({}: number - base), generations that have it. Other
# values are not defined.
DPP_CONTROLS = [
  (0x000, 0x0ff, 'QUAD_PERM', 'quad_perm:[{u(c & 3)},{u(c >> 2 & 3)},{u(c >> 4 & 3)},{u(c >> 6 & 3)}]', GENS),
  (0x101, 0x10f, 'ROW_SHL', 'row_shl:{u(c & 15)}', GENS),
  (0x111, 0x11f, 'ROW_SHR', 'row_shr:{u(c & 15)}', GENS),
  (0x121, 0x12f, 'ROW_ROR', 'row_ror:{u(c & 15)}', GENS),
  (0x130, 0x130, 'WAVE_SHL', 'wave_shl:1', GENS[:1]),
  (0x134, 0x134, 'WAVE_ROL', 'wave_rol:1', GENS[:1]),
  (0x138, 0x138, 'WAVE_SHR', 'wave_shr:1', GENS[:1]),
  (0x13c, 0x13c, 'WAVE_ROR', 'wave_ror:1', GENS[:1]),
  (0x140, 0x140, 'ROW_MIRROR', 'row_mirror', GENS),
  (0x141, 0x141, 'ROW_HALF_MIRROR', 'row_half_mirror', GENS),
  (0x142, 0x142, 'ROW_BCAST15', 'row_bcast:15', GENS[:1]),
  (0x143, 0x143, 'ROW_BCAST31', 'row_bcast:31', GENS[:1]),
  (0x150, 0x15f, 'ROW_SHARE', 'row_share:{u(c & 15)}', LATER),
  (0x160, 0x16f, 'ROW_XMASK', 'row_xmask:{u(c & 15)}', LATER),
]
SDWA_SELECTIONS = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD']
SDWA_UNUSED = ['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE']


def dpp_base(first):
  """The enum's value: patterns with a count start at 1, their names mean count 0."""
  return first & ~1 if first & 15 == 1 and first != 0x141 else first
