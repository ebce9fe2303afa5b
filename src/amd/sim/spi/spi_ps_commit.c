/* What pixel waves exported becomes depth and colour. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/texel/numeric.h"
#include "sim/texel/numeric4.h"
#include "util/macros.h"

/* A component of 16 bits as 32. */
static v4u
widen(v4u half, unsigned format)
{
   switch (format) {
   case V_SPI_SHADER_FP16_ABGR:
      return (v4u)sim_half_to_float4(half);
   case V_SPI_SHADER_UNORM16_ABGR:
      for (unsigned i = 0; i < 4; i++)
         half[i] = float_bits(sim_unorm_to_float(half[i], 16));
      return half;
   case V_SPI_SHADER_SNORM16_ABGR:
      for (unsigned i = 0; i < 4; i++)
         half[i] = float_bits(sim_snorm_to_float(half[i], 16));
      return half;
   case V_SPI_SHADER_SINT16_ABGR:
      return (v4u)((v4i)(half << 16) >> 16);
   default: /* others: UINT16; 32 bits cannot be compressed */
      return half;
   }
}

void
amd_spi_ps_read_export(const struct amd_export_lanes *lanes, unsigned lane, v4u value[4])
{
   const uint32_t(*v)[AMD_WAVE_MAX_LANES] = lanes->v;
   if (lanes->compressed && lanes->format == V_SPI_SHADER_FP16_ABGR && lanes->en == 15) {
      v4u xy, zw;
      memcpy(&xy, &v[0][lane], sizeof(xy));
      memcpy(&zw, &v[1][lane], sizeof(zw));
      value[0] = (v4u)sim_half_to_float4(xy & 0xffff);
      value[1] = (v4u)sim_half_to_float4(xy >> 16);
      value[2] = (v4u)sim_half_to_float4(zw & 0xffff);
      value[3] = (v4u)sim_half_to_float4(zw >> 16);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      value[c] = (v4u){0};
      if (!(lanes->en >> c & 1))
         continue;
      memcpy(&value[c], &v[lanes->compressed ? c / 2 : c][lane], sizeof(value[c]));
      if (lanes->compressed)
         value[c] = widen(value[c] >> c % 2 * 16 & 0xffff, lanes->format);
   }
   if (!lanes->compressed && lanes->format == V_SPI_SHADER_32_AR && lanes->alpha_second) {
      value[3] = value[1];
      value[1] = (v4u){0};
   }
}

void
amd_spi_ps_read_slot(const struct amd_launch *l, uint32_t wave, unsigned slot, unsigned lane, unsigned format,
                     v4u value[4])
{
   const struct amd_wave_out *out = &l->out[wave];
   for (unsigned c = 0; c < 4; c++)
      value[c] = (v4u){0};
   if (!(l->slot_index[slot] < l->slots && out->present >> slot & 1))
      return;
   const struct amd_export_lanes lanes = {
      .v = (const void *)(l->values + ((size_t)wave * l->slots + l->slot_index[slot]) * 4 * AMD_WAVE_MAX_LANES),
      .en = out->en[slot],
      .compressed = out->compr >> slot & 1,
      .alpha_second = !l->p->gpu->model->traits->alpha_stays_fourth,
      .format = (uint8_t)format};
   amd_spi_ps_read_export(&lanes, lane, value);
}

static uint8_t
alpha_mask(float alpha, unsigned samples, float offset)
{
   float covered = alpha * (float)samples + offset;
   unsigned count = !(covered > 0.0f) ? 0 : covered > (float)samples ? samples : (unsigned)covered;
   return (uint8_t)((1u << count) - 1);
}

/* What a quad's shader gave out. */
struct quad_out {
   unsigned targets; /* amd_color_sources() */
   struct amd_cb_colors colors;
   v4u z[4]; /* as Z_FORMAT packs them: depth, stencil, sample mask, coverage alpha */
   bool has_z;
};

static void
read_quad(const struct amd_launch *l, uint32_t wave, unsigned lane, struct quad_out *out)
{
   const struct amd_draw_state *state = &l->p->state;
   out->targets = amd_color_sources(&state->color);
   for (unsigned t = 0; t < out->targets; t++) {
      const struct amd_target_state *target = &state->color.target[t];
      amd_spi_ps_read_slot(l, wave, target->export, lane, target->export_format, out->colors.rgba[t]);
   }
   amd_cb_encode(&state->color, &out->colors);
   out->has_z = state->pixel.z_format != V_SPI_SHADER_ZERO;
   if (out->has_z)
      amd_spi_ps_read_slot(l, wave, AMD_EXPORT_Z, lane, state->pixel.z_format, out->z);
   /* UINT16_ABGR holds the same components: stencil in bits 31:16 of the first dword, the mask in the second. */
   if (out->has_z)
      out->z[1] &= 0xff;
}

/* Whether the alpha that covers samples stands next to the depth. GFX11 takes it from there wherever it is exported:
 * RADV 25 and 26 export it so and leave COVERAGE_TO_MASK_ENABLE 0 (observed). */
static bool
covers_by_depth_export(const struct amd_pipeline *p, const struct quad_out *out)
{
   const unsigned format = p->state.pixel.z_format;
   const bool has_alpha = format == V_SPI_SHADER_32_AR || format == V_SPI_SHADER_32_ABGR;
   return out->has_z && (p->state.depth.coverage_export || (has_alpha && p->gpu->model->traits->coverage_via_mrtz));
}

/* Samples that the shader's mask and its alpha leave. */
static void
mask_samples(const struct amd_pipeline *p, const struct quad_out *out, struct amd_pixels *px)
{
   const struct amd_draw_state *state = &p->state;
   const struct amd_depth_state *d = &state->depth;
   const bool by_depth_export = covers_by_depth_export(p, out);
   for (unsigned i = 0; i < 4; i++) {
      if (out->has_z && d->mask_export)
         px->cover[i] &= (uint8_t)out->z[2][i];
      uint32_t alpha = by_depth_export ? out->z[3][i] : out->colors.rgba[0][3][i];
      if (d->alpha_to_mask)
         px->cover[i] &= alpha_mask(bits_float(alpha), amd_surface_samples(&state->samples), d->alpha_offset[i]);
   }
}

/* Depth and colour of pixels of a primitive: out has what each of the four gets. */
static void
commit_pixels(struct amd_commit *commit, const struct amd_prim *prim, const struct quad_out *out,
              struct amd_pixels *px)
{
   const struct amd_pipeline *p = commit->l->p;
   const struct amd_depth_state *d = &p->state.depth;
   const struct amd_color_state *color = &p->state.color;
   if ((out->has_z && d->mask_export) || d->alpha_to_mask)
      mask_samples(p, out, px);
   if (!p->test_at_raster && amd_cover_word(px->cover)) {
      const struct amd_db_export export = {out->has_z && d->z_export ? (const v4f *)&out->z[0] : NULL,
                                           out->has_z && d->stencil_export ? &out->z[1] : NULL};
      amd_db_test(&p->state, &commit->htile, prim, &export, px);
      commit->samples_passed += amd_cover_count(px->cover);
   }
   if (!amd_cover_word(px->cover))
      return;
   if (color->mode != V_CB_RESOLVE) {
      amd_cb_write(color, px, prim->layer, &out->colors);
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      if (px->cover[i])
         amd_cb_resolve(color, px->x + (i & 1), px->y + (i >> 1), prim->layer, 1u << color->source_samples_log2);
}

/* All that a lane gave out, for each of four pixels. */
static void
spread_lane(const struct amd_color_state *color, struct quad_out *out, const struct quad_out *quad, unsigned lane)
{
   out->has_z = quad->has_z;
   out->targets = quad->targets;
   for (unsigned c = 0; c < 4 && quad->has_z; c++)
      out->z[c] = v4_splat_bits(quad->z[c][lane]);
   for (unsigned t = 0; t < quad->targets; t++) {
      const struct amd_target_state *target = &color->target[t];
      unsigned words = target->enable && !target->reads_target ? (target->format.size_B + 3u) / 4 : 0;
      for (unsigned c = 0; c < 4; c++)
         out->colors.rgba[t][c] = v4_splat_bits(quad->colors.rgba[t][c][lane]);
      for (unsigned w = 0; w < words; w++)
         out->colors.texels[t][w] = v4_splat_bits(quad->colors.texels[t][w][lane]);
   }
}

static void
commit_coarse(struct amd_commit *commit, const struct amd_prim *prim, const struct amd_quad *quad, unsigned live,
              const struct quad_out *out)
{
   struct quad_out same;
   for (unsigned i = 0; i < 4; i++) {
      struct amd_pixels px = amd_quad_parts(quad, i);
      if (!(live >> i & 1) || !amd_cover_word(px.cover))
         continue;
      spread_lane(&commit->l->p->state.color, &same, out, i);
      commit_pixels(commit, prim, &same, &px);
   }
}

void
amd_spi_ps_commit_quad(struct amd_commit *commit, const struct amd_quad *quad, uint32_t index)
{
   const struct amd_launch *l = commit->l;
   const struct amd_prim *prim = dynarray_at(&l->p->memory->prims, struct amd_prim, quad->prim);
   uint32_t place = l->place ? l->place[index] : index, wave = place / l->quads_per_wave;
   unsigned lane = place % l->quads_per_wave * 4, live = l->out[wave].exec >> lane & 15;
   struct amd_pixels px = {quad->x, quad->y, {0}};
   for (unsigned i = 0; i < 4; i++) {
      px.cover[i] = live >> i & 1 ? quad->cover[i] : 0;
      live &= ~(unsigned)(!px.cover[i] << i);
   }
   if (!live)
      return;
   struct quad_out out;
   read_quad(l, wave, lane, &out);
   if (amd_quad_is_coarse(quad))
      commit_coarse(commit, prim, quad, live, &out);
   else
      commit_pixels(commit, prim, &out, &px);
}

static void
commit_blocks(struct amd_commit *commit, const struct amd_bin *bin)
{
   const uint32_t count = (uint32_t)dynarray_count(&bin->blocks, struct amd_block);
   const struct amd_block *blocks = dynarray_at(&commit->l->p->memory->blocks, struct amd_block, bin->first_block);
   const struct amd_block *block = MAX2(blocks, commit->l->blocks), *end = blocks + count;
   for (; block < end && block->first_quad < commit->l->first + commit->l->count; block++)
      amd_spi_ps_commit_block(commit, block, block + 1 < end ? block + 1 : NULL);
}

static void
commit_bin(void *data, unsigned task)
{
   struct amd_launch *l = data;
   struct amd_draw_memory *m = l->p->memory;
   const struct amd_bin *bin = &m->bins[*dynarray_at(&m->touched_bins, uint32_t, l->first_bin + task)];
   uint32_t first = bin->first_quad, end = first + (uint32_t)dynarray_count(&bin->quads, struct amd_quad);
   struct amd_commit commit = {.l = l};
   first = MAX2(first, l->first);
   end = l->blocks ? first : MIN2(end, l->first + l->count);
   if (l->blocks)
      commit_blocks(&commit, bin);
   for (uint32_t q = first; q < end && l->texels;)
      q += amd_spi_ps_commit_tile(&commit, q - l->first, end - l->first);
   for (uint32_t q = first; q < end && !l->texels; q++)
      amd_spi_ps_commit_quad(&commit, dynarray_at(&m->quads, struct amd_quad, q), q - l->first);
   amd_htile_close(&l->p->state.depth, &commit.htile);
   __atomic_fetch_add(&l->p->samples_passed, commit.samples_passed, __ATOMIC_RELAXED);
}

/* How many of the touched bins begin at or before the block. */
static uint32_t
bins_up_to(const struct amd_draw_memory *m, uint32_t block)
{
   uint32_t first = 0, count = (uint32_t)dynarray_count(&m->touched_bins, uint32_t);
   while (count) {
      const uint32_t half = count / 2, number = *dynarray_at(&m->touched_bins, uint32_t, first + half);
      const bool before = m->bins[number].first_block <= block;
      first += before ? half + 1 : 0;
      count = before ? count - half - 1 : half;
   }
   return first;
}

/* Whether quads that have run change no target, depth or count: shaders that store by themselves. */
static bool
changes_nothing(const struct amd_pipeline *p)
{
   const struct amd_color_state *color = &p->state.color;
   bool any = p->gpu->reference || color->mode == V_CB_RESOLVE ||
              (!p->test_at_raster && (p->state.depth.any || p->state.depth.count_samples));
   for (unsigned i = 0; i < color->count; i++)
      any |= color->target[i].enable;
   return !any;
}

void
amd_spi_ps_commit(struct amd_launch *launch)
{
   const struct amd_draw_memory *m = launch->p->memory;
   if (changes_nothing(launch->p))
      return;
   const struct amd_block *blocks = m->blocks.data;
   uint32_t end = (uint32_t)dynarray_count(&m->touched_bins, uint32_t);
   launch->first_bin = 0;
   if (launch->blocks) {
      const struct amd_block *last = amd_spi_ps_find_block(
         blocks, (uint32_t)dynarray_count(&m->blocks, struct amd_block), launch->first + launch->count - 1);
      launch->first_bin = bins_up_to(m, (uint32_t)(launch->blocks - blocks)) - 1;
      end = bins_up_to(m, (uint32_t)(last - blocks));
   }
   sim_pool_run(launch->p->gpu->pool, end - launch->first_bin, commit_bin, launch);
}
