#version 450
#extension GL_EXT_multiview : require
// A triangle that covers all that lies right of and below a pixel, one further on for each instance, each at a depth
// of its own.
layout(push_constant) uniform Push { uint first, x, y; };
layout(location = 0) flat out uvec2 id; // and the view
const float SIZE = 16.0;

void main()
{
   uint i = uint(gl_InstanceIndex), view = gl_ViewIndex;
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 8.0;
   id = uvec2(first + i, view);
   gl_Position = vec4(vec2(x + (i + view) % 5, y + i % 3) * (2.0 / SIZE) - 1.0 + corner,
                      float(id.x * 7 % 16) / 16.0 + 1.0 / 32.0, 1.0);
}
