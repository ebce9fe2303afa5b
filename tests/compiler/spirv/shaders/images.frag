#version 450
#extension GL_EXT_nonuniform_qualifier : enable
#extension GL_ARB_sparse_texture_clamp : enable
layout(set = 0, binding = 0) uniform sampler1D s1;
layout(set = 0, binding = 1) uniform sampler2D s2;
layout(set = 0, binding = 2) uniform sampler3D s3;
layout(set = 0, binding = 3) uniform samplerCube sc;
layout(set = 0, binding = 4) uniform sampler2DArray s2a;
layout(set = 0, binding = 5) uniform samplerCubeArray sca;
layout(set = 0, binding = 6) uniform sampler2DShadow s2s;
layout(set = 0, binding = 7) uniform samplerCubeArrayShadow scas;
layout(set = 0, binding = 8) uniform sampler2DMS sms;
layout(set = 0, binding = 9) uniform samplerBuffer sb;
layout(set = 0, binding = 10) uniform isampler2D is2;
layout(set = 0, binding = 11) uniform usampler2DMSArray usmsa;
layout(set = 0, binding = 12) uniform texture2D t2[8];
layout(set = 0, binding = 13) uniform sampler samplers[2];
layout(set = 0, binding = 14) uniform samplerShadow shadow;
layout(set = 0, binding = 15) uniform sampler1DArrayShadow s1as;
layout(set = 1, binding = 0, input_attachment_index = 0) uniform subpassInput attachment;
layout(set = 1, binding = 1, input_attachment_index = 1) uniform isubpassInputMS attachment_ms;
layout(set = 2, binding = 0) uniform sampler2D bindless[];
layout(location = 0) in vec4 c;
layout(location = 1) flat in ivec4 i;
layout(location = 0) out vec4 o;
layout(location = 1) out ivec4 oi;
void main()
{
   vec4 r = texture(s1, c.x) + texture(s2, c.xy) + texture(s3, c.xyz) + texture(sc, c.xyz) + texture(s2a, c.xyz);
   r += texture(sca, c) + texture(s2s, c.xyz) + texture(scas, c, 0.5);
   r += texture(s2, c.xy, 1.5) + textureLod(s2, c.xy, 2.0) + textureGrad(s2, c.xy, c.zw, c.wz);
   r += textureOffset(s2, c.xy, ivec2(1, -2)) + textureLodOffset(s2, c.xy, 1.0, ivec2(3)) +
        textureGradOffset(s2, c.xy, c.zw, c.wz, ivec2(-1));
   r += textureProj(s2, c.xyz) + textureProj(s2, c) + textureProjLod(s2, c.xyz, 1.0) +
        textureProjGrad(s2, c, c.xy, c.zw);
   r += textureProj(s2s, c) + textureLod(s2s, c.xyz, 0.0) + textureGrad(s2s, c.xyz, c.xy, c.zw);
   r += textureProjLod(s2s, c, 0.0) + texture(s1as, c.xyz) + textureLod(s1as, c.xyz, 1.0);
   r += texelFetch(s2, i.xy, i.z) + texelFetchOffset(s2, i.xy, i.z, ivec2(1)) + texelFetch(sms, i.xy, i.z) +
        texelFetch(sb, i.x) + texelFetch(s2a, i.xyz, 0) + vec4(texelFetch(usmsa, i.xyz, 1));
   r += textureGather(s2, c.xy) + textureGather(s2, c.xy, 2) + textureGather(s2s, c.xy, 0.5) +
        textureGatherOffset(s2, c.xy, ivec2(i.x)) +
        textureGatherOffsets(s2, c.xy, ivec2[4](ivec2(0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 2)), 1);
   r += texture(sampler2D(t2[i.x], samplers[1]), c.xy) + texture(sampler2DShadow(t2[3], shadow), c.xyz);
   r += texture(bindless[nonuniformEXT(i.y)], c.xy);
   r += subpassLoad(attachment);
   r.xy += textureQueryLod(s2, c.xy) + textureQueryLod(sca, c.xyz);
   oi = texelFetch(is2, i.xy, 0) + texture(is2, c.xy) + subpassLoad(attachment_ms, 2);
   oi.xy += textureSize(s2, i.x) + textureSize(sms);
   oi.xyz += textureSize(sca, 0) + textureSize(s3, 1) + textureSize(usmsa);
   oi.x += textureSize(sb) + textureSize(s1, 0) + textureQueryLevels(s2) + textureSamples(sms);
   o = r;
}
