/* All dot products of integers: shapes of vectors and results, signs, with and without a saturated sum. */
#version 450
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
struct In { ivec4 a, b; ivec2 sum, pad; };
layout(set = 0, binding = 0) readonly buffer Ins { In inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };

#define EXTENSION "SPV_KHR_integer_dot_product"
#define OP(n) spirv_instruction(extensions = [EXTENSION], capabilities = [6019, 6016, 6017], id = n)
#define PACKED(n) spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = n)
/* name; results; vectors */
#define DECLARE(N, R, UR, V, UV)  \
   OP(4450) R s_##N(V a, V b);  \
   OP(4451) UR u_##N(UV a, UV b);  \
   OP(4452) R m_##N(V a, UV b);  \
   OP(4453) R ss_##N(V a, V b, R sum);  \
   OP(4454) UR us_##N(UV a, UV b, UR sum);  \
   OP(4455) R ms_##N(V a, UV b, R sum);
#define DECLARE_PACKED(N, R, UR)  \
   PACKED(4450) R s_##N(int a, int b, spirv_literal int format);  \
   PACKED(4451) UR u_##N(uint a, uint b, spirv_literal int format);  \
   PACKED(4452) R m_##N(int a, uint b, spirv_literal int format);  \
   PACKED(4453) R ss_##N(int a, int b, R sum, spirv_literal int format);  \
   PACKED(4454) UR us_##N(uint a, uint b, UR sum, spirv_literal int format);  \
   PACKED(4455) R ms_##N(int a, uint b, R sum, spirv_literal int format);
#define SHAPES(F)  \
   F(b4_8, int8_t, uint8_t, i8vec4, u8vec4)  \
   F(b4_16, int16_t, uint16_t, i8vec4, u8vec4)  \
   F(b4_32, int, uint, i8vec4, u8vec4)  \
   F(b4_64, int64_t, uint64_t, i8vec4, u8vec4)  \
   F(b3_32, int, uint, i8vec3, u8vec3)  \
   F(b2_16, int16_t, uint16_t, i8vec2, u8vec2)  \
   F(h2_16, int16_t, uint16_t, i16vec2, u16vec2)  \
   F(h2_32, int, uint, i16vec2, u16vec2)  \
   F(h2_64, int64_t, uint64_t, i16vec2, u16vec2)  \
   F(h3_32, int, uint, i16vec3, u16vec3)  \
   F(h4_64, int64_t, uint64_t, i16vec4, u16vec4)  \
   F(w2_32, int, uint, ivec2, uvec2)  \
   F(w3_64, int64_t, uint64_t, ivec3, uvec3)  \
   F(l2_64, int64_t, uint64_t, i64vec2, u64vec2)
SHAPES(DECLARE)
#define PACKED_SHAPES(F)  \
   F(p_8, int8_t, uint8_t)  \
   F(p_16, int16_t, uint16_t)  \
   F(p_32, int, uint)  \
   F(p_64, int64_t, uint64_t)
PACKED_SHAPES(DECLARE_PACKED)

uint row = 0u;
uint count = gl_NumWorkGroups.x * 64u;
void put(uint64_t x) { results[row++ * count + gl_GlobalInvocationID.x] = unpackUint2x32(x); }

i8vec4 as_i8vec4(ivec4 x) { return unpack8(x.x); }
i8vec3 as_i8vec3(ivec4 x) { return unpack8(x.x).xyz; }
i8vec2 as_i8vec2(ivec4 x) { return unpack8(x.x).xy; }
u8vec4 as_u8vec4(ivec4 x) { return unpack8(uint(x.x)); }
u8vec3 as_u8vec3(ivec4 x) { return unpack8(uint(x.x)).xyz; }
u8vec2 as_u8vec2(ivec4 x) { return unpack8(uint(x.x)).xy; }
i16vec2 as_i16vec2(ivec4 x) { return unpack16(x.x); }
i16vec3 as_i16vec3(ivec4 x) { return i16vec3(unpack16(x.x), unpack16(x.y).x); }
i16vec4 as_i16vec4(ivec4 x) { return i16vec4(unpack16(x.x), unpack16(x.y)); }
u16vec2 as_u16vec2(ivec4 x) { return unpack16(uint(x.x)); }
u16vec3 as_u16vec3(ivec4 x) { return u16vec3(unpack16(uint(x.x)), unpack16(uint(x.y)).x); }
u16vec4 as_u16vec4(ivec4 x) { return u16vec4(unpack16(uint(x.x)), unpack16(uint(x.y))); }
ivec2 as_ivec2(ivec4 x) { return x.xy; }
ivec3 as_ivec3(ivec4 x) { return x.xyz; }
uvec2 as_uvec2(ivec4 x) { return uvec2(x.xy); }
uvec3 as_uvec3(ivec4 x) { return uvec3(x.xyz); }
i64vec2 as_i64vec2(ivec4 x) { return i64vec2(packInt2x32(x.xy), packInt2x32(x.zw)); }
u64vec2 as_u64vec2(ivec4 x) { return u64vec2(packUint2x32(uvec2(x.xy)), packUint2x32(uvec2(x.zw))); }

void main()
{
   ivec4 a = inputs[gl_GlobalInvocationID.x].a, b = inputs[gl_GlobalInvocationID.x].b;
   int64_t sum = packInt2x32(inputs[gl_GlobalInvocationID.x].sum);
#define USE(N, R, UR, V, UV)  \
   put(uint64_t(s_##N(as_##V(a), as_##V(b))));  \
   put(uint64_t(u_##N(as_##UV(a), as_##UV(b))));  \
   put(uint64_t(m_##N(as_##V(a), as_##UV(b))));  \
   put(uint64_t(ss_##N(as_##V(a), as_##V(b), R(sum))));  \
   put(uint64_t(us_##N(as_##UV(a), as_##UV(b), UR(sum))));  \
   put(uint64_t(ms_##N(as_##V(a), as_##UV(b), R(sum))));
#define USE_PACKED(N, R, UR)  \
   put(uint64_t(s_##N(a.x, b.x, 0)));  \
   put(uint64_t(u_##N(uint(a.x), uint(b.x), 0)));  \
   put(uint64_t(m_##N(a.x, uint(b.x), 0)));  \
   put(uint64_t(ss_##N(a.x, b.x, R(sum), 0)));  \
   put(uint64_t(us_##N(uint(a.x), uint(b.x), UR(sum), 0)));  \
   put(uint64_t(ms_##N(a.x, uint(b.x), R(sum), 0)));
   SHAPES(USE)
   PACKED_SHAPES(USE_PACKED)
}
