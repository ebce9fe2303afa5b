#version 450
// One way to touch the buffer or the image, by every group.
layout(local_size_x = 1) in;
layout(push_constant) uniform Constants { uint mode, slot, value; };
layout(set = 0, binding = 0) buffer Storage { uint x[]; };
layout(set = 0, binding = 1) uniform Uniform { uvec4 u; };
layout(set = 0, binding = 2) buffer Results { uint results[]; };
layout(set = 0, binding = 3, r32ui) uniform uimage2D image;
layout(set = 0, binding = 4) uniform usampler2D texels;

void main()
{
   uint group = gl_WorkGroupID.x;
   ivec2 at = ivec2(group % 16, group / 16);
   switch (mode) {
   case 0:
      results[slot * 256 + group] = x[0];
      break;
   case 1:
      results[slot * 256 + group] = u.x;
      break;
   case 2:
      results[slot * 256 + group] = imageLoad(image, at).x;
      break;
   case 3:
      results[slot * 256 + group] = texelFetch(texels, at, 0).x;
      break;
   case 4:
      if (group == 0)
         x[0] = value;
      break;
   case 5:
      imageStore(image, at, uvec4(value));
      break;
   default:
      atomicAdd(results[slot * 256], 1);
      break;
   }
}
