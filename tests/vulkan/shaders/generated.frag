#version 450
layout(location = 0) flat in uvec4 bytes;
layout(location = 0) out vec4 color;

void main()
{
   color = vec4(bytes) / 255.0;
}
