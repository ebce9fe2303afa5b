#version 450
layout(location = 0) flat in vec4 all[30];
layout(location = 0) out uvec4 color;

/* How many are not those of the vertex. */
void main()
{
   ivec2 at = ivec2(gl_FragCoord.xy);
   uint wrong = 0;
   for (int i = 0; i < 30; i++)
      wrong += uint(all[i] != vec4(i, at.x, at.y, at.x + 128 * at.y));
   color = uvec4(7, wrong, 0, 0);
}
