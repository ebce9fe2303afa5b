// Outputs of mesh_large.mesh: all components differ, so that none can be left out.
#define VERTEX_VECTORS 9
#define PRIMITIVE_VECTORS 4

uvec4 vector(uint point, uint row, uint number)
{
   const uvec4 c = uvec4(1, 2, 3, 4);
   return (point * (2 * number + 3) + row * c + number * 16 + c * 7) & 0xffff;
}
