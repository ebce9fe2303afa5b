#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 coord;
layout(location = 3) in vec4 place;    // per instance: position, scale
layout(location = 4) in vec4 tint;     // per instance: colour, rotation angle
layout(set = 0, binding = 0) uniform Scene {
   mat4 view_projection;
   vec4 eye;
   vec4 light_position[4];             // w: radius
   vec4 light_color[4];
};
layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_coord;
layout(location = 3) flat out vec3 out_tint;

void main()
{
   float c = cos(tint.w), s = sin(tint.w);
   mat3 turn = mat3(c, 0, -s, 0, 1, 0, s, 0, c);
   vec3 world = turn * position * place.w + place.xyz;
   gl_Position = view_projection * vec4(world, 1.0);
   out_position = world;
   out_normal = turn * normal;
   out_coord = coord;
   out_tint = tint.rgb;
}
