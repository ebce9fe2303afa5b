#version 450
// Vertices lie on the grid of 1/256 pixel and reach the rasteriser without rounding: the viewport is 4096 pixels wide
// and high and starts 1024 pixels left of and above the picture, so every step below is exact in single precision.
layout(location = 0) in ivec2 position;
layout(location = 1) in uvec4 paint; // colour, then the plane of the opacity: value at the origin, by x, by y
layout(location = 2) in uvec4 depth; // the plane of the depth: value at the origin, by x, by y; unused
layout(location = 0) flat out uvec4 paint_out;
layout(location = 1) flat out uvec4 depth_out;

void main()
{
   gl_Position = vec4((vec2(position) / 256.0 + 1024.0) / 2048.0 - 1.0, 0.0, 1.0);
   paint_out = paint;
   depth_out = depth;
}
