#version 460
// A point for each vertex: its colour tells which vertex, instance and draw it is of, and of which sequence.
layout(location = 0) in uvec2 pixel;
layout(location = 1) in uint color;
layout(location = 0) flat out uvec4 bytes;
layout(push_constant) uniform Push { uint kept, row, sequence; };

void main()
{
   gl_Position = vec4((vec2(pixel.x, pixel.y + row) + 0.5) / 16.0 - 1.0, 0, 1);
   gl_PointSize = 1;
   bytes = uvec4(color + kept, gl_InstanceIndex, gl_DrawID, sequence);
}
