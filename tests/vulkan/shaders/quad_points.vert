#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };

/* quad.vert, whose corners have a size as points. */
void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
   gl_Position = vec4(mix(rect.xy, rect.zw, corner), depth, 1.0);
   gl_PointSize = 3.0;
}
