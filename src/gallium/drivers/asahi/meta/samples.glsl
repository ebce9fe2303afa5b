// How many samples lie side by side and one below the other, log2.
uvec2 samples_log2()
{
   return uvec2(number(AGX_META_SAMPLES_WIDE), number(AGX_META_SAMPLES_HIGH));
}
