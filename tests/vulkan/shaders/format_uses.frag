#version 450
layout(location = 0) flat in VEC4 passed;
layout(location = 0) out VEC4 result;

void main()
{
   result = passed;
}
