#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;

void main()
{
   first = vec4(1.0, 1.0, 1.0, 0.2);
   second = color;
}
