#version 460
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_multiview : require
layout(location = 0) flat in uint red;
layout(location = 1) perprimitiveEXT flat in uint green;
layout(location = 0) out uvec4 color;

void
main()
{
   color = uvec4(red, green, gl_ViewIndex, 1);
}
