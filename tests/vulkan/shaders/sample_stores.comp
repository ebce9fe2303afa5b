/* Samples of a storage image, one a lane: stored, loaded, or fetched as a texture. */
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2DMS view;
layout(set = 0, binding = 2) uniform usampler2DMS texture_view;
layout(push_constant) uniform Push { uint what; uint value; };

void main()
{
   ivec2 size = imageSize(view), place = ivec2(gl_GlobalInvocationID.xy);
   int sample_number = int(gl_GlobalInvocationID.z);
   if (any(greaterThanEqual(place, size)))
      return;
   uint at = uint((sample_number * size.y + place.y) * size.x + place.x);
   if (what == 0)
      imageStore(view, place, sample_number, uvec4(value + 7 * at));
   else if (what == 1)
      results[at] = imageLoad(view, place, sample_number).x;
   else if (what == 2)
      results[at] = texelFetch(texture_view, place, sample_number).x;
   else
      results[at] = uint(imageSamples(view));
}
