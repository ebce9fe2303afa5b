#version 450
// Triangles over everything: depth, gray, and which side they show.
layout(set = 0, binding = 0) readonly buffer Scene { uint runs; layout(offset = 16) vec4 triangles[6]; };
layout(location = 0) flat out float gray;

void main()
{
   vec4 t = triangles[gl_VertexIndex / 3];
   uint corner = uint(gl_VertexIndex) % 3u;
   if (t.z == 0.0 && corner != 0u)
      corner = 3u - corner;
   gray = t.y;
   gl_Position = vec4(corner == 1u ? 3.0 : -1.0, corner == 2u ? 3.0 : -1.0, t.x, 1.0);
}
