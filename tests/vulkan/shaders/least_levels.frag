#version 450
#extension GL_ARB_sparse_texture_clamp : require
layout(set = 0, binding = 0) uniform sampler2D flat_;
layout(location = 0) out vec4 color;

// The slope is that of level 1; a column for each least level, a row with bias 1 below one without.
void main()
{
   float least = 0.25 * floor(gl_FragCoord.x);
   vec2 at = vec2(0.25) * gl_FragCoord.xy;
   float plain = textureClampARB(flat_, at, least).x, biased = textureClampARB(flat_, at, least, 1.0).x;
   color = vec4(plain, biased, 0, 1);
}
