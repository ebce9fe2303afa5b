#version 450
// Triangles over everything, one after the other in the buffer: depth, gray, side, and whether samples are dropped.
layout(set = 0, binding = 0) readonly buffer Scene { uint runs; layout(offset = 16) vec4 triangles[12]; };
layout(location = 0) flat out float gray;
layout(location = 1) flat out float dropped;
layout(location = 2) flat out uint number; // in its draw

void main()
{
   uint all_before = uint(gl_VertexIndex) / 3u;
   vec4 t = triangles[all_before];
   uint corner = uint(gl_VertexIndex) % 3u;
   if (t.z == 0.0 && corner != 0u)
      corner = 3u - corner;
   gray = t.y;
   dropped = t.w;
   number = all_before % 4u;
   gl_Position = vec4(corner == 1u ? 3.0 : -1.0, corner == 2u ? 3.0 : -1.0, t.x, 1.0);
}
