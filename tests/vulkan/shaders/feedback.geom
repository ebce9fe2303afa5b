#version 450
layout(INPUT, invocations = 2) in;
#ifdef STREAMS
layout(points, max_vertices = 7) out;
layout(stream = 1, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 16, location = 2) out vec4 other;
#else
layout(triangle_strip, max_vertices = 7) out;
#endif
layout(stream = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 32, location = 0) out vec4 place;
layout(stream = 0, xfb_buffer = 0, xfb_offset = 16, location = 1) out vec4 corner;
/* A strip of four vertices and one of three; the second invocation leaves out some. */
void
main()
{
   for (int i = 0; i < 7; i++) {
      if (gl_InvocationID == 1 && (gl_PrimitiveIDIn + i) % 5 == 0)
         continue;
#ifdef STREAMS
      if (i % 3 == 1) {
         other = vec4(gl_in[i % gl_in.length()].gl_Position.x, gl_PrimitiveIDIn, gl_InvocationID, i);
         EmitStreamVertex(1);
         continue;
      }
#endif
      place = gl_in[i % gl_in.length()].gl_Position;
      corner = vec4(gl_PrimitiveIDIn, gl_InvocationID, i, gl_in[gl_in.length() - 1].gl_Position.x);
      gl_Position = vec4(0, 0, 0, 1);
#ifdef STREAMS
      EmitStreamVertex(0);
#else
      EmitVertex();
      if (i == 3)
         EndPrimitive();
#endif
   }
}
