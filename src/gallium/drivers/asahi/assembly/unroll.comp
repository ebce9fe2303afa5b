#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup goes over the vertices of a draw with restarts, or with a strip of triangles with adjacency: the
// positions of the corners of all primitives, in order. A position ends a primitive if enough vertices precede it in
// its run; how many are complete before it says where its corners go.
#include "draw.glsl"
#include "adjacency.glsl"
#include "indices.glsl"
#include "scan.glsl"

bool is_restart(assembly from, uint position)
{
   return draw.restart != 0 && load_index(from, position) == ~0u >> (32 - (8u << from.a.index_size_log2));
}

// Do two more vertices follow in the run?
bool continues(assembly from, uint position)
{
   return position + 2 < from.a.vertices && !is_restart(from, position + 1) && !is_restart(from, position + 2);
}

// Of a primitive that ends there, corner k. in_run: of the position.
uint corner_of(assembly from, uint position, uint in_run, uint k, bool ends)
{
   uint corners = from.a.corners, first = position - (corners - 1);

   if (from.a.is_strip_adjacency != 0)
      return position - in_run + strip_adjacency((in_run + 1 - corners) / 2, k, ends);
   if (from.a.is_fan != 0)
      return k == 2 ? position - in_run : first + 1 + k;
   if (from.a.is_strip != 0 && ((in_run - (corners - 1)) & 1) != 0 && k > 0)
      return first + 3 - k;
   return first + k;
}

// Corners that the list has of a primitive.
uint listed(uint corners)
{
   return draw.no_neighbours == 0 ? corners : corners == 4 ? 2 : 3;
}

// Of those that it has, which one of the primitive is number k. Odd triangles of strips are turned so that their
// first vertex comes first; where the last one provokes, so that that one comes last.
uint listed_corner(uint corners, uint k, bool odd)
{
   if (draw.no_neighbours == 0)
      return k;
   if (corners == 4)
      return 1 + k;
   return 2 * (odd && draw.provoking_last != 0 ? (k + 2) % 3 : k);
}

// Its number and its corners.
void store_corners(assembly from, uint number, uint position, uint in_run)
{
   words list = words(from.a.list_va);
   uint corners = from.a.corners, count = listed(corners);
   bool ends = from.a.is_strip_adjacency != 0 && !continues(from, position);

   bool odd = from.a.is_strip_adjacency != 0 && ((in_run + 1 - corners) / 2 & 1) != 0;

   for (uint k = 0; k < count; k++)
      list.word[number * count + k] = corner_of(from, position, in_run, listed_corner(corners, k, odd), ends);
}

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint corners = from.a.corners, step = from.a.step;
   uint run = 0, done = 0; // where the run begins, primitives before

   for (uint start = 0; start < from.a.vertices; start += SIZE) {
      uint position = start + gl_LocalInvocationIndex;
      bool inside = position < from.a.vertices;
      bool restarts = inside && is_restart(from, position);
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
   if (gl_LocalInvocationIndex == 0) {
      from.a.primitives = done;
      from.a.corners = listed(corners);
   }
}
