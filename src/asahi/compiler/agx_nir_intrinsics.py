"""Intrinsics of the hardware that agx_compile() takes besides those of compiler/nir/nir_intrinsics.py: rows of the
same form, which the same generator reads. Names end in _agx. What each asks of its sources stands in agx.h; format is
a code of enum agx_format (asahi/hw/isa.h), not a VkFormat."""
from nir_intrinsics import DIVERGENT, ELIM, PURE, SYSVAL, UNIFORM

INTRINSICS = [
  # The uniform file. base: number of the first 16-bit half. Stores: preambles only.
  ('load_uniform_agx',      [], 0, 0, ['base'], PURE | UNIFORM),
  ('store_uniform_agx',     [0], None, 0, ['base'], 0),
  # Parts of programs. What the register at half `base` (even) holds where the part begins; what it outputs there, at
  # its end and in no branch.
  ('load_register_agx',     [], 1, 32, ['base'], PURE | DIVERGENT),
  ('leave_register_agx',    [1], None, 0, ['base'], 0),
  # A system register. base: its number (enum agx_sr). What a discard changes is read where it stands.
  ('load_sr_agx',           [], 1, 0, ['base'], ELIM | DIVERGENT),
  ('load_pixel_coord_agx',  [], 2, 16, [], SYSVAL | DIVERGENT),

  # Device memory with conversion: (u64 address, 32-bit index). Component i of the result is at
  # address + ((index << shift) + i) * bytes of the format; sign_extend: of the index.
  ('load_agx',              [1, 1], 0, 0, ['format', 'shift', 'sign_extend', 'access'], ELIM),
  ('store_agx',             [0, 1, 1], None, 0, ['format', 'shift', 'sign_extend', 'access', 'write_mask'], 0),
  # (u64 address, index of words, unsigned, data) and (.., compare, data): what was there.
  ('atomic_agx',            [1, 1, 1], 1, 32, ['atomic_op', 'access'], DIVERGENT),
  ('atomic_swap_agx',       [1, 1, 1, 1], 1, 32, ['atomic_op', 'access'], DIVERGENT),

  # The tile buffer. Last source: bit per sample that is meant, 255 for all. base: byte offset in a sample's memory.
  ('load_tile_agx',         [1], 0, 0, ['base', 'format'], ELIM | DIVERGENT),
  ('store_tile_agx',        [0, 1], None, 0, ['base', 'format', 'write_mask'], 0),
  # (samples, live): of the samples named, those that are live are tested, the others killed. Each once on every path.
  ('sample_mask_agx',       [1, 1], None, 0, [], 0),
  # (samples, depth, stencil): tests with these values. base: 1 depth, 2 stencil; the other is ignored.
  ('zs_emit_agx',           [1, 1, 1], None, 0, ['base'], 0),
  # Waits until older invocations of the pixel are done with what the bits of base stand for.
  ('pixwait_agx',           [], None, 0, ['base'], 0),

  # Vertex outputs: word `base` of the list of outputs. The compiler marks the last one.
  ('store_var_agx',         [1], None, 0, ['base'], 0),
  # (value, word): the word is known when the program runs, below 256.
  ('store_var_at_agx',      [1, 1], None, 0, [], 0),
  # Fragment inputs from coefficient registers base.. (one a component). perspective: divided by the 1/w of cf0.
  # place: enum agx_place. Source: the sample's number, if that is the place.
  ('iter_agx',              [1], 0, 0, ['base', 'perspective', 'place'], PURE | DIVERGENT),
  # (A, B, C): A * x + B * y + C is the value at x, y from the corner of the 32x32 pixels. Flat inputs are C.
  ('load_coefficients_agx', [], 3, 32, ['base'], PURE | DIVERGENT),

  # Images by handle: (handle, coordinates with the layer last, sample, level ...). Loads: unfiltered texels.
  ('image_load_agx',        [2, 4, 1, 1], 4, 0, ['image_dim', 'image_array', 'access'], ELIM),
  ('image_residency_agx',   [2, 4, 1, 1], 1, 32, ['image_dim', 'image_array', 'access'], ELIM),
  ('image_store_agx',       [2, 4, 1, 4, 1], None, 0, ['image_dim', 'image_array', 'access'], 0),
  # (handle, byte offset in the tile buffer, layer): all samples of a tile. End-of-tile programs.
  ('store_block_agx',       [2, 1, 1], None, 0, ['format', 'image_dim', 'image_array'], 0),

  # Helper programs: a word with the hardware, blocks of private memory that it maps or has mapped.
  ('doorbell_agx',          [], None, 0, ['base'], 0),
  ('map_stack_agx',         [1], None, 0, ['base'], 0),
  ('unmap_stack_agx',       [], 1, 32, ['base'], UNIFORM),
]

SOURCE_BITS = {
  'load_agx': [64, 32], 'store_agx': [0, 64, 32],
  'atomic_agx': [64, 32, 32], 'atomic_swap_agx': [64, 32, 32, 32],
  'load_tile_agx': [32], 'store_tile_agx': [0, 32], 'sample_mask_agx': [32, 32], 'zs_emit_agx': [32, 32, 32],
  'leave_register_agx': [32], 'store_var_agx': [32], 'store_var_at_agx': [32, 16], 'iter_agx': [32],
  'image_load_agx': [32, 32, 32, 32], 'image_residency_agx': [32, 32, 32, 32],
  'image_store_agx': [32, 32, 32, 0, 32], 'store_block_agx': [32, 32, 32],
  'map_stack_agx': [32],
}
