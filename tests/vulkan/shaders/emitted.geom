#version 450
// Vertices whose number varies, in strips of up to five, captured to two buffers. What each one was made of is in it.
layout(INPUT, invocations = 2) in;
layout(OUTPUT, max_vertices = 10) out;
layout(location = 0) in uint number[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 0) flat out uvec4 made;
layout(location = 1, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 20) flat out uint hash;
layout(location = 2, xfb_buffer = 2, xfb_stride = 8, xfb_offset = 4) out float later;

void main()
{
   uint all = 0, vertices = (gl_PrimitiveIDIn * 7 + gl_InvocationID * 3) % 11;

   for (int i = 0; i < number.length(); i++)
      all = all * 31 + number[i];
   for (uint i = 0; i < vertices; i++) {
      made = uvec4(gl_PrimitiveIDIn, gl_InvocationID, i, number[0]);
      hash = all;
      later = float(i) * 0.5;
      gl_Position = vec4(0, 0, 0, 1);
      gl_PointSize = 1;
      EmitVertex();
      if (i % 5 == 4)
         EndPrimitive();
   }
}
