#version 450
layout(set = 0, binding = 0) uniform sampler2D target;
layout(location = 0) out vec4 result;

void main()
{
   result = texelFetch(target, ivec2(gl_FragCoord.xy), 0) * 2.0 + vec4(1.0 / 255.0);
}
