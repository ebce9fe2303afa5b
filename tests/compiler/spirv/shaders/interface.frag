#version 450
#extension GL_ARB_shader_stencil_export : enable
#extension GL_EXT_demote_to_helper_invocation : enable
layout(location = 0) in Block { vec4 colour; flat int number; noperspective vec2 uv[2]; } block;
layout(location = 5) centroid in vec3 normal;
layout(location = 6, component = 2) in vec2 part;
layout(location = 7) sample in float each;
layout(location = 8) in vec4 where;
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
layout(depth_less) out float gl_FragDepth;
void main()
{
   if (block.number == 3)
      discard;
   if (block.number == 4)
      demote;
   vec4 c = interpolateAtCentroid(where) + interpolateAtSample(where, 2) + interpolateAtOffset(where, vec2(0.25));
   c.x += interpolateAtSample(where.y, block.number) + each;
   first = block.colour + gl_FragCoord + vec4(gl_PointCoord, gl_SamplePosition) + c;
   second = gl_FrontFacing ? vec4(gl_SampleID) : vec4(gl_PrimitiveID, gl_Layer, gl_ViewportIndex, gl_SampleMaskIn[0]);
   if (gl_HelperInvocation || helperInvocationEXT())
      second += 1.0;
   second.xy += dFdx(part) + dFdy(part) + fwidth(part) + dFdxFine(part) + dFdyFine(part) + fwidthFine(part) +
                dFdxCoarse(part) + dFdyCoarse(part) + fwidthCoarse(part);
   gl_FragDepth = normal.z;
   gl_FragStencilRefARB = block.number;
   gl_SampleMask[0] = 5;
}
