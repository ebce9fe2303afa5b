// Of as many bytes; zero if the heap ends.
uvec2 allocate(uint64_t size_B)
{
   heap from = heap(draw.heap_va);
   uint used_B = from.h.used_B;

   if (size_B > from.h.size_B - used_B) {
      from.h.wanted_B = max(from.h.wanted_B, uint(min(size_B, uint64_t(~0u))));
      return uvec2(0);
   }
   from.h.used_B = used_B + ((uint(size_B) + 15) & ~15u);
   return address_after(from.h.va, used_B);
}
