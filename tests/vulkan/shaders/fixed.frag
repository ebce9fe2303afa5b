#version 450
layout(location = 0) flat in uvec4 who;
layout(location = 0) out vec4 result;
#ifdef TWO
layout(location = 1) out vec4 second;
#endif

void main()
{
   result = vec4(who) / 255.0;
#ifdef HALF
   result = vec4(1, 1, 1, 0.5);
#endif
#ifdef TWO
   second = vec4(1, 0, 1, 0);
#endif
#ifdef NUMBER
   result.z = float(gl_PrimitiveID) / 255.0;
#endif
}
