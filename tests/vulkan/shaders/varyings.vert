#version 450
precision highp float;
precision highp int;
/* Of a triangle with a different w at each corner: values by the number of the vertex. */
layout(location = 0) out mediump vec3 smooth_16;
layout(location = 1) out vec2 smooth_32;
layout(location = 2) flat out mediump ivec3 flat_16;
layout(location = 3) noperspective out mediump vec2 linear_16;
layout(location = 4) flat out ivec2 flat_32;
layout(location = 5) out vec4 unread;
out gl_PerVertex { vec4 gl_Position; };

void main()
{
   const vec4 corners[3] = vec4[](vec4(-1, -1, 0, 1), vec4(2, -2, 0, 2), vec4(-4, 4, 0, 4));
   float i = float(gl_VertexIndex);

   gl_Position = corners[gl_VertexIndex];
   smooth_16 = vec3(i * 0.25, 1.0 - i * 0.5, 0.125 + i * i * 0.0625);
   smooth_32 = vec2(0.1 + i * 0.3, 0.9 - i * 0.2);
   flat_16 = ivec3(-3 - gl_VertexIndex, 200 + gl_VertexIndex, -1000 * gl_VertexIndex);
   linear_16 = vec2(0.5 + i * 0.125, i * 0.375);
   flat_32 = ivec2(100000 + gl_VertexIndex, -70000 - gl_VertexIndex);
   unread = vec4(i);
}
