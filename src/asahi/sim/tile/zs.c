/* Depth and stencil of a tile: what it starts with, tests of samples, stores. */
#include <math.h>
#include <string.h>

#include "asahi/sim/tile/tile.h"
#include "sim/texel/compare.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

float
agx_zs_quantize(const struct agx_render *render, float z)
{
   return render->depth_is_16 ? sim_unorm_to_float(sim_unorm_from_float(z, 16), 16) : z;
}

/* One sample of an attachment, which is smaller than the render or has no such layer: what background says. */
static bool
inside(const struct agx_surface *surface, uint32_t x, uint32_t y)
{
   return x < surface->width_px && y < surface->height_px;
}

static bool
load_sample(const struct agx_tiles *t, const struct agx_surface *from, const struct agx_surface_place *place,
            uint32_t *bits, struct sim_fault *fault)
{
   uint32_t value[4];
   enum agx_surface_access got = agx_surface_read(from, t->render->gpu->vm, place, value, fault);
   *bits = got == AGX_SURFACE_DONE ? value[0] : 0;
   return got != AGX_SURFACE_FAULT;
}

/* depth, stencil: where from; NULL: it stays as it is. */
static bool
load(const struct agx_tiles *t, struct agx_tile *tile, const struct agx_surface *depth,
     const struct agx_surface *stencil, struct sim_fault *fault)
{
   const struct agx_render *r = t->render;
   if (!depth && !stencil)
      return true;
   for (unsigned s = 0; s < r->samples; s++) {
      for (uint32_t y = tile->y0; y < tile->y1; y++) {
         for (uint32_t x = tile->x0; x < tile->x1; x++) {
            const struct agx_surface_place place = {.x_px = x, .y_px = y, .layer = tile->layer, .sample = s};
            uint32_t at = s * t->pixels + agx_tile_pixel(t, tile, x, y), bits;
            if (depth && inside(depth, x, y)) {
               if (!load_sample(t, depth, &place, &bits, fault))
                  return false;
               tile->depth[at] = bits_float(bits);
            }
            if (stencil && inside(stencil, x, y)) {
               if (!load_sample(t, stencil, &place, &bits, fault))
                  return false;
               tile->stencil[at] = (uint8_t)bits;
            }
         }
      }
   }
   return true;
}

bool
agx_tile_load_zs(const struct agx_tiles *t, struct agx_tile *tile, struct sim_fault *fault)
{
   const struct agx_render *r = t->render;
   for (uint32_t i = 0; i < t->places; i++)
      tile->depth[i] = r->background_depth;
   memset(tile->stencil, r->background_stencil, t->places);
   return load(t, tile, r->depth.load ? &r->depth.load_from : NULL, r->stencil.load ? &r->stencil.load_from : NULL,
               fault);
}

/* All samples of the tile as the attachment's bytes, pixel by pixel. */
static bool
store_rect(const struct agx_tiles *t, const struct agx_surface *to, const struct agx_tile *tile, const void *bytes,
           struct sim_fault *fault)
{
   uint32_t height_px = t->pixels / t->row_px;
   const struct agx_surface_rect rect = {.x_px = tile->x0,
                                         .y_px = tile->y0,
                                         .width_px = t->row_px,
                                         .height_px = height_px,
                                         .layer = tile->layer,
                                         .data = bytes};
   return agx_surface_write_rect(to, t->render->gpu->vm, &rect, fault) != AGX_SURFACE_FAULT;
}

static bool
store(const struct agx_tiles *t, const struct agx_tile *tile, const struct agx_surface *depth,
      const struct agx_surface *stencil, struct sim_fault *fault)
{
   const struct agx_render *r = t->render;
   uint32_t wide[32 * 32 * AGX_MAX_SAMPLES];
   uint16_t *half = (uint16_t *)wide;
   if (depth) {
      for (uint32_t i = 0; i < t->places; i++) {
         float z = tile->depth[i % r->samples * t->pixels + i / r->samples];
         if (r->depth_is_16)
            half[i] = (uint16_t)sim_unorm_from_float(z, 16);
         else
            wide[i] = float_bits(z);
      }
      if (!store_rect(t, depth, tile, wide, fault))
         return false;
   }
   if (stencil) {
      uint8_t *bytes = (uint8_t *)wide;
      for (uint32_t i = 0; i < t->places; i++)
         bytes[i] = tile->stencil[i % r->samples * t->pixels + i / r->samples];
      return store_rect(t, stencil, tile, bytes, fault);
   }
   return true;
}

bool
agx_tile_store_zs(const struct agx_tiles *t, const struct agx_tile *tile, struct sim_fault *fault)
{
   const struct agx_render *r = t->render;
   return store(t, tile, r->depth.store ? &r->depth.store_to : NULL, r->stencil.store ? &r->stencil.store_to : NULL,
                fault);
}

/* The inside of the attachments, as the rest is in no memory. */
static void
lose(const struct agx_tiles *t, struct agx_tile *tile, const struct agx_surface *depth,
     const struct agx_surface *stencil)
{
   for (uint32_t y = tile->y0; y < tile->y1; y++) {
      for (uint32_t x = tile->x0; x < tile->x1; x++) {
         for (unsigned s = 0; s < t->render->samples; s++) {
            uint32_t at = s * t->pixels + agx_tile_pixel(t, tile, x, y);
            if (depth && inside(depth, x, y))
               tile->depth[at] = 0.375f;
            if (stencil && inside(stencil, x, y))
               tile->stencil[at] = 0x5b;
         }
      }
   }
}

bool
agx_tile_spill_zs(const struct agx_tiles *t, struct agx_tile *tile, struct sim_fault *fault)
{
   const struct agx_render *r = t->render;
   const struct agx_surface *depth = r->depth.spills ? &r->depth.spill : NULL;
   const struct agx_surface *stencil = r->stencil.spills ? &r->stencil.spill : NULL;
   if (!store(t, tile, depth, stencil, fault))
      return false;
   lose(t, tile, depth, stencil);
   return load(t, tile, depth, stencil, fault);
}

float
agx_zs_depth(const struct agx_render *render, const struct agx_prim *prim, uint32_t x, uint32_t y, unsigned sample)
{
   double px = (double)((int32_t)x - prim->origin_x) + 0.5 + render->positions.x16[sample] / 16.0;
   double py = (double)((int32_t)y - prim->origin_y) + 0.5 + render->positions.y16[sample] / 16.0;
   return (float)(prim->z[0] * px + prim->z[1] * py + prim->z[2]);
}

static uint8_t
stencil_op(enum agx_stencil_op op, uint8_t value, uint8_t reference)
{
   switch (op) {
   case AGX_STENCIL_OP_KEEP:
      return value;
   case AGX_STENCIL_OP_ZERO:
      return 0;
   case AGX_STENCIL_OP_REPLACE:
      return reference;
   case AGX_STENCIL_OP_INCR_SAT:
      return value == 255 ? 255 : (uint8_t)(value + 1);
   case AGX_STENCIL_OP_DECR_SAT:
      return value == 0 ? 0 : (uint8_t)(value - 1);
   case AGX_STENCIL_OP_INVERT:
      return (uint8_t)~value;
   case AGX_STENCIL_OP_INCR_WRAP:
      return (uint8_t)(value + 1);
   case AGX_STENCIL_OP_DECR_WRAP:
      return (uint8_t)(value - 1);
   }
   return value;
}

static bool
test_sample(const struct agx_zs_face *face, bool stencil, float z, uint8_t reference, float *depth, uint8_t *stored)
{
   uint8_t old = *stored;
   bool s_pass = !stencil || sim_compare_u32(face->stencil_func, reference & face->read_mask, old & face->read_mask);
   bool z_pass = sim_compare_float(face->depth_func, z, *depth);
   if (s_pass && z_pass && face->depth_write)
      *depth = z;
   if (stencil) {
      unsigned op = !s_pass ? face->stencil_fail : z_pass ? face->depth_pass : face->depth_fail;
      uint8_t value = stencil_op((enum agx_stencil_op)op, old, reference);
      *stored = (uint8_t)((old & ~face->write_mask) | (value & face->write_mask));
   }
   return s_pass && z_pass;
}

bool
agx_zs_reads(const struct agx_drawn *d)
{
   return d->stencil || d->face[0].depth_func != SIM_COMPARE_ALWAYS || d->face[1].depth_func != SIM_COMPARE_ALWAYS;
}

bool
agx_zs_writes(const struct agx_drawn *d)
{
   return d->stencil || d->face[0].depth_write || d->face[1].depth_write;
}

uint8_t
agx_zs_test(const struct agx_tiles *t, struct agx_tile *tile, const struct agx_drawn *drawn,
            const struct agx_prim *prim, uint32_t x, uint32_t y, uint8_t cover, const float *depth, int stencil)
{
   const struct agx_render *r = t->render;
   const struct agx_zs_face *face = &drawn->face[!prim->front];
   uint8_t passed = 0, reference = stencil < 0 ? face->reference : (uint8_t)stencil;
   for (unsigned left = cover; left; left &= left - 1) {
      unsigned s = (unsigned)__builtin_ctz(left);
      uint32_t at = s * t->pixels + agx_tile_pixel(t, tile, x, y);
      float z = depth ? *depth : agx_zs_depth(r, prim, x, y, s);
      z = agx_zs_quantize(r, fminf(fmaxf(z, prim->z_min), prim->z_max));
      bool pass = test_sample(face, drawn->stencil, z, reference, &tile->depth[at], &tile->stencil[at]);
      passed |= (uint8_t)(pass << s);
   }
   return passed;
}
