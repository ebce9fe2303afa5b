/* Memory by address: a list through two buffers, structures of several layouts and sizes, atomics, arithmetic with
 * pointers, pointers that are chosen, stored and passed. IN_comp, IN_vert or IN_frag is defined. */
#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

#ifdef IN_comp
layout(local_size_x = 64) in;
#endif

layout(buffer_reference) buffer Node;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node {
   Node next;
   uint value, pad;
};
struct Item {
   uvec2 pair;
   uint one;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Mixed {
   vec3 a;
   float b;
   layout(row_major) mat3x2 rows;
   layout(column_major) mat2x3 columns;
   Item list[3];
   uvec4 tail;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Counters {
   uint add, low, high, bits, swap, taken[];
};

layout(push_constant) uniform Push {
   layout(offset = 48) Node head; /* of a list in a ring; quad.vert has the bytes before */
   Mixed mixed;
   Counters counters;
   Word result; /* 8 words for each invocation */
};

/* The sum of `steps` values from the node on. */
uint walk(Node node, uint steps)
{
   uint sum = 0u;
   for (uint i = 0u; i < steps; i++) {
      sum = sum * 3u + node.value;
      node = node.next;
   }
   return sum;
}

uint structures(Mixed m, uint i)
{
   vec3 product = m.columns * vec2(m.a.x, m.b);
   vec2 other = m.rows * m.a;
   uvec2 pair = m.list[i % 3u].pair;
   return uint(product.x) + uint(product.y) * 3u + uint(product.z) * 5u + uint(other.x) * 7u + uint(other.y) * 11u +
          pair.x * 13u + pair.y + m.list[(i + 1u) % 3u].one + m.tail[i & 3u];
}

/* An array of pointers, with one that only this invocation writes. */
uint chosen(uint i)
{
   Word words[4];
   Word own = result + 8u * i;
   for (uint j = 0u; j < 4u; j++)
      words[(j + i) & 3u] = own + j;
   for (uint j = 0u; j < 4u; j++)
      words[j].value = j * 100u + i;
   Word one = i % 3u == 0u ? words[i & 3u] : words[(i + 1u) & 3u];
   return one.value + words[2].value;
}

/* Each of them takes part once. */
void atomics(uint i)
{
   uint before = atomicAdd(counters.add, 1u);
   counters.taken[before] = i;
   atomicMin(counters.low, 1000u - i);
   atomicMax(counters.high, 1000u + i);
   atomicXor(counters.bits, i * i);
#ifndef IN_frag /* a helper would never come to an end */
   uint old = counters.swap, found;
   while ((found = atomicCompSwap(counters.swap, old, old + i)) != old)
      old = found;
#endif
}

void everything(uint i)
{
   Word first = result + 8u * i;
   uint picked = chosen(i);
   Words own = Words(uvec2(first));
   own.at[0] = walk(head, i % 9u);
   own.at[1] = structures(mixed, i);
   own.at[2] = picked;
   /* Backwards, and compared. */
   Word back = first + 7, front = back - 7;
   own.at[3] = uint(uvec2(front) == uvec2(own)) + 2u * uint(uvec2(back) == uvec2(own));
   own.at[4] = (back + (-7 + int(i & 1u))).value + 1u;
   own.at[5] = Words(uvec2(back)).at[int(i & 1u) - 4] + 5u;
   atomics(i);
   own.at[6] = i;
   own.at[7] = mixed.list[2].one;
}

#if defined(IN_vert)
void main()
{
   everything(uint(gl_VertexIndex));
   gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
   gl_PointSize = 1.0;
}
#elif defined(IN_frag)
layout(location = 0) out vec4 color;
void main()
{
   everything(uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x));
   color = vec4(1.0);
}
#else
void main()
{
   everything(gl_GlobalInvocationID.x);
}
#endif
