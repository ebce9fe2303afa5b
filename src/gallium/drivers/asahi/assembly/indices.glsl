// The address of an index of the draw's buffer. Below 2^34 bytes: the buffer has so many.
uvec2 index_address(uint number)
{
   return unpackUint2x32(packUint2x32(draw.index_va) + (uint64_t(number) << draw.index_size_log2));
}

// What lies at a position of `count` indices.
uint index_at(uvec2 va, uint count, uint size_log2, uint position)
{
   if (position >= count)
      return 0;
   switch (size_log2) {
   case 0:
      return uint(indices_8(va).element[position]);
   case 1:
      return uint(indices_16(va).element[position]);
   default:
      return words(va).word[position];
   }
}

uint load_index(assembly from, uint position)
{
   return index_at(from.a.index_va, from.a.index_count, from.a.index_size_log2, position);
}
