#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Each invocation uses descriptors of its own, of every kind.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint num_variable; };
layout(set = 0, binding = 0) writeonly buffer Output { uint words[]; };
layout(set = 0, binding = 1) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = 2) uniform Uniform { uint value; } uniforms[9];
layout(set = 0, binding = 3) buffer Storage { uint value; uint counter; uint rest[]; } storages[9];
layout(set = 0, binding = 4) uniform usamplerBuffer texels[5];
layout(set = 0, binding = 5, r32ui) uniform uimageBuffer storage_texels[5];
layout(set = 0, binding = 6) uniform sampler2D combined[5];
layout(set = 0, binding = 7) uniform texture2D images[5];
layout(set = 0, binding = 8) uniform sampler samplers[2];
layout(set = 0, binding = 9, rgba8) uniform image2D storage_images[5];
layout(set = 1, binding = 0) readonly buffer Variable { uint value; } variable[];

uint at = gl_GlobalInvocationID.x * 16u;
void put(uint x) { words[at++] = x; }

void main()
{
   uint lane = gl_GlobalInvocationID.x, index = indices[lane];
   put(uniforms[nonuniformEXT(index & 7u)].value);
   uint s = index >> 3 & 7u;
   put(storages[nonuniformEXT(s)].value);
   put(uint(storages[nonuniformEXT(s)].rest.length()));
   atomicAdd(storages[nonuniformEXT(s)].counter, lane + 1u);
   storages[nonuniformEXT(s)].rest[lane] = index;
   put(texelFetch(texels[nonuniformEXT(index >> 6 & 3u)], int(lane & 3u)).r);
   uint t = index >> 8 & 3u;
   put(imageLoad(storage_texels[nonuniformEXT(t)], int(lane & 3u)).r);
   imageStore(storage_texels[nonuniformEXT(t)], int(16u + lane), uvec4(index));
   imageAtomicAdd(storage_texels[nonuniformEXT(t)], 8, lane + 1u);
   put(packUnorm4x8(textureLod(combined[nonuniformEXT(index >> 10 & 3u)], vec2(0.25, 0.75), 0.0)));
   put(packUnorm4x8(textureLod(nonuniformEXT(sampler2D(images[index >> 12 & 3u], samplers[index >> 14 & 1u])),
                               vec2(1.25, 0.75), 0.0)));
   put(uint(textureSize(nonuniformEXT(sampler2D(images[index >> 12 & 3u], samplers[0])), 0).x));
   uint i = index >> 15 & 3u;
   put(packUnorm4x8(imageLoad(storage_images[nonuniformEXT(i)], ivec2(lane & 1u, 1))));
   put(uint(imageSize(storage_images[nonuniformEXT(i)]).x));
   put(variable[nonuniformEXT((index >> 17) % num_variable)].value);
   // The same descriptor for all.
   put(uniforms[num_variable & 7u].value + variable[num_variable - 1u].value);
}
