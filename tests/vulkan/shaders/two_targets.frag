#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) out vec4 first;
layout(location = 2) out uvec4 third;

void main()
{
   first = color;
   third = uvec4(color * 255.0 + 0.5) + uvec4(1, 2, 3, 4);
}
