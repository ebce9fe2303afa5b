"""Values of the second dword: lane patterns of DPP16 and selections of SDWA.
Source: RDNA 2 ISA, tables "DPP_CTRL Enumeration" and "SDWA"; text observed with LLVM 19 MC."""

# first, last, name in enum amd_dpp_ctrl, text after the blank ({}: number - base). Other values are not defined.
DPP_CONTROLS = [
  (0x000, 0x0ff, 'QUAD_PERM', 'quad_perm:[{u(c & 3)},{u(c >> 2 & 3)},{u(c >> 4 & 3)},{u(c >> 6 & 3)}]'),
  (0x101, 0x10f, 'ROW_SHL', 'row_shl:{u(c & 15)}'),
  (0x111, 0x11f, 'ROW_SHR', 'row_shr:{u(c & 15)}'),
  (0x121, 0x12f, 'ROW_ROR', 'row_ror:{u(c & 15)}'),
  (0x140, 0x140, 'ROW_MIRROR', 'row_mirror'),
  (0x141, 0x141, 'ROW_HALF_MIRROR', 'row_half_mirror'),
  (0x150, 0x15f, 'ROW_SHARE', 'row_share:{u(c & 15)}'),
  (0x160, 0x16f, 'ROW_XMASK', 'row_xmask:{u(c & 15)}'),
]
SDWA_SELECTIONS = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD']
SDWA_UNUSED = ['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE']


def dpp_base(first):
  """The enum's value: patterns with a count start at 1, their names mean count 0."""
  return first & ~1 if first & 15 == 1 and first != 0x141 else first
