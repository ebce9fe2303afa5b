#version 450
// Points of two streams, in turns that the primitive decides.
layout(points) in;
layout(points, max_vertices = 10) out;
layout(location = 0) in uint number[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 0) out uvec2 low;
layout(stream = 2, location = 1, xfb_buffer = 2, xfb_stride = 8, xfb_offset = 4) out uint high;

void main()
{
   for (uint i = 0; i < uint(gl_PrimitiveIDIn * 7 % 11); i++) {
      if ((i + gl_PrimitiveIDIn) % 3 == 0) {
         high = number[0] * 16 + i;
         EmitStreamVertex(2);
      } else {
         low = uvec2(number[0], i);
         gl_Position = vec4(0, 0, 0, 1);
         gl_PointSize = 1;
         EmitStreamVertex(0);
      }
   }
}
