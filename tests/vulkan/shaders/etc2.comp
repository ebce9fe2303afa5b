// The four corners of an image.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1, std430) buffer Result { vec4 texels[4]; };

void main()
{
   const int i = int(gl_LocalInvocationIndex);
   texels[i] = texelFetch(image, ivec2(i & 1, i >> 1) * 3, 0);
}
