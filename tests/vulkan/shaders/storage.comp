#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 4, local_size_y = 4) in;
layout(constant_id = 0) const int which = 0; // 0 floats, 1 unsigned, 2 signed
layout(constant_id = 1) const int kind = 0;  // 0 2D array, 1 3D, 2 1D array
layout(push_constant) uniform Push { uvec4 color; };
layout(set = 0, binding = 0) uniform image2DArray f2;
layout(set = 0, binding = 0) uniform uimage2DArray u2;
layout(set = 0, binding = 0) uniform iimage2DArray i2;
layout(set = 0, binding = 0) uniform image3D f3;
layout(set = 0, binding = 0) uniform uimage3D u3;
layout(set = 0, binding = 0) uniform iimage3D i3;
layout(set = 0, binding = 0) uniform image1DArray f1;
layout(set = 0, binding = 0) uniform uimage1DArray u1;
layout(set = 0, binding = 0) uniform iimage1DArray i1;
layout(set = 0, binding = 1) buffer Data { uvec4 loaded[]; };

// Stores into all texels but those of row 0, then loads one of them and one outside.
void main()
{
   ivec3 at = ivec3(gl_GlobalInvocationID);
   uvec4 here = uvec4(0), outside = uvec4(0);
   if (kind == 0) {
      if (which == 0) {
         if (at.y > 0) imageStore(f2, at, uintBitsToFloat(color));
         here = floatBitsToUint(imageLoad(f2, at));
      }
      if (which == 1) { if (at.y > 0) imageStore(u2, at, color); here = imageLoad(u2, at); }
      if (which == 2) { if (at.y > 0) imageStore(i2, at, ivec4(color)); here = uvec4(imageLoad(i2, at)); }
   } else if (kind == 1) {
      if (which == 0) {
         if (at.y > 0) imageStore(f3, at, uintBitsToFloat(color));
         here = floatBitsToUint(imageLoad(f3, at));
      }
      if (which == 1) { if (at.y > 0) imageStore(u3, at, color); here = imageLoad(u3, at); }
      if (which == 2) { if (at.y > 0) imageStore(i3, at, ivec4(color)); here = uvec4(imageLoad(i3, at)); }
   } else if (at.y == 1) {
      ivec2 p = at.xz;
      if (which == 0) { imageStore(f1, p, uintBitsToFloat(color)); here = floatBitsToUint(imageLoad(f1, p)); }
      if (which == 1) { imageStore(u1, p, color); here = imageLoad(u1, p); }
      if (which == 2) { imageStore(i1, p, ivec4(color)); here = uvec4(imageLoad(i1, p)); }
   }
   if (at == ivec3(2, 1, 1))
      loaded[0] = here;
}
