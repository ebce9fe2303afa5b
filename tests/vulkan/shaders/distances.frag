#version 450
// The distance of number `depth`, the clip distances first.
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
#if CLIPS > 0
in float gl_ClipDistance[CLIPS];
#endif
#if CULLS > 0
in float gl_CullDistance[CULLS];
#endif
layout(location = 0) in float values[32];
layout(location = 0) out vec4 result;

void main()
{
   float distances[CLIPS + CULLS];
#if CLIPS > 0
   for (int i = 0; i < CLIPS; i++)
      distances[i] = gl_ClipDistance[i];
#endif
#if CULLS > 0
   for (int i = 0; i < CULLS; i++)
      distances[CLIPS + i] = gl_CullDistance[i];
#endif
   result = vec4(distances[int(depth)], values[3], values[31], 1.0);
}
