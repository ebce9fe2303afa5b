#version 450
// One way to touch the buffer or the image, by every pixel; the colour is the value.
layout(push_constant) uniform Constants { uint mode, slot, value; };
layout(set = 0, binding = 0) buffer Storage { uint x[]; };
layout(set = 0, binding = 1) uniform Uniform { uvec4 u; };
layout(set = 0, binding = 2) buffer Results { uint results[]; };
layout(set = 0, binding = 3, r32ui) uniform uimage2D image;
layout(set = 0, binding = 4) uniform usampler2D texels;
layout(location = 0) out uint color;

void main()
{
   ivec2 at = ivec2(gl_FragCoord.xy);
   uint pixel = uint(at.y) * 16 + uint(at.x);
   color = value;
   switch (mode) {
   case 0:
      results[slot * 256 + pixel] = x[0];
      break;
   case 1:
      results[slot * 256 + pixel] = u.x;
      break;
   case 2:
      results[slot * 256 + pixel] = imageLoad(image, at).x;
      break;
   case 3:
      results[slot * 256 + pixel] = texelFetch(texels, at, 0).x;
      break;
   case 4:
      if (pixel == 0)
         x[0] = value;
      break;
   case 5:
      imageStore(image, at, uvec4(value));
      break;
   default:
      break;
   }
}
