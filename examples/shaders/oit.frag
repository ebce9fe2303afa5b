#version 450
// Blends one triangle into the words of its pixel, sample by sample, with integers: the result depends on the order
// of the triangles and on nothing else. Variants, by macros: PIXEL or SAMPLE interlock or neither; KBUFFER; TEXTURED.
#if defined(PIXEL) || defined(SAMPLE)
#extension GL_ARB_fragment_shader_interlock : require
#define ORDERED
#endif
#ifdef PIXEL
layout(pixel_interlock_ordered) in;
#endif
#ifdef SAMPLE
layout(sample_interlock_ordered) in;
#endif

layout(constant_id = 0) const uint SAMPLES = 1;
layout(constant_id = 2) const bool HISTORY = false;
layout(set = 0, binding = 0) coherent buffer Words { uint words[]; };
#ifdef TEXTURED
layout(set = 0, binding = 2) uniform usampler2D spots;
#endif
layout(push_constant) uniform Push { uint width, height; };
layout(location = 0) flat in uvec4 paint;
layout(location = 1) flat in uvec4 depth;

// Two channels of 8 bits at once: bits 7:0 and 23:16. round(s * a + d * (1 - a)), a in 1/255.
uint mix_pair(uint s, uint d, uint a)
{
   uint t = s * a + d * (255u - a) + 0x800080u;
   return ((t + (t >> 8 & 0xff00ffu)) >> 8) & 0xff00ffu;
}

uint over(uint s, uint d, uint a)
{
   return mix_pair(s & 0xff00ffu, d & 0xff00ffu, a) | mix_pair(s >> 8 & 0xffu, d >> 8 & 0xffu, a) << 8;
}

#ifdef KBUFFER
// Per sample: what lies behind, then four times depth and colour (opacity in bits 31:24), near to far.
const uint LAYERS = 4u;
void add(uint at, uint z, uint colour)
{
   bool found = false;
   for (uint i = 0u; i < LAYERS; i++) {
      uint other_z = words[at + 1u + 2u * i], other = words[at + 2u + 2u * i];
      found = found || z < other_z;
      if (found) {
         words[at + 1u + 2u * i] = z;
         words[at + 2u + 2u * i] = colour;
         z = other_z;
         colour = other;
      }
   }
   // The farthest one leaves: it joins what lies behind.
   words[at] = over(colour, words[at], colour >> 24);
}
const uint WORDS = 1u + 2u * LAYERS;
#else
const uint WORDS = 1u;
#endif

void main()
{
   uvec2 pixel = uvec2(gl_FragCoord.xy);
   uint opacity = uint(clamp(int(paint.y + paint.z * pixel.x + paint.w * pixel.y) >> 16, 0, 255));
   uint z = depth.x + depth.y * pixel.x + depth.z * pixel.y;
   // A plane for each sample, so that a line of a cache has words of many waves.
   uint at = (pixel.y * width + pixel.x) * WORDS, plane = width * height * WORDS;
   uint covered = SAMPLES == 1u ? 1u : uint(gl_SampleMaskIn[0]);
   uint history = width * height * SAMPLES * WORDS + pixel.y * width + pixel.x;
   uint colour = paint.x;

#ifdef TEXTURED
   // In the middle of a texel; every step is exact. Waves enter while the texture unit is still at it.
   uvec2 place = pixel + uvec2(paint.y & 63u, paint.y >> 6 & 63u);
   uvec4 spot = texture(spots, (vec2(place) + 0.5) / 64.0);
#endif
#ifdef ORDERED
   beginInvocationInterlockARB();
#endif
#ifdef TEXTURED
   colour = over(spot.r | spot.g << 8 | spot.b << 16, colour, spot.a);
#endif
   // What all samples of the pixel share: everybody who was here, in their order. Sample interlock does not order it.
   if (HISTORY)
      words[history] = (words[history] ^ colour ^ opacity << 24) * 0x9e3779b1u;
   for (uint s = 0u; s < SAMPLES; s++) {
      if ((covered >> s & 1u) != 0u) {
#ifdef KBUFFER
         add(at + s * plane, z, colour | opacity << 24);
#else
         words[at + s * plane] = over(colour, words[at + s * plane], opacity);
#endif
      }
   }
#ifdef ORDERED
   endInvocationInterlockARB();
#endif
}
