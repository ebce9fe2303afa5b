#version 450
#ifdef STORES
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) buffer Scene { uint runs; };
#endif
layout(location = 0) flat in float gray;
layout(location = 0) out vec4 color;

void main()
{
#ifdef STORES
   atomicAdd(runs, 1u);
#endif
   color = vec4(gray);
}
