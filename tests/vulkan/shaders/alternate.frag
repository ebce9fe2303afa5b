#version 450
layout(constant_id = 0) const bool pushed = false;
layout(push_constant) uniform Push { vec4 push; };
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
   result = pushed ? color + push : color.bgra;
}
