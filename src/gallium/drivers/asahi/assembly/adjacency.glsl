// Of strips of triangles with adjacency. Source: the specification, "Triangle Strips With Adjacency".

// Corner k of primitive p of a run that begins at position 0; ends: it is the run's last one.
uint strip_adjacency(uint p, uint k, bool ends)
{
   uint first = 2 * p;
   bool odd = (p & 1) != 0, begins = p == 0;

   switch (k) {
   case 0:
      return first;
   case 1:
      return odd ? first + 3 : begins ? 1 : first - 2;
   case 2:
      return odd ? first + 4 : first + 2;
   case 3:
      return ends ? first + 5 : first + 6;
   case 4:
      return odd ? first + 2 : first + 4;
   default:
      return odd ? first - 2 : first + 3;
   }
}
