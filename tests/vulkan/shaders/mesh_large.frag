#version 460
#extension GL_EXT_mesh_shader : require
#extension GL_GOOGLE_include_directive : require
#include "mesh_large.glsl"
// How many vectors are wrong, and where the pixel is.
layout(location = 0) flat in uvec4 of_vertex[VERTEX_VECTORS];
layout(location = VERTEX_VECTORS) perprimitiveEXT flat in uvec4 of_primitive[PRIMITIVE_VECTORS];
layout(location = 0) out uvec4 color;

void
main()
{
   const uvec2 at = uvec2(gl_FragCoord.xy);
   uint wrong = 0;
   for (uint k = 0; k < VERTEX_VECTORS; k++)
      wrong += uint(of_vertex[k] != vector(at.x, at.y, k));
   for (uint k = 0; k < PRIMITIVE_VECTORS; k++)
      wrong += uint(of_primitive[k] != vector(at.x, at.y, VERTEX_VECTORS + k));
   color = uvec4(wrong, at, 1);
}
