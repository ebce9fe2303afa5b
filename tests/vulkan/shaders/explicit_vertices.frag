#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec2 by_vertex[2];
layout(location = 2) in vec2 smooth_value;
layout(location = 3) noperspective in vec2 linear_value;
layout(location = 4) __explicitInterpAMD in uint number;
layout(push_constant) uniform Push { int which; };
layout(location = 0) out vec4 color;

vec2 at(vec2 ij)
{
   vec2 a = interpolateAtVertexAMD(by_vertex[0], 0u), b = interpolateAtVertexAMD(by_vertex[0], 1u);
   vec2 c = interpolateAtVertexAMD(by_vertex[1], 2u) - vec2(1);

   return a * (1 - ij.x - ij.y) + b * ij.x + c * ij.y;
}

/* What the shader makes of the vertices' values, beside what the hardware does. */
void main()
{
   if (which == 0)
      color = vec4(at(gl_BaryCoordSmoothAMD), smooth_value);
   else if (which == 1)
      color = vec4(at(gl_BaryCoordNoPerspAMD), linear_value);
   else if (which == 2)
      color = vec4(at(gl_BaryCoordPullModelAMD.xy / gl_BaryCoordPullModelAMD.z), smooth_value);
   else if (which == 3)
      color = vec4(at(gl_BaryCoordSmoothCentroidAMD), smooth_value);
   else if (which == 4)
      color = vec4(at(gl_BaryCoordNoPerspCentroidAMD), linear_value);
   else { /* each vertex once, in any order */
      uvec3 all = uvec3(interpolateAtVertexAMD(number, 0u), interpolateAtVertexAMD(number, 1u),
                        interpolateAtVertexAMD(number, 2u)) - 0xfff00000u;
      float sum = float((1u << all.x) + (1u << all.y) + (1u << all.z));

      color = vec4(sum, 0, 7, 0);
   }
}
