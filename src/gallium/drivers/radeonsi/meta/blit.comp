#version 460
#extension GL_GOOGLE_include_directive : require
// The source texel for the centre of a destination texel, sampled. VOLUME: from a 3D image.
#include "table.glsl"
#include "images.glsl"
#include "srgb.glsl"
#ifdef VOLUME
#define TEXTURE texture3D
#define SAMPLED sampler3D
#else
#define TEXTURE texture2DArray
#define SAMPLED sampler2DArray
#endif
layout(binding = SI_META_SRC_TEXTURE) uniform TEXTURE src_texture;
layout(binding = SI_META_SAMPLER) uniform sampler src_sampler;

void main()
{
   if (!is_inside())
      return;
   vec3 at = (vec3(gl_GlobalInvocationID) + 0.5) * table.scale.xyz + table.origin.xyz;
#ifndef VOLUME
   at.z = floor(at.z); // layers are not filtered between
#endif
   const vec4 color = textureLod(SAMPLED(src_texture, src_sampler), at, 0.0);
   imageStore(dst_image, dst_place(), floatBitsToUint(encode(color)));
}
