#version 450
// The depth and stencil that the pixel (with SAMPLES: the sample) has before this draw, and its blue counted up.
#ifdef SAMPLES
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInputMS depth;
layout(input_attachment_index = 0, set = 0, binding = 1) uniform usubpassInputMS stencil;
layout(input_attachment_index = 1, set = 0, binding = 2) uniform subpassInputMS color;
#define LOAD(what) subpassLoad(what, gl_SampleID)
#else
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput depth;
layout(input_attachment_index = 0, set = 0, binding = 1) uniform usubpassInput stencil;
layout(input_attachment_index = 1, set = 0, binding = 2) uniform subpassInput color;
#define LOAD(what) subpassLoad(what)
#endif
layout(location = 0) out vec4 result;

void main()
{
   result = vec4(LOAD(depth).r, float(LOAD(stencil).r) / 255.0, LOAD(color).b + 1.0 / 255.0, 1.0);
}
