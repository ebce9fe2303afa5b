/* Reads, changes or replaces texels of a storage image, 64 at most. DIM: 2 or 3, or 1: of 2D, fetched. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
#if DIM == 3
layout(set = 0, binding = 1, r32ui) uniform uimage3D view;
#elif DIM == 2
layout(set = 0, binding = 1, r32ui) uniform uimage2D view;
#else
layout(set = 0, binding = 1) uniform usampler2D view;
#endif
layout(push_constant) uniform Push { uint at; uint what; uint value; };

void main()
{
   uint lane = gl_LocalInvocationIndex;
#if DIM == 3
   ivec3 size = imageSize(view), place = ivec3(lane % size.x, lane / size.x % size.y, lane / size.x / size.y);
   bool inside = place.z < size.z;
#elif DIM == 2
   ivec2 size = imageSize(view), place = ivec2(lane % size.x, lane / size.x);
   bool inside = place.y < size.y;
#else
   ivec2 size = textureSize(view, 0), place = ivec2(lane % size.x, lane / size.x);
   bool inside = place.y < size.y;
#endif
   if (lane == 0) {
      results[at] = size.x;
      results[at + 1] = size.y;
#if DIM == 3
      results[at + 2] = size.z;
#endif
   }
   if (!inside)
      return;
#if DIM == 1
   results[at + 4 + lane] = texelFetch(view, place, 0).x;
#else
   if (what == 0)
      results[at + 4 + lane] = imageLoad(view, place).x;
   else if (what == 1)
      imageStore(view, place, uvec4(value + lane));
   else
      results[at + 4 + lane] = imageAtomicAdd(view, place, value + lane);
#endif
}
