#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) out vec4 result;

void main()
{
   result = color;
   gl_FragDepth = depth;
   gl_SampleMask[0] = -1;
}
