#version 450
#ifdef COUNT
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer shaded_vertices { uint count; };
layout(push_constant) uniform constants { shaded_vertices shaded; };
#endif
// Outputs of three buffers with gaps; the fourth one is not used. All values are exact functions of the two numbers.
layout(location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 4) out flat uvec2 numbers;
layout(location = 1, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 16) out vec3 vector;
layout(location = 2, xfb_buffer = 3, xfb_stride = 56, xfb_offset = 8) out mat2x3 matrix;
layout(location = 4, xfb_buffer = 3, xfb_stride = 56, xfb_offset = 32) out float array[3];
layout(location = 7) out float free;
layout(xfb_buffer = 1, xfb_stride = 20) out gl_PerVertex {
   layout(xfb_offset = 0) vec4 gl_Position;
   layout(xfb_offset = 16) float gl_PointSize;
};

void main()
{
   float v = float(gl_VertexIndex), n = float(gl_InstanceIndex);
   numbers = uvec2(gl_VertexIndex, gl_InstanceIndex);
   vector = vec3(v, n, v + 0.5);
   matrix = mat2x3(v + 1, v + 2, v + 3, n + 4, n + 5, n + 6);
   array = float[](v * 2, v * 4, n * 8);
   free = v;
   gl_Position = vec4(v / 256, n / 256, 0.5, 1);
   gl_PointSize = 1 + n;
#ifdef COUNT
   atomicAdd(shaded.count, 1);
#endif
}
