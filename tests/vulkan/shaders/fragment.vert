/* One triangle with a perspective; the same plane of values in every kind of output. */
#version 450
layout(push_constant) uniform Push { vec4 position[3]; vec2 value[3]; float point_size; } push;
layout(location = 0) out vec2 out_smooth;
layout(location = 1) flat out vec2 out_flat;
layout(location = 2) noperspective out vec2 out_linear;
layout(location = 3) centroid out vec2 out_centroid;
layout(location = 4) out vec2 out_sample;
layout(location = 5) noperspective centroid out vec2 out_linear_centroid;
layout(location = 6) out vec2 out_array[3];
layout(location = 9, component = 0) out vec2 out_low;
layout(location = 9, component = 2) out vec2 out_high;
layout(location = 10) out mat2x3 out_matrix;
layout(location = 12) flat out uvec2 out_number;
layout(location = 13) out Block { float a; layout(location = 15) vec3 b; } block;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; };
void main()
{
   int v = gl_VertexIndex % 3;
   vec2 x = v == 0 ? push.value[0] : v == 1 ? push.value[1] : push.value[2];
   gl_Position = v == 0 ? push.position[0] : v == 1 ? push.position[1] : push.position[2];
   gl_PointSize = push.point_size;
   gl_ClipDistance[0] = x.x + 100.0;
   gl_ClipDistance[1] = x.y + 100.0;
   gl_ClipDistance[2] = gl_Position.w;
   out_smooth = out_flat = out_linear = out_centroid = out_sample = out_linear_centroid = x;
   for (int i = 0; i < 3; i++)
      out_array[i] = x * float(i + 1);
   out_low = x + 1.0;
   out_high = x + 2.0;
   out_matrix = mat2x3(x, 1, x + 3.0, 2);
   out_number = uvec2(gl_VertexIndex, 0xfeed0000u + uint(gl_VertexIndex));
   block.a = x.x;
   block.b = vec3(x, x.x + x.y);
}
