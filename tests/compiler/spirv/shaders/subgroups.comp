#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
#define R(n, v) data[at + n] = uint(v);
void main()
{
   uint x = gl_LocalInvocationIndex, l = gl_SubgroupInvocationID, at = x * 64u;
   float f = float(l) * 0.5;
   R(0, subgroupElect()) R(1, subgroupAny(l == 5u)) R(2, subgroupAll(l < 31u)) R(3, subgroupAllEqual(x / 32u))
   R(4, subgroupAllEqual(f)) R(5, subgroupBroadcast(x, 7)) R(6, subgroupBroadcastFirst(x * 3u))
   R(7, subgroupBallot(l % 3u == 0u).x) R(8, subgroupInverseBallot(uvec4(0x5a5a5a5a)))
   R(9, subgroupBallotBitExtract(uvec4(0x1234), l)) R(10, subgroupBallotBitCount(uvec4(0xff0f)))
   R(11, subgroupBallotInclusiveBitCount(uvec4(0xf0f0f0f0))) R(12, subgroupBallotExclusiveBitCount(uvec4(0xf0f0f0f0)))
   R(13, subgroupBallotFindLSB(uvec4(0x80))) R(14, subgroupBallotFindMSB(uvec4(0x80f)))
   R(15, subgroupShuffle(x, l ^ 3u)) R(16, subgroupShuffleXor(x, 5u)) R(17, l > 1u ? subgroupShuffleUp(x, 2u) : 0u)
   R(18, l < 30u ? subgroupShuffleDown(x, 2u) : 0u)
   R(19, subgroupAdd(x)) R(20, subgroupMul(l % 8u == 0u ? 3u : 1u)) R(21, subgroupMin(x)) R(22, subgroupMax(x))
   R(23, subgroupAnd(x | 64u)) R(24, subgroupOr(x)) R(25, subgroupXor(x * 7u)) R(26, subgroupAdd(f))
   R(27, subgroupMin(f + 1.0)) R(28, subgroupMax(-int(l)) + 5) R(29, subgroupMin(-int(l)) + 100)
   R(30, subgroupInclusiveAdd(x)) R(31, subgroupExclusiveAdd(x)) R(32, subgroupInclusiveMax(l ^ 5u))
   R(33, subgroupExclusiveMin(100u - l) & 0xffffu) R(34, subgroupClusteredAdd(x, 4)) R(35, subgroupClusteredMax(x, 8))
   R(36, subgroupQuadBroadcast(x, 2)) R(37, subgroupQuadSwapHorizontal(x)) R(38, subgroupQuadSwapVertical(x))
   R(39, subgroupQuadSwapDiagonal(x)) R(40, gl_SubgroupSize) R(41, gl_NumSubgroups) R(42, gl_SubgroupID)
   R(43, gl_SubgroupEqMask.x) R(44, gl_SubgroupGeMask.x) R(45, gl_SubgroupGtMask.x) R(46, gl_SubgroupLeMask.x)
   R(47, gl_SubgroupLtMask.x) R(48, subgroupAnd(l < 32u)) R(49, subgroupOr(l == 99u)) R(50, subgroupXor(l < 3u))
   R(51, subgroupShuffle(vec3(f, x, 1.0), 4u).y) R(52, subgroupInclusiveMul(l == 2u ? 5u : 1u))
   R(53, subgroupClusteredXor(x, 2))
   subgroupBarrier();
   subgroupMemoryBarrier();
}
