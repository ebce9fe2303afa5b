#version 450
precision highp float;
precision highp int;
layout(location = 0) in mediump vec3 smooth_16;
layout(location = 1) in vec2 smooth_32;
layout(location = 2) flat in mediump ivec3 flat_16;
layout(location = 3) noperspective in vec2 linear_16;
layout(location = 4) flat in ivec2 flat_32;
layout(push_constant) uniform Push { int which; };
layout(location = 0) out vec4 color;

void main()
{
   color = which == 0 ? vec4(smooth_16, smooth_32.x) : which == 1 ? vec4(smooth_32.y, linear_16, flat_16.x)
                                                                  : vec4(flat_16.yz, flat_32);
}
