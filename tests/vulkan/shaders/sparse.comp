#version 450
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform usampler2D sampled;
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
layout(set = 0, binding = 2) buffer Data { uvec2 read[]; };
layout(push_constant) uniform Push { uint step; uint kind; };

// A texel of each square of step x step: whether it is there, and its value.
void main()
{
   ivec2 at = ivec2(gl_GlobalInvocationID.xy * step + gl_GlobalInvocationID.yx % step);
   uvec4 texel = uvec4(0);
   int code;
   if (kind == 0)
      code = sparseTexelFetchARB(sampled, at, 0, texel);
   else if (kind == 1)
      code = sparseImageLoadARB(image, at, texel);
   else
      code = sparseTextureLodARB(sampled, (vec2(at) + 0.5) / vec2(textureSize(sampled, 0)), 0.0, texel);
   read[gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 8 + gl_GlobalInvocationID.x] =
      uvec2(sparseTexelsResidentARB(code), texel.x);
}
