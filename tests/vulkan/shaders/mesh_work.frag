#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) flat in uint red;
layout(location = 1) perprimitiveEXT flat in uvec2 whole;
layout(location = 0) out uvec4 color;

void
main()
{
   color = uvec4(red, whole, gl_ViewportIndex + 1);
}
