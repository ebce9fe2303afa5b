/* Every subgroup operation on values of one TYPE, in the lanes that MODE leaves active. Each invocation writes who it
 * is, then a row an operation; the CPU finds out who was in which subgroup and computes the rest. */
#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_subgroup_extended_types_int8 : enable
#extension GL_EXT_shader_subgroup_extended_types_int16 : enable
#extension GL_EXT_shader_subgroup_extended_types_int64 : enable
#extension GL_EXT_shader_subgroup_extended_types_float16 : enable
layout(constant_id = 0) const int GROUP_SIZE = 64;
layout(constant_id = 1) const int MODE = 0;
layout(constant_id = 2) const int COUNT = 64;
layout(set = 0, binding = 0) readonly buffer In { uvec2 inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };
layout(set = 0, binding = 2) buffer Counter { uint counter; };
#ifdef COMPUTE
layout(local_size_x_id = 0) in;
#define INDEX gl_GlobalInvocationID.x
#elif defined(VERTEX)
#define INDEX uint(gl_VertexIndex)
#else
layout(location = 0) out vec4 color;
#define INDEX (uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x))
#endif

#ifdef FLOATING
#if FLOATING == 16
#define TYPE float16_t
#define VEC3 f16vec3
#define LOAD(v) unpackFloat2x16(v.x).x
uvec2 bits(float16_t x) { return uvec2(packFloat2x16(f16vec2(x, float16_t(0))), 0); }
#elif FLOATING == 64
#define TYPE double
#define VEC3 dvec3
#define LOAD(v) packDouble2x32(v)
uvec2 bits(double x) { return unpackDouble2x32(x); }
#else
#define TYPE float
#define VEC3 vec3
#define LOAD(v) uintBitsToFloat(v.x)
uvec2 bits(float x) { return uvec2(floatBitsToUint(x), 0); }
#endif
#elif defined(WIDE)
#define LOAD(v) TYPE(packUint2x32(v))
uvec2 bits(TYPE x) { return unpackUint2x32(uint64_t(x)); }
#else
#define LOAD(v) TYPE(v.x)
uvec2 bits(TYPE x) { return uvec2(uint(x), 0); }
#endif

uint row = 0u;
void put(uvec2 x) { results[row++ * COUNT + INDEX] = x; }
void store(TYPE x) { put(bits(x)); }
void truth(bool x) { put(uvec2(x, 0)); }
void mask(uvec4 x) { put(x.xy); }
void number(uint x) { put(uvec2(x, 0)); }

#define OPERATION(name)                                                                                      \
   store(subgroup##name(x));                                                                                 \
   store(subgroupInclusive##name(x));                                                                        \
   store(subgroupExclusive##name(x));                                                                        \
   store(subgroupClustered##name(x, 1u));                                                                    \
   store(subgroupClustered##name(x, 2u));                                                                    \
   store(subgroupClustered##name(x, 4u));                                                                    \
   store(subgroupClustered##name(x, 8u));                                                                    \
   store(subgroupClustered##name(x, 16u));                                                                   \
   store(subgroupClustered##name(x, 32u));

void operations()
{
   TYPE x = LOAD(inputs[INDEX]);
   uint lane = gl_SubgroupInvocationID, id = 0;
   bool odd = (inputs[INDEX].x & 1u) == 1u;
   if (subgroupElect())
      id = atomicAdd(counter, 1u);
   id = subgroupBroadcastFirst(id);
   put(uvec2(id + 1u, lane));
   mask(subgroupBallot(true));
   number(gl_SubgroupSize);
   OPERATION(Add)
   OPERATION(Mul)
   OPERATION(Min)
   OPERATION(Max)
#ifndef FLOATING
   OPERATION(And)
   OPERATION(Or)
   OPERATION(Xor)
#endif
   truth(subgroupAnd(odd));
   truth(subgroupOr(odd));
   truth(subgroupXor(odd));
   truth(subgroupInclusiveAnd(odd));
   truth(subgroupInclusiveOr(odd));
   truth(subgroupInclusiveXor(odd));
   truth(subgroupExclusiveAnd(odd));
   truth(subgroupExclusiveOr(odd));
   truth(subgroupExclusiveXor(odd));
   truth(subgroupClusteredAnd(odd, 4u));
   truth(subgroupClusteredOr(odd, 4u));
   truth(subgroupClusteredXor(odd, 4u));
   store(subgroupBroadcast(x, 5u));
   store(subgroupBroadcastFirst(x));
   store(subgroupShuffle(x, (lane * 7u + 3u) % gl_SubgroupSize));
   store(subgroupShuffle(x, inputs[INDEX].x % gl_SubgroupSize));
   store(subgroupShuffle(x, 9u));
   store(subgroupShuffleXor(x, 1u));
   store(subgroupShuffleXor(x, 13u));
   store(subgroupShuffleXor(x, 31u));
   store(subgroupShuffleUp(x, 3u));
   store(subgroupShuffleDown(x, 7u));
   store(subgroupQuadBroadcast(x, 0u));
   store(subgroupQuadBroadcast(x, 1u));
   store(subgroupQuadBroadcast(x, 2u));
   store(subgroupQuadBroadcast(x, 3u));
   store(subgroupQuadSwapHorizontal(x));
   store(subgroupQuadSwapVertical(x));
   store(subgroupQuadSwapDiagonal(x));
#ifdef FLOATING
   store(subgroupShuffle(VEC3(x), (lane + 1u) % gl_SubgroupSize).z);
#else
   store(subgroupShuffle(x, (lane + 1u) % gl_SubgroupSize));
#endif
   truth(subgroupAll(odd));
   truth(subgroupAny(odd));
   truth(subgroupAll(lane < 64u));
   truth(subgroupAny(lane > 63u));
   truth(subgroupAllEqual(x));
   truth(subgroupAllEqual(odd));
   truth(subgroupAllEqual(TYPE(1)));
   mask(subgroupBallot(odd));
   truth(subgroupInverseBallot(uvec4(0x5a5a1234u, 0x8765a5a5u, 0, 0)));
   truth(subgroupBallotBitExtract(uvec4(0x5a5a1234u, 0x8765a5a5u, 0, 0), (lane * 5u) % gl_SubgroupSize));
   number(subgroupBallotBitCount(subgroupBallot(odd)));
   number(subgroupBallotInclusiveBitCount(subgroupBallot(odd)));
   number(subgroupBallotExclusiveBitCount(subgroupBallot(odd)));
   number(subgroupBallotFindLSB(subgroupBallot(true)));
   number(subgroupBallotFindMSB(subgroupBallot(true)));
   truth(subgroupElect());
   mask(gl_SubgroupEqMask);
   mask(gl_SubgroupGeMask);
   mask(gl_SubgroupGtMask);
   mask(gl_SubgroupLeMask);
   mask(gl_SubgroupLtMask);
}

void main()
{
   uint lane = gl_SubgroupInvocationID;
   if (MODE == 0) {
      operations();
   } else if (MODE == 1) {
      if (lane % 3u != 1u)
         operations();
   } else if (MODE == 2) {
      if ((inputs[INDEX].x & 2u) == 0u)
         operations();
   } else if (MODE == 3) {
      if (lane == 11u)
         operations();
   } else if (MODE == 4) {
      for (uint i = 0u; i < 3u; i++) {
         if (lane % 4u == i) /* the last round is of others */
            continue;
         if (i == lane / 8u % 3u) {
            operations();
            break;
         }
      }
   } else {
      if (lane > 36u)
         operations();
   }
#ifdef VERTEX
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
#elif !defined(COMPUTE)
   color = vec4(1);
#endif
}
