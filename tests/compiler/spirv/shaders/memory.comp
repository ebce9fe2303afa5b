#version 450
#extension GL_EXT_scalar_block_layout : enable
layout(local_size_x_id = 10, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 0) const int SIZE = 3;
layout(constant_id = 1) const float SCALE = 2.0;
layout(constant_id = 2) const bool FLAG = false;
layout(constant_id = 3) const uint MASK = 0xff;
const int TWICE = SIZE * 2 + (FLAG ? 100 : 1);
struct Inner { vec3 v; float w; mat2x3 m; };
struct Outer { Inner inner[2]; uint tail; };
layout(set = 0, binding = 0, std430) buffer Data {
   uint result[32];
   layout(row_major) mat4x3 rows;
   layout(column_major) mat4x3 columns;
   layout(row_major) mat3 array[2];
   Outer outer;
   uint more[];
} data;
shared uint exchange[8];
float table[TWICE];
int global = 7;
struct Plain { int a; float b[3]; mat2 m; };
Plain make(int a)
{
   Plain p;
   p.a = a;
   for (int i = 0; i < SIZE; i++)
      p.b[i] = float(a + i);
   p.m = mat2(1, 2, 3, a);
   return p;
}
void change(inout Plain p, out int x, in float y)
{
   p.a += int(y);
   p.b[1] = y;
   x = p.a * 2;
}
void main()
{
   uint l = gl_LocalInvocationIndex;
   if (l < 8u)
      exchange[l] = l * l;
   barrier();
   data.more[l] = exchange[(l + 1u) & 7u];
   if (l != 0)
      return;
   int x;
   Plain p = make(5), q = p;
   change(p, x, 3.5);
   data.result[0] = uint(p.a);
   data.result[1] = uint(x);
   data.result[2] = uint(p.b[1] * 10.0);
   data.result[3] = uint(q.b[1] * 10.0);
   data.result[4] = uint((p.m * vec2(1, 1)).y);
   data.result[5] = uint(TWICE);
   data.result[6] = uint(SCALE * 10.0);
   data.result[7] = FLAG ? 1u : 0u;
   data.result[8] = MASK;
   data.result[9] = gl_WorkGroupSize.x;
   vec3 sum = data.rows * vec4(1, 10, 100, 1000);
   data.result[10] = uint(sum.x);
   data.result[11] = uint(sum.z);
   sum = data.columns * vec4(1, 10, 100, 1000);
   data.result[12] = uint(sum.x);
   data.result[13] = uint(sum.z);
   data.result[14] = uint(data.array[1][2][l + 1u]);
   Outer copy = data.outer;
   copy.inner[1].m[1].y += 0.5;
   data.outer.inner[0] = copy.inner[1];
   data.result[15] = uint(data.outer.inner[0].m[1].y * 2.0);
   data.result[16] = copy.tail;
   data.result[17] = uint(data.more.length());
   data.rows[2] = vec3(7, 8, 9);
   data.rows[3][1] = 33.0;
   data.result[18] = uint(data.rows[2].y);
   for (int i = 0; i < TWICE; i++)
      table[i] = float(i * i);
   data.result[19] = uint(table[p.a % TWICE]);
   global += 4;
   data.result[20] = uint(global);
   bvec3 flags = lessThan(vec3(1, 5, 3), vec3(2, 2, 4));
   data.result[21] = uint(flags[0]) | uint(flags[1]) << 1 | uint(flags[2]) << 2;
   vec4 v = vec4(1, 2, 3, 4);
   v[x & 3] = 9.0;
   v.zx = v.xy;
   data.result[22] = uint(v.x * 1000 + v.y * 100 + v.z * 10 + v.w);
   data.result[23] = uint(p == q) + uint(q == make(5)) * 2u;
   mat2 m[2] = mat2[](mat2(1), mat2(2));
   m[x & 1][1] = vec2(5, 6);
   data.result[24] = uint(m[0][1].y * 10 + m[1][1].y);
   precise float exact = SCALE * 1.5 + 1.0;
   data.result[25] = uint(exact);
}
