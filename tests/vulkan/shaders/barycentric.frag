#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in uint number[3];
layout(location = 1) pervertexEXT in vec2 halves[3][2];
layout(location = 3) flat in uint provoking;
layout(push_constant) uniform Push { int which; };
layout(location = 0) out vec4 color;

void main()
{
   int i = int(gl_FragCoord.x) % 3;

   if (which == 0)
      color = vec4(number[0] - 0xfff00000u, number[1] - 0xfff00000u, number[2] - 0xfff00000u, provoking);
   else if (which == 1)
      color = vec4(gl_BaryCoordEXT, halves[i][1].x);
   else if (which == 2)
      color = vec4(gl_BaryCoordNoPerspEXT, halves[(i + 1) % 3][1].y);
   else
      color = vec4(interpolateAtOffset(gl_BaryCoordEXT, vec2(0.25, -0.25)), halves[2][0].x);
}
