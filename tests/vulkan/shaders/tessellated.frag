#version 450
/* The number of the patch, and what the evaluation shader says of it. */
layout(location = 0) flat in uvec4 value;
layout(location = 0) out uvec4 color;
void
main()
{
   color = uvec4(gl_PrimitiveID, value.yzw);
}
