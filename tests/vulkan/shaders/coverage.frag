#version 450
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main()
{
   atomicAdd(data[0], 1);
   atomicAdd(data[1], bitCount(gl_SampleMaskIn[0]));
}
