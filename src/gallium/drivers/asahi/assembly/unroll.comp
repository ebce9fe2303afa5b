#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup goes over the indices of a draw with restarts: the positions of the corners of all primitives, in
// order. A position ends a primitive if enough vertices precede it in its run; how many are complete before it says
// where its corners go.
#include "draw.glsl"

const uint SIZE = 256;

layout(local_size_x = 256) in;

shared uint scan[SIZE];

// The greatest of the invocations up to this one.
uint scan_max(uint value)
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   scan[i] = value;
   for (uint step = 1; step < SIZE; step *= 2) {
      barrier();
      uint other = i >= step ? scan[i - step] : 0;
      barrier();
      scan[i] = max(scan[i], other);
   }
   barrier();
   return scan[i];
}

// The sum of them.
uint scan_add(uint value)
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   scan[i] = value;
   for (uint step = 1; step < SIZE; step *= 2) {
      barrier();
      uint other = i >= step ? scan[i - step] : 0;
      barrier();
      scan[i] += other;
   }
   barrier();
   return scan[i];
}

uint load_index(assembly from, uint position)
{
   if (position >= from.a.index_count)
      return 0;
   switch (from.a.index_size_log2) {
   case 0:
      return uint(indices_8(from.a.index_va).element[position]);
   case 1:
      return uint(indices_16(from.a.index_va).element[position]);
   default:
      return words(from.a.index_va).word[position];
   }
}

// Of a primitive that ends there, its number and its corners.
void store_corners(assembly from, uint number, uint position, uint in_run)
{
   words list = words(from.a.list_va);
   uint corners = from.a.corners, first = position - (corners - 1), at = number * corners;
   bool odd = from.a.is_strip != 0 && ((in_run - (corners - 1)) & 1) != 0;

   for (uint k = 0; k < corners; k++) {
      uint corner = first + k;

      if (odd && k > 0)
         corner = first + 3 - k;
      if (from.a.is_fan != 0)
         corner = k == 2 ? position - in_run : first + 1 + k;
      list.word[at + k] = corner;
   }
}

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint restart = ~0u >> (32 - (8u << from.a.index_size_log2)), corners = from.a.corners, step = from.a.step;
   uint run = 0, done = 0; // where the run begins, primitives before

   for (uint start = 0; start < from.a.vertices; start += SIZE) {
      uint position = start + gl_LocalInvocationIndex;
      bool inside = position < from.a.vertices;
      bool restarts = inside && load_index(from, position) == restart;
      uint begin = max(run, scan_max(restarts ? position + 1 : 0));
      uint last_run = max(run, scan[SIZE - 1]);
      uint in_run = position - begin; // meaningless where it restarts
      bool ends = inside && !restarts && in_run + 1 >= corners && (in_run + 1 - corners) % step == 0;
      uint number = done + scan_add(uint(ends));

      if (ends)
         store_corners(from, number - 1, position, in_run);
      run = last_run;
      done += scan[SIZE - 1];
   }
   if (gl_LocalInvocationIndex == 0)
      from.a.primitives = done;
}
