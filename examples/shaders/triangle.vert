#version 450
layout(location = 0) out vec3 color;

void main()
{
   const vec2 corners[3] = vec2[](vec2(0.0, -0.8), vec2(0.8, 0.7), vec2(-0.8, 0.7));
   const vec3 colors[3] = vec3[](vec3(1.0, 0.1, 0.1), vec3(0.1, 0.9, 0.1), vec3(0.1, 0.2, 1.0));
   gl_Position = vec4(corners[gl_VertexIndex], 0.0, 1.0);
   color = colors[gl_VertexIndex];
}
