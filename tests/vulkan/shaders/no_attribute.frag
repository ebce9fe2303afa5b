#version 450
layout(location = 0) flat in vec4 value;
layout(location = 0) out vec4 result;

void main()
{
   result = value + vec4(0.25, 0.5, 0.75, 0); /* alpha tells what is read */
}
