#version 450
layout(set = 0, binding = 0) uniform First { vec4 first; };
layout(set = 0, binding = 1) uniform Size { vec4 size; };

void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
   gl_Position = vec4(first.xy + corner * size.xy, 0, 1);
}
