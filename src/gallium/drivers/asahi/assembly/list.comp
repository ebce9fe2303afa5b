#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup turns the list of a draw's corners into an index buffer, in place: of topologies that the hardware
// does not draw.
#include "draw.glsl"
#include "indices.glsl"

const uint SIZE = 256;

layout(local_size_x = 256) in;

void main()
{
   assembly from = assembly(draw.assembly_va);
   words list = words(from.a.list_va), parameters = words(draw.parameters_va);
   bool indexed = draw.index_size_log2 != AGX_NO_INDICES;
   uint count = from.a.primitives * from.a.corners;

   for (uint i = gl_LocalInvocationIndex; indexed && i < count; i += SIZE)
      list.word[i] = load_index(from, list.word[i]);
   if (gl_LocalInvocationIndex != 0)
      return;
   uint first = (from.a.list_va.x - draw.heap_va.x) / 4;

   from.a.draw = uint[5](count, from.a.instances, first, from.a.first_vertex, parameters.word[indexed ? 4 : 3]);
}
