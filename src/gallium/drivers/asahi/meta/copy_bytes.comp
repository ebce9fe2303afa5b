#version 460
#extension GL_GOOGLE_include_directive : require
#include "table.glsl"

layout(local_size_x = 64) in;

void main()
{
   if (!is_inside())
      return;
   uint64_t at = uint64_t(gl_GlobalInvocationID.x);

   one_byte(address(table.dst.va) + at).value = one_byte(address(table.src.va) + at).value;
}
