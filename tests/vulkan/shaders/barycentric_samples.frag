#version 450
#extension GL_EXT_fragment_shader_barycentric : require
/* EACH: for every sample; what of them is read, the mean has all of. */
layout(location = 0) pervertexEXT in uint number[3];
layout(push_constant) uniform Push { int which; };
layout(location = 0) out vec4 color;

void main()
{
   float last = number[2] - 0xfff00000u;

#ifdef EACH
   color = vec4(which == 0 ? interpolateAtSample(gl_BaryCoordEXT, gl_SampleID)
                           : interpolateAtOffset(gl_BaryCoordNoPerspEXT, gl_SamplePosition - vec2(0.5)), last);
#else
   color = vec4(which == 0 ? interpolateAtSample(gl_BaryCoordEXT, 2)
                           : interpolateAtCentroid(gl_BaryCoordNoPerspEXT), last);
#endif
}
