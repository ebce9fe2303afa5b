/* What two samplers, that convert or not, make of 64 places, or the size of their images. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { vec4 results[]; };
layout(set = 0, binding = 1) uniform sampler2DArray images[2];
layout(set = 0, binding = 2) readonly buffer In { vec4 places[]; };
layout(push_constant) uniform Push { uint at; uint which; };

void main()
{
   uint lane = gl_LocalInvocationIndex;
   vec3 place = places[at + lane].xyz;
   if (which == 0)
      results[at + lane] = textureLod(images[0], place, 0);
   else if (which == 1)
      results[at + lane] = textureLod(images[1], place, 0);
   else if (which == 2)
      results[at + lane] = vec4(textureSize(images[0], 0), 0);
   else
      results[at + lane] = vec4(textureSize(images[1], 0), 0);
}
