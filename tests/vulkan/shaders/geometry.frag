#version 450
layout(location = 0) flat in uvec4 value;
layout(location = 0) out uvec4 color;
void
main()
{
   color = value;
#ifdef PRIMITIVE
   color.w = gl_PrimitiveID;
#endif
}
