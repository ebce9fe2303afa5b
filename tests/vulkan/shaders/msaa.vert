#version 450
// See examples/shaders/oit.vert for the viewport that keeps positions exact.
layout(location = 0) in ivec2 position; // 1/256 pixel
layout(location = 1) in uvec2 paint;    // RGBA8, depth in 1/4096
layout(location = 0) flat out vec4 color;

void main()
{
   gl_Position = vec4((vec2(position) / 256.0 + 1024.0) / 2048.0 - 1.0, float(paint.y) / 4096.0, 1.0);
   color = unpackUnorm4x8(paint.x);
}
