#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(location = 2) out uvec2 bits;
layout(location = 3) out vec3 direction;
layout(location = 5, component = 2) out float height;
out gl_PerVertex {
   vec4 gl_Position;
   float gl_PointSize;
   float gl_ClipDistance[2];
};

void main()
{
   int i = gl_VertexIndex;
   float w = 1 + (i & 3) * 0.5;
   gl_Position = vec4(place * w, (0.25 + 0.0625 * i) * w, w);
   gl_PointSize = 9;
   gl_ClipDistance[0] = place.x + 0.8;
   gl_ClipDistance[1] = 0.9 - place.y;
   color = vec4(i & 1, i >> 1 & 1, 0.125 * i, 1 - 0.125 * i);
   bits = uvec2(37 * i, 0x80000000u | 91 * i);
   direction = vec3(place, 0.1 * i);
   height = 1 - 0.1 * i;
}
