/* Rotations within subgroups and clusters, votes of quads, expected values, and the ballots, votes and reads of
 * SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote, in the lanes that MODE keeps active. Every invocation writes who
 * it is first. */
#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#ifdef AMD
#extension GL_AMD_shader_ballot : enable
#extension GL_ARB_gpu_shader_int64 : enable
#endif
#ifdef CLOCK
#extension GL_ARB_gpu_shader_int64 : enable
#extension GL_ARB_shader_clock : enable
#extension GL_EXT_shader_realtime_clock : enable
#endif
#define ROTATE spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)
#define QUAD(n) spirv_instruction(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], id = n)
#define EXPECT(n) spirv_instruction(extensions = ["SPV_KHR_expect_assume"], capabilities = [5629], id = n)
#define BALLOT(n) spirv_instruction(extensions = ["SPV_KHR_shader_ballot"], capabilities = [4423], id = n)
#define VOTE(n) spirv_instruction(extensions = ["SPV_KHR_subgroup_vote"], capabilities = [4431], id = n)
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint MODE = 0u;
layout(constant_id = 1) const uint COUNT = 256u;
layout(set = 0, binding = 0) readonly buffer In { uint distance; uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint results[]; };

/* Modules have the capabilities of all that is declared. */
#if defined(ROTATES)
ROTATE uint rotate(uint scope, uint x, uint by);
ROTATE uint rotateIn(uint scope, uint x, uint by, uint cluster);
ROTATE bool rotate(uint scope, bool x, uint by);
ROTATE uint64_t rotateIn(uint scope, uint64_t x, uint by, uint cluster);
ROTATE float16_t rotateIn(uint scope, float16_t x, uint by, uint cluster);
ROTATE uvec3 rotateIn(uint scope, uvec3 x, uint by, uint cluster);
#elif defined(QUADS)
QUAD(5110) bool quadAll(bool x);
QUAD(5111) bool quadAny(bool x);
#elif defined(EXPECTS)
EXPECT(5630) void assumeTrue(bool x);
EXPECT(5631) uint expectValue(uint x, uint likely);
EXPECT(5631) bool expectValue(bool x, bool likely);
#elif !defined(CLOCK) && !defined(AMD)
BALLOT(4421) uvec4 ballotKHR(bool x);
BALLOT(4422) uint readFirstKHR(uint x);
BALLOT(4432) uint readKHR(uint x, uint lane);
VOTE(4428) bool allKHR(bool x);
VOTE(4429) bool anyKHR(bool x);
VOTE(4430) bool equalKHR(bool x);
#endif

uint row = 0u;
void put(uint x) { results[row++ * COUNT + gl_GlobalInvocationID.x] = x; }
void put(bool x) { put(uint(x)); }

void operations()
{
   uint x = inputs[gl_GlobalInvocationID.x];
   bool odd = (x & 1u) != 0u;
   put(1u + gl_SubgroupID + gl_NumSubgroups * gl_WorkGroupID.x);
   put(gl_SubgroupInvocationID);
   put(gl_SubgroupSize);
#if defined(ROTATES)
   put(rotate(3u, x, 0u));
   put(rotate(3u, x, 1u));
   put(rotate(3u, x, 21u));
   put(rotate(3u, x, distance));
   put(rotate(3u, odd, 3u));
   put(rotate(3u, odd, distance));
   put(rotateIn(3u, x, 3u, 4u));
   put(rotateIn(3u, x, distance, 8u));
   put(rotateIn(3u, x, distance, 1u));
   put(rotateIn(3u, x, 5u, 32u));
   put(uint(rotateIn(3u, uint64_t(x) << 32, 1u, 2u) >> 32));
   put(uint(rotateIn(3u, uint64_t(x) << 32, distance, 16u) >> 32));
   put(uint(rotateIn(3u, float16_t(x & 1023u), 7u, 16u)));
   put(uint(rotateIn(3u, float16_t(x & 1023u), distance, 16u)));
   put(rotateIn(3u, uvec3(0u, 0u, x), 2u, 8u).z);
#elif defined(QUADS)
   put(quadAll(odd));
   put(quadAny(odd));
   put(quadAll(true));
   put(quadAny(false));
#elif defined(EXPECTS)
   assumeTrue(gl_SubgroupInvocationID < gl_SubgroupSize);
   put(expectValue(x, 5u));
   put(expectValue(x, distance));
   if (expectValue(odd, true))
      put(1u);
   else
      put(2u);
#elif defined(CLOCK)
   uvec2 first = clock2x32ARB(), real = clockRealtime2x32EXT();
   for (uint i = 0u; i < 64u; i++)
      put(clock2x32ARB().x - first.x); /* the low word may wrap, and a difference of 20 bits is enough */
   uint64_t now = clockRealtimeEXT();
   put(now >= packUint2x32(real));
   put(now - packUint2x32(real) < 1000000ul);
#elif defined(AMD)
   put(swizzleInvocationsAMD(x, uvec4(1u, 3u, 0u, 2u)));
   put(swizzleInvocationsMaskedAMD(x, uvec3(0x15u, 2u, 8u)));
   put(writeInvocationAMD(x, distance, distance & 3u));
   put(mbcntAMD(0xf0f0f0f0aaaaaaaaul));
   put(addInvocationsNonUniformAMD(x));
   put(minInvocationsNonUniformAMD(x));
   put(uint(maxInvocationsNonUniformAMD(int(x))));
   put(uint(maxInvocationsNonUniformAMD(float(x & 0xffffu))));
   put(uint(addInvocationsNonUniformAMD(float(x & 0xffu))));
   put(uint(minInvocationsNonUniformAMD(float(x & 0xffffu))));
   put(uint(minInvocationsNonUniformAMD(int(x))));
   put(maxInvocationsNonUniformAMD(x));
   put(addInvocationsInclusiveScanNonUniformAMD(x));
   put(addInvocationsExclusiveScanNonUniformAMD(x));
   put(addInvocationsAMD(x));
   put(maxInvocationsAMD(x));
   put(uint(minInvocationsAMD(int(x))));
   put(uint(minInvocationsAMD(float(x & 0xffffu))));
   put(uint(addInvocationsAMD(float(x & 0xffu))));
   put(minInvocationsAMD(x));
   put(uint(maxInvocationsAMD(int(x))));
   put(uint(maxInvocationsAMD(float(x & 0xffffu))));
#else
   put(ballotKHR(odd).x);
   put(ballotKHR(odd).y);
   put(readFirstKHR(x));
   put(readKHR(x, 3u));
   put(readKHR(x, distance & 7u));
   put(allKHR(odd));
   put(anyKHR(odd));
   put(equalKHR(odd));
   put(allKHR(true));
   put(anyKHR(false));
#endif
}

void main()
{
   if (MODE == 0u || (MODE == 1u && (inputs[gl_GlobalInvocationID.x] & 6u) != 0u) ||
       (MODE == 2u && gl_SubgroupInvocationID % 4u != gl_SubgroupInvocationID / 8u % 3u))
      operations();
}
