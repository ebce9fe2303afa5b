#version 450
// What pushed descriptors hold goes to the output, from a place on that is a push constant.
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint at; };
layout(set = 0, binding = 0) writeonly buffer Output { uint words[]; };
layout(set = 1, binding = 0) uniform Uniform { uint value; } uniforms[2];
layout(set = 1, binding = 2) readonly buffer Storage { uint value; } storage;
layout(set = 1, binding = 3) uniform usamplerBuffer texels;
layout(set = 1, binding = 4) uniform sampler2D image;

void main()
{
   words[at + 0] = uniforms[0].value;
   words[at + 1] = uniforms[1].value;
   words[at + 2] = storage.value;
   words[at + 3] = texelFetch(texels, 1).r;
   words[at + 4] = packUnorm4x8(textureLod(image, vec2(1.5), 0.0));
}
