/* Takes as much of a device as it is told: invocations, shared memory, private memory. */
#version 450
#ifdef FIXED
layout(local_size_x = 1024, local_size_y = 64) in;
#else
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
#endif
layout(constant_id = 3) const uint shared_words = 1;
layout(constant_id = 4) const uint private_words = 1;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint memory[shared_words];

void main()
{
   uint own[private_words];
   uint id = gl_LocalInvocationIndex, at = data[id];
   for (uint i = id; i < shared_words; i += gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z)
      memory[i] = i * 3;
   own[at % private_words] = id + 7;
   own[(at + 1) % private_words] = id + 9;
   barrier();
   data[id] = own[at % private_words] + memory[(shared_words - 1 + at) % shared_words];
}
