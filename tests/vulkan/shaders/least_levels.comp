#version 450
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform sampler2D flat_;
layout(set = 0, binding = 1) uniform sampler2DArray layers;
layout(set = 0, binding = 2) uniform samplerCube cube;
layout(set = 0, binding = 3) uniform sampler3D volume;
layout(set = 0, binding = 4) buffer Data { vec4 texels[][8]; };

// Texels of the level that gradients say, or of the least one; a row for each least level.
void main()
{
   uint column = gl_LocalInvocationIndex;
   float least = 0.25 * float(gl_WorkGroupID.x), slope = exp2(float(column / 2u)) / 8.0;
   vec4 texel = vec4(0);
   int code = -1;
   vec4 all;
   all.x = textureGradClampARB(flat_, vec2(0.5), vec2(slope, 0), vec2(0), least).x;
   if (column % 2 == 0) {
      all.y = textureGradClampARB(layers, vec3(0.5, 0.5, 1), vec2(slope, 0), vec2(0), least).x;
      all.z = textureGradClampARB(cube, vec3(1, 0.1, 0.1), vec3(0, 2.0 * slope, 0), vec3(0), least).x;
      code = sparseTextureGradClampARB(volume, vec3(0.5), vec3(0, slope, 0), vec3(0), least, texel);
   } else {
      all.y = textureGradOffsetClampARB(layers, vec3(0.5, 0.5, 0), vec2(0), vec2(0, slope), ivec2(1, 0), least).x;
      all.z = textureGradClampARB(cube, vec3(0.1, -1, 0.1), vec3(0, 0, 0), vec3(2.0 * slope, 0, 0), least).x;
      code = sparseTextureGradOffsetClampARB(volume, vec3(0.5), vec3(slope, 0, 0), vec3(0), ivec3(0, 1, 0), least,
                                             texel);
   }
   all.w = sparseTexelsResidentARB(code) ? texel.x : -1.0;
   texels[gl_WorkGroupID.x][column] = all;
}
