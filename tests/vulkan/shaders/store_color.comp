#version 450
// One colour for all texels of a rectangle of at most 32x32.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform writeonly IMAGE image;
layout(push_constant) uniform Push { ivec2 origin; uvec2 size; COLOR color; };

void main()
{
   uvec2 at = uvec2(gl_GlobalInvocationID.x & 31u, gl_GlobalInvocationID.x >> 5);
   if (at.x < size.x && at.y < size.y)
      imageStore(image, origin + ivec2(at), color);
}
