/* What programs of compute shaders may need besides code: constants that are indexed, private and shared memory, a
 * specialization constant, push constants. */
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint FACTOR = 1;
layout(push_constant) uniform Push { uint add; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };
const uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
shared uint memory[64];

void main()
{
   uint id = gl_LocalInvocationIndex;
   uint own[24];
   for (uint i = 0; i < 24; i++)
      own[(i * 5 + id) % 24] = i * FACTOR;
   memory[id] = own[(data[id] + id) % 24];
   barrier();
   data[id] = memory[(id + 1) % 64] + table[(id + data[64]) % 8] + add;
}
