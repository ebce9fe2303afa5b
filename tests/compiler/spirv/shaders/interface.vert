#version 450
#extension GL_ARB_shader_draw_parameters : enable
#extension GL_EXT_multiview : enable
layout(location = 0) in vec3 position;
layout(location = 1) in ivec2 integers;
layout(location = 3) in mat3 matrix;
layout(location = 7, component = 1) in vec2 packed;
layout(push_constant) uniform Push { mat4 transform; vec4 colours[2]; } push;
layout(location = 0) out Block { vec4 colour; flat int number; noperspective vec2 uv[2]; } block;
layout(location = 5) centroid out vec3 normal;
layout(location = 6, component = 2) out vec2 part;
struct Pair { vec2 a; float b; };
layout(location = 8) out Pair pair;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
invariant gl_Position;
void main()
{
   gl_Position = push.transform * vec4(matrix * position, 1);
   gl_PointSize = 2.0;
   gl_ClipDistance[0] = position.x;
   gl_ClipDistance[gl_VertexIndex % 3] = position.y;
   gl_CullDistance[1] = 1.0;
   block.colour = push.colours[gl_InstanceIndex & 1];
   block.number = integers.y + gl_DrawIDARB + gl_BaseVertexARB + gl_BaseInstanceARB + int(gl_ViewIndex);
   block.uv[gl_VertexIndex & 1] = packed;
   normal = matrix[1];
   part = packed.yx;
   pair = Pair(packed, 1.0);
}
