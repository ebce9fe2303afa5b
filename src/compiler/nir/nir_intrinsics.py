"""Intrinsics: what nir can do besides arithmetic, texturing and control flow.

One row each: name, component counts of the sources (0: num_components of the instruction; -1: any), component count
of the result (None: no result; 0: num_components), result bit size (0: any), indices, flags.
Flags: REORDER (may move freely among others), ELIM (dead if unused), CONVERGENT (must not move across divergent
control flow), SYSVAL (load of a system value: REORDER and ELIM too), SUBGROUP (depends on which invocations of the
subgroup are active, or makes them wait for each other; operations within a quad are none), DIVERGENT and UNIFORM (the
result differs between the invocations of a subgroup, or is the same, whatever the sources are; without sources one of
the two; with neither the result is uniform if the sources are).
"""

REORDER, ELIM, CONVERGENT, SYSVAL, SUBGROUP, DIVERGENT, UNIFORM = 1, 2, 4, 8, 16, 32, 64
PURE = REORDER | ELIM

# Constant operands of intrinsics: name -> C type of the accessor.
INDICES = {
  'base': 'int32_t',            # constant added to the offset (bytes), or a driver number
  'write_mask': 'uint32_t',     # components stored
  'align_mul': 'uint32_t',      # byte offset == align_offset modulo align_mul (a power of two)
  'align_offset': 'uint32_t',
  'access': 'uint32_t',         # enum nir_access
  'set': 'uint32_t',
  'binding': 'uint32_t',
  'slot': 'uint32_t',           # enum nir_slot
  'component': 'uint32_t',      # first component of the slot
  'frag_index': 'uint32_t',     # dual source: 0 or 1
  'src_type': 'enum nir_base_type',   # of a stored colour (with its bit size: float, int, uint)
  'interp': 'uint32_t',         # enum nir_interp
  'relaxed': 'bool',            # an input or output of 32 bits whose value may pass in 16
  'atomic_op': 'enum nir_atomic_op',
  'reduction_op': 'enum nir_op',      # iadd, fmin ...
  'cluster_size': 'uint32_t',   # 0: whole subgroup
  'execution_scope': 'enum nir_scope',
  'memory_scope': 'enum nir_scope',
  'memory_semantics': 'uint32_t',     # enum nir_semantics bits
  'memory_modes': 'uint32_t',         # enum nir_var_mode bits
  'image_dim': 'enum nir_image_dim',
  'image_array': 'bool',
  'format': 'uint32_t',         # VkFormat or 0
  'descriptor_kind': 'enum nir_descriptor_kind',
  'column': 'uint32_t',
  'shift': 'uint32_t',          # log2 of what an index is multiplied by, besides the size of an element
  'sign_extend': 'bool',
  'perspective': 'bool',
  'place': 'uint32_t',          # where in a pixel, of the back end's
  'stream': 'uint32_t',         # of emitted vertices, 0 to 3
  'matrix_op': 'enum nir_matrix_op',  # numbers of C, and of A and B
  'matrix_signs': 'uint32_t',   # bit 0: the integers of A have signs; bit 1: those of B
  'saturate': 'bool',           # the integers of the result stay within 32 bits with a sign, else they wrap
}

# C enums that indices use.
ENUMS = {
  'nir_atomic_op': ['iadd', 'imin', 'umin', 'imax', 'umax', 'iand', 'ior', 'ixor', 'xchg', 'cmpxchg', 'fadd', 'fmin',
                    'fmax'],
  'nir_scope': ['none', 'invocation', 'subgroup', 'workgroup', 'queue_family', 'device'],
  'nir_descriptor_kind': ['sampler', 'sampled_image', 'storage_image', 'uniform_texel_buffer', 'storage_texel_buffer',
                          'uniform_buffer', 'storage_buffer', 'input_attachment'],
  'nir_matrix_op': ['f32_f16', 'f16_f16', 'i32_i8'],
}
# Bit sets: enum name -> values 1 << n.
FLAGS = {
  'nir_access': ['coherent', 'volatile', 'restrict', 'non_readable', 'non_writeable', 'non_uniform', 'can_reorder'],
  'nir_semantics': ['acquire', 'release', 'make_available', 'make_visible'],
}

MEM = ['access', 'align_mul', 'align_offset']
IMAGE = ['image_dim', 'image_array', 'format', 'access']

INTRINSICS = [
  # -- variables, before lowering. Sources: deref.
  ('load_deref',            [1], 0, 0, ['access'], ELIM),
  ('store_deref',           [1, 0], None, 0, ['write_mask', 'access'], 0),
  ('copy_deref',            [1, 1], None, 0, ['access'], 0),
  ('deref_atomic',          [1, 1], 1, 0, ['atomic_op', 'access'], DIVERGENT),
  ('deref_atomic_swap',     [1, 1, 1], 1, 0, ['atomic_op', 'access'], DIVERGENT),
  ('deref_array_length',    [1], 1, 32, ['access'], PURE),  # elements of the run-time array a deref points to
  # What a cast makes the deref of again, of the same mode. global: u64; ssbo: buffer (u32x2), byte offset; shared:
  # byte offset.
  ('deref_address',         [1], 0, 0, [], PURE),
  # interpolateAt*: deref of an input
  ('interp_deref_at_centroid', [1], 0, 0, [], PURE),
  ('interp_deref_at_sample',   [1, 1], 0, 0, [], PURE),
  ('interp_deref_at_offset',   [1, 2], 0, 0, [], PURE),
  ('interp_deref_at_vertex',   [1, 1], 0, 0, [], PURE),          # of the hardware's order: constant
  # images through derefs: (deref, coord4, sample, lod or value...)
  ('image_deref_load',      [1, 4, 1, 1], 0, 0, IMAGE, ELIM),
  # what is_sparse is to textures: 0 if the texel has memory
  ('image_deref_residency', [1, 4, 1, 1], 1, 32, IMAGE, ELIM),
  ('image_deref_store',     [1, 4, 1, 0, 1], None, 0, IMAGE + ['src_type'], 0),
  ('image_deref_atomic',    [1, 4, 1, 1], 1, 0, IMAGE + ['atomic_op'], DIVERGENT),
  ('image_deref_atomic_swap', [1, 4, 1, 1, 1], 1, 0, IMAGE + ['atomic_op'], DIVERGENT),
  ('image_deref_size',      [1, 1], 0, 32, IMAGE, PURE),
  ('image_deref_samples',   [1], 1, 32, IMAGE, PURE),

  # -- descriptors. vulkan_resource_index: (array index) -> u32x2 (opaque to neutral passes), root of a CAST deref.
  ('vulkan_resource_index', [1], 2, 32, ['set', 'binding', 'descriptor_kind'], PURE),
  # After nir_lower_explicit_io buffers are named by that u32x2 value. After the driver's lowering by a V# (u32x4).
  ('load_ubo',              [-1, 1], 0, 0, MEM, PURE),           # (buffer, byte offset)
  ('load_ssbo',             [-1, 1], 0, 0, MEM, ELIM),           # (buffer, byte offset)
  ('store_ssbo',            [0, -1, 1], None, 0, MEM + ['write_mask'], 0),  # (value, buffer, byte offset)
  ('ssbo_atomic',           [-1, 1, 1], 1, 0, ['access', 'atomic_op'], DIVERGENT),  # (buffer, byte offset, data)
  ('ssbo_atomic_swap',      [-1, 1, 1, 1], 1, 0, ['access', 'atomic_op'], DIVERGENT),  # (.., offset, compare, data)
  ('get_ssbo_size',         [-1], 1, 32, ['access'], PURE),      # bytes
  ('load_push_constant',    [1], 0, 0, ['base'] + MEM, PURE),    # (byte offset)
  ('load_shared',           [1], 0, 0, ['base'] + MEM, ELIM),
  ('store_shared',          [0, 1], None, 0, ['base', 'write_mask'] + MEM, 0),
  ('shared_atomic',         [1, 1], 1, 0, ['base', 'atomic_op'], DIVERGENT),
  ('shared_atomic_swap',    [1, 1, 1], 1, 0, ['base', 'atomic_op'], DIVERGENT),
  ('load_constant',         [1], 0, 0, ['base'] + MEM, PURE),    # (byte offset), of tables of mode constant
  ('load_scratch',          [1], 0, 0, ['base'] + MEM, ELIM | DIVERGENT),    # per-invocation memory
  ('store_scratch',         [0, 1], None, 0, ['base', 'write_mask'] + MEM, 0),
  # Memory at a 64-bit address + 32-bit byte offset + base; constant: read-only and uniform, for s_load.
  ('load_global',           [1], 0, 0, ['base'] + MEM, ELIM),
  ('load_global_constant',  [1, 1], 0, 0, ['base'] + MEM, PURE), # (u64 address, u32 offset)
  ('store_global',          [0, 1], None, 0, ['base', 'write_mask'] + MEM, 0),
  ('global_atomic',         [1, 1], 1, 0, ['base', 'atomic_op'], DIVERGENT),
  ('global_atomic_swap',    [1, 1, 1], 1, 0, ['base', 'atomic_op'], DIVERGENT),
  # Images by T# (two u32x4 halves), after the driver's lowering: (desc lo, desc hi, coord4, sample, ...).
  ('image_load',            [4, 4, 4, 1, 1], 0, 0, IMAGE, ELIM),
  ('image_store',           [4, 4, 4, 1, 0, 1], None, 0, IMAGE + ['src_type'], 0),
  ('image_atomic',          [4, 4, 4, 1, 1], 1, 0, IMAGE + ['atomic_op'], DIVERGENT),
  ('image_atomic_swap',     [4, 4, 4, 1, 1, 1], 1, 0, IMAGE + ['atomic_op'], DIVERGENT),
  ('image_size',            [4, 4, 1], 0, 32, IMAGE, PURE),      # (.., lod)
  ('image_samples',         [4, 4], 1, 32, IMAGE, PURE),
  # Texel buffers by V# (u32x4): (desc, element index)
  ('load_texel_buffer',     [4, 1], 4, 0, ['access'], ELIM),
  ('store_texel_buffer',    [4, 1, 0], None, 0, ['access'], 0),
  ('texel_buffer_atomic',   [4, 1, 1], 1, 0, ['access', 'atomic_op'], DIVERGENT),
  ('texel_buffer_atomic_swap', [4, 1, 1, 1], 1, 0, ['access', 'atomic_op'], DIVERGENT),
  ('texel_buffer_size',     [4], 1, 32, [], PURE),               # elements

  # -- shader inputs and outputs, after nir_lower_io. Source: slot offset (array index in slots).
  ('load_input',            [1], 0, 0, ['slot', 'component', 'src_type', 'relaxed'],
   PURE | DIVERGENT),                                            # attributes, flat
  ('load_interpolated_input', [2, 1], 0, 0, ['slot', 'component', 'relaxed'],
   PURE | DIVERGENT),                                            # (barycentric, slot offset)
  ('load_per_vertex_input',  [1, 1], 0, 0, ['slot', 'component', 'src_type', 'relaxed'],
   PURE | DIVERGENT),                                            # (vertex of the primitive, slot offset)
  ('load_explicit_input',    [1, 1], 0, 0, ['slot', 'component', 'src_type', 'relaxed'],
   PURE | DIVERGENT),                                            # (vertex in the hardware's order, slot offset)
  ('load_barycentric_model',    [], 3, 32, [], PURE | DIVERGENT),     # I/W, J/W, 1/W at the pixel's centre
  ('load_barycentric_pixel',    [], 2, 32, ['interp'], PURE | DIVERGENT),
  ('load_barycentric_centroid', [], 2, 32, ['interp'], PURE | DIVERGENT),
  ('load_barycentric_sample',   [], 2, 32, ['interp'], PURE | DIVERGENT),
  ('load_barycentric_at_sample', [1], 2, 32, ['interp'], PURE | DIVERGENT),
  ('load_barycentric_at_offset', [2], 2, 32, ['interp'], PURE | DIVERGENT),
  ('load_barycentric_coord',    [2], 3, 32, [], PURE | DIVERGENT),    # (barycentric): the weights of the vertices
  ('store_output',          [0, 1], None, 0,
   ['slot', 'component', 'write_mask', 'frag_index', 'src_type', 'relaxed'], 0),

  # Outputs of mesh shaders: of a vertex or a primitive of the workgroup.
  # Outputs of control shaders: of a vertex, or of the patch as store_output's; what other invocations stored before a
  # barrier is there.
  ('store_per_vertex_output', [0, 1, 1], None, 0,
   ['slot', 'component', 'write_mask', 'src_type', 'relaxed'], 0),  # (value, vertex, slot offset)
  ('load_per_vertex_output', [1, 1], 0, 0, ['slot', 'component', 'src_type', 'relaxed'],
   ELIM | DIVERGENT),                                               # (vertex, slot offset)
  ('load_output',            [1], 0, 0, ['slot', 'component', 'src_type', 'relaxed'], ELIM | DIVERGENT),

  # Geometry shaders: the stored outputs become a vertex of the stream's strip, and are undefined then; the next
  # vertex begins a new strip.
  ('emit_vertex',           [], None, 0, ['stream'], 0),
  ('end_primitive',         [], None, 0, ['stream'], 0),

  # Mesh shaders: how many vertices and primitives the workgroup makes. The first invocation's values count.
  ('set_mesh_outputs',      [1, 1], None, 0, [], 0),
  # Task shaders, all invocations once: workgroups of the mesh shader, which read the payload as it is then. The first
  # invocation's values count.
  ('launch_mesh_workgroups', [3], None, 0, [], CONVERGENT),
  # (byte offset) in the payload, of mesh shaders
  ('load_task_payload',     [1], 0, 0, ['base'] + MEM, PURE),

  # Number in the workgroup of a vertex of the primitive that the invocation works on, for merged shaders.
  ('load_primitive_vertex', [1], 1, 32, [], PURE | DIVERGENT),

  # Memory of the workgroup's patches, which evaluation shaders read. (.., byte offset)
  ('load_patch_memory',      [1], 0, 0, ['base'] + MEM, PURE | DIVERGENT),
  ('store_patch_memory',     [0, 1], None, 0, ['base', 'write_mask'] + MEM, 0),
  # The outer and inner levels of the invocation's patch; once for each.
  ('store_tess_levels',      [4, 2], None, 0, [], 0),

  # -- system values
  ('load_vertex_id',            [], 1, 32, [], SYSVAL | DIVERGENT),   # with the base vertex (gl_VertexIndex)
  ('load_vertex_id_zero_base',  [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_base_vertex',          [], 1, 32, [], SYSVAL | UNIFORM),   # gl_BaseVertex: vertexOffset or firstVertex
  ('load_instance_id',          [], 1, 32, [], SYSVAL | DIVERGENT),   # from 0, without the base instance
  ('load_base_instance',        [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_draw_id',              [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_view_index',           [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_frag_coord',           [], 4, 32, [], SYSVAL | DIVERGENT),
  ('load_point_coord',          [], 2, 32, [], SYSVAL | DIVERGENT),
  ('load_front_face',           [], 1, 1, [], SYSVAL | DIVERGENT),
  ('load_sample_id',            [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_sample_pos',           [], 2, 32, [], SYSVAL | DIVERGENT),
  ('load_sample_mask_in',       [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_helper_invocation',    [], 1, 1, [], SYSVAL | DIVERGENT),
  ('load_primitive_id',         [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_layer_id',             [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_invocation_id',        [], 1, 32, [], SYSVAL | DIVERGENT),   # of those with the same primitive
  ('load_tess_coord',           [], 3, 32, [], SYSVAL | DIVERGENT),   # of an evaluation shader's vertex
  ('load_patch_in_workgroup',   [], 1, 32, [], SYSVAL | DIVERGENT),   # number of the invocation's patch
  ('load_patches_in_workgroup', [], 1, 32, [], SYSVAL | UNIFORM),     # of a full one
  ('load_patch_vertices_in',    [], 1, 32, [], SYSVAL | UNIFORM),     # of the patches a tessellation shader reads
  ('load_shading_rate',         [], 1, 32, [], SYSVAL | DIVERGENT),   # log2 of width << 2 | of height
  ('load_runs_first',           [], 1, 1, [], SYSVAL | DIVERGENT),   # whether the invocation runs the first ...
  ('load_runs_second',          [], 1, 1, [], SYSVAL | DIVERGENT),   # ... and the second of two merged shaders
  ('load_local_invocation_id',  [], 3, 32, [], SYSVAL | DIVERGENT),
  ('load_local_invocation_index', [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_workgroup_id',         [], 3, 32, [], SYSVAL | UNIFORM),
  ('load_num_workgroups',       [], 3, 32, [], SYSVAL | UNIFORM),
  ('load_global_invocation_id', [], 3, 32, [], SYSVAL | DIVERGENT),
  ('load_workgroup_size',       [], 3, 32, [], SYSVAL | UNIFORM),
  ('load_subgroup_size',        [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_subgroup_invocation',  [], 1, 32, [], SYSVAL | DIVERGENT),
  ('load_subgroup_id',          [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_num_subgroups',        [], 1, 32, [], SYSVAL | UNIFORM),
  ('load_subgroup_eq_mask',     [], 4, 32, [], SYSVAL | DIVERGENT),
  ('load_subgroup_ge_mask',     [], 4, 32, [], SYSVAL | DIVERGENT),
  ('load_subgroup_gt_mask',     [], 4, 32, [], SYSVAL | DIVERGENT),
  ('load_subgroup_le_mask',     [], 4, 32, [], SYSVAL | DIVERGENT),
  ('load_subgroup_lt_mask',     [], 4, 32, [], SYSVAL | DIVERGENT),
  # Driver arguments: 'base' is an argument number of the back end's ABI.
  ('load_scalar_arg',           [], 0, 32, ['base'], PURE | UNIFORM),
  ('load_vector_arg',           [], 0, 32, ['base'], PURE | DIVERGENT),

  # -- fragment control
  ('discard',                   [], None, 0, [], 0),          # OpKill: the invocation ends
  ('discard_if',                [1], None, 0, [], 0),
  ('demote',                    [], None, 0, [], 0),          # becomes a helper
  ('demote_if',                 [1], None, 0, [], 0),
  ('is_helper_invocation',      [], 1, 1, [], ELIM | DIVERGENT),          # after demotes

  # Of an invocation: its ordered section (docs/drivers/amd/pops.md). Memory accesses do not move across them.
  ('begin_invocation_interlock', [], None, 0, [], 0),
  ('end_invocation_interlock',   [], None, 0, [], 0),

  # Of a wave, by nir_lower_interlock(): on every path that enters, one leave. Overlapping invocations may share the
  # wave if it runs the section once for each layer.
  ('enter_ordered_section',  [], None, 0, [], 0),
  ('leave_ordered_section',  [], None, 0, [], 0),
  ('load_section_layers',    [], 1, 32, [], PURE | UNIFORM),            # how many, uniform
  ('load_section_layer',     [], 1, 32, [], PURE | DIVERGENT),            # the invocation's own

  # -- synchronisation
  ('barrier',                   [], None, 0, ['execution_scope', 'memory_scope', 'memory_semantics', 'memory_modes'],
                                CONVERGENT | SUBGROUP),

  # -- subgroups
  ('elect',                     [], 1, 1, [], ELIM | CONVERGENT | SUBGROUP | DIVERGENT),
  ('vote_any',                  [1], 1, 1, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('vote_all',                  [1], 1, 1, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('vote_feq',                  [0], 1, 1, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('vote_ieq',                  [0], 1, 1, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('ballot',                    [1], 4, 32, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('inverse_ballot',            [4], 1, 1, [], PURE | CONVERGENT | DIVERGENT),
  ('ballot_bitfield_extract',   [4, 1], 1, 1, [], PURE),
  ('ballot_bit_count_reduce',   [4], 1, 32, [], PURE),
  ('ballot_bit_count_inclusive', [4], 1, 32, [], PURE | DIVERGENT),
  ('ballot_bit_count_exclusive', [4], 1, 32, [], PURE | DIVERGENT),
  ('ballot_find_lsb',           [4], 1, 32, [], PURE),
  ('ballot_find_msb',           [4], 1, 32, [], PURE),
  ('read_first_invocation',     [0], 0, 0, [], ELIM | CONVERGENT | SUBGROUP | UNIFORM),
  ('read_invocation',           [0, 1], 0, 0, [], ELIM | CONVERGENT | SUBGROUP),   # index uniform
  ('shuffle',                   [0, 1], 0, 0, [], ELIM | CONVERGENT | SUBGROUP),
  ('shuffle_xor',               [0, 1], 0, 0, [], ELIM | CONVERGENT | SUBGROUP),
  ('shuffle_up',                [0, 1], 0, 0, [], ELIM | CONVERGENT | SUBGROUP),
  ('shuffle_down',              [0, 1], 0, 0, [], ELIM | CONVERGENT | SUBGROUP),
  ('rotate',                    [0, 1], 0, 0, ['cluster_size'], ELIM | CONVERGENT | SUBGROUP),  # up, in a cluster
  ('quad_broadcast',            [0, 1], 0, 0, [], ELIM | CONVERGENT),
  ('quad_swap_horizontal',      [0], 0, 0, [], ELIM | CONVERGENT),
  ('quad_swap_vertical',        [0], 0, 0, [], ELIM | CONVERGENT),
  ('quad_swap_diagonal',        [0], 0, 0, [], ELIM | CONVERGENT),
  # over the active lanes of the quad, helpers among them
  ('quad_vote_any',             [1], 1, 1, [], ELIM | CONVERGENT | DIVERGENT),
  ('quad_vote_all',             [1], 1, 1, [], ELIM | CONVERGENT | DIVERGENT),
  ('reduce',                    [0], 0, 0, ['reduction_op', 'cluster_size'], ELIM | CONVERGENT | SUBGROUP),
  ('inclusive_scan',            [0], 0, 0, ['reduction_op'], ELIM | CONVERGENT | SUBGROUP | DIVERGENT),
  ('exclusive_scan',            [0], 0, 0, ['reduction_op'], ELIM | CONVERGENT | SUBGROUP | DIVERGENT),
  # (A, B, C): A * B + C of matrices that all of the subgroup's invocations hold together (nir_matrix.h)
  ('matrix_multiply_add',       [-1, -1, 0], 0, 64, ['matrix_op', 'matrix_signs', 'saturate'],
   ELIM | CONVERGENT | SUBGROUP | DIVERGENT),
  ('shader_clock',              [], 2, 32, ['memory_scope'], ELIM | UNIFORM),
]

# Bit sizes of the sources (0: any; without a row: all any). The rest of the typing is nir_validate_intrinsic.c's.
SOURCE_BITS = {
  'load_deref': [32], 'store_deref': [32, 0], 'copy_deref': [32, 32],
  'deref_atomic': [32, 0], 'deref_atomic_swap': [32, 0, 0], 'deref_array_length': [32],
  'deref_address': [32],
  'interp_deref_at_centroid': [32], 'interp_deref_at_sample': [32, 32], 'interp_deref_at_offset': [32, 32],
  'interp_deref_at_vertex': [32, 32],
  'image_deref_load': [32, 32, 32, 32], 'image_deref_residency': [32, 32, 32, 32],
  'image_deref_store': [32, 32, 32, 0, 32],
  'image_deref_atomic': [32, 32, 32, 0], 'image_deref_atomic_swap': [32, 32, 32, 0, 0],
  'image_deref_size': [32, 32], 'image_deref_samples': [32],
  'vulkan_resource_index': [32],
  'load_ubo': [32, 32], 'load_ssbo': [32, 32], 'store_ssbo': [0, 32, 32],
  'ssbo_atomic': [32, 32, 0], 'ssbo_atomic_swap': [32, 32, 0, 0], 'get_ssbo_size': [32],
  'load_push_constant': [32], 'load_constant': [32],
  'load_shared': [32], 'store_shared': [0, 32], 'shared_atomic': [32, 0], 'shared_atomic_swap': [32, 0, 0],
  'load_scratch': [32], 'store_scratch': [0, 32],
  'load_global': [64], 'load_global_constant': [64, 32], 'store_global': [0, 64],
  'global_atomic': [64, 0], 'global_atomic_swap': [64, 0, 0],
  'image_load': [32, 32, 32, 32, 32], 'image_store': [32, 32, 32, 32, 0, 32],
  'image_atomic': [32, 32, 32, 32, 0], 'image_atomic_swap': [32, 32, 32, 32, 0, 0],
  'image_size': [32, 32, 32], 'image_samples': [32, 32],
  'load_texel_buffer': [32, 32], 'store_texel_buffer': [32, 32, 0],
  'texel_buffer_atomic': [32, 32, 0], 'texel_buffer_atomic_swap': [32, 32, 0, 0], 'texel_buffer_size': [32],
  'load_input': [32], 'load_interpolated_input': [32, 32],
  'load_primitive_vertex': [32],
  'set_mesh_outputs': [32, 32], 'launch_mesh_workgroups': [32], 'load_task_payload': [32],
  'load_patch_memory': [32], 'store_patch_memory': [0, 32], 'store_tess_levels': [32, 32],
  'load_per_vertex_input': [32, 32], 'load_explicit_input': [32, 32],
  'load_barycentric_at_sample': [32], 'load_barycentric_at_offset': [32], 'load_barycentric_coord': [32],
  'store_output': [0, 32], 'store_per_vertex_output': [0, 32, 32],
  'load_per_vertex_output': [32, 32], 'load_output': [32],
  'discard_if': [1], 'demote_if': [1],
  'vote_any': [1], 'vote_all': [1], 'ballot': [1], 'inverse_ballot': [32], 'ballot_bitfield_extract': [32, 32],
  'ballot_bit_count_reduce': [32], 'ballot_bit_count_inclusive': [32], 'ballot_bit_count_exclusive': [32],
  'ballot_find_lsb': [32], 'ballot_find_msb': [32],
  'read_invocation': [0, 32], 'shuffle': [0, 32], 'shuffle_xor': [0, 32], 'shuffle_up': [0, 32],
  'shuffle_down': [0, 32], 'rotate': [0, 32], 'quad_broadcast': [0, 32], 'quad_vote_any': [1], 'quad_vote_all': [1],
  'matrix_multiply_add': [64, 64, 64],
}
