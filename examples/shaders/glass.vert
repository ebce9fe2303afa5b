#version 450
layout(location = 3) in vec4 place;    // per instance: centre, half size
layout(location = 4) in vec4 tint;
layout(set = 0, binding = 0) uniform Scene { mat4 view_projection; };
layout(location = 0) out vec2 corner;
layout(location = 1) flat out vec4 color;

void main()
{
   corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
   gl_Position = view_projection * vec4(place.xyz + vec3(corner, 0.0) * place.w, 1.0);
   color = tint;
}
