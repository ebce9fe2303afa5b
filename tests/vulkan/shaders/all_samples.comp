#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Copies every sample of all layers to memory, 32 bits each, samples of a pixel in a row.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform TEXTURE image;
layout(set = 0, binding = 1) writeonly buffer Samples { uint samples[]; };
layout(push_constant) uniform Push { uint width, height, count; };

void main()
{
   uvec3 at = gl_GlobalInvocationID;
   if (at.x >= width || at.y >= height)
      return;
   for (uint s = 0; s < count; s++)
      samples[((at.z * height + at.y) * width + at.x) * count + s] = BITS(texelFetch(image, ivec3(at), int(s)).x);
}
