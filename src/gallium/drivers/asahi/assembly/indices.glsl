// What lies at a position of the index buffer.
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
