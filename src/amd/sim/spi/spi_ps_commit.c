/* What pixel waves exported becomes depth and colour. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/numeric.h"
#include "util/macros.h"

/* One lane's export as four 32-bit values: floats, or integers for the integer formats. */
static void
read_export(const struct amd_launch *l, uint32_t wave, unsigned slot, unsigned lane, unsigned format,
            uint32_t value[4])
{
   const struct amd_wave_out *out = &l->out[wave];
   memset(value, 0, 16);
   if (!(out->present >> slot & 1))
      return;
   const uint32_t(*v)[AMD_WAVE_MAX_LANES] =
      (const void *)(l->values + ((size_t)wave * l->slots + l->slot_index[slot]) * 4 * AMD_WAVE_MAX_LANES);
   unsigned en = out->en[slot];
   if (out->compr >> slot & 1) {
      /* Pairs of 16 bits. */
      for (unsigned c = 0; c < 4; c++) {
         uint16_t half = (uint16_t)(v[c / 2][lane] >> (c % 2 * 16));
         if (!(en >> c & 1))
            continue;
         switch (format) {
         case V_SPI_SHADER_FP16_ABGR:
            value[c] = float_bits(sim_half_to_float(half));
            break;
         case V_SPI_SHADER_UNORM16_ABGR:
            value[c] = float_bits(sim_unorm_to_float(half, 16));
            break;
         case V_SPI_SHADER_SNORM16_ABGR:
            value[c] = float_bits(sim_snorm_to_float(half, 16));
            break;
         case V_SPI_SHADER_SINT16_ABGR:
            value[c] = (uint32_t)(int16_t)half;
            break;
         default: /* others: UINT16; 32 bits cannot be compressed */
            value[c] = half;
            break;
         }
      }
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      value[c] = en >> c & 1 ? v[c][lane] : 0;
   if (format == V_SPI_SHADER_32_AR && !l->p->gpu->model->traits->alpha_stays_fourth) {
      value[3] = value[1];
      value[1] = 0;
   }
}

/* Depth, stencil, sample mask and coverage alpha of a lane, as Z_FORMAT packs them. */
struct z_export {
   float depth, alpha;
   int stencil;
   uint32_t mask;
};

static void
read_z_export(const struct amd_launch *l, uint32_t wave, unsigned lane, struct z_export *z)
{
   const struct amd_draw_state *state = &l->p->state;
   uint32_t v[4];
   read_export(l, wave, AMD_EXPORT_Z, lane, state->pixel.z_format, v);
   z->depth = bits_float(v[0]);
   z->alpha = bits_float(v[3]);
   /* UINT16_ABGR holds the same components: stencil in bits 31:16 of the first dword, the mask in the second. */
   z->stencil = (int)(v[1] & 0xff);
   z->mask = v[2];
}

static uint8_t
alpha_mask(float alpha, unsigned samples, float offset)
{
   float covered = alpha * (float)samples + offset;
   unsigned count = !(covered > 0.0f) ? 0 : covered > (float)samples ? samples : (unsigned)covered;
   return (uint8_t)((1u << count) - 1);
}

/* Samples of a lane that reach the colour buffers. */
static uint8_t
late_cover(const struct amd_launch *l, const struct amd_prim *prim, uint32_t wave, unsigned lane, uint32_t x,
           uint32_t y, uint8_t cover, const uint32_t rgba[AMD_MAX_TARGETS][4], uint64_t *samples_passed)
{
   const struct amd_draw_state *state = &l->p->state;
   const struct amd_depth_state *d = &state->depth;
   struct z_export z = {.stencil = -1};
   bool has_z = state->pixel.z_format != V_SPI_SHADER_ZERO;
   if (has_z)
      read_z_export(l, wave, lane, &z);
   if (has_z && d->mask_export)
      cover &= (uint8_t)z.mask;
   if (d->alpha_to_mask)
      cover &= alpha_mask(has_z && d->coverage_export ? z.alpha : bits_float(rgba[0][3]),
                          state->samples.folded ? 1 : state->samples.positions.count,
                          d->alpha_offset[(y & 1) * 2 + (x & 1)]);
   if (l->p->test_at_raster || !cover)
      return cover;
   cover = amd_db_test(d, &state->samples, &state->viewports[prim->viewport], prim, x, y, cover,
                       has_z && d->z_export ? &z.depth : NULL, has_z && d->stencil_export ? z.stencil : -1);
   *samples_passed += (unsigned)__builtin_popcount(cover);
   return cover;
}

static void
commit_pixel(const struct amd_launch *l, const struct amd_prim *prim, uint32_t wave, unsigned lane, uint32_t x,
             uint32_t y, uint8_t raster_cover, const uint32_t rgba[AMD_MAX_TARGETS][4], uint64_t *samples_passed)
{
   const struct amd_color_state *color = &l->p->state.color;
   uint8_t cover = late_cover(l, prim, wave, lane, x, y, raster_cover, rgba, samples_passed);
   if (cover && color->mode == V_CB_RESOLVE)
      amd_cb_resolve(color, x, y, prim->layer, 1u << color->source_samples_log2);
   else if (cover)
      amd_cb_write(color, x, y, prim->layer, cover, rgba);
}

static void
commit_quad(const struct amd_launch *l, uint32_t index, uint64_t *samples_passed)
{
   const struct amd_pipeline *p = l->p;
   const struct amd_quad *quad = dynarray_at(&p->memory->quads, struct amd_quad, l->first + index);
   const struct amd_prim *prim = dynarray_at(&p->memory->prims, struct amd_prim, quad->prim);
   uint32_t place = l->place ? l->place[index] : index, wave = place / l->quads_per_wave;
   for (unsigned i = 0; i < 4; i++) {
      unsigned lane = place % l->quads_per_wave * 4 + i;
      uint32_t rgba[AMD_MAX_TARGETS][4];
      if (!quad->cover[i] || !(l->out[wave].exec >> lane & 1))
         continue;
      for (unsigned t = 0; t < AMD_MAX_TARGETS; t++) {
         const struct amd_target_state *target = &p->state.color.target[t];
         if (l->slot_index[target->export] < l->slots)
            read_export(l, wave, target->export, lane, target->export_format, rgba[t]);
         else if (t < 2 || t < p->state.color.count)
            memset(rgba[t], 0, sizeof(rgba[t]));
      }
      uint32_t x = quad->x + amd_quad_dx(quad, i), y = quad->y + amd_quad_dy(quad, i);
      if (!amd_quad_is_coarse(quad)) {
         commit_pixel(l, prim, wave, lane, x, y, quad->cover[i], rgba, samples_passed);
         continue;
      }
      for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++)
         if (quad->part[i][k])
            commit_pixel(l, prim, wave, lane, x + (k & 1), y + (k >> 1), quad->part[i][k], rgba, samples_passed);
   }
}

static void
commit_bin(void *data, unsigned task)
{
   struct amd_launch *l = data;
   struct amd_draw_memory *m = l->p->memory;
   const struct amd_bin *bin = &m->bins[*dynarray_at(&m->touched_bins, uint32_t, task)];
   uint32_t first = bin->first_quad, end = first + (uint32_t)dynarray_count(&bin->quads, struct amd_quad);
   uint64_t samples_passed = 0;
   first = MAX2(first, l->first);
   end = MIN2(end, l->first + l->count);
   for (uint32_t q = first; q < end; q++)
      commit_quad(l, q - l->first, &samples_passed);
   __atomic_fetch_add(&l->p->samples_passed, samples_passed, __ATOMIC_RELAXED);
}

void
amd_spi_ps_commit(struct amd_launch *launch)
{
   sim_pool_run(launch->p->gpu->pool, (unsigned)dynarray_count(&launch->p->memory->touched_bins, uint32_t),
                commit_bin, launch);
}
