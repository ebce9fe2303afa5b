#version 450
layout(push_constant) uniform Push { vec4 rect; ivec4 color; float depth; };
layout(location = 0) out ivec4 result;

void main()
{
   result = color;
}
