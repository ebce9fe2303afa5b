#version 450
/* A vertex's number in ways that fragments can tell from others. */
layout(location = 0) in vec4 position;
layout(location = 0) out uint number; /* no number as a float */
layout(location = 1) out vec2 halves[2];
layout(location = 3) flat out uint provoking;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };

void main()
{
   gl_Position = position;
   gl_PointSize = 4;
   number = 0xfff00000u + gl_VertexIndex;
   halves[0] = vec2(0);
   halves[1] = vec2(gl_VertexIndex * 0.5, -gl_VertexIndex);
   provoking = gl_VertexIndex;
}
