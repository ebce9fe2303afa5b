#version 450
// Per pixel: the average of the samples, each its layers over each other, far to near; and a hash of all its words.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint SAMPLES = 1;
layout(constant_id = 1) const uint LAYERS = 0;
layout(constant_id = 2) const bool HISTORY = false;
layout(set = 0, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Picture { uvec2 picture[]; };
layout(push_constant) uniform Push { uint width, height; };

uint mix_pair(uint s, uint d, uint a)
{
   uint t = s * a + d * (255u - a) + 0x800080u;
   return ((t + (t >> 8 & 0xff00ffu)) >> 8) & 0xff00ffu;
}

uint over(uint s, uint d, uint a)
{
   return mix_pair(s & 0xff00ffu, d & 0xff00ffu, a) | mix_pair(s >> 8 & 0xffu, d >> 8 & 0xffu, a) << 8;
}

void main()
{
   uint pixel = gl_GlobalInvocationID.x;
   if (pixel >= width * height)
      return;
   uint hash = 0u, even = 0u, odd = 0u;
   if (HISTORY)
      hash = words[width * height * SAMPLES * (1u + 2u * LAYERS) + pixel];
   for (uint s = 0u; s < SAMPLES; s++) {
      uint at = (s * width * height + pixel) * (1u + 2u * LAYERS);
      uint colour = words[at];
      hash = (hash ^ colour) * 0x9e3779b1u;
      for (uint i = LAYERS; i > 0u; i--) {
         uint z = words[at + 2u * i - 1u], layer = words[at + 2u * i];
         hash = ((hash ^ z) * 0x9e3779b1u ^ layer) * 0x9e3779b1u;
         colour = over(layer, colour, layer >> 24);
      }
      even += colour & 0xff00ffu;
      odd += colour >> 8 & 0xffu;
   }
   uint r = ((even & 0xffffu) + SAMPLES / 2u) / SAMPLES, g = (odd + SAMPLES / 2u) / SAMPLES;
   uint b = ((even >> 16) + SAMPLES / 2u) / SAMPLES;
   picture[pixel] = uvec2(r | g << 8 | b << 16 | 0xff000000u, hash);
}
