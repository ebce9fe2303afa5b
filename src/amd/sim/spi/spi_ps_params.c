/* Parameters of pixel waves: what a primitive's vertices have exported, as planes. */
#include <math.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/texel/numeric.h"

/* One channel of one input: P0, P10, P20. */
static void
constant_param(float *out, float value)
{
   out[0] = value;
   out[1] = out[2] = 0.0f;
}

static void
fill_prim_attribute(const struct amd_pipeline *p, const struct amd_prim *prim, uint32_t cntl, float *out)
{
   const float *data = amd_vertex(p, prim->thread);
   unsigned place = AMD_VERTEX_PARAM + 4 * G_SPI_PS_INPUT_CNTL_0_OFFSET(cntl);
   for (unsigned c = 0; c < 4; c++)
      constant_param(out + 3 * c, place + c < p->vertex_floats ? data[place + c] : 0.0f);
}

static float
minus_float(float a, float b)
{
   return a - b;
}

enum { HALVES_OF_ONE = 0x3c003c00 };

/* Of two inputs of 16 bits in one dword. Differences are rounded to 16 bits (assumed). */
static float
minus_halves(float a, float b)
{
   uint32_t bits = 0;
   for (unsigned shift = 0; shift < 32; shift += 16) {
      float x = sim_half_to_float((uint16_t)(float_bits(a) >> shift));
      float y = sim_half_to_float((uint16_t)(float_bits(b) >> shift));
      bits |= (uint32_t)sim_half_from_float(x - y) << shift;
   }
   return bits_float(bits);
}

static bool
is_point(const struct amd_prim *prim)
{
   return prim->kind == AMD_PRIM_POINT || prim->sprite;
}

/* What varies by vertex, with nothing special about it. */
static bool
fill_smooth(const struct amd_pipeline *p, const struct amd_prim *prim, uint32_t cntl, float *out)
{
   const unsigned offset = G_SPI_PS_INPUT_CNTL_0_OFFSET(cntl), place = AMD_VERTEX_PARAM + 4 * offset;
   if ((offset & 0x20) || place + 4 > p->vertex_floats || G_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(cntl) ||
       G_SPI_PS_INPUT_CNTL_0_FP16_INTERP_MODE(cntl) || is_point(prim))
      return false;
   const float *v0 = amd_vertex(p, prim->vertex[0]) + place, *v1 = amd_vertex(p, prim->vertex[1]) + place,
               *v2 = amd_vertex(p, prim->vertex[2]) + place;
   for (unsigned c = 0; c < 4; c++, out += 3) {
      out[0] = v0[c];
      out[1] = v1[c] - v0[c];
      out[2] = v2[c] - v0[c];
   }
   return true;
}

static void
fill_attribute(const struct amd_pipeline *p, const struct amd_prim *prim, uint32_t cntl, float *out)
{
   if (fill_smooth(p, prim, cntl, out))
      return;
   const struct amd_pixel_state *pixel = &p->state.pixel;
   unsigned offset = G_SPI_PS_INPUT_CNTL_0_OFFSET(cntl);
   bool flat = G_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(cntl), sprite = pixel->point_sprite && is_point(prim);
   bool halves = G_SPI_PS_INPUT_CNTL_0_FP16_INTERP_MODE(cntl), raw = flat && offset & 0x20;
   unsigned first = G_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR(cntl) ? amd_first_vertex(p)
                    : raw || !flat                            ? 0
                                                              : prim->provoking;
   for (unsigned c = 0; c < 4; c++, out += 3) {
      unsigned select =
         sprite && G_SPI_PS_INPUT_CNTL_0_PT_SPRITE_TEX(cntl) ? pixel->sprite[c] : V_SPI_PNT_SPRITE_SEL_NONE;
      if (select != V_SPI_PNT_SPRITE_SEL_NONE) {
         bool s = select == V_SPI_PNT_SPRITE_SEL_S, t = select == V_SPI_PNT_SPRITE_SEL_T;
         constant_param(out, select == V_SPI_PNT_SPRITE_SEL_1 || (t && pixel->sprite_top_1) ? 1.0f : 0.0f);
         out[1] = s ? 1.0f : 0.0f;
         out[2] = t ? pixel->sprite_top_1 ? -1.0f : 1.0f : 0.0f;
         continue;
      }
      if ((offset & 0x20) && !flat) {
         static const float defaults[4][2] = {{0.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}};
         float value = defaults[G_SPI_PS_INPUT_CNTL_0_DEFAULT_VAL(cntl)][c == 3];
         constant_param(out, halves && value == 1.0f ? bits_float(HALVES_OF_ONE) : value);
         continue;
      }
      unsigned place = AMD_VERTEX_PARAM + 4 * (offset & 31) + c;
      if (place >= p->vertex_floats) {
         constant_param(out, 0.0f);
         continue;
      }
      if (prim->sprite && !flat) {
         constant_param(out, amd_vertex(p, prim->vertex[prim->sprite - 1])[place]);
         continue;
      }
      float v0 = amd_vertex(p, prim->vertex[first])[place], v1 = amd_vertex(p, prim->vertex[(first + 1) % 3])[place];
      float v2 = amd_vertex(p, prim->vertex[(first + 2) % 3])[place];
      float (*minus)(float, float) = halves ? minus_halves : minus_float;
      out[0] = v0;
      out[1] = raw ? v1 : flat ? 0.0f : minus(v1, v0);
      out[2] = raw ? v2 : flat ? 0.0f : minus(v2, v0);
   }
}

/* After the vertices' parameters: where in a point the pixel is, from its left and its top, in the last two channels
 * (source: radeonsi, where it reads them for smooth points). The others, and those of other primitives: unknown. */
static void
fill_generated(const struct amd_prim *prim, float *out)
{
   for (unsigned c = 0; c < 4; c++) {
      bool known = is_point(prim) && c >= 2;
      constant_param(out + 3 * c, known ? 0.0f : NAN);
      out[3 * c + 1] = known && c == 2 ? 1.0f : 0.0f;
      out[3 * c + 2] = known && c == 3 ? 1.0f : 0.0f;
   }
}

void
amd_spi_ps_fill_params(const struct amd_launch *l, const struct amd_prim *prim, float *params)
{
   const struct amd_pipeline *p = l->p;
   const struct amd_pixel_state *pixel = &p->state.pixel;
   for (unsigned attr = 0; attr < pixel->interp_count; attr++) {
      bool whole = attr + pixel->prim_interp_count >= pixel->interp_count ||
                   G_SPI_PS_INPUT_CNTL_0_PRIM_ATTR(pixel->input_cntl[attr]);
      (whole ? fill_prim_attribute : fill_attribute)(p, prim, pixel->input_cntl[attr], params + attr * 12);
   }
   if (pixel->attr_count > pixel->interp_count)
      fill_generated(prim, params + (size_t)pixel->interp_count * 12);
}
