/* Instructions that GLSL does not write by itself, packing, and vectors that are indexed at run time. */
#version 450
#extension GL_EXT_spirv_intrinsics : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool YES = true;
layout(constant_id = 1) const bool NO = false;
layout(set = 0, binding = 0) readonly buffer In { uvec4 inputs[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
layout(set = 0, binding = 2) buffer Counters { uint up, down, less; };

spirv_instruction(id = 166) bool logical_or(bool a, bool b);
spirv_instruction(id = 164) bool logical_equal(bool a, bool b);
spirv_instruction(id = 165) bool logical_not_equal(bool a, bool b);
spirv_instruction(id = 83) vec4 copy_object(vec4 a);
spirv_instruction(id = 77) float extract_dynamic(vec4 v, uint i);
spirv_instruction(id = 78) vec4 insert_dynamic(vec4 v, float x, uint i);
spirv_instruction(id = 116) float quantize(float x);
spirv_instruction(id = 232) uint increment(spirv_by_reference uint p, uint scope, uint semantics);
spirv_instruction(id = 233) uint decrement(spirv_by_reference uint p, uint scope, uint semantics);
spirv_instruction(id = 235) uint subtract(spirv_by_reference uint p, uint scope, uint semantics, uint x);
spirv_instruction(set = "GLSL.std.450", id = 51) float frexp_pointer(float x, spirv_by_reference int power);
spirv_instruction(id = 63) void copy_memory(spirv_by_reference vec4 to, spirv_by_reference vec4 from);
struct Modf { float part; float whole; };
spirv_instruction(set = "GLSL.std.450", id = 36) Modf modf_struct(float x);

uint row = 0u;
void put(uint x) { results[row++ * 256u + gl_GlobalInvocationID.x] = x; }

void main()
{
   uvec4 w = inputs[gl_GlobalInvocationID.x];
   vec4 v = vec4(ivec4(w) >> 8) / 65536.0;
   int power;
   put(uint(logical_or(v.x > 0.0, v.y > 0.0)));
   put(uint(logical_equal(v.x > 0.0, v.y > 0.0)));
   put(uint(logical_not_equal(v.x > 0.0, v.y > 0.0)));
   put(floatBitsToUint(copy_object(v).w));
   put(floatBitsToUint(extract_dynamic(v, w.z & 3u)));
   put(floatBitsToUint(insert_dynamic(v, 42.0, w.z & 3u).y));
   put(floatBitsToUint(quantize(v.x)));
   put(floatBitsToUint(frexp_pointer(v.x, power)));
   put(uint(power));
   Modf m = modf_struct(v.y);
   put(floatBitsToUint(m.part));
   put(floatBitsToUint(m.whole));
   put(packSnorm4x8(v / 64.0));
   put(packUnorm4x8(v / 64.0));
   put(packSnorm2x16(v.xy / 64.0));
   put(packUnorm2x16(v.xy / 64.0));
   put(packHalf2x16(v.xy));
   vec4 s8 = unpackSnorm4x8(w.x), u8 = unpackUnorm4x8(w.x);
   vec2 s16 = unpackSnorm2x16(w.x), u16 = unpackUnorm2x16(w.x), h = unpackHalf2x16(w.y & 0x7bff7bffu);
   put(floatBitsToUint(s8[w.z & 3u]));
   put(floatBitsToUint(u8[w.z & 3u]));
   put(floatBitsToUint(s16[w.z & 1u]));
   put(floatBitsToUint(u16[w.z & 1u]));
   put(floatBitsToUint(h[w.z & 1u]));
   put(uint(YES) + 2u * uint(NO));
   put(uint(any(greaterThan(v, vec4(60.0)))) + 2u * uint(all(lessThan(v, vec4(60.0)))));
   put(floatBitsToUint(refract(vec2(0.0, -1.0), vec2(0.0, 1.0), abs(v.x)).y));
   vec4 source = v.wzyx, target;
   copy_memory(target, source);
   put(floatBitsToUint(target.x));
   increment(up, 1u, 0u);
   decrement(down, 1u, 0u);
   subtract(less, 1u, 0u, w.w & 15u);
}
