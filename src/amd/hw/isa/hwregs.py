"""Hardware registers of s_getreg and s_setreg. Sources: Vega, RDNA 1 and RDNA 2 ISA, table "Hardware Register
Values"; names as LLVM 19 MC writes them (gfx900, gfx1010, gfx1030, gfx1100)."""
from columns import GENS

OLD, RDNA3 = GENS[:3], GENS[3:]
LATER = GENS[1:]  # than GFX9
# number, name, generations that have it (None: all).
HWREGS = [
  (1, 'MODE', None), (2, 'STATUS', None), (3, 'TRAPSTS', None), (4, 'HW_ID', ['GFX9']), (5, 'GPR_ALLOC', None),
  (6, 'LDS_ALLOC', None), (7, 'IB_STS', None), (15, 'SH_MEM_BASES', None), (16, 'TBA_LO', OLD), (17, 'TBA_HI', OLD),
  (18, 'TMA_LO', OLD), (19, 'TMA_HI', OLD), (20, 'FLAT_SCR_LO', LATER), (21, 'FLAT_SCR_HI', LATER),
  (18, 'PERF_SNAPSHOT_PC_LO', RDNA3), (19, 'PERF_SNAPSHOT_PC_HI', RDNA3), (27, 'PERF_SNAPSHOT_DATA', RDNA3),
  (22, 'XNACK_MASK', ['GFX10']), (23, 'HW_ID1', LATER), (24, 'HW_ID2', LATER), (25, 'POPS_PACKER', GENS[1:3]),
  (29, 'SHADER_CYCLES', GENS[2:]),
]


def names():
  """{generation: {number: name}}"""
  return {gen: {n: name for n, name, gens in HWREGS if gens is None or gen in gens} for gen in GENS}
