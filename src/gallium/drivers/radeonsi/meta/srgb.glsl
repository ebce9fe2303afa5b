// The sRGB transfer function on r, g and b if the table asks for it.
vec4 encode(vec4 color)
{
   if (!has_flag(SI_META_TO_SRGB))
      return color;
   const vec3 x = clamp(color.rgb, 0.0, 1.0), root = exp2(log2(x) * (1.0 / 2.4));
   return vec4(mix(root * 1.055 - 0.055, x * 12.92, lessThan(x, vec3(0.0031308))), color.a);
}
