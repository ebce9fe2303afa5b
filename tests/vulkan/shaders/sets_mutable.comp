#version 450
// One binding seen as descriptors of all kinds: each element is of another one.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Output { uint words[]; };
layout(set = 0, binding = 1) uniform Uniform { uint value; } uniforms[6];
layout(set = 0, binding = 1) buffer Storage { uint value; uint stored; } storages[6];
layout(set = 0, binding = 1) uniform usamplerBuffer texels[6];
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer storage_texels[6];
layout(set = 0, binding = 1) uniform texture2D images[6];
layout(set = 0, binding = 1, rgba8) uniform image2D storage_images[6];
layout(set = 0, binding = 2) uniform sampler nearest;
layout(push_constant) uniform Push { uint first; };

void main()
{
   words[0] = uniforms[first].value;
   words[1] = storages[(first + 1u) % 6u].value;
   storages[(first + 1u) % 6u].stored = 4242u;
   words[2] = texelFetch(texels[(first + 2u) % 6u], 1).r;
   words[3] = imageLoad(storage_texels[(first + 3u) % 6u], 2).r;
   words[4] = packUnorm4x8(textureLod(sampler2D(images[(first + 4u) % 6u], nearest), vec2(0.5), 0.0));
   words[5] = packUnorm4x8(imageLoad(storage_images[(first + 5u) % 6u], ivec2(1)));
}
