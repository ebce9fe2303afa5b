/* VK_AMD_shader_image_load_store_lod, VK_AMD_texture_gather_bias_lod and VK_AMD_shader_fragment_mask. */
#version 450
#if defined(LEVELS)
#extension GL_AMD_shader_image_load_store_lod : require
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
#elif defined(GATHER)
#extension GL_AMD_texture_gather_bias_lod : require
layout(set = 0, binding = 0) uniform usampler2D image;
#else
#extension GL_AMD_shader_fragment_mask : require
layout(set = 0, binding = 0) uniform usampler2DMS image;
#endif
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 results[]; };

void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   uint place = 3u * gl_LocalInvocationIndex;
#if defined(LEVELS)
   for (int level = 0; level < 3; level++) {
      if (p.x < 8 >> level && p.y < 8 >> level)
         imageStoreLodAMD(image, p, level, uvec4(1u + 100u * level + 10u * p.y + p.x));
   }
   memoryBarrierImage();
   barrier();
   for (int level = 0; level < 3; level++)
      results[place + level] = imageLoadLodAMD(image, p >> level, level);
#elif defined(GATHER)
   for (uint level = 0u; level < 3u; level++)
      results[place + level] = textureGatherLodAMD(image, vec2(1.0) / (8 >> level), float(level));
#else
   uint mask = fragmentMaskFetchAMD(image, p);
   for (uint i = 0u; i < 3u; i++)
      results[place + i] = fragmentFetchAMD(image, p, mask >> (4u * i) & 15u);
#endif
}
