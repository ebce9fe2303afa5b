#version 450
// What each kind of descriptor holds goes to the output; arrays are indexed by a push constant.
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint element; uint at; };
layout(set = 0, binding = 0) uniform Uniform { uint value; } uniforms[4];
layout(set = 0, binding = 2) buffer Storage { uint value; } storages[3];
layout(set = 0, binding = 3) uniform usamplerBuffer texels;
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer storage_texels;
layout(set = 0, binding = 5) uniform sampler2D combined[2];
layout(set = 0, binding = 6) uniform texture2D image;
layout(set = 0, binding = 7) uniform sampler immutable_nearest;
layout(set = 0, binding = 8, rgba8) uniform image2D storage_images[2];
layout(set = 1, binding = 0) uniform Dynamic { uint value; } dynamics[2];
layout(set = 1, binding = 1) buffer DynamicStorage { uint value; } dynamic_storage;
layout(set = 2, binding = 0) buffer Output { uint words[]; };

void main()
{
   words[at + 0] = uniforms[element & 3].value;
   words[at + 1] = storages[element % 3].value;
   words[at + 2] = texelFetch(texels, int(element)).r;
   words[at + 3] = imageLoad(storage_texels, int(element)).r;
   imageStore(storage_texels, int(element) + 8, uvec4(element + 500));
   words[at + 4] = packUnorm4x8(textureLod(combined[element & 1], vec2(0.25, 0.75), 0.0));
   words[at + 5] = packUnorm4x8(textureLod(sampler2D(image, immutable_nearest), vec2(1.25, 0.75), 0.0));
   words[at + 6] = packUnorm4x8(imageLoad(storage_images[element >> 1], ivec2(element & 1, 1)));
   words[at + 7] = dynamics[element & 1].value;
   words[at + 8] = dynamic_storage.value;
}
