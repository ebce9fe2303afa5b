#version 450
/* place: 16ths of pixels of a target of 64 x 64; each instance lies 3 of them next to the one before. */
layout(location = 0) in ivec2 place;
layout(location = 1) in vec4 color;
layout(location = 0) flat out vec4 flat_color;

void
main()
{
   gl_Position = vec4(vec2(place + 3 * gl_InstanceIndex) / 512 - 1, 0, 1);
   flat_color = color;
}
