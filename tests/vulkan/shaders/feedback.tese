#version 450
#ifndef SPACING
#define SPACING equal_spacing
#endif
#ifndef ORDER
#define ORDER cw
#endif
#ifdef POINTS
layout(DOMAIN, SPACING, ORDER, point_mode) in;
#else
layout(DOMAIN, SPACING, ORDER) in;
#endif
layout(location = 0) patch in vec2 tag;
layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 32, location = 0) out vec4 place;
layout(xfb_buffer = 0, xfb_offset = 16, location = 1) out vec4 corner;
void
main()
{
   place = vec4(gl_TessCoord.xy, tag);
   corner = gl_in[1].gl_Position + vec4(0, 0, 0, gl_PrimitiveID);
   gl_Position = vec4(gl_TessCoord.xy, 0, 1);
}
