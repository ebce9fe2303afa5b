#version 450
// Level 0 of a texture: integer arithmetic only, so that every device writes the same bytes.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform writeonly image2D texture_out;
layout(push_constant) uniform Push { uint kind; };

uint hash(uvec2 p)
{
   uint x = p.x * 0x9e3779b9u ^ p.y * 0x85ebca6bu;
   x ^= x >> 16;
   x *= 0x7feb352du;
   x ^= x >> 15;
   x *= 0x846ca68bu;
   return x ^ (x >> 16);
}

// Value noise on a grid of 1 << bits texels, 0 to 255.
uint noise(uvec2 p, uint bits)
{
   uint size = 1u << bits, cells = 255u >> bits;
   uvec2 cell = p >> bits, f = p & (size - 1u);
   uint a = hash(cell) & 255u, b = hash(uvec2(cell.x + 1u & cells, cell.y)) & 255u;
   uint c = hash(uvec2(cell.x, cell.y + 1u & cells)) & 255u, d = hash((cell + 1u) & cells) & 255u;
   uint top = a * (size - f.x) + b * f.x, bottom = c * (size - f.x) + d * f.x;
   return top * (size - f.y) + bottom * f.y >> 2u * bits;
}

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   uint cloud = (noise(p, 5u) * 4u + noise(p, 4u) * 2u + noise(p, 3u) * 2u) / 8u;
   uvec3 color;
   if (kind == 0u) {
      bool odd = ((p.x >> 5) + (p.y >> 5) & 1u) != 0u;
      color = (odd ? uvec3(70, 80, 95) : uvec3(165, 160, 150)) + cloud / 4u;
   } else {
      bool band = (p.x + cloud / 2u & 63u) < 24u;
      color = (band ? uvec3(150, 70, 40) : uvec3(190, 150, 90)) + cloud / 5u;
   }
   imageStore(texture_out, ivec2(p), vec4(color, 255u) / 255.0);
}
