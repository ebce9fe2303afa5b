#version 450
layout(location = 3) in vec4 nothing; /* the pipeline has no such attribute */
layout(location = 0) flat out vec4 value;

void main()
{
   gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0, 0.5) * vec4(2, 2, 1, 1) - vec4(0.5, 0.5, 0, 0);
   value = nothing;
}
