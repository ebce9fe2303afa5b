#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main()
{
   atomicAdd(data[0], 1);
}
