#version 450
// A triangle over everything, or (mode from 7 on) points outside that touch memory.
layout(push_constant) uniform Constants { uint mode, slot, value; };
layout(set = 0, binding = 0) buffer Storage { uint x[]; };
layout(set = 0, binding = 2) buffer Results { uint results[]; };

void main()
{
   gl_PointSize = 1.0;
   gl_Position = vec4(mode < 7 ? vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0 : vec2(5.0), 0.0, 1.0);
   if (mode == 7)
      results[slot * 256] = uint(gl_VertexIndex);
   else if (mode == 8)
      atomicAdd(results[slot * 256], 1);
   else if (mode == 9 && gl_VertexIndex == 0)
      x[0] = value;
   else if (mode == 10)
      results[slot * 256 + gl_VertexIndex] = x[0];
}
