#version 450
layout(location = 0) out vec4 color;
layout(location = 0) in flat uvec2 numbers;
layout(location = 7) in float free;

void main()
{
   color = vec4(numbers.x, numbers.y, free, 1);
}
