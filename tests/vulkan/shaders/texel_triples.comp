// Fetches from three texel buffers, at places inside and outside of them, and their sizes. Descriptors of another
// format are bound for another dispatch.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer floats;
layout(set = 0, binding = 1) uniform isamplerBuffer ints;
layout(set = 0, binding = 2) uniform usamplerBuffer uints;
layout(set = 0, binding = 3) uniform mediump samplerBuffer halves;
layout(set = 0, binding = 4, std430) buffer Result { uvec4 values[]; } result;

void main()
{
   const uint lane = gl_LocalInvocationID.x, size = textureSize(floats);
   const int far[4] = int[4](0x10000000, 0x15555556, 0x7fffffff, -1);
   const int at = lane < 60 ? int(lane) : far[lane - 60];

   result.values[lane] = floatBitsToUint(texelFetch(floats, at));
   result.values[64 + lane] = uvec4(texelFetch(ints, at));
   result.values[128 + lane] = texelFetch(uints, at);
   result.values[192 + lane] = uvec4(texelFetch(halves, at) * 8.0);
   result.values[256 + lane] = uvec4(size, textureSize(ints), textureSize(uints), textureSize(halves));
}
