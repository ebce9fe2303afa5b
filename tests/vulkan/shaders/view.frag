#version 450
#extension GL_EXT_multiview : require
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) flat in uint view;
layout(location = 0) out vec4 result;

void main()
{
   result = vec4(float(gl_ViewIndex * 16 + view + 1) / 255.0, color.gba);
}
