/* Texels of a view: 64 of them in a grid, fetched or through a sampler that counts texels (layer -3), gathered
 * (-2); or what lies next to it (-1). SAMPLER: sampler2D, isampler2D, usampler2D, or sampler2DArray (LAYERS), or
 * sampler1D (LINE); BITS: from its components to words. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 results[]; };
layout(set = 0, binding = 1) uniform SAMPLER view;
layout(push_constant) uniform Push { uint at; int layer; };
#ifdef LAYERS
#define PLACE(p) ivec3(p, layer)
#define POINT(p) vec3(p, layer)
#elif defined(LINE)
#define PLACE(p) (p).x
#define POINT(p) (p).x
#else
#define PLACE(p) p
#define POINT(p) p
#endif

const vec2 outside[8] = vec2[](vec2(-0.5, 0.5), vec2(1.5, 0.5), vec2(0.5, -0.5), vec2(0.5, 1.5), vec2(-1.0),
                               vec2(2.0), vec2(-3.0, 0.2), vec2(0.2, 7.0));

void main()
{
   int lane = int(gl_LocalInvocationIndex);
#ifdef LINE
   ivec2 size = ivec2(textureSize(view, 0), 1);
#else
   ivec2 size = textureSize(view, 0).xy;
#endif
#if !defined(LAYERS) && !defined(LINE)
   if (layer == -3) {
      results[at + lane] = BITS(textureLod(view, vec2(ivec2(lane % 8, lane / 8) * size / 8) + 0.5, 0.0));
      return;
   }
   if (layer == -2) {
      /* The component of a gather is a constant. */
      vec2 p = lane < 32 ? vec2(0.3, 0.6) : outside[lane % 8];
      if (lane % 4 == 0)
         results[at + lane] = BITS(textureGather(view, p, 0));
      else if (lane % 4 == 1)
         results[at + lane] = BITS(textureGather(view, p, 1));
      else if (lane % 4 == 2)
         results[at + lane] = BITS(textureGather(view, p, 2));
      else
         results[at + lane] = BITS(textureGather(view, p, 3));
      return;
   }
#endif
   if (layer < 0)
      results[at + lane] = BITS(textureLod(view, POINT(outside[lane % 8]), 0.0));
   else
      results[at + lane] = BITS(texelFetch(view, PLACE(ivec2(lane % 8, lane / 8) * size / 8), 0));
}
