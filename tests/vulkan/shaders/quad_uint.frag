#version 450
layout(push_constant) uniform Push { vec4 rect; uvec4 color; float depth; };
layout(location = 0) out uvec4 result;

void main()
{
   result = color;
}
