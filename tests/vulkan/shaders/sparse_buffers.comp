#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(set = 0, binding = 1) uniform usamplerBuffer texels;
layout(set = 0, binding = 2, r32ui) uniform uimageBuffer image;
layout(set = 0, binding = 3) buffer Data { uvec4 data[]; };
layout(push_constant) uniform Push { uint kind; uint step; uint loops; };

// A word of each `step`: read in all ways, stored in two, or read again and again (below 2^20 times).
void main()
{
   uint i = gl_GlobalInvocationID.x, at = i * step + i % step, sum = 0;
   if (kind == 0)
      data[i] = uvec4(words[at], texelFetch(texels, int(at)).x, imageLoad(image, int(at)).x, atomicOr(words[at], 0));
   else if (kind == 1)
      words[at] = 1 + at;
   else if (kind == 2)
      imageStore(image, int(at), uvec4(1 + at));
   else {
      for (uint l = 0; l < loops; l++)
         sum += words[at + (l >> 20)];
      data[i].x = sum;
   }
}
