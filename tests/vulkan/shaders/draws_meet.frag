#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(set = 0, binding = 0) coherent buffer Words { uint words[]; };
layout(location = 0) out vec4 result;

void main()
{
   result = color;
   uint i = uint(gl_FragCoord.y) * 64 + uint(gl_FragCoord.x);
   beginInvocationInterlockARB();
   words[i] = words[i] * 3 + uint(color.r * 255 + 0.5);
   endInvocationInterlockARB();
}
