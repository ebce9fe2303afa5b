#version 450
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(location = 0) out vec4 result;

void main()
{
   atomicAdd(data[0], 1);
#ifdef UNUSED
   UNUSED; /* only listed in the interface */
   result = vec4(100.0 / 255.0, 0.0, 0.0, 1.0);
#elif defined(MASK)
   const bool inside = (uint(gl_FragCoord.x) >> gl_SampleID & 1u) != 0u;
   result = (inside ? vec4(5, 10, 20, 25) : vec4(223, 172, 238, 187)) / 255.0;
#else
   result = vec4(float(gl_SampleID + 1) * 40.0 / 255.0, 0.0, 0.0, 1.0);
#endif
}
