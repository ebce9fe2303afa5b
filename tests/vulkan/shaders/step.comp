#version 450
/* One step of a chain: a word is made of another one. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Step { uint from, to, factor, term; };

void main()
{
   data[to + gl_WorkGroupID.x] = data[from] * factor + term;
}
