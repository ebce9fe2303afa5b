#version 450
layout(set = 2, binding = 3) uniform Color { vec4 color; };
layout(set = 1, binding = 0) readonly buffer More { vec4 more; };
layout(location = 0) out vec4 target;

void main()
{
   target = color + more;
}
