"""Intrinsics of the hardware that aco_compile() takes beside those of compiler/nir/nir_intrinsics.py: rows of the
same form, which the same generator reads. Names end in _amd."""
from nir_intrinsics import PURE, UNIFORM

# What ordered sections become (aco_lower_interlock.c).
INTRINSICS = [
  ('load_collision_waveid_amd',     [], 1, 32, [], PURE | UNIFORM),
  ('load_intrawave_collision_amd',  [], 1, 32, [], PURE | UNIFORM),
  ('await_waves_amd',               [1], None, 0, [], 0),     # (COLLISION_WAVEID)
  ('await_exports_amd',             [], None, 0, [], 0),      # of overlapping waves: GFX11
  ('ordered_ps_done_amd',           [], None, 0, [], 0),
  ('invalidate_caches_amd',         [], None, 0, [], 0),
]

SOURCE_BITS = {'await_waves_amd': [32]}
