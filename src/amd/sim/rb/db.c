/* Depth and stencil tests, four pixels at a time. */
#include <assert.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/rb/rb.h"
#include "sim/texel/compare.h"
#include "sim/texel/numeric.h"
#include "sim/texel/numeric4.h"
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

/* Where a sample does not lie at the same place in all pixels: from that of the first. */
static void
add_own_places(const struct amd_sample_state *samples, unsigned sample, v4d *x, v4d *y)
{
   for (unsigned i = 0; i < 4; i++) {
      (*x)[i] += (samples->pixel[i].x16[sample] - samples->positions.x16[sample]) / 16.0;
      (*y)[i] += (samples->pixel[i].y16[sample] - samples->positions.y16[sample]) / 16.0;
   }
}

/* Depth of a quad's samples, as the shader exports it or on the primitive's plane. */
static inline v4f
quad_z(const struct amd_draw_state *state, const struct amd_prim *prim, const struct amd_pixels *px, unsigned sample,
       const v4f *exported)
{
   const struct amd_sample_state *samples = &state->samples;
   const struct amd_viewport *viewport = &state->viewports[prim->viewport];
   static const v4d right = {0.0, 1.0, 0.0, 1.0}, down = {0.0, 0.0, 1.0, 1.0};
   v4f f;
   if (exported) {
      f = *exported;
   } else {
      double dx = amd_surface_samples(samples) == 1 ? 0.0 : samples->positions.x16[sample] / 16.0;
      double dy = amd_surface_samples(samples) == 1 ? 0.0 : samples->positions.y16[sample] / 16.0;
      v4d x = right + ((double)((int32_t)px->x - prim->origin_x) + 0.5 + dx);
      v4d y = down + ((double)((int32_t)px->y - prim->origin_y) + 0.5 + dy);
      if (samples->by_pixel)
         add_own_places(samples, sample, &x, &y);
      f = __builtin_convertvector(prim->z.a * x + prim->z.b * y + prim->z.c, v4f);
   }
   if (state->depth.viewport_clamp) {
      v4f low = v4_splat(viewport->zmin), high = v4_splat(viewport->zmax);
      f = v4_select(f > high, high, f);
      f = v4_select(f > low, f, low);
   }
   return f;
}

static inline v4u
quantize4(const struct amd_depth_state *d, v4f z)
{
   return d->z_format_float ? (v4u)z : sim_unorm_from_float4(z, d->z_bits);
}

/* Four pixels of a surface. */
struct place {
   const struct amd_surface *surface;
   uint8_t *host; /* NULL: no memory */
   struct amd_note_page *written;
   uint8_t *outside;
   uint64_t run_B, offset_B[4];
   unsigned inside; /* of the surface: bit per pixel */
};

static inline void
find_place(struct place *place, const struct amd_surface *surface, const struct amd_pixels *px, uint32_t slice)
{
   place->surface = surface;
   place->inside = 0;
   for (unsigned i = 0; i < 4; i++)
      place->inside |= (unsigned)(px->x + (i & 1) < surface->width_el && px->y + (i >> 1) < surface->height_el) << i;
   amd_surface_quad(surface, px->x, px->y, slice, place->offset_B);
}

static inline uint8_t *
texel(const struct place *place, unsigned pixel, unsigned sample)
{
   if (!place->host || !(place->inside >> pixel & 1))
      return NULL;
   uint64_t offset_B = place->offset_B[pixel] ^ place->surface->s[sample];
   if (offset_B + place->surface->element_B <= place->run_B)
      return place->host + offset_B;
   amd_note_outside(place->outside);
   return NULL;
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
   /* size: one sample: its place, its values, its state */
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

/* What a draw does to four pixels. */
struct test {
   const struct amd_draw_state *state;
   const struct amd_prim *prim;
   const struct amd_db_export *export;
   struct amd_htile_clear clear; /* of the tile, in which all four lie */
   struct place z, stencil;
};

static void
begin_test(struct test *t, const struct amd_draw_state *state, struct amd_htile_memo *memo,
           const struct amd_prim *prim, const struct amd_db_export *export, const struct amd_pixels *px, bool writes)
{
   /* size: all that a quad brings to its test */
   const struct amd_depth_state *d = &state->depth;
   t->state = state;
   t->prim = prim;
   t->export = export;
   t->clear = (struct amd_htile_clear){false, false};
   uint32_t slice = MIN2(d->first_slice + t->prim->layer, d->last_slice);
   for (unsigned i = 0; i < 4 && d->htile.enable; i++)
      if (px->cover[i] && amd_htile_open(d, memo, px->x + (i & 1), px->y + (i >> 1), slice, writes, &t->clear))
         break;
   t->z.host = d->has_z ? d->z_host : NULL;
   t->z.run_B = d->z_run_B;
   t->z.written = d->z_written;
   t->z.outside = d->z_outside;
   if (d->has_z)
      find_place(&t->z, &d->z, px, slice);
   t->stencil.host = d->has_stencil && writes ? d->stencil_host : NULL;
   t->stencil.run_B = d->stencil_run_B;
   t->stencil.written = d->stencil_written;
   t->stencil.outside = d->stencil_outside;
   if (t->stencil.host)
      find_place(&t->stencil, &d->stencil, px, slice);
}

/* Which of four depths pass. */
static v4i
depths_pass(const struct amd_depth_state *d, v4u z, v4u stored)
{
   static const v4i all = {-1, -1, -1, -1}, none = {0};
   if (!d->z_enable)
      return all;
   v4i less, equal, greater;
   if (d->z_format_float) {
      less = (v4f)z < (v4f)stored, equal = (v4f)z == (v4f)stored, greater = (v4f)z > (v4f)stored;
   } else {
      less = z < stored, equal = z == stored, greater = z > stored;
   }
   v4i passed = (d->zfunc & SIM_COMPARE_LESS ? less : none) | (d->zfunc & SIM_COMPARE_EQUAL ? equal : none) |
                (d->zfunc & SIM_COMPARE_GREATER ? greater : none);
   /* Nothing is true of NaN but "always" and "not equal". */
   bool of_nan = d->zfunc == SIM_COMPARE_ALWAYS || d->zfunc == SIM_COMPARE_NOT_EQUAL;
   return of_nan ? passed | ~(less | equal | greater) : passed;
}

/* Only depth, of one sample of the pixels `want`. Returns those that pass; those without memory do. */
static unsigned
test_depth(const struct test *t, unsigned want, unsigned sample, v4u z, bool writes)
{
   const struct amd_depth_state *d = &t->state->depth;
   const unsigned z_B = d->z_bits == 16 ? 2 : 4;
   const uint32_t z_mask = (uint32_t)bit_mask(d->z_bits);
   uint8_t *at[4];
   v4u stored = v4_splat_bits(t->clear.z ? quantize(d, d->clear_z_value) : 0);
   for (unsigned i = 0; i < 4; i++) {
      at[i] = want >> i & 1 ? texel(&t->z, i, sample) : NULL;
      if (at[i] && !t->clear.z)
         stored[i] = load(at[i], z_B);
   }
   v4i pass = depths_pass(d, z, stored & z_mask);
   v4u changed = (stored & ~z_mask) | z;
   unsigned passed = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (!(want >> i & 1) || (at[i] && !pass[i]))
         continue;
      passed |= 1u << i;
      if (at[i] && writes && d->z_write) {
         store(at[i], changed[i], z_B);
         amd_note(t->z.written, (uint64_t)(at[i] - t->z.host), z_B);
      }
   }
   return passed;
}

/* The same with stencil and depth bounds. */
static unsigned
test_all(const struct test *t, unsigned want, unsigned sample, v4u z)
{
   const struct amd_depth_state *d = &t->state->depth;
   unsigned passed = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (!(want >> i & 1))
         continue;
      uint8_t *z_at = texel(&t->z, i, sample), *s_at = texel(&t->stencil, i, sample), stencil = s_at ? *s_at : 0;
      int exported = t->export->stencil ? (int)(*t->export->stencil)[i] : -1;
      bool pass = test_sample(d, t->prim, t->clear, z_at, s_at, z[i], exported);
      passed |= (unsigned)pass << i;
      if (pass && z_at && d->z_write)
         amd_note(t->z.written, (uint64_t)(z_at - t->z.host), d->z.element_B);
      if (s_at && *s_at != stencil)
         amd_note(t->stencil.written, (uint64_t)(s_at - t->stencil.host), 1);
   }
   return passed;
}

static unsigned
pixels_with(const uint8_t cover[4], unsigned sample)
{
   uint32_t bits = amd_cover_word(cover) >> sample & 0x01010101;
   return (bits | bits >> 7 | bits >> 14 | bits >> 21) & 15;
}

/* Keeps the sample only in those pixels. */
static void
keep(uint8_t cover[4], unsigned sample, unsigned pixels)
{
   uint32_t lost = ~pixels & 15, word = amd_cover_word(cover);
   word &= ~(((lost | lost << 7 | lost << 14 | lost << 21) & 0x01010101) << sample);
   memcpy(cover, &word, sizeof(word));
}

void
amd_db_test(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
            const struct amd_db_export *export, struct amd_pixels *px)
{
   const struct amd_depth_state *d = &state->depth;
   bool simple = !(d->has_stencil && d->stencil_enable) && !d->bounds_enable;
   struct test t;
   if (!d->any)
      return;
   begin_test(&t, state, memo, prim, export, px, true);
   for (unsigned left = amd_any_sample(px->cover); left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left), want = pixels_with(px->cover, sample);
      v4f z = d->clear_z ? v4_splat(d->clear_z_value)
              : d->has_z ? quad_z(state, prim, px, sample, export->z)
                         : v4_splat(0.0f);
      unsigned passed =
         simple ? test_depth(&t, want, sample, quantize4(d, z), true) : test_all(&t, want, sample, quantize4(d, z));
      keep(px->cover, sample, passed);
   }
}

void
amd_db_reject(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
              struct amd_pixels *px)
{
   struct test t;
   begin_test(&t, state, memo, prim, NULL, px, false);
   for (unsigned left = amd_any_sample(px->cover); left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left), want = pixels_with(px->cover, sample);
      v4u z = quantize4(&state->depth, quad_z(state, prim, px, sample, NULL));
      keep(px->cover, sample, test_depth(&t, want, sample, z, false));
   }
}
