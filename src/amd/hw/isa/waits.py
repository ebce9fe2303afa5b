"""The immediate of s_waitcnt: which bits hold what is left of each counter.
Sources: Vega, RDNA 1, RDNA 2 and RDNA 3 ISA, S_WAITCNT; LLVM 19 MC."""

# {generation: {counter: [(lowest bit, bits, lowest bit of the value)]}}
_GFX10 = {'vmcnt': [(0, 4, 0), (14, 2, 4)], 'expcnt': [(4, 3, 0)], 'lgkmcnt': [(8, 6, 0)]}
_GFX11 = {'vmcnt': [(10, 6, 0)], 'expcnt': [(0, 3, 0)], 'lgkmcnt': [(4, 6, 0)]}
WAITS = {'GFX9': _GFX10 | {'lgkmcnt': [(8, 4, 0)]}, 'GFX10': _GFX10, 'GFX10.3': _GFX10, 'GFX11': _GFX11,
         'GFX11.5': _GFX11}
COUNTERS = list(_GFX10)


def symbol(counter):
  return 'AMD_WAIT_' + counter.removesuffix('cnt').upper()
