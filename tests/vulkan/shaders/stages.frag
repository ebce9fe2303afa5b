#version 450
layout(location = 0) flat in uvec4 value;
layout(location = 0) out uint color;

void main()
{
   color = value.x ^ value.y * 0x10001 ^ value.z << 8 ^ value.w << 24;
}
