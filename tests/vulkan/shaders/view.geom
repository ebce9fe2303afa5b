#version 450
#extension GL_EXT_multiview : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint view[];
layout(location = 0) flat out uint passed;

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      passed = view[i] == gl_ViewIndex ? view[i] : 99;
      EmitVertex();
   }
}
