/* The instruction sets of VK_AMD_shader_trinary_minmax and VK_AMD_gcn_shader; SMALL: the first on the numbers of
 * VK_AMD_gpu_shader_half_float and VK_AMD_gpu_shader_int16. */
#version 450
#extension GL_AMD_shader_trinary_minmax : enable
#extension GL_AMD_gcn_shader : enable
#extension GL_ARB_gpu_shader_int64 : enable
#ifdef SMALL
#extension GL_AMD_gpu_shader_half_float : enable
#extension GL_AMD_gpu_shader_int16 : enable
#endif
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint results[]; };

uint row = 0u;
void put(uint x) { results[row++ * gl_NumWorkGroups.x * 64u + gl_GlobalInvocationID.x] = x; }
void put(int x) { put(uint(x)); }
void put(float x) { put(floatBitsToUint(x)); }

void main()
{
   uvec3 u = inputs[gl_GlobalInvocationID.x].xyz;
   ivec3 i = ivec3(u);
   vec3 f = vec3(i >> 8) / 65536.0;
#ifdef SMALL
   f16vec3 h = f16vec3(ivec3(u >> 4 & 1023u) - 512);
   i16vec3 s = i16vec3(i);
   u16vec3 w = u16vec3(u);
   put(float(min3(h.x, h.y, h.z)));
   put(float(max3(h.x, h.y, h.z)));
   put(float(mid3(h.x, h.y, h.z)));
   put(int(min3(s.x, s.y, s.z)));
   put(int(max3(s.x, s.y, s.z)));
   put(int(mid3(s.x, s.y, s.z)));
   put(uint(min3(w.x, w.y, w.z)));
   put(uint(max3(w.x, w.y, w.z)));
   put(uint(mid3(w.x, w.y, w.z)));
#else
   uint64_t before = timeAMD();
   put(min3(f.x, f.y, f.z));
   put(max3(f.x, f.y, f.z));
   put(mid3(f.x, f.y, f.z));
   put(min3(i.x, i.y, i.z));
   put(max3(i.x, i.y, i.z));
   put(mid3(i.x, i.y, i.z));
   put(min3(u.x, u.y, u.z));
   put(max3(u.x, u.y, u.z));
   put(mid3(u.x, u.y, u.z));
   put(cubeFaceIndexAMD(f));
   put(cubeFaceCoordAMD(f).x);
   put(cubeFaceCoordAMD(f).y);
   put(uint(timeAMD() - before) & 0xfffffu);
#endif
}
