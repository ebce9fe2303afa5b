/* Gradients with a least level, with all that a sample may have besides them. */
#version 450
#extension GL_ARB_sparse_texture_clamp : require

layout(set = 0, binding = 0) uniform sampler1D one;
layout(set = 0, binding = 1) uniform sampler2DArray layers;
layout(set = 0, binding = 2) uniform samplerCube cube;
layout(set = 0, binding = 3) uniform sampler3D volume;
layout(set = 0, binding = 4) uniform sampler2DShadow shadow;
layout(location = 0) in vec4 at;
layout(location = 1) in vec3 slope;
layout(location = 0) out vec4 color;

void
main()
{
   color = textureGradClampARB(one, at.x, slope.x, slope.y, at.w);
   color += textureGradClampARB(layers, at.xyz, slope.xy, slope.yz, at.w);
   color += textureGradClampARB(cube, at.xyz, slope, slope.yzx, at.w);
   color += textureGradOffsetClampARB(volume, at.xyz, slope, slope.zxy, ivec3(1, -2, 3), at.w);
   color += textureGradOffsetClampARB(shadow, at.xyz, slope.xy, slope.yz, ivec2(-1, 2), at.w);
   color += textureClampARB(volume, at.xyz, at.w);
}
