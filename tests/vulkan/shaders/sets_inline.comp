#version 450
// Blocks that lie in their set. An index that is not constant reads them, too; beyond their end it reads zero.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) writeonly buffer Output { uint words[]; };
layout(set = 0, binding = 1) uniform First { uvec4 a; uint b; } first;
layout(set = 0, binding = 5) uniform Second { uvec4 words[16]; } second;

void main()
{
   uint i = gl_LocalInvocationIndex;
   if (i == 0u) {
      words[0] = first.a.y;
      words[1] = first.b;
      words[2] = second.words[3].z;
   }
   words[16 + i] = second.words[i][i % 4u];
}
