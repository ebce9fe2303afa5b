#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec2 place;
/* In another order, with more that nobody reads between, and a viewport. */
layout(location = 5, component = 2) out float height;
layout(location = 7) out mat2 nobody;
layout(location = 3) out vec3 direction;
layout(location = 1) out vec3 nobody_either;
layout(location = 0) out vec4 color;
layout(location = 2) out uvec2 bits;
out gl_PerVertex {
   vec4 gl_Position;
   float gl_PointSize;
   float gl_ClipDistance[4];
};

void main()
{
   int i = gl_VertexIndex;
   float w = 2 - (i & 3) * 0.25;
   gl_Position = vec4(place.yx * w, 0.5 * w, w);
   gl_PointSize = 13;
   gl_ViewportIndex = 1;
   gl_ClipDistance[0] = place.y + 0.7;
   gl_ClipDistance[1] = 1.1;
   gl_ClipDistance[2] = 0.85 - place.x;
   gl_ClipDistance[3] = 1;
   color = vec4(0.125 * i, 1 - 0.125 * i, i >> 2 & 1, 0.5);
   bits = uvec2(0x40000000u + 53 * i, 17 * i);
   direction = vec3(0.1 * i, place.yx);
   height = place.x;
   nobody = mat2(place, place);
   nobody_either = vec3(place, i);
}
