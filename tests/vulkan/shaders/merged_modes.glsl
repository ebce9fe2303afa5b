#version 450
#extension GL_EXT_spirv_intrinsics : enable
// Each stage stores what it makes of numbers that show how its floats are rounded, and what becomes of denormals.
#define ASK(capability, mode)                                                                                        \
   spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [capability], mode, 32);
#if MODE % 2 == 0
ASK(4464, 4459) // denormals are preserved
#else
ASK(4465, 4460) // they are flushed
#endif
#if MODE / 2 == 0
ASK(4467, 4462) // to even
#else
ASK(4468, 4463) // to zero
#endif
layout(set = 0, binding = 0) buffer Numbers {
   float numbers[4];
   uvec2 results[];
};

void show(uint stage)
{
   results[stage] = uvec2(floatBitsToUint(numbers[0] + numbers[1]), floatBitsToUint(numbers[2] * numbers[3]));
}

#ifdef IN_vert
void main()
{
   show(0);
   gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
}
#endif
#ifdef IN_tesc
layout(vertices = 3) out;
void main()
{
   show(1);
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1;
}
#endif
#ifdef IN_tese
layout(triangles) in;
void main()
{
   show(2);
   gl_Position = gl_in[0].gl_Position + gl_in[2].gl_Position * gl_TessCoord.x;
}
#endif
#ifdef IN_geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main()
{
   show(3);
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      EmitVertex();
   }
}
#endif
