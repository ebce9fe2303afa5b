#version 450
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 passed;

void main()
{
   passed = color;
   gl_Position = vec4(place, 0.0, 1.0);
}
