#version 450
/* Flat what the others have smooth, smooth what they have linear; the viewport, which not all write. */
layout(location = 0) flat in vec4 color;
layout(location = 2) flat in uvec2 bits;
layout(location = 3) in vec3 direction;
layout(location = 0) out vec4 target;

void main()
{
   target = vec4(color.w, color.x, direction.y * 0.5 + 0.5,
                 float(bits.y >> 3 & 63) / 255 + float(gl_ViewportIndex) * 0.5);
}
