/* Depth and stencil tests of single pixels. */
#include <assert.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/draw/pipeline.h"
#include "sim/compare.h"
#include "sim/numeric.h"
#include "util/macros.h"

_Static_assert((int)V_FRAG_LESS == SIM_COMPARE_LESS && (int)V_FRAG_EQUAL == SIM_COMPARE_EQUAL &&
                  (int)V_FRAG_GREATER == SIM_COMPARE_GREATER,
               "functions of registers are sets of outcomes");

/* Depth as the surface stores it. */
static inline uint32_t
quantize(const struct amd_depth_state *d, float z)
{
   return d->z_format_float ? float_bits(z) : sim_unorm_from_float(z, d->z_bits);
}

static inline float
to_float(const struct amd_depth_state *d, uint32_t bits)
{
   return d->z_format_float ? bits_float(bits) : sim_unorm_to_float(bits, d->z_bits);
}

static inline float
sample_z(const struct amd_depth_state *d, const struct amd_sample_state *samples, const struct amd_viewport *viewport,
         const struct amd_prim *prim, uint32_t x, uint32_t y, unsigned sample, const float *exported)
{
   double z;
   if (exported) {
      z = (double)*exported;
   } else {
      double dx = samples->folded ? 0.0 : samples->positions.x16[sample] / 16.0;
      double dy = samples->folded ? 0.0 : samples->positions.y16[sample] / 16.0;
      double px = (double)((int32_t)x - prim->origin_x) + 0.5 + dx;
      double py = (double)((int32_t)y - prim->origin_y) + 0.5 + dy;
      z = prim->z.a * px + prim->z.b * py + prim->z.c;
   }
   float f = (float)z;
   if (d->viewport_clamp) {
      f = f > viewport->zmax ? viewport->zmax : f;
      f = f > viewport->zmin ? f : viewport->zmin;
   }
   return f;
}

/* One pixel of a surface; no memory if it lies outside. */
struct place {
   const struct amd_surface *surface;
   struct amd_surface_pixel pixel;
   uint8_t *host;
   uint64_t run_B;
};

static inline struct place
find_place(const struct amd_surface *surface, uint8_t *host, uint64_t run_B, uint32_t x, uint32_t y, uint32_t slice)
{
   struct place place = {.surface = surface, .run_B = run_B};
   if (x < surface->width_el && y < surface->height_el) {
      place.host = host;
      place.pixel = amd_surface_pixel(surface, x, y, slice);
   }
   return place;
}

static inline uint8_t *
texel(const struct place *place, unsigned sample)
{
   if (!place->host)
      return NULL;
   uint64_t offset_B = amd_surface_sample(place->surface, place->pixel, sample);
   return offset_B + place->surface->element_B <= place->run_B ? place->host + offset_B : NULL;
}

/* Depth of 2 or 4 bytes. */
static inline uint32_t
load(const uint8_t *at, unsigned size_B)
{
   uint32_t wide;
   uint16_t narrow;
   if (size_B == 4) {
      memcpy(&wide, at, 4);
      return wide;
   }
   memcpy(&narrow, at, 2);
   return narrow;
}

static inline void
store(uint8_t *at, uint32_t value, unsigned size_B)
{
   uint16_t narrow = (uint16_t)value;
   if (size_B == 4)
      memcpy(at, &value, 4);
   else
      memcpy(at, &narrow, 2);
}

static uint8_t
stencil_op(unsigned op, uint8_t value, uint8_t ref, uint8_t operand)
{
   switch (op) {
   case V_STENCIL_KEEP:
      return value;
   case V_STENCIL_ZERO:
      return 0;
   case V_STENCIL_ONES:
      return 0xff;
   case V_STENCIL_REPLACE_TEST:
      return ref;
   case V_STENCIL_REPLACE_OP:
      return operand;
   case V_STENCIL_ADD_CLAMP:
      return (uint8_t)MIN2(value + operand, 255);
   case V_STENCIL_SUB_CLAMP:
      return (uint8_t)MAX2(value - operand, 0);
   case V_STENCIL_INVERT:
      return (uint8_t)~value;
   case V_STENCIL_ADD_WRAP:
      return (uint8_t)(value + operand);
   case V_STENCIL_SUB_WRAP:
      return (uint8_t)(value - operand);
   case V_STENCIL_AND:
      return value & operand;
   case V_STENCIL_OR:
      return value | operand;
   case V_STENCIL_XOR:
      return value ^ operand;
   case V_STENCIL_NAND:
      return (uint8_t)~(value & operand);
   case V_STENCIL_NOR:
      return (uint8_t)~(value | operand);
   case V_STENCIL_XNOR:
      return (uint8_t)~(value ^ operand);
   }
   assert(!"more than four bits");
   return value;
}

static inline bool
depth_passes(const struct amd_depth_state *d, uint32_t z, uint32_t stored)
{
   if (!d->z_enable)
      return true;
   return d->z_format_float ? sim_compare_float(d->zfunc, bits_float(z), bits_float(stored))
                            : sim_compare_u32(d->zfunc, z, stored);
}

static uint32_t
stored_depth(const struct amd_depth_state *d, const uint8_t *at, struct amd_htile_clear clear)
{
   return clear.z ? quantize(d, d->clear_z_value) : load(at, d->z_bits == 16 ? 2 : 4);
}

/* One sample: stencil test, depth bounds, depth test, updates. */
static bool
test_sample(const struct amd_depth_state *d, const struct amd_prim *prim, struct amd_htile_clear clear, uint8_t *z_at,
            uint8_t *s_at, uint32_t z, int exported_stencil)
{
   const struct amd_stencil_face *face = &d->face[prim->front || prim->kind != AMD_PRIM_TRIANGLE ? 0 : 1];
   unsigned z_B = d->z_bits == 16 ? 2 : 4;
   uint8_t ref = exported_stencil >= 0 ? (uint8_t)exported_stencil : face->ref;
   bool stencil = d->has_stencil && d->stencil_enable && s_at;
   uint8_t old = !s_at ? 0 : clear.stencil ? d->clear_stencil_value : *s_at;
   bool s_pass = !stencil || sim_compare_u32(face->func, ref & face->mask, old & face->mask);
   bool z_pass = true;
   if (d->has_z && z_at) {
      uint32_t z_mask = (uint32_t)bit_mask(d->z_bits), stored = stored_depth(d, z_at, clear);
      if (d->bounds_enable) {
         float value = to_float(d, stored & z_mask);
         if (!(value >= d->bounds_min && value <= d->bounds_max))
            return false;
      }
      z_pass = depth_passes(d, z, stored & z_mask);
      if (s_pass && z_pass && d->z_write)
         store(z_at, (stored & ~z_mask) | z, z_B);
   }
   if (stencil) {
      unsigned op = !s_pass ? face->fail : z_pass ? face->zpass : face->zfail;
      uint8_t value = d->clear_stencil ? d->clear_stencil_value : stencil_op(op, old, ref, face->op_value);
      if (face->write_mask)
         *s_at = (uint8_t)((old & ~face->write_mask) | (value & face->write_mask));
   }
   return s_pass && z_pass;
}

uint8_t
amd_db_test(const struct amd_depth_state *d, const struct amd_sample_state *samples,
            const struct amd_viewport *viewport, const struct amd_prim *prim, uint32_t x, uint32_t y, uint8_t cover,
            const float *exported_z, int exported_stencil)
{
   if (!d->any)
      return cover;
   uint8_t passed = 0;
   uint32_t slice = MIN2(d->first_slice + prim->layer, d->last_slice);
   struct place z_place = {0}, s_place = {0};
   struct amd_htile_clear clear = {0};
   if (d->htile.enable)
      clear = amd_htile_open(d, x, y, slice, true);
   if (d->has_z)
      z_place = find_place(&d->z, d->z_host, d->z_run_B, x, y, slice);
   if (d->has_stencil)
      s_place = find_place(&d->stencil, d->stencil_host, d->stencil_run_B, x, y, slice);
   for (unsigned left = cover; left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left);
      uint8_t *z_at = texel(&z_place, sample), *s_at = texel(&s_place, sample);
      float z = d->clear_z ? d->clear_z_value
                : d->has_z ? sample_z(d, samples, viewport, prim, x, y, sample, exported_z)
                           : 0.0f;
      uint8_t stencil = s_at ? *s_at : 0;
      bool pass = test_sample(d, prim, clear, z_at, s_at, quantize(d, z), exported_stencil);
      passed |= (uint8_t)(pass << sample);
      if (pass && z_at && d->z_write)
         amd_note_write(d->z_written, (uint64_t)(z_at - z_place.host));
      if (s_at && *s_at != stencil)
         amd_note_write(d->stencil_written, (uint64_t)(s_at - s_place.host));
   }
   return passed;
}

uint8_t
amd_db_reject(const struct amd_depth_state *d, const struct amd_sample_state *samples,
              const struct amd_viewport *viewport, const struct amd_prim *prim, uint32_t x, uint32_t y, uint8_t cover)
{
   uint8_t passed = 0;
   uint32_t slice = MIN2(d->first_slice + prim->layer, d->last_slice);
   struct place place = find_place(&d->z, d->z_host, d->z_run_B, x, y, slice);
   struct amd_htile_clear clear = {0};
   if (d->htile.enable)
      clear = amd_htile_open(d, x, y, slice, false);
   for (unsigned left = cover; left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left);
      const uint8_t *at = texel(&place, sample);
      uint32_t stored = at ? stored_depth(d, at, clear) & (uint32_t)bit_mask(d->z_bits) : 0;
      if (!at || depth_passes(d, quantize(d, sample_z(d, samples, viewport, prim, x, y, sample, NULL)), stored))
         passed |= (uint8_t)(1u << sample);
   }
   return passed;
}
