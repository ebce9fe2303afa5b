/* Two locations of 64 bits a component, and one after them. TYPE: dvec4 or u64vec4; PACK: to words. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
layout(location = 0) in TYPE value;
layout(location = 2) in uvec4 after;
layout(set = 0, binding = 0) buffer Records { uvec4 records[]; };

void main()
{
   records[3 * gl_VertexIndex] = uvec4(PACK(value.x), PACK(value.y));
   records[3 * gl_VertexIndex + 1] = uvec4(PACK(value.z), PACK(value.w));
   records[3 * gl_VertexIndex + 2] = after;
   gl_Position = vec4(2.0, 2.0, 0.5, 1.0);
   gl_PointSize = 1.0;
}
