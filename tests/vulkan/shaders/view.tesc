#version 450
#extension GL_EXT_multiview : require
/* Every stage has to be in the same view. */
layout(vertices = 4) out;
layout(location = 0) in uint view[];
layout(location = 0) out uint viewed[];

void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   viewed[gl_InvocationID] = view[gl_InvocationID] == gl_ViewIndex ? view[gl_InvocationID] : 99;
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = 3.0;
   gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;
}
