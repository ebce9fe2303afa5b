#version 450
// Points of two streams, in turns that the primitive decides, of which nothing is read.
layout(points) in;
layout(points, max_vertices = 10) out;
layout(stream = 2, location = 0) out float unwritten;

void main()
{
   for (uint i = 0; i < uint(gl_PrimitiveIDIn * 7 % 11); i++) {
      if ((i + gl_PrimitiveIDIn) % 3 == 0)
         EmitStreamVertex(2);
      else
         EmitStreamVertex(0);
   }
}
