#version 450
layout(input_attachment_index = 0, binding = 0) uniform subpassInputMS colors;
layout(input_attachment_index = 1, binding = 1) uniform subpassInputMS depths;
layout(location = 0) out vec4 result;

/* The greatest colour and the least depth of four samples; blue is 1. */
void main()
{
   result = vec4(0);
   gl_FragDepth = 1;
   for (int i = 0; i < 4; i++) {
      result = max(result, subpassLoad(colors, i));
      gl_FragDepth = min(gl_FragDepth, subpassLoad(depths, i).x);
   }
   result.b = 1;
}
