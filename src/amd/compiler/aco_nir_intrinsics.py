"""Intrinsics of the hardware that aco_compile() takes besides those of compiler/nir/nir_intrinsics.py: rows of the
same form, which the same generator reads. Names end in _amd."""
from nir_intrinsics import DIVERGENT, ELIM, IMAGE, PURE, UNIFORM

# What ordered sections become (aco_lower_interlock.c); arguments of fragments.
INTRINSICS = [
  ('load_collision_waveid_amd',     [], 1, 32, [], PURE | UNIFORM),
  ('load_intrawave_collision_amd',  [], 1, 32, [], PURE | UNIFORM),
  ('load_first_vertices_amd',       [], 1, 32, [], PURE | UNIFORM), # 2 bits a quad: where the API's first vertex is
  ('await_waves_amd',               [1], None, 0, [], 0),     # (COLLISION_WAVEID)
  ('await_exports_amd',             [], None, 0, [], 0),      # of overlapping waves: GFX11
  ('ordered_ps_done_amd',           [], None, 0, [], 0),
  ('invalidate_caches_amd',         [], None, 0, [], 0),
  # Stream output of GFX11, for the first active lane. Subgroups take turns by their numbers.
  ('await_subgroups_amd',           [1], None, 0, [], 0), # (number): those ahead have passed the turn on
  ('release_subgroups_amd',         [1], None, 0, [], 0), # (number)
  ('add_gs_register_amd',           [1], 1, 32, ['base'], DIVERGENT), # (summand): the old value
  # Merged stages: SGPR `base` of the hardware's, ahead of the user's; the message `base` of the active lanes.
  ('load_system_sgpr_amd',          [], 1, 32, ['base'], PURE | UNIFORM),
  ('send_message_amd',              [1], None, 0, ['base'], 0), # (M0)
  ('set_float_mode_amd',            [], None, 0, ['base'], 0),  # float_controls of the code that follows
  # In NGG: the word of the primitive that the thread exports.
  ('export_primitive_amd',          [1], None, 0, [], 0),
  # The same of mesh shaders: how many vertices and primitives the workgroup exports, uniform and in all waves. Of a
  # vertex's slots thread i has stored vertex i, of a primitive's primitive i.
  ('export_counts_amd',             [1, 1], None, 0, [], 0),
  # Residency codes, 0 if the texel has memory: sources of image_load and load_texel_buffer.
  ('image_residency_amd',           [4, 4, 4, 1, 1], 1, 32, IMAGE, ELIM),
  ('texel_buffer_residency_amd',    [4, 1], 1, 32, ['access'], ELIM),
]

SOURCE_BITS = {'export_counts_amd': [32, 32], 'send_message_amd': [32], 'export_primitive_amd': [32],
               'await_subgroups_amd': [32], 'release_subgroups_amd': [32],
               'add_gs_register_amd': [32],
               'await_waves_amd': [32], 'image_residency_amd': [32, 32, 32, 32, 32],
               'texel_buffer_residency_amd': [32, 32]}
