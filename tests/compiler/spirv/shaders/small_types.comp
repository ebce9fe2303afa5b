#version 450
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_debug_printf : enable
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { uint8_t a[8]; int16_t b[4]; float16_t c[4]; uint total; };
shared uint sum;
void main()
{
   uint x = gl_LocalInvocationIndex;
   if (x == 0)
      sum = 0;
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
   a[x + 4] = uint8_t(uint(a[x]) * 3u);
   b[x] = int16_t(int(b[x]) * 2);
   c[x] = float16_t(float(c[x]) * 0.5 + 1.0);
   atomicAdd(sum, uint(a[x]), gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
   debugPrintfEXT("lane %d", x);
   if (x == 0)
      total = sum;
}
