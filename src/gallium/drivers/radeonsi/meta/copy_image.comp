#version 460
#extension GL_GOOGLE_include_directive : require
// Texels between images of equal element size; SAMPLES: all samples.
#ifdef SAMPLES
#define SRC_SAMPLES
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
      imageStore(dst_image, dst_place(), int(i), imageLoad(src_image, src_place(), int(i)));
#else
   imageStore(dst_image, dst_place(), imageLoad(src_image, src_place()));
#endif
}
