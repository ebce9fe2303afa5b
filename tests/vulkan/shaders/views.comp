/* Texels of a view (64 of them in a grid), or what lies beside it. SAMPLER: sampler2D, isampler2D, usampler2D or
 * sampler2DArray; BITS: from its components to words. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 results[]; };
layout(set = 0, binding = 1) uniform SAMPLER view;
layout(push_constant) uniform Push { uint at; int layer; };
#ifdef LAYERS
#define PLACE(p) ivec3(p, layer)
#define POINT(p) vec3(p, layer)
#else
#define PLACE(p) p
#define POINT(p) p
#endif

const vec2 outside[8] = vec2[](vec2(-0.5, 0.5), vec2(1.5, 0.5), vec2(0.5, -0.5), vec2(0.5, 1.5), vec2(-1.0),
                               vec2(2.0), vec2(-3.0, 0.2), vec2(0.2, 7.0));

void main()
{
   int lane = int(gl_LocalInvocationIndex);
   ivec2 size = textureSize(view, 0).xy;
   if (layer < 0)
      results[at + lane] = BITS(textureLod(view, POINT(outside[lane % 8]), 0.0));
   else
      results[at + lane] = BITS(texelFetch(view, PLACE(ivec2(lane % 8, lane / 8) * size / 8), 0));
}
