#version 450
layout(location = 0) in uint a[32];
layout(location = 0) flat out uvec4 v[30];

#define OUT(i) v[i] = uvec4(a[i], a[31], i, 7)

void main()
{
   OUT(0); OUT(1); OUT(2); OUT(3);
   OUT(4); OUT(5); OUT(6); OUT(7);
   OUT(8); OUT(9); OUT(10); OUT(11);
   OUT(12); OUT(13); OUT(14); OUT(15);
   OUT(16); OUT(17); OUT(18); OUT(19);
   OUT(20); OUT(21); OUT(22); OUT(23);
   OUT(24); OUT(25); OUT(26); OUT(27);
   OUT(28); OUT(29);
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0);
}
