#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_multiview : require
#include "stages.glsl"
layout(location = 0 CAPTURED(0)) flat out uvec4 value; /* random, vertex, instance */

void main()
{
   uint label = hash(gl_VertexIndex * 16 + gl_InstanceIndex + gl_ViewIndex * 77, SEED);

   value = uvec4(label, gl_VertexIndex, gl_InstanceIndex, SEED);
   gl_Position = random_place(label);
   gl_PointSize = 1;
}
