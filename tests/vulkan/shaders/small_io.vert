#version 450
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(location = 0) in f16vec2 position; /* corners of a square of 16 units */
layout(location = 1) in i16vec2 whole;
layout(location = 2) in u16vec2 natural;
layout(location = 0) out f16vec2 smooth_half;
layout(location = 1) noperspective out float16_t linear_half;
layout(location = 2) flat out f16vec3 flat_half;
layout(location = 3) flat out i16vec2 flat_whole;
layout(location = 4) flat out u16vec2 flat_natural[2];
out gl_PerVertex { vec4 gl_Position; };

void main()
{
   gl_Position = vec4(vec2(position) / 8.0 - 1.0, 0.0, 1.0);
   smooth_half = position;
   linear_half = position.x - position.y;
   flat_half = f16vec3(float16_t(whole.x), -0.0hf, 7.62939453125e-06hf); /* the last: 128 * 2^-24, denormal */
   flat_whole = whole;
   flat_natural[0] = natural;
   flat_natural[1] = natural.yx + u16vec2(1us);
}
