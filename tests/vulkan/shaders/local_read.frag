#version 450
#ifdef READS
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput first;
layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput second;
layout(location = 0) out vec4 result;

void main()
{
   result = subpassLoad(first) + 2.0 * subpassLoad(second);
}
#else
layout(location = 0) out vec4 colors[3];

void main()
{
   colors[0] = vec4(16, 0, 0, 255) / 255;
   colors[1] = vec4(0, 32, 0, 255) / 255;
   colors[2] = vec4(0, 0, 64, 255) / 255;
}
#endif
