#version 460
#extension GL_GOOGLE_include_directive : require
// The same texel everywhere. SAMPLES: in all samples; BLOCKS: once a block, whose width and height are src_offset.
#ifdef SAMPLES
#define DST_SAMPLES
#endif
#include "table.glsl"
#include "images.glsl"

void main()
{
   if (!is_inside())
      return;
#ifdef SAMPLES
   for (uint i = 0; i < table.size.w; i++)
      imageStore(dst_image, dst_place(), int(i), table.src[0]);
#elif defined(BLOCKS)
   imageStore(dst_image, dst_place() * ivec3(table.src_offset.xy, 1), table.src[0]);
#else
   imageStore(dst_image, dst_place(), table.src[0]);
#endif
}
