/* 8 and 16 bits in memory: loaded, changed and stored as scalars, vectors and members of structures. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_scalar_block_layout : enable
layout(local_size_x = 64) in;
struct Mixed { uint8_t a; uint16_t b; u8vec3 c; float16_t d; u16vec3 e; int8_t f; f16vec4 g; uint h; i8vec4 i; };
layout(scalar, set = 0, binding = 0) readonly buffer In { Mixed from[]; };
layout(scalar, set = 0, binding = 1) buffer Out { Mixed to[]; };
layout(scalar, set = 0, binding = 2) buffer Bytes { uint8_t bytes[]; };
layout(scalar, set = 0, binding = 3) buffer Halves { uint16_t halves[]; };
shared uint8_t shared_bytes[256];
shared u16vec3 shared_halves[64];

void main()
{
   uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
   Mixed m = from[i];
   m.a += uint8_t(3);
   m.b = m.b * uint16_t(5);
   m.c = m.c.zxy;
   m.d *= float16_t(2);
   m.e = m.e + uint16_t(m.a);
   m.f = -m.f;
   m.g = m.g.wzyx;
   m.h ^= uint(m.e.y);
   m.i = m.i >> int8_t(1);
   to[i] = m;
   shared_bytes[l * 4u + i % 4u] = uint8_t(i);
   shared_halves[l] = u16vec3(i, i + 1u, i * 3u);
   barrier();
   uint other = (l + 7u) % 64u;
   bytes[i] = shared_bytes[other * 4u + other % 4u];
   halves[i] = shared_halves[other].z;
   bytes[i + 1000u] = bytes[i + 2000u] + uint8_t(1);
}
