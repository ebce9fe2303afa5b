#version 450
layout(location = 0) out vec2 by_vertex[2];
layout(location = 2) out vec2 smooth_value;
layout(location = 3) noperspective out vec2 linear_value;
layout(location = 4) out uint number;

/* A triangle in perspective over all of the target. */
void main()
{
   float w = float(1 + gl_VertexIndex);
   vec2 at = vec2(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1);

   gl_Position = vec4(at * w, 0, w);
   by_vertex[0] = vec2(5 * gl_VertexIndex * gl_VertexIndex, at.x);
   by_vertex[1] = by_vertex[0] + 1;
   smooth_value = linear_value = by_vertex[0];
   number = 0xfff00000u + gl_VertexIndex;
}
