/* Tables of constants in every stage, read at places that differ between invocations and at the same one. tables.c
 * computes the same. */
#version 450

#define WORD(i) ((i) * 2654435761u + 12345u)
#define WORDS4(i) WORD(i), WORD(i + 1u), WORD(i + 2u), WORD(i + 3u)
#define WORDS16(i) WORDS4(i), WORDS4(i + 4u), WORDS4(i + 8u), WORDS4(i + 12u)
#define WORDS64(i) WORDS16(i), WORDS16(i + 16u), WORDS16(i + 32u), WORDS16(i + 48u)
const uint words[256] = uint[256](WORDS64(0u), WORDS64(64u), WORDS64(128u), WORDS64(192u));

struct Row {
   mat3x2 m;
   uvec3 v[3];
   bool b;
};
#define VALUES(i) uvec3(i, i + 1u, i + 2u)
#define ROW(i)                                                                                                       \
   Row(mat3x2(i * 6 + 0, i * 6 + 1, i * 6 + 2, i * 6 + 3, i * 6 + 4, i * 6 + 5),                                     \
       uvec3[3](VALUES(i * 100u), VALUES(i * 100u + 3u), VALUES(i * 100u + 6u)), i % 3 == 1)
#define ROWS5(i) ROW(i), ROW((i + 1)), ROW((i + 2)), ROW((i + 3)), ROW((i + 4))
const Row rows[20] = Row[20](ROWS5(0), ROWS5(5), ROWS5(10), ROWS5(15));

#define CORNERS vec2(-1, -1), vec2(3, -1), vec2(-1, 3)
#define CORNERS12 CORNERS, CORNERS, CORNERS, CORNERS
const vec2 corners[24] = vec2[24](CORNERS12, CORNERS12);

uint
look(uint i, uint same)
{
   uint sum = words[i % 256u] * 31u + words[same % 256u];
   sum += uint(rows[i % 20u].m[i % 3u][i % 2u]) * 7u + rows[(i + 3u) % 20u].v[i % 3u][(i / 3u) % 3u];
   return rows[(i + same) % 20u].b ? sum : ~sum;
}

#if defined(WILD)
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint outs[]; };
layout(set = 0, binding = 1) readonly buffer In { uint ins[]; };

/* Of the one table, at indices that nobody knows: of each invocation, and after them of each group. */
void
main()
{
   const uint count = gl_NumWorkGroups.x * 64u;
   outs[gl_GlobalInvocationID.x] = words[ins[gl_GlobalInvocationID.x]];
   outs[count + gl_WorkGroupID.x] = words[ins[count + gl_WorkGroupID.x]];
}
#elif defined(COMPUTE)
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint outs[]; };

void
main()
{
   outs[gl_GlobalInvocationID.x] = look(gl_GlobalInvocationID.x, gl_WorkGroupID.x);
}
#elif defined(VERTEX)
layout(location = 0) flat out uint value;

void
main()
{
   gl_Position = vec4(corners[(gl_VertexIndex + 9) % 24], 0, 1);
   value = look(gl_VertexIndex + 5, 77u);
}
#elif defined(CONTROL)
layout(vertices = 3) out;
layout(location = 0) in uint values[];
layout(location = 0) patch out uint value;

void
main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelInner[0] = 1.0;
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;
   value = values[0] ^ look(gl_PrimitiveID + 21u, 3u);
}
#elif defined(EVALUATION)
layout(triangles) in;
layout(location = 0) patch in uint value;
layout(location = 0) out uint moved;

void
main()
{
   gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                 gl_TessCoord.z * gl_in[2].gl_Position;
   moved = value ^ look(gl_PrimitiveID + 31u, 5u);
}
#elif defined(GEOMETRY)
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in uint values[];
layout(location = 0) flat out uint value;

void
main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      value = values[i] ^ look(gl_PrimitiveIDIn + 41u, 7u);
      EmitVertex();
   }
}
#else
layout(location = 0) flat in uint value;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) buffer Out { uint outs[]; };

void
main()
{
   uint i = uint(gl_FragCoord.x) + 16u * uint(gl_FragCoord.y);
   outs[i] = value ^ look(i, 11u);
   colour = vec4(1);
}
#endif
