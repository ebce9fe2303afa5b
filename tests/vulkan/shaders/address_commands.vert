#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) in uint corner; /* 0 to 3 */
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out uvec2 captured;

void main()
{
   vec2 at = vec2(corner & 1, corner >> 1);
   gl_Position = vec4(mix(rect.xy, rect.zw, at), depth, 1.0);
   captured = uvec2(gl_VertexIndex, corner);
}
