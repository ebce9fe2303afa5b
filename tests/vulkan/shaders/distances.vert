#version 450
// CLIPS and CULLS distances, and values in all locations: more than there are parameters, but few of them are read.
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
out gl_PerVertex {
   vec4 gl_Position;
#if CLIPS > 0
   float gl_ClipDistance[CLIPS];
#endif
#if CULLS > 0
   float gl_CullDistance[CULLS];
#endif
};
layout(location = 0) out float values[32];

void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
   gl_Position = vec4(mix(rect.xy, rect.zw, corner), 0.0, 1.0);
   // in the centre of the eight pixels of a row a whole number, of 255
#if CLIPS > 0
   for (int i = 0; i < CLIPS; i++)
      gl_ClipDistance[i] = (float(16 * i) + 8.0 * corner.x + 0.5) / 255.0;
#endif
#if CULLS > 0
   for (int i = 0; i < CULLS; i++)
      gl_CullDistance[i] = (float(16 * i + 128) + 8.0 * corner.x + 0.5) / 255.0;
#endif
   for (int i = 0; i < 32; i++)
      values[i] = float(i + 7) / 255.0;
}
