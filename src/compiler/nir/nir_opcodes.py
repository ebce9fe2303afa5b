"""ALU opcodes and their meaning. The constant folder and the reference interpreter are generated from this table.

One row each: name, result type, source types, C expression per component, flags.
Types: base (float, int, uint, bool) with an optional bit size; without one the size is that of the instruction (all
unsized types of one instruction agree). bool is 1 bit. A type may end in xN for a fixed component count (read or
written whole: components .x .y .z .w in the expression); otherwise the operation works component by component.
In expressions src0..src3 have the C type of the source (half floats are promoted to float and the result is rounded
once, to nearest even); `bits` is the unsized bit size. With raw0 in place of src0 an expression works on bits: raw0
is the source as an unsigned integer, sign its highest bit, and the result is taken as it is. Helper functions stand
in nir_constant_expressions.h.
Flags: COMM (first two sources commute), ASSOC (associative, exactly), DERIV (needs the quad: no expression),
CONV (conversion), BOOL1 (1-bit operands too).
Float min/max return the other operand for a NaN; signed zeros, NaN payloads and denormals (flushed or kept for 32
bits) are free unless the row says otherwise.
"""

COMM, ASSOC, DERIV, CONV, BOOL1 = 1, 2, 4, 8, 16
FLAG_NAMES = {'COMMUTATIVE': COMM, 'ASSOCIATIVE': ASSOC, 'DERIVATIVE': DERIV, 'CONVERSION': CONV, 'BOOL': BOOL1}

DOTS = [('s', 4, 8, 'int', 'iadd'), ('u', 4, 8, 'uint', 'uadd'), ('su', 4, 8, 'int', 'iadd'),
        ('s', 2, 16, 'int', 'iadd'), ('u', 2, 16, 'uint', 'uadd')]

OPCODES = [
  # -- moving
  ('mov',   'uint', ['uint'], 'src0', BOOL1),
  ('vec2',  'uintx2', ['uintx1'] * 2, 'dst.x = src0.x; dst.y = src1.x;', BOOL1),
  ('vec3',  'uintx3', ['uintx1'] * 3, 'dst.x = src0.x; dst.y = src1.x; dst.z = src2.x;', BOOL1),
  ('vec4',  'uintx4', ['uintx1'] * 4, 'dst.x = src0.x; dst.y = src1.x; dst.z = src2.x; dst.w = src3.x;', BOOL1),
  ('bcsel', 'uint', ['bool', 'uint', 'uint'], 'src0 ? src1 : src2', BOOL1),

  # -- float
  ('fadd',  'float', ['float', 'float'], 'src0 + src1', COMM),
  ('fsub',  'float', ['float', 'float'], 'src0 - src1', 0),
  ('fmul',  'float', ['float', 'float'], 'src0 * src1', COMM),
  ('fdiv',  'float', ['float', 'float'], 'src0 / src1', 0),
  ('ffma',  'float', ['float', 'float', 'float'], 'nir_fma(src0, src1, src2, bits)', COMM),
  ('fneg',  'float', ['float'], 'raw0 ^ sign', 0),
  ('fabs',  'float', ['float'], 'raw0 & ~sign', 0),
  ('fsat',  'float', ['float'], 'nir_fmin(nir_fmax(src0, 0), 1)', 0),   # NaN gives 0
  ('fsign', 'float', ['float'], 'src0 > 0 ? 1 : src0 < 0 ? -1 : src0', 0),
  ('fmin',  'float', ['float', 'float'], 'nir_fmin(src0, src1)', COMM | ASSOC),
  ('fmax',  'float', ['float', 'float'], 'nir_fmax(src0, src1)', COMM | ASSOC),
  ('ffloor', 'float', ['float'], 'floor(src0)', 0),
  ('fceil', 'float', ['float'], 'ceil(src0)', 0),
  ('ftrunc', 'float', ['float'], 'trunc(src0)', 0),
  ('fround_even', 'float', ['float'], 'rint(src0)', 0),
  ('ffract', 'float', ['float'], 'src0 - floor(src0)', 0),
  ('frcp',  'float', ['float'], '1 / src0', 0),
  ('frsq',  'float', ['float'], '1 / sqrt(src0)', 0),
  ('fsqrt', 'float', ['float'], 'sqrt(src0)', 0),
  ('fexp2', 'float', ['float'], 'exp2(src0)', 0),
  ('flog2', 'float', ['float'], 'log2(src0)', 0),
  ('fpow',  'float', ['float', 'float'], 'pow(src0, src1)', 0),
  # Zero times infinity or NaN is zero. A denormal operand may count as zero.
  ('fmulz', 'float32', ['float32', 'float32'], 'src0 == 0 || src1 == 0 ? 0 : src0 * src1', COMM),
  ('fsin',  'float', ['float'], 'sin(src0)', 0),
  ('fcos',  'float', ['float'], 'cos(src0)', 0),
  ('fldexp', 'float', ['float', 'int32'], 'ldexp(src0, src1)', 0),
  ('ffrexp_sig', 'float', ['float'], 'nir_frexp_sig(src0)', 0),
  ('ffrexp_exp', 'int32', ['float'], 'nir_frexp_exp(src0)', 0),
  ('fquantize2f16', 'float32', ['float32'], 'nir_quantize_f16(src0)', 0),  # denormals flush to zero
  ('fdot2', 'floatx1', ['floatx2', 'floatx2'], 'dst.x = src0.x * src1.x + src0.y * src1.y;', COMM),
  ('fdot3', 'floatx1', ['floatx3', 'floatx3'], 'dst.x = src0.x * src1.x + src0.y * src1.y + src0.z * src1.z;', COMM),
  ('fdot4', 'floatx1', ['floatx4', 'floatx4'],
   'dst.x = src0.x * src1.x + src0.y * src1.y + src0.z * src1.z + src0.w * src1.w;', COMM),
  ('fddx',  'float', ['float'], None, DERIV),
  ('fddy',  'float', ['float'], None, DERIV),
  ('fddx_fine', 'float', ['float'], None, DERIV),
  ('fddy_fine', 'float', ['float'], None, DERIV),
  ('fddx_coarse', 'float', ['float'], None, DERIV),
  ('fddy_coarse', 'float', ['float'], None, DERIV),

  # -- float comparisons (ordered, but for fneu; funord and ford test for NaN)
  ('flt',   'bool', ['float', 'float'], 'src0 < src1', 0),
  ('fge',   'bool', ['float', 'float'], 'src0 >= src1', 0),
  ('feq',   'bool', ['float', 'float'], 'src0 == src1', COMM),
  ('fneu',  'bool', ['float', 'float'], 'src0 != src1', COMM),
  ('ford',  'bool', ['float', 'float'], 'src0 == src0 && src1 == src1', COMM),
  ('funord', 'bool', ['float', 'float'], 'src0 != src0 || src1 != src1', COMM),
  ('fisnan', 'bool', ['float'], 'src0 != src0', 0),
  ('fisinf', 'bool', ['float'], 'nir_isinf(src0)', 0),

  # -- integer
  ('iadd',  'int', ['int', 'int'], '(uint64_t)src0 + (uint64_t)src1', COMM | ASSOC),
  ('isub',  'int', ['int', 'int'], '(uint64_t)src0 - (uint64_t)src1', 0),
  ('imul',  'int', ['int', 'int'], '(uint64_t)src0 * (uint64_t)src1', COMM | ASSOC),
  ('imul_high', 'int32', ['int32', 'int32'], '((int64_t)src0 * (int64_t)src1) >> 32', COMM),
  ('umul_high', 'uint32', ['uint32', 'uint32'], '((uint64_t)src0 * (uint64_t)src1) >> 32', COMM),
  ('imul_2x32_64', 'int64', ['int32', 'int32'], '(int64_t)src0 * (int64_t)src1', COMM),
  ('umul_2x32_64', 'uint64', ['uint32', 'uint32'], '(uint64_t)src0 * (uint64_t)src1', COMM),
  ('idiv',  'int', ['int', 'int'], 'nir_idiv(src0, src1, bits)', 0),    # towards zero; x/0 = 0
  ('udiv',  'uint', ['uint', 'uint'], 'src1 ? src0 / src1 : 0', 0),
  ('irem',  'int', ['int', 'int'], 'nir_irem(src0, src1)', 0),          # sign of src0; x rem 0 = 0
  ('imod',  'int', ['int', 'int'], 'nir_imod(src0, src1)', 0),          # sign of src1
  ('umod',  'uint', ['uint', 'uint'], 'src1 ? src0 % src1 : 0', 0),
  ('ineg',  'int', ['int'], '-(uint64_t)src0', 0),
  ('iabs',  'int', ['int'], 'src0 < 0 ? -(uint64_t)src0 : (uint64_t)src0', 0),
  ('isign', 'int', ['int'], '(src0 > 0) - (src0 < 0)', 0),
  ('imin',  'int', ['int', 'int'], 'src0 < src1 ? src0 : src1', COMM | ASSOC),
  ('imax',  'int', ['int', 'int'], 'src0 > src1 ? src0 : src1', COMM | ASSOC),
  ('umin',  'uint', ['uint', 'uint'], 'src0 < src1 ? src0 : src1', COMM | ASSOC),
  ('umax',  'uint', ['uint', 'uint'], 'src0 > src1 ? src0 : src1', COMM | ASSOC),
  ('uadd_carry', 'uint', ['uint', 'uint'], 'nir_mask(src0 + src1, bits) < src0', COMM),      # 0 or 1
  ('usub_borrow', 'uint', ['uint', 'uint'], 'src0 < src1', 0),
  ('iand',  'uint', ['uint', 'uint'], 'src0 & src1', COMM | ASSOC | BOOL1),
  ('ior',   'uint', ['uint', 'uint'], 'src0 | src1', COMM | ASSOC | BOOL1),
  ('ixor',  'uint', ['uint', 'uint'], 'src0 ^ src1', COMM | ASSOC | BOOL1),
  ('inot',  'uint', ['uint'], '~src0', BOOL1),
  ('ishl',  'uint', ['uint', 'uint32'], 'src0 << (src1 & (bits - 1))', 0),
  ('ishr',  'int', ['int', 'uint32'], 'src0 >> (src1 & (bits - 1))', 0),
  ('ushr',  'uint', ['uint', 'uint32'], 'src0 >> (src1 & (bits - 1))', 0),
  ('bitfield_reverse', 'uint32', ['uint32'], 'nir_bitfield_reverse(src0)', 0),
  ('bit_count', 'uint32', ['uint'], '__builtin_popcountll(src0)', 0),
  ('find_lsb', 'int32', ['uint'], 'src0 ? __builtin_ctzll(src0) : -1', 0),
  ('ufind_msb', 'int32', ['uint'], 'src0 ? 63 - __builtin_clzll(src0) : -1', 0),
  ('ifind_msb', 'int32', ['int32'], 'nir_ifind_msb(src0)', 0),          # first bit that differs from the sign
  # (base, insert, offset, bits); offset + bits <= 32
  ('bitfield_insert', 'uint32', ['uint32', 'uint32', 'uint32', 'uint32'],
   'nir_bitfield_insert(src0, src1, src2, src3)', 0),
  # (value, offset, bits); bits may be 32
  ('ubitfield_extract', 'uint32', ['uint32', 'uint32', 'uint32'], 'nir_ubitfield_extract(src0, src1, src2)', 0),
  ('ibitfield_extract', 'int32', ['int32', 'uint32', 'uint32'], 'nir_ibitfield_extract(src0, src1, src2)', 0),

  # -- integer comparisons 
  ('ilt',   'bool', ['int', 'int'], 'src0 < src1', 0),
  ('ige',   'bool', ['int', 'int'], 'src0 >= src1', 0),
  ('ieq',   'bool', ['uint', 'uint'], 'src0 == src1', COMM | BOOL1),
  ('ine',   'bool', ['uint', 'uint'], 'src0 != src1', COMM | BOOL1),
  ('ult',   'bool', ['uint', 'uint'], 'src0 < src1', 0),
  ('uge',   'bool', ['uint', 'uint'], 'src0 >= src1', 0),

  # -- conversions. To integers: towards zero, saturating, NaN gives 0
  *[(f'f2f{n}', f'float{n}', ['float'], 'src0', CONV) for n in (16, 32, 64)],
  ('f2f16_rtz', 'float16', ['float'], 'nir_f2f16_rtz(src0)', CONV),
  *[(f'f2i{n}', f'int{n}', ['float'], f'nir_f2i(src0, {n})', CONV) for n in (8, 16, 32, 64)],
  *[(f'f2u{n}', f'uint{n}', ['float'], f'nir_f2u(src0, {n})', CONV) for n in (8, 16, 32, 64)],
  *[(f'i2f{n}', f'float{n}', ['int'], 'src0', CONV) for n in (16, 32, 64)],
  *[(f'u2f{n}', f'float{n}', ['uint'], 'src0', CONV) for n in (16, 32, 64)],
  *[(f'i2i{n}', f'int{n}', ['int'], 'src0', CONV) for n in (8, 16, 32, 64)],
  *[(f'u2u{n}', f'uint{n}', ['uint'], 'src0', CONV) for n in (8, 16, 32, 64)],
  *[(f'b2f{n}', f'float{n}', ['bool'], 'src0 ? 1 : 0', CONV) for n in (16, 32, 64)],
  *[(f'b2i{n}', f'uint{n}', ['bool'], 'src0 ? 1 : 0', CONV) for n in (8, 16, 32, 64)],

  # -- packing
  ('pack_half_2x16', 'uint32x1', ['float32x2'], 'dst.x = nir_pack_half_2x16(src0.x, src0.y);', 0),
  ('unpack_half_2x16', 'float32x2', ['uint32x1'],
   'dst.x = nir_half_to_float(src0.x & 0xffff); dst.y = nir_half_to_float(src0.x >> 16);', 0),
  ('pack_unorm_2x16', 'uint32x1', ['float32x2'],
   'dst.x = nir_pack_unorm(src0.x, 16) | nir_pack_unorm(src0.y, 16) << 16;', 0),
  ('pack_snorm_2x16', 'uint32x1', ['float32x2'],
   'dst.x = nir_pack_snorm(src0.x, 16) | nir_pack_snorm(src0.y, 16) << 16;', 0),
  ('pack_unorm_4x8', 'uint32x1', ['float32x4'],
   'dst.x = nir_pack_unorm(src0.x, 8) | nir_pack_unorm(src0.y, 8) << 8 | nir_pack_unorm(src0.z, 8) << 16 | '
   'nir_pack_unorm(src0.w, 8) << 24;', 0),
  ('pack_snorm_4x8', 'uint32x1', ['float32x4'],
   'dst.x = nir_pack_snorm(src0.x, 8) | nir_pack_snorm(src0.y, 8) << 8 | nir_pack_snorm(src0.z, 8) << 16 | '
   'nir_pack_snorm(src0.w, 8) << 24;', 0),
  ('unpack_unorm_2x16', 'float32x2', ['uint32x1'],
   'dst.x = (src0.x & 0xffff) / 65535.0f; dst.y = (src0.x >> 16) / 65535.0f;', 0),
  ('unpack_snorm_2x16', 'float32x2', ['uint32x1'],
   'dst.x = nir_unpack_snorm(src0.x, 16); dst.y = nir_unpack_snorm(src0.x >> 16, 16);', 0),
  ('unpack_unorm_4x8', 'float32x4', ['uint32x1'],
   'dst.x = (src0.x & 255) / 255.0f; dst.y = (src0.x >> 8 & 255) / 255.0f; dst.z = (src0.x >> 16 & 255) / 255.0f; '
   'dst.w = (src0.x >> 24) / 255.0f;', 0),
  ('unpack_snorm_4x8', 'float32x4', ['uint32x1'],
   'dst.x = nir_unpack_snorm(src0.x, 8); dst.y = nir_unpack_snorm(src0.x >> 8, 8); '
   'dst.z = nir_unpack_snorm(src0.x >> 16, 8); dst.w = nir_unpack_snorm(src0.x >> 24, 8);', 0),
  ('pack_64_2x32', 'uint64x1', ['uint32x2'], 'dst.x = src0.x | (uint64_t)src0.y << 32;', 0),
  ('unpack_64_2x32', 'uint32x2', ['uint64x1'], 'dst.x = (uint32_t)src0.x; dst.y = (uint32_t)(src0.x >> 32);', 0),
  ('pack_32_2x16', 'uint32x1', ['uint16x2'], 'dst.x = src0.x | (uint32_t)src0.y << 16;', 0),
  ('unpack_32_2x16', 'uint16x2', ['uint32x1'], 'dst.x = (uint16_t)src0.x; dst.y = (uint16_t)(src0.x >> 16);', 0),

  # -- cube maps: (face coordinates s, t in [-1, 1] scaled by the major axis; major axis; face number), as v_cube*
  ('cube_face', 'float32x4', ['float32x3'], 'nir_cube_face(&dst.x, src0.x, src0.y, src0.z);', 0),

  # -- dot products of integers
  # (vector, vector, sum); four components of 8 bits or two of 16 in a word; s: signed, u: unsigned, su: one of each
  *[(f'{s}dot_{n}x{w}_{sum}', f'{t}32', ['uint32', 'uint32', f'{t}32'],
     f'(uint64_t)src2 + (uint64_t)nir_dot(src0, src1, {n}, {int(s[0] == "s")}, {int(s == "s")})', 0)
    for s, n, w, t, sum in DOTS],
  *[(f'{s}dot_{n}x{w}_{sum}_sat', f'{t}32', ['uint32', 'uint32', f'{t}32'],
     f'nir_saturate(src2 + nir_dot(src0, src1, {n}, {int(s[0] == "s")}, {int(s == "s")}), {int(s[0] == "s")})', 0)
    for s, n, w, t, sum in DOTS],
]
