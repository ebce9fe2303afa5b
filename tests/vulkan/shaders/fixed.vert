#version 450
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) in vec4 place;
layout(location = 0) flat out uvec4 who;

void main()
{
   gl_Position = place;
#ifdef POINTS
   gl_PointSize = 1.0;
#endif
   who = uvec4(gl_VertexIndex, gl_DrawIDARB, gl_InstanceIndex, 255);
}
