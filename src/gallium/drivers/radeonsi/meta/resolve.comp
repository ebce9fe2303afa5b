#version 460
#extension GL_GOOGLE_include_directive : require
// Of the samples of a texel the average, the first, the least or the greatest.
#define SRC_SAMPLES
#include "table.glsl"
#include "images.glsl"
#include "srgb.glsl"

// A sum that does not depend on the order, and what its roundings have left out: an average of samples must not
// depend on which of them have a value, and where it lies between two values of the format, rounding makes much of a
// last bit. Source: Knuth, TAOCP 2, 4.2.2.
struct exact_sum {
   vec4 rounded, lost;
};

exact_sum add(exact_sum sum, vec4 number)
{
   precise exact_sum more;
   more.rounded = sum.rounded + number;
   precise vec4 added = more.rounded - sum.rounded;
   more.lost = sum.lost + ((sum.rounded - (more.rounded - added)) + (number - added));
   return more;
}

// Infinities lose NaN.
vec4 total(exact_sum sum)
{
   precise vec4 all = sum.rounded + sum.lost;
   return mix(all, sum.rounded, isnan(sum.lost));
}

uvec4 lesser(uvec4 a, uvec4 b)
{
   return has_flag(SI_META_INTEGER) ? min(a, b) : floatBitsToUint(min(uintBitsToFloat(a), uintBitsToFloat(b)));
}

uvec4 greater(uvec4 a, uvec4 b)
{
   return has_flag(SI_META_INTEGER) ? max(a, b) : floatBitsToUint(max(uintBitsToFloat(a), uintBitsToFloat(b)));
}

void main()
{
   if (!is_inside())
      return;
   const uvec4 first = imageLoad(src_image, src_place(), 0);
   uvec4 least = first, greatest = first, value = first;
   exact_sum sum = exact_sum(vec4(0.0), vec4(0.0));
   for (uint i = 0; i < table.size.w; i++) {
      const uvec4 bits = imageLoad(src_image, src_place(), int(i));
      sum = add(sum, uintBitsToFloat(bits));
      least = lesser(least, bits);
      greatest = greater(greatest, bits);
   }
   if (!has_flag(SI_META_INTEGER))
      value = floatBitsToUint(encode(total(sum) * table.scale.x));
   if (has_flag(SI_META_MIN))
      value = least;
   if (has_flag(SI_META_MAX))
      value = greatest;
   imageStore(dst_image, dst_place(), value);
}
