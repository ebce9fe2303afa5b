#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation counts the primitives of a draw for queries, and finds where transform feedback puts them: all that
// every buffer has room for, after those of earlier draws.
#include "draw.glsl"

layout(local_size_x = 1) in;

void add(uvec2 va, uint64_t primitives)
{
   if (is_there(va))
      counter(va).count += primitives;
}

void main()
{
   assembly to = assembly(draw.assembly_va);
   targets buffers = targets(draw.xfb_va);
   uint corners = to.a.corners;
   uint64_t made = uint64_t(to.a.primitives) * to.a.instances, fit = made;

   for (uint rest = draw.xfb_buffers; rest != 0; rest &= rest - 1) {
      uint i = findLSB(rest);
      uint size_B = buffers.target[i].size_B, used_B = buffers.target[i].used_B;
      uint room_B = size_B > used_B ? size_B - used_B : 0;

      fit = min(fit, uint64_t(room_B / (draw.stride_B[i] * corners)));
   }
   add(draw.generated_va, made);
   // Nothing after the capture reads the list, and no other draw has allocated since.
   if (is_there(to.a.list_va) && draw.made_corners == 0)
      heap(draw.heap_va).h.used_B = to.a.list_va.x - heap(draw.heap_va).h.va.x;
   if (!is_there(draw.xfb_va))
      return;
   add(draw.needed_va, made);
   add(draw.written_va, fit);
   uint captured = draw.xfb_buffers != 0 ? uint(fit) * corners : 0;

   for (uint rest = draw.xfb_buffers; rest != 0; rest &= rest - 1) {
      uint i = findLSB(rest), used_B = buffers.target[i].used_B;

      to.a.xfb_va[i] = address_after(buffers.target[i].va, used_B);
      buffers.target[i].used_B = used_B + captured * draw.stride_B[i];
   }
   to.a.captured = captured;
   to.a.capture_groups = uint[3]((captured + AGX_ASSEMBLY_GROUP - 1) / AGX_ASSEMBLY_GROUP, 1, 1);
}
