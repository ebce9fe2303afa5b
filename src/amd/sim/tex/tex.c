#include "amd/sim/tex/tex.h"

#include <math.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/base/model.h"
#include "amd/sim/surface/formats.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lod.h"
#include "amd/sim/tex/tex_meta.h"
#include "amd/sim/tex/tex_plain.h"
#include "amd/sim/tex/tex_sample.h"
#include "util/macros.h"

static bool
is_array_dim(unsigned dim)
{
   return dim == TEX_DIM_1D_ARRAY || dim == TEX_DIM_2D_ARRAY || dim == TEX_DIM_2D_MSAA_ARRAY || dim == TEX_DIM_CUBE;
}

/* What DST_SEL number c makes of a texel. */
static uint32_t
selected(const struct tex_image *image, v4u texel, unsigned c)
{
   unsigned select = image->dst_sel[c];
   return select >= V_SQ_SEL_X ? texel[select - V_SQ_SEL_X] : tex_constant(image, select);
}

static void
write_lane(const struct tex_image *image, v4u texel, unsigned lane, uint32_t result[4][AMD_TEX_LANES])
{
   for (unsigned c = 0; c < 4; c++)
      result[c][lane] = selected(image, texel, c);
}

/* Integer coordinates of a load, store or atomic. */
struct location {
   struct tex_place texel;
   uint32_t level;
};

/* False if they are outside of the view; so are levels below the whole part of MIN_LOD (observed: RADV sets that and
 * nothing else for VK_EXT_image_view_min_lod, whose fetches below it are zero, and Mesa lists no fail of dEQP's cases
 * of it on hardware). That stores and atomics are dropped there is assumed. */
static bool
locate(const struct tex_image *image, const struct amd_tex_request *r, unsigned lane, struct location *at)
{
   unsigned dim = r->dim;
   uint32_t layer = 0;
   at->texel.x = r->coord.u[0][lane];
   at->texel.y = tex_is_1d(dim) ? 0 : r->coord.u[1][lane];
   at->texel.sample = 0;
   if (dim == TEX_DIM_1D_ARRAY)
      layer = r->coord.u[1][lane];
   else if (dim == TEX_DIM_3D || dim == TEX_DIM_CUBE || dim == TEX_DIM_2D_ARRAY || dim == TEX_DIM_2D_MSAA_ARRAY)
      layer = r->coord.u[2][lane];
   if (dim == TEX_DIM_2D_MSAA)
      at->texel.sample = r->coord.u[2][lane];
   else if (dim == TEX_DIM_2D_MSAA_ARRAY)
      at->texel.sample = r->coord.u[3][lane];
   at->level = image->base_level + (r->has_lod ? r->lod.u[lane] : 0);
   if ((r->has_lod && r->lod.u[lane] > 15) || at->level > image->last_level || at->level < (uint32_t)image->min_lod ||
       at->texel.sample >> image->desc.samples_log2)
      return false;
   uint32_t w = MAX2(image->desc.width_px >> at->level, 1u), h = MAX2(image->desc.height_px >> at->level, 1u);
   if (image->type == V_SQ_RSRC_IMG_3D && !image->slices_of_level) {
      at->texel.slice = layer;
      return at->texel.x < w && at->texel.y < h && at->texel.slice < MAX2(image->desc.slices >> at->level, 1u);
   }
   /* An instruction without layers sees the first one. */
   at->texel.slice = image->base_array + layer;
   return at->texel.x < w && at->texel.y < h && layer <= image->last_array - image->base_array;
}

/* What the lane has read since the last call: whether all of it was there. */
static void
note_missing(struct tex_image *image, const struct amd_tex_request *r, unsigned lane)
{
   if (r->missing)
      *r->missing |= (uint64_t)image->missing << lane;
   image->missing = false;
}

static bool
run_load(struct tex_image *image, const struct amd_tex_request *r, uint32_t result[4][AMD_TEX_LANES],
         struct sim_fault *fault, bool *bad)
{
   for (uint64_t lanes = r->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      struct location at;
      v4u texel = {0};
      image->lane = (uint8_t)lane;
      if (locate(image, r, lane, &at)) {
         const struct tex_level *level = tex_image_level(image, at.level, fault);
         if (!level)
            return false;
         texel = tex_image_texel(image, level, at.texel, bad);
      }
      write_lane(image, texel, lane, result);
      note_missing(image, r, lane);
   }
   return true;
}

/* Samples that the image does not have are 0 (assumed), and lanes begin with a multiple of four: compilers ask for no
 * others. That GFX10.3 takes images of one component only, and GFX11 (without 11.5) passes by DST_SEL, is what LLVM
 * knows (AMDGPUImageIntrinsicOptimizer.cpp, FeatureMSAALoadDstSelBug). */
static bool
run_msaa_load(struct tex_image *image, const struct amd_tex_request *r, uint32_t result[4][AMD_TEX_LANES],
              struct sim_fault *fault, bool *bad)
{
   const struct amd_traits *traits = &amd_traits[r->chip->gen];
   unsigned component = r->dmask && !traits->msaa_load_of_x ? __builtin_ctz(r->dmask) & 3 : 0;
   if (traits->msaa_load_of_x && image->format.components > 1)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "image_msaa_load of %u components",
                           image->format.components);
   for (uint64_t lanes = r->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      struct location at;
      const bool inside = locate(image, r, lane, &at);
      image->lane = (uint8_t)lane;
      if (inside && at.texel.sample % 4)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "image_msaa_load from sample %u on",
                              at.texel.sample);
      const struct tex_level *level = inside ? tex_image_level(image, at.level, fault) : NULL;
      if (inside && !level)
         return false;
      for (unsigned i = 0; i < 4; i++) {
         bool there = inside && !((at.texel.sample + i) >> image->desc.samples_log2);
         struct tex_place place = at.texel;
         place.sample += i;
         v4u texel = there ? tex_image_texel(image, level, place, bad) : (v4u){0};
         result[i][lane] = traits->msaa_load_unselected ? texel[component] : selected(image, texel, component);
      }
      note_missing(image, r, lane);
   }
   return true;
}

static void
run_resinfo(const struct tex_image *image, const struct amd_tex_request *r, uint32_t result[4][AMD_TEX_LANES])
{
   for (uint64_t lanes = r->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint32_t lod = r->lod.u[lane], level = image->base_level + lod;
      uint32_t levels = image->last_level - image->base_level + 1u,
               layers = image->last_array - image->base_array + 1u;
      uint32_t size[4] = {0, 0, 0, levels};
      if (lod < levels) {
         size[0] = MAX2(image->desc.width_px >> level, 1u);
         size[1] = MAX2(image->desc.height_px >> level, 1u);
         size[2] = image->type == V_SQ_RSRC_IMG_3D && !image->slices_of_level ? MAX2(image->desc.slices >> level, 1u)
                                                                              : layers;
         if (image->type == V_SQ_RSRC_IMG_1D_ARRAY)
            size[1] = layers;
      }
      for (unsigned c = 0; c < 4; c++)
         result[c][lane] = size[c];
   }
}

static float
clamp_lod(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r,
          unsigned lane, float lod)
{
   float low = sampler->filter.min_lod, view = image->min_lod - (float)image->base_level;
   if (r->has_lod_clamp && r->lod_clamp[lane] > low)
      low = r->lod_clamp[lane];
   if (view > low)
      low = view;
   lod = lod < sampler->filter.max_lod ? lod : sampler->filter.max_lod;
   return lod > low ? lod : low;
}

static float
biased_lod(const struct tex_sampler *sampler, const struct amd_tex_request *r, unsigned lane,
           const struct sim_footprint *footprint)
{
   if (r->kind == AMD_TEX_GATHER4 && r->lod_mode == AMD_TEX_LOD_ZERO)
      return 0.0f; /* a gather of level zero means the base level */
   return footprint->lod + sampler->lod_bias + (r->lod_mode == AMD_TEX_LOD_BIAS ? r->bias[lane] : 0.0f);
}

static void
make_point(const struct tex_image *image, const struct amd_tex_request *r, unsigned lane, struct sim_sample_point *p)
{
   *p = (struct sim_sample_point){.s = r->coord.f[0][lane], .slice = image->base_array, .compare = r->compare};
   if (!tex_is_1d(r->dim))
      p->t = r->coord.f[1][lane];
   if (r->dim == TEX_DIM_3D)
      p->r = r->coord.f[2][lane];
   if (r->dim == TEX_DIM_CUBE) {
      /* The shader's face coordinates run from 1 to 2. */
      int last = (int)(image->last_array - image->base_array + 1) / 6 - 1;
      int cube = tex_round_even(r->coord.f[2][lane]) >> 3;
      p->s -= 1.0f;
      p->t -= 1.0f;
      p->face = tex_cube_face_of_id(r->coord.f[2][lane]);
      p->slice = image->base_array + 6 * (uint32_t)MAX2(MIN2(cube, last), 0);
   } else if (is_array_dim(r->dim)) {
      p->slice = tex_layer_slice(image, r->coord.f[r->dim == TEX_DIM_1D_ARRAY ? 1 : 2][lane]);
   }
   if (r->compare)
      p->reference = r->zcompare[lane];
   for (unsigned i = 0; r->has_offset && i < 3; i++)
      p->offset[i] = r->offset[i][lane];
}

static void
gather_lane(struct tex_source *source, const struct tex_sampler *sampler, const struct amd_tex_request *r,
            unsigned lane, const struct sim_sample_point *point, float lod, uint32_t result[4][AMD_TEX_LANES])
{
   /* size: one lane, by its texels */
   v4u texels[4] = {{0}};
   sim_gather(&source->image, &sampler->filter, point, lod, texels);
   unsigned component = r->dmask ? __builtin_ctz(r->dmask) & 3 : 0;
   for (unsigned i = 0; i < 4; i++)
      result[i][lane] = selected(source->of, texels[i], component);
}

/* lod: not clamped. */
static void
write_lod(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r,
          unsigned lane, float lod, uint32_t result[4][AMD_TEX_LANES])
{
   float top = (float)(image->last_level - image->base_level);
   float clamped = clamp_lod(image, sampler, r, lane, lod);
   clamped = clamped < 0.0f ? 0.0f : clamped > top ? top : clamped;
   if (sampler->filter.mip != V_SQ_TEX_MIP_FILTER_LINEAR)
      clamped = sampler->filter.mip == V_SQ_TEX_MIP_FILTER_POINT ? floorf(clamped + 0.5f) : 0.0f;
   result[0][lane] = float_bits(clamped);
   result[1][lane] = float_bits(lod);
}

/* Lanes of a quad have a common footprint, unless they look at several faces of a cube. */
static bool
is_lod_of_quad(const struct amd_tex_request *r)
{
   return r->lod_mode == AMD_TEX_LOD_IMPLICIT || r->lod_mode == AMD_TEX_LOD_BIAS;
}

/* A lane's probes. False: they leave a face of a cube. */
static bool
note_probes(const struct tex_plain *t, unsigned lane, const struct sim_footprint *footprint, struct tex_footprints *f)
{
   f->probes[lane] = (uint8_t)footprint->probes;
   if (footprint->probes == 1)
      return true;
   if (!f->are_probes)
      memset(f->step, 0, sizeof(f->step));
   f->are_probes = true;
   for (unsigned i = 0; i < 3; i++)
      f->step[i][lane] = footprint->step[i];
   return t->request->dim != TEX_DIM_CUBE;
}

/* False: the lanes must go one by one. */
static bool
find_footprints(const struct tex_plain *t, struct tex_footprints *f)
{
   const struct amd_tex_request *r = t->request;
   const bool of_quad = is_lod_of_quad(r);
   unsigned quad = ~0u, of_face = 0;
   struct sim_footprint footprint = {0};
   bool fits = true;
   f->are_probes = false;
   memset(f->probes, 0, sizeof(f->probes));
   memset(f->lod, 0, sizeof(f->lod));
   for (uint64_t lanes = r->exec; lanes && fits; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const unsigned face = r->dim == TEX_DIM_CUBE ? tex_cube_face_of_id(r->coord.f[2][lane]) : 0;
      if (!of_quad || quad != lane / 4 || of_face != face)
         footprint = tex_footprint_of(t->image, t->sampler, r, lane);
      quad = lane / 4;
      of_face = face;
      fits = r->kind == AMD_TEX_GATHER4 || note_probes(t, lane, &footprint, f);
      f->lod[lane] = footprint.lod;
   }
   return fits;
}

static void
run_filter(const struct tex_plain *t, uint64_t lanes, uint32_t result[4][AMD_TEX_LANES])
{
   struct tex_image *image = t->image;
   const struct tex_sampler *sampler = t->sampler;
   const struct amd_tex_request *r = t->request;
   const bool of_quad = is_lod_of_quad(r);
   unsigned quad = ~0u, of_face = 0;
   struct sim_footprint footprint = {0};
   struct tex_source source = tex_source(image, t->fault, t->bad);
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      image->lane = (uint8_t)lane;
      unsigned face = r->dim == TEX_DIM_CUBE ? tex_cube_face_of_id(r->coord.f[2][lane]) : 0;
      if (!of_quad || quad != lane / 4 || of_face != face)
         footprint = tex_footprint_of(image, sampler, r, lane);
      quad = lane / 4;
      of_face = face;
      float lod = biased_lod(sampler, r, lane, &footprint);
      if (r->kind == AMD_TEX_GET_LOD) {
         write_lod(image, sampler, r, lane, lod, result);
         continue;
      }
      lod = clamp_lod(image, sampler, r, lane, lod);
      if (sampler->filter.unnormalized)
         lod = 0.0f;
      struct sim_sample_point point;
      make_point(image, r, lane, &point);
      if (r->kind == AMD_TEX_GATHER4)
         gather_lane(&source, sampler, r, lane, &point, lod, result);
      else
         write_lane(image, sim_sample(&source.image, &sampler->filter, &point, &footprint, lod), lane, result);
      note_missing(image, r, lane);
   }
}

/* False, and nothing is done: it is not a plain one, or meets what a report names; which one, lanes in order know. */
static bool
run_plain(struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   struct tex_footprints footprints;
   uint64_t others = 0;
   if (!tex_plain_fits(t->image, t->sampler, t->request))
      return false;
   t->others = &others;
   if (!tex_plain_ignores_lod(t->image, t->sampler, t->request)) {
      if (!find_footprints(t, &footprints))
         return false;
      t->footprints = &footprints;
   }
   tex_plain_sample(t, result);
   if (tex_image_forget_hazard(t->image))
      return false;
   run_filter(t, others, result);
   return true;
}

/* Components of the colour for X, Y, Z and W of a texel. False: a value that is not there. */
static bool
order_border(struct tex_sampler *sampler, unsigned bc_swizzle)
{
   v4u order;
   switch (bc_swizzle) { /* others: not there */
   case V_BC_SWIZZLE_XYZW:
      return true;
   case V_BC_SWIZZLE_XWYZ:
      order = (v4u){0, 3, 1, 2};
      break;
   case V_BC_SWIZZLE_WZYX:
      order = (v4u){3, 2, 1, 0};
      break;
   case V_BC_SWIZZLE_WXYZ:
      order = (v4u){3, 0, 1, 2};
      break;
   case V_BC_SWIZZLE_ZYXW:
      order = (v4u){2, 1, 0, 3};
      break;
   case V_BC_SWIZZLE_YXWZ:
      order = (v4u){1, 0, 3, 2};
      break;
   default:
      return false;
   }
   const v4u bits = sampler->filter.border_bits;
   const v4f numbers = sampler->filter.border;
   for (unsigned i = 0; i < 4; i++) {
      sampler->filter.border_bits[i] = bits[order[i]];
      sampler->filter.border[i] = numbers[order[i]];
   }
   return true;
}

/* Colour of texels outside, in the order of the sampler. */
static bool
load_border(struct tex_sampler *sampler, const struct sim_vm *vm, struct sim_va border, struct sim_fault *fault)
{
   struct sim_va bad;
   uint32_t color[4];
   switch (sampler->samp.border_color_type) {
   case V_SQ_TEX_BORDER_COLOR_TRANS_BLACK:
      sampler->filter.border = (v4f){0};
      sampler->filter.border_bits = (v4u){0};
      return true;
   case V_SQ_TEX_BORDER_COLOR_OPAQUE_BLACK:
      sampler->filter.border = (v4f){0, 0, 0, 1};
      sampler->filter.border_bits = (v4u){0, 0, 0, 1};
      return true;
   case V_SQ_TEX_BORDER_COLOR_OPAQUE_WHITE:
      sampler->filter.border = (v4f){1, 1, 1, 1};
      sampler->filter.border_bits = (v4u){1, 1, 1, 1};
      return true;
   default: /* others: SQ_TEX_BORDER_COLOR_REGISTER, from memory */
      break;
   }
   struct sim_va entry = sim_va_add(border, (int64_t)sampler->samp.border_color_ptr * 16);
   if (!sim_vm_read(vm, entry, color, sizeof(color), &bad))
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, bad, "border colour at unmapped address 0x%012lx", (long)bad.va);
   memcpy(&sampler->filter.border, color, 16);
   memcpy(&sampler->filter.border_bits, color, 16);
   return true;
}

/* Format 0 (INVALID): reads give what DST_SEL makes of zeros, stores are dropped. Nothing else of such a descriptor
 * counts: radeonsi's without FMASK has a sampler's words in its second half. */
static bool
is_unbound(const struct amd_tex_request *request)
{
   const struct amd_sq_img_rsrc rsrc = amd_sq_img_rsrc_unpack(request->chip->gen, request->resource);
   return amd_format_image_is_null(&rsrc);
}

static void
read_unbound(const struct amd_tex_request *request, uint32_t result[4][AMD_TEX_LANES])
{
   const struct amd_sq_img_rsrc rsrc = amd_sq_img_rsrc_unpack(request->chip->gen, request->resource);
   const uint32_t selects[4] = {rsrc.dst_sel_x, rsrc.dst_sel_y, rsrc.dst_sel_z, rsrc.dst_sel_w};
   for (unsigned c = 0; c < 4; c++) {
      unsigned select = selects[c];
      for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++) {
         if (request->exec >> lane & 1)
            result[c][lane] = select == V_SQ_SEL_1 && request->kind != AMD_TEX_GET_RESINFO ? float_bits(1.0f) : 0;
      }
   }
}

bool
amd_tex_read(const struct sim_vm *vm, struct sim_va border, const struct amd_tex_request *request,
             uint32_t result[4][AMD_TEX_LANES], struct sim_fault *fault)
{
   bool bad = false, ok = true;
   struct tex_image *image = tex_image_known(request->resource, request->chip);
   if (!image && is_unbound(request)) {
      read_unbound(request, result);
      return true;
   }
   image = image ? image : tex_image_get(request->resource, request->chip, fault);
   if (!image)
      return false;
   if (request->kind == AMD_TEX_GET_RESINFO) {
      run_resinfo(image, request, result);
      return true;
   }
   if (!tex_image_map(image, vm, request->port, request->path, fault) || !tex_meta_can_read(image, fault))
      return false;
   image->watch = request->watch;
   image->reference = request->reference;
   if (request->kind == AMD_TEX_MSAA_LOAD) {
      ok = run_msaa_load(image, request, result, fault, &bad);
   } else if (request->kind == AMD_TEX_LOAD) {
      const struct tex_plain plain = {.image = image, .request = request, .fault = fault, .bad = &bad};
      ok = (tex_plain_fits_load(image, request) && tex_plain_load(&plain, result)) ||
           run_load(image, request, result, fault, &bad);
   } else {
      struct tex_sampler sampler;
      tex_sampler_decode(&sampler, request->chip->gen, request->sampler);
      if (image->desc.is_3d && sampler.samp.z_filter != V_SQ_TEX_MIP_FILTER_NONE)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "sampler with Z_FILTER %u", sampler.samp.z_filter);
      if (sampler.samp.force_degamma || sampler.samp.skip_degamma)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "sampler that forces or skips sRGB (0x%08x)",
                              request->sampler[0]);
      if (sampler.samp.max_aniso_ratio > 4)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "sampler with MAX_ANISO_RATIO %u",
                              sampler.samp.max_aniso_ratio);
      sampler.filter.unnormalized |= request->unorm_coord;
      if (!load_border(&sampler, vm, border, fault))
         return false;
      const unsigned bc_swizzle = image->rsrc.bc_swizzle;
      if (!order_border(&sampler, bc_swizzle))
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "image with BC_SWIZZLE %u", bc_swizzle);
      struct tex_plain plain = {.image = image, .sampler = &sampler, .request = request, .fault = fault, .bad = &bad};
      if (!run_plain(&plain, result))
         run_filter(&plain, request->exec, result);
   }
   if (bad)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, image->levels[image->base_level].surface.base,
                           "image at 0x%012lx reaches past its mapping",
                           (long)image->levels[image->base_level].surface.base.va);
   return ok;
}

bool
amd_tex_locate(const struct amd_tex_request *request, const struct sim_vm *store_to, struct sim_va va[AMD_TEX_LANES],
               uint64_t *valid, struct sim_fault *fault)
{
   if (is_unbound(request)) {
      *valid = 0;
      return true;
   }
   struct tex_image *image = tex_image_get(request->resource, request->chip, fault);
   if (!image)
      return false;
   if (image->compressed)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "store to a block compressed image");
   for (uint64_t lanes = *valid; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      struct location at;
      if (!locate(image, request, lane, &at)) {
         *valid &= ~(UINT64_C(1) << lane);
         continue;
      }
      const struct tex_level *level = tex_image_level(image, at.level, fault);
      if (!level)
         return false;
      if (store_to && image->has_meta && !tex_meta_open(image, level, store_to, request->port, at.texel, fault))
         return false;
      va[lane] = sim_va_add(level->surface.base, (int64_t)amd_surface_offset(&level->surface, at.texel.x, at.texel.y,
                                                                             at.texel.slice, at.texel.sample));
   }
   return true;
}

void
amd_tex_store_select(uint32_t select, uint32_t value[4])
{
   const uint32_t in_place = V_SQ_SEL_X | V_SQ_SEL_Y << 3 | V_SQ_SEL_Z << 6 | V_SQ_SEL_W << 9;
   uint32_t routed[4] = {0};
   if ((select & 0xfff) == in_place)
      return;
   for (unsigned i = 4; i-- > 0;) {
      unsigned to = select >> (3 * i) & 7;
      if (to >= V_SQ_SEL_X)
         routed[to - V_SQ_SEL_X] = value[i];
   }
   memcpy(value, routed, sizeof(routed));
}
