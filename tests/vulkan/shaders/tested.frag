#version 450
#ifdef EARLY_AND_LATE
#extension GL_AMD_shader_early_and_late_fragment_tests : require
layout(early_and_late_fragment_tests_amd) in;
#ifdef LAYOUT
layout(LAYOUT) out float gl_FragDepth;
#endif
#else
#extension GL_EXT_post_depth_coverage : require
layout(early_fragment_tests) in;
layout(post_depth_coverage) in;
#endif
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(location = 0) out vec4 result;

/* What a fragment sees of its samples; how many fragments run. */
void main()
{
#ifdef EARLY_AND_LATE
   atomicAdd(data[0], 1);
   if (gl_FragCoord.x < 4.0)
      discard;
#ifdef LAYOUT
   gl_FragDepth = gl_FragCoord.z + MORE;
#endif
#else
   data[uint(gl_FragCoord.y) * 32 + uint(gl_FragCoord.x)] = uint(gl_SampleMaskIn[0]);
#endif
   result = color;
}
