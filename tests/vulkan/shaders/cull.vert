#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
out gl_PerVertex { vec4 gl_Position; float gl_CullDistance[2]; };

void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
   gl_Position = vec4(mix(rect.xy, rect.zw, corner), depth, 1.0);
   // the first is negative at all vertices or at none, the second at some
   gl_CullDistance[0] = color.r - 0.5;
   gl_CullDistance[1] = corner.x - 0.5;
}
