#version 460
#extension GL_GOOGLE_include_directive : require
// An invocation for each vertex that transform feedback captures of a geometry shader.
#include "draw.glsl"

layout(local_size_x = AGX_ASSEMBLY_GROUP) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer captured { agx_captured_output output_[]; };

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint vertex = gl_GlobalInvocationID.x;

   if (vertex >= from.a.captured)
      return;
   captured list = captured(draw.outputs_va);
   words emitted = words(from.a.emitted_va);
   uint corners = draw.stream * from.a.invocations * draw.max_primitives * draw.made_corners;
   uint at = words(from.a.corners_va).word[corners + vertex] * (draw.emitted_B / 4);

   for (uint i = 0; i < draw.outputs; i++) {
      agx_captured_output o = list.output_[i];

      if ((draw.xfb_buffers >> o.target & 1) == 0)
         continue;
      words to = words(from.a.xfb_va[o.target]);
      uint first = (vertex * draw.stride_B[o.target] + o.offset_B) / 4;

      for (uint j = 0; j < o.count; j++)
         to.word[first + j] = emitted.word[at + o.word + j];
   }
}
