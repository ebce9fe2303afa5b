#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
// A plane onto itself: read compressed, stored as it is. A workgroup is a tile of what is compressed: nobody stores
// before all have loaded. Whole tiles, so that all invocations are here. SAMPLES: up to eight; what is after the last
// is the last again.
#define GROUP_PX SI_META_EXPAND_PX
#ifdef SAMPLES
#define SRC_SAMPLES
#define DST_SAMPLES
#endif
#include "table.glsl"
#include "images.glsl"

#ifdef SAMPLES
// What is written out has no array of private memory.
#define ALL(EACH) EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)
#define SAMPLE(i) int(min(uint(i), table.size.w - 1))
#define LOAD(i) const uvec4 value_##i = imageLoad(src_image, src_place(), SAMPLE(i));
#define STORE(i) imageStore(dst_image, dst_place(), SAMPLE(i), value_##i);
#endif

void await_loads()
{
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsImage, gl_SemanticsAcquireRelease);
}

void main()
{
   if (!is_inside())
      return;
#ifdef SAMPLES
   ALL(LOAD)
   await_loads();
   ALL(STORE)
#else
   const uvec4 value = imageLoad(src_image, src_place());
   await_loads();
   imageStore(dst_image, dst_place(), value);
#endif
}
