#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uvec4 value[];
layout(location = 0) flat out uvec4 passed;
void
main()
{
   for (int i = 0; i < 3; i++) {
      passed = uvec4(gl_PrimitiveIDIn, value[i].yzw); /* the patch's number */
      gl_Position = gl_in[i].gl_Position;
      EmitVertex();
   }
}
