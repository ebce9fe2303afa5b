/* Derivatives, swaps in quads and implicit levels of detail in a compute shader. LINEAR: quads are four invocations
 * in a row, else two by two. */
#version 450
#extension GL_NV_compute_shader_derivatives : require
#extension GL_KHR_shader_subgroup_quad : enable
#ifdef LINEAR
layout(local_size_x = 12, local_size_y = 3, local_size_z = 2) in;
layout(derivative_group_linearNV) in;
#else
layout(local_size_x = 12, local_size_y = 4, local_size_z = 2) in;
layout(derivative_group_quadsNV) in;
#endif
layout(set = 0, binding = 0) readonly buffer In { float inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float results[]; };
layout(set = 0, binding = 2) uniform sampler2D levels;

uint row = 0u;
uint place = 0u;
void put(float x) { results[row++ * gl_NumWorkGroups.x * 96u + place] = x; }

void main()
{
   uvec3 size = gl_WorkGroupSize;
   place = gl_LocalInvocationID.x + size.x * (gl_LocalInvocationID.y + size.y * gl_LocalInvocationID.z);
   float wrong = place == gl_LocalInvocationIndex &&
                 gl_GlobalInvocationID == gl_WorkGroupID * size + gl_LocalInvocationID ? 0.0 : 1.0;
   place += gl_WorkGroupID.x * 96u;
   float x = inputs[place];
   wrong += fwidthFine(x) == abs(dFdxFine(x)) + abs(dFdyFine(x)) ? 0.0 : 1.0;
   put(wrong);
   put(dFdxFine(x));
   put(dFdyFine(x));
   put(dFdxCoarse(x));
   put(dFdyCoarse(x));
   put(dFdx(x));
   put(dFdy(x));
   put(subgroupQuadSwapDiagonal(x));
   /* A level by how far apart the invocations of the quad look: each level has its number. */
   float steps = float(1u << gl_WorkGroupID.x % 4u) / 64.0;
#ifdef LINEAR
   vec2 at = vec2(gl_LocalInvocationIndex & 1u, gl_LocalInvocationIndex >> 1 & 1u) * steps;
#else
   vec2 at = vec2(gl_LocalInvocationID.xy) * steps;
#endif
   put(texture(levels, at).x);
   put(textureQueryLod(levels, at).y);
   put(texture(levels, at, 1.0).x);
}
