#version 450
#extension GL_EXT_multiview : require
layout(quads, equal_spacing, cw) in;
layout(location = 0) in uint viewed[];
layout(location = 0) flat out uint view;

void main()
{
   vec4 top = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
   vec4 bottom = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
   gl_Position = mix(top, bottom, gl_TessCoord.y);
   view = viewed[2] == gl_ViewIndex ? viewed[2] : 99;
}
