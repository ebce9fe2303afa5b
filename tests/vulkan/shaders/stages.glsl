/* What the shaders of random_stages have in common. All numbers are whole or multiples of small powers of two: every
 * device has the same. */
layout(constant_id = 0) const uint SEED = 1;
layout(constant_id = 1) const float CENTER = 0; /* of pixels: points lie there */
layout(constant_id = 2) const bool LAYERED = false;
layout(constant_id = 3) const bool VIEWPORTS = false; /* two */

const float SIDE = 64;

uint hash(uint a, uint b)
{
   uint h = a * 0x9e3779b1u ^ (b + 0x85ebca6bu) * 0xc2b2ae35u;

   h = (h ^ h >> 15) * 0x2c1b3c6du;
   return h ^ h >> 12;
}

vec4 place_of(vec2 pixel)
{
   return vec4((pixel + CENTER) * 2 / SIDE - 1, 0.5, 1);
}

vec4 random_place(uint h)
{
   return place_of(vec2(h & 63, h >> 8 & 63));
}

#ifdef CAPTURES
#define CAPTURED(at_B) , xfb_buffer = 0, xfb_stride = 32, xfb_offset = at_B
layout(xfb_buffer = 0, xfb_stride = 32) out gl_PerVertex {
   layout(xfb_offset = 16) vec4 gl_Position;
   float gl_PointSize;
};
#else
#define CAPTURED(at_B)
#endif
