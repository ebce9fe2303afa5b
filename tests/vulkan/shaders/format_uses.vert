#version 450
/* A point for each pixel of 8x8. */
layout(location = 0) in VEC4 value;
layout(location = 0) flat out VEC4 passed;

void main()
{
   vec2 at = vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5;
   gl_Position = vec4(at / 4.0 - 1.0, clamp(vec4(value).x, 0.0, 1.0), 1.0);
   gl_PointSize = 1.0;
   passed = value;
}
