#version 450
#extension GL_EXT_multiview : require
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput color;
layout(location = 0) flat in uint view;
layout(location = 0) out vec4 result;

void main()
{
   result = vec4(subpassLoad(color).r, float(gl_ViewIndex) / 255.0, 0.0, 1.0);
}
