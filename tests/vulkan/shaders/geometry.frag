#version 450
#ifdef RELAXED
layout(location = 0) in mediump vec4 value;
#else
layout(location = 0) flat in uvec4 value;
#endif
layout(location = 0) out uvec4 color;
void
main()
{
   color = uvec4(value);
#ifdef PRIMITIVE
   color.w = gl_PrimitiveID;
#endif
}
