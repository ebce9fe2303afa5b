// Texels of compressed images.
#ifdef SAMPLES
layout(binding = AGX_META_TEXELS) readonly uniform uimage2DMSArray texels;
#else
layout(binding = AGX_META_TEXELS) readonly uniform uimage2DArray texels;
#endif

// The components of a texel as integers.
uvec4 load_texel(uvec3 place, uint s)
{
#ifdef SAMPLES
   return imageLoad(texels, ivec3(place), int(s));
#else
   return imageLoad(texels, ivec3(place));
#endif
}

// As it lies in an image that is not compressed.
void store_texel(uvec4 texel, uint64_t to)
{
   uint shifts = number(AGX_META_TEXEL_SHIFTS), size_log2 = number(AGX_META_TEXEL_LOG2);
   uint packed = texel.x << (shifts & 31);
   bool halves = number(AGX_META_TEXEL_HALVES) != 0;

   packed |= texel.y << (shifts >> 8 & 31);
   packed |= texel.z << (shifts >> 16 & 31);
   packed |= texel.w << (shifts >> 24 & 31);
   if (size_log2 == 0)
      one_byte(to).value = uint8_t(packed);
   if (size_log2 == 1)
      two_bytes(to).value = uint16_t(turn(packed));
   if (size_log2 == 2)
      word(to).value = packed;
   if (size_log2 == 3)
      two_words(to).value = mix(texel.xy, texel.xz | texel.yw << 16, bvec2(halves));
   if (size_log2 == 4)
      four_words(to).value = texel;
}
