#version 450
// A triangle that covers all that lies right of and below a point, which is between the places of samples.
layout(push_constant) uniform Push { uint first, x, y; };
layout(location = 0) flat out uint id;
const float SIZE = 16.0;

void main()
{
   uint i = uint(gl_InstanceIndex);
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 8.0;
   id = first + i;
   vec2 part = vec2(id * 3 % 8, id * 5 % 8) / 8.0 + 1.0 / 32.0;
   gl_Position = vec4((vec2(x + i % 5, y + i % 3) + part) * (2.0 / SIZE) - 1.0 + corner, 0.5, 1.0);
}
