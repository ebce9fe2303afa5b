#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup reads the parameters of a draw whose indices may lie past the end of their buffer, where they are 0.
// If some do, it copies the others to the heap, and zeros after them.
#include "draw.glsl"
#include "allocate.glsl"
#include "indices.glsl"

const uint SIZE = 256;
// Of more, each primitive is as the one before it. Only points show how many there are.
const uint ZEROS = 1 << 16;

layout(local_size_x = 256) in;

shared uvec2 place;

void copy_indices(uvec2 from, uint inside, uint count)
{
   words to = words(place);
   uint in_word = 4 >> draw.index_size_log2, bits = 8 << draw.index_size_log2;

   for (uint i = gl_LocalInvocationIndex; i * in_word < count; i += SIZE) {
      uint word = 0;
      for (uint k = 0; k < in_word; k++)
         word |= index_at(from, inside, draw.index_size_log2, i * in_word + k) << k * bits;
      to.word[i] = word;
   }
}

void main()
{
   words parameters = words(draw.parameters_va);
   assembly to = assembly(draw.assembly_va);
   uint all = parameters.word[0], first = parameters.word[2], last = parameters.word[4];
   uint inside = min(draw.index_count - min(first, draw.index_count), all);
   uint made = all == inside ? 0 : inside + min(all - inside, ZEROS);

   if (gl_LocalInvocationIndex == 0)
      place = made != 0 ? allocate(uint64_t(made) << draw.index_size_log2) : uvec2(0);
   barrier();
   if (is_there(place))
      copy_indices(index_address(min(first, draw.index_count)), inside, made);
   if (gl_LocalInvocationIndex != 0)
      return;
   uint at = (place.x - draw.heap_va.x) >> draw.index_size_log2;

   to.a.draw = uint[5](is_there(place) ? made : 0, parameters.word[1], at, parameters.word[3], last);
   to.a.in_place = uint[5](made == 0 ? all : 0, parameters.word[1], first, parameters.word[3], last);
}
