#version 450
/* Smooth, flat, and the distances that clip. */
layout(location = 0) in vec4 color;
layout(location = 2) flat in uvec2 bits;
in float gl_ClipDistance[2];
layout(location = 0) out vec4 target;

void main()
{
   target = vec4(color.xyz * 0.5 + vec3(gl_ClipDistance[0], gl_ClipDistance[1], 0) * 0.25,
                 float((bits.x ^ bits.y) & 255) / 255);
}
