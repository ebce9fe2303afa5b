// A triangle over everything; its colour is an attribute, of instances brighter from one to the next.
#version 450
layout(constant_id = 0) const bool pushed = false;
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
   color = pushed ? tint : tint * (1.0 + 0.25 * float(gl_InstanceIndex));
}
