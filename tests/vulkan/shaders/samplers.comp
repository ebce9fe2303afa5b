/* What a sampler makes of 64 places. SAMPLER: sampler2D, isampler2D or samplerCube (CUBE); BITS: from its components
 * to words. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 results[]; };
layout(set = 0, binding = 1) uniform SAMPLER view;
layout(set = 0, binding = 2) readonly buffer In { vec4 places[]; };
layout(push_constant) uniform Push { uint at; uint gather; };

void main()
{
   uint lane = gl_LocalInvocationIndex;
   vec4 place = places[at + lane];
#ifdef CUBE
   results[at + lane] = BITS(textureLod(view, place.xyz, place.w));
#else
   if (gather == 0)
      results[at + lane] = BITS(textureGather(view, place.xy, 0));
   else if (gather == 1)
      results[at + lane] = BITS(textureGather(view, place.xy, 1));
   else if (gather == 2)
      results[at + lane] = BITS(textureGather(view, place.xy, 2));
   else if (gather == 3)
      results[at + lane] = BITS(textureGather(view, place.xy, 3));
   else if (gather == 4)
      results[at + lane] = BITS(textureLod(view, place.xy, place.w));
   else
      results[at + lane] = BITS(texelFetch(view, ivec2(place.xy), int(place.w)));
#endif
}
