#version 450
// One mip level from the one above: the mean of four texels, rounded to an exact 8-bit value.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform writeonly image2D texture_out;
layout(set = 0, binding = 1, rgba8) uniform readonly image2D texture_in;

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   if (any(greaterThanEqual(p, imageSize(texture_out))))
      return;
   vec4 sum = imageLoad(texture_in, 2 * p) + imageLoad(texture_in, 2 * p + ivec2(1, 0)) +
              imageLoad(texture_in, 2 * p + ivec2(0, 1)) + imageLoad(texture_in, 2 * p + ivec2(1, 1));
   imageStore(texture_out, p, floor(sum * (255.0 / 4.0) + 0.5) / 255.0);
}
