#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Null descriptors of every kind, among others: odd elements of arrays are null.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Output { uint words[]; };
layout(set = 0, binding = 1) uniform Uniform { uvec4 value; } uniforms[2];
layout(set = 0, binding = 2) buffer Storage { uint value; uint rest[]; } storages[2];
layout(set = 0, binding = 3) uniform usamplerBuffer texels[2];
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer storage_texels[2];
layout(set = 0, binding = 5) uniform sampler2D combined[2];
layout(set = 0, binding = 6) uniform texture2DArray images[2];
layout(set = 0, binding = 7) uniform sampler nearest;
layout(set = 0, binding = 8, r32ui) uniform uimage2D storage_images[2];
layout(set = 0, binding = 9) uniform textureCube cube;
layout(set = 0, binding = 10) uniform texture3D solid;
layout(set = 0, binding = 11) uniform Dynamic { uint value; } dynamic;

uint at = gl_LocalInvocationIndex * 32u;
void put(uint x) { words[at++] = x; }
uint bits(vec4 color) { return packUnorm4x8(vec4(color.rgb, 0.0)); }

void main()
{
   uint lane = gl_LocalInvocationIndex, i = lane & 1u;
   put(uniforms[nonuniformEXT(i)].value.y);
   put(uniforms[1].value[lane & 3u]);
   put(storages[nonuniformEXT(i)].value);
   put(storages[nonuniformEXT(i)].rest[lane]);
   put(uint(storages[nonuniformEXT(i)].rest.length()));
   put(texelFetch(texels[nonuniformEXT(i)], 1).r);
   put(uint(textureSize(texels[nonuniformEXT(i)])));
   put(imageLoad(storage_texels[nonuniformEXT(i)], 1).r);
   put(uint(imageSize(storage_texels[nonuniformEXT(i)])));
   put(bits(textureLod(combined[nonuniformEXT(i)], vec2(0.5), 0.0)));
   ivec2 size = textureSize(combined[nonuniformEXT(i)], 0);
   put(uint(size.x | size.y << 16));
   put(uint(textureQueryLevels(combined[nonuniformEXT(i)])));
   put(bits(textureLod(sampler2DArray(images[nonuniformEXT(i)], nearest), vec3(0.5), 0.0)));
   put(uint(textureSize(sampler2DArray(images[nonuniformEXT(i)], nearest), 0).z));
   put(imageLoad(storage_images[nonuniformEXT(i)], ivec2(1, 0)).r);
   size = imageSize(storage_images[nonuniformEXT(i)]);
   put(uint(size.x | size.y << 16));
   put(bits(textureLod(samplerCube(cube, nearest), vec3(1.0, 0.0, 0.0), 0.0)));
   put(uint(textureSize(samplerCube(cube, nearest), 0).x));
   put(bits(texelFetch(sampler3D(solid, nearest), ivec3(0), 0)));
   put(uint(textureSize(sampler3D(solid, nearest), 0).z));
   put(dynamic.value);
   // What is stored through null descriptors goes nowhere.
   storages[1].value = 77u;
   storages[1].rest[lane * 1000u] = 77u;
   atomicAdd(storages[1].value, 1u);
   imageStore(storage_texels[1], int(lane), uvec4(77u));
   imageAtomicAdd(storage_texels[1], int(lane), 1u);
   imageStore(storage_images[1], ivec2(lane & 1u, 0), uvec4(77u));
   imageAtomicAdd(storage_images[1], ivec2(lane & 1u, 0), 1u);
}
