#version 450
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(location = 0) in f16vec2 smooth_half;
layout(location = 1) noperspective in float16_t linear_half;
layout(location = 2) flat in f16vec3 flat_half;
layout(location = 3) flat in i16vec2 flat_whole;
layout(location = 4) flat in u16vec2 flat_natural[2];
#if KIND == 0
layout(location = 0) out f16vec4 color;
#elif KIND == 1
layout(location = 0) out i16vec4 color;
#else
layout(location = 0) out u16vec4 color;
#endif

void main()
{
#if KIND == 0
   color = f16vec4(smooth_half, linear_half, flat_half.x);
#elif KIND == 1
   color = i16vec4(flat_whole, float16BitsToInt16(flat_half.yz));
#else
   color = u16vec4(flat_natural[0], flat_natural[1]);
#endif
}
