#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Copies every sample of both attachments to memory: colour as RGBA8, depth in 1/4096.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform texture2DMS color;
layout(set = 0, binding = 1) uniform texture2DMS depth;
layout(set = 0, binding = 2) writeonly buffer Samples { uvec2 samples[]; };
layout(push_constant) uniform Push { uint width, height, count; };

void main()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   if (at.x >= width || at.y >= height)
      return;
   for (uint s = 0; s < count; s++) {
      uint word = packUnorm4x8(texelFetch(color, ivec2(at), int(s)));
      samples[(at.y * width + at.x) * count + s] = uvec2(word, uint(texelFetch(depth, ivec2(at), int(s)).x * 4096.0));
   }
}
