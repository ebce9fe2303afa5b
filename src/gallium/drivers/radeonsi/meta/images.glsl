// Images by their bits. SRC_SAMPLES and DST_SAMPLES: of several samples.
#ifdef SRC_SAMPLES
layout(binding = SI_META_SRC_IMAGE) uniform uimage2DMSArray src_image;
#else
layout(binding = SI_META_SRC_IMAGE) uniform uimage2DArray src_image;
#endif
#ifdef DST_SAMPLES
layout(binding = SI_META_DST_IMAGE) writeonly uniform uimage2DMSArray dst_image;
#else
layout(binding = SI_META_DST_IMAGE) writeonly uniform uimage2DArray dst_image;
#endif

ivec3 src_place()
{
   return ivec3(gl_GlobalInvocationID) + table.src_offset.xyz;
}

ivec3 dst_place()
{
   return ivec3(gl_GlobalInvocationID) + table.dst_offset.xyz;
}
