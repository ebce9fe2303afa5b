/* Arrays that begin far before what is read. The program makes the index one of 64 bits: GLSL has none. */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Array { uint words[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Wide { uvec2 pairs[]; };
layout(set = 0, binding = 0) buffer Data { uint64_t address, index, results[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint64_t far = index + i;
   results[i] = uint64_t(Array(address - 4ul * index).words[uint(far)]) << 32 |
                Wide(address - 8ul * index).pairs[uint(far)].y;
}
