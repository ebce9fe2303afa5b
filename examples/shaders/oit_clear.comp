#version 450
// The picture before the first triangle: a night sky, in integers.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint SAMPLES = 1;
layout(constant_id = 1) const uint LAYERS = 0;
layout(constant_id = 2) const bool HISTORY = false;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint width, height; };

void main()
{
   uint pixel = gl_GlobalInvocationID.x;
   if (pixel >= width * height)
      return;
   uint y = pixel / width, glow = y * 48u / height;
   uint background = (8u + glow / 3u) | (10u + glow / 2u) << 8 | (24u + glow) << 16;
   if (HISTORY)
      words[width * height * SAMPLES * (1u + 2u * LAYERS) + pixel] = 0u;
   for (uint s = 0u; s < SAMPLES; s++) {
      uint at = (s * width * height + pixel) * (1u + 2u * LAYERS);
      words[at++] = background;
      for (uint i = 0u; i < LAYERS; i++) {
         words[at++] = 0xffffffffu;
         words[at++] = 0u;
      }
   }
}
