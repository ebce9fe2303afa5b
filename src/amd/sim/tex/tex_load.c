/* Loads by integer coordinates of all lanes at once: tex.c has the rest, lane by lane. */
#include "amd/hw/descriptors.h"
#include "amd/sim/surface/dcc.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lanes.h"
#include "amd/sim/tex/tex_lod.h"
#include "amd/sim/tex/tex_meta.h"
#include "sim/wide.h"

/* The level that all lanes load from, counted from the image's first; of some other number: false. */
static bool
find_level(const struct tex_plain *t, uint64_t lanes, uint32_t *level)
{
   const struct amd_tex_request *r = t->request;
   const uint32_t lod = r->has_lod ? r->lod.u[__builtin_ctzll(lanes)] : 0;
   for (; lanes && r->has_lod; lanes &= lanes - 1)
      if (r->lod.u[__builtin_ctzll(lanes)] != lod)
         return false;
   *level = t->image->base_level + lod;
   return lod <= 15 && *level <= t->image->last_level && *level >= (uint32_t)t->image->min_lod;
}

/* What the address has besides x and y; NULL: it does not have it. */
struct address {
   const uint32_t *layer, *sample;
};

static struct address
take_address(const struct amd_tex_request *r)
{
   const uint32_t(*c)[N] = r->coord.u;
   switch (r->dim) { /* others: of one slice and sample */
   case TEX_DIM_1D_ARRAY:
      return (struct address){.layer = c[1]};
   case TEX_DIM_3D:
   case TEX_DIM_CUBE:
   case TEX_DIM_2D_ARRAY:
      return (struct address){.layer = c[2]};
   case TEX_DIM_2D_MSAA:
      return (struct address){.sample = c[2]};
   case TEX_DIM_2D_MSAA_ARRAY:
      return (struct address){c[2], c[3]};
   default:
      return (struct address){0};
   }
}

/* The slice of each lane's texel. Returns the lanes whose texels lie in the level, among others that mean nothing. */
static uint64_t
place_texels(const struct tex_plain *t, const struct tex_level *level, const struct address *a, struct places *p,
             uint32_t slice[N])
{
   const struct amd_tex_request *r = t->request;
   const struct tex_image *image = t->image;
   const bool is_3d = image->type == V_SQ_RSRC_IMG_3D && !image->slices_of_level, has_y = !tex_is_1d(r->dim);
   const uint32_t last_layer = is_3d ? level->depth - 1 : image->last_array - image->base_array;
   const uint32_t first = is_3d ? 0 : image->base_array, samples = 1u << image->desc.samples_log2;
   const int n = lane_count(t);
   uint32_t outside[N];
   uint64_t inside = 0;
   for (int l = 0; l < n; l++) {
      const uint32_t x = r->coord.u[0][l], y = has_y ? r->coord.u[1][l] : 0, layer = a->layer ? a->layer[l] : 0;
      p->x[0][l] = (int)x;
      p->y[0][l] = (int)y;
      slice[l] = first + layer;
      outside[l] =
         x >= level->width || y >= level->height || layer > last_layer || (a->sample && a->sample[l] >= samples);
   }
   for (int l = 0; l < n; l++)
      inside |= (uint64_t)!outside[l] << l;
   return inside;
}

static void
find_slices(int n, const struct amd_surface *surface, const struct address *a, const uint32_t slice[N],
            struct lane_pixels *to)
{
   for (int l = 0; l < n; l++) {
      const unsigned from = a->layer ? l : 0;
      to->block_B[l] =
         (slice[from] >> surface->slab_log2) * (uint32_t)surface->slice_B + (uint32_t)surface->level_offset_B;
      to->in_block_B[l] = (surface->linear ? 0 : surface->z[slice[from] & 255] ^ surface->in_block_xor) ^
                          surface->s[a->sample ? a->sample[l] & 15 : 0];
   }
}

/* Whether metadata at a place says nothing but that the texel is in memory: what most of it says. */
static inline bool
is_in_memory(const struct tex_image *image, const struct tex_level *level, uint64_t at, uint32_t sample)
{
   if (image->meta_kind != AMD_META_DCC || at >= image->meta_run_B)
      return false;
   return sample >= level->meta.key_samples ||
          amd_dcc_key(image->desc.gen, __atomic_load_n(&image->meta_host[at], __ATOMIC_ACQUIRE)) == AMD_DCC_PLAIN;
}

/* Texels that metadata has instead of memory: takes those lanes out of *lanes. */
static void
read_meta(const struct tex_plain *t, const struct tex_level *level, const struct address *a, const struct places *p,
          const uint32_t slice[N], uint64_t *lanes, struct texels *to)
{
   /* size: where texels are, and what they are */
   struct tex_image *image = t->image;
   uint64_t line = UINT64_MAX; /* that the texture unit has looked at last */
   for (uint64_t left = *lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      const struct tex_place place = {(uint32_t)p->x[0][l], (uint32_t)p->y[0][l], slice[l],
                                      a->sample ? a->sample[l] : 0};
      const uint64_t at = amd_meta_offset(&level->meta, place.x, place.y, place.slice, place.sample);
      uint8_t texel[16];
      uint32_t value[4];
      if (is_in_memory(image, level, at, place.sample)) {
         if (image->port && at >> AMD_CACHE_LINE_LOG2 != line)
            amd_meta_read(image->port, sim_va_add(level->meta.base, (int64_t)at));
         line = at >> AMD_CACHE_LINE_LOG2;
         continue;
      }
      if (!tex_meta_texel(image, level, place,
                          amd_surface_offset(&level->surface, place.x, place.y, place.slice, place.sample), texel,
                          t->bad))
         continue;
      *lanes &= ~(UINT64_C(1) << l);
      sim_texel_decode(&image->format, texel, value);
      for (unsigned k = 0; k < 4; k++)
         to->component[k][l] = value[k];
   }
}

/* Texels of these lanes that are in memory. */
static void
load_texels(const struct tex_plain *t, const struct tex_level *level, const struct address *a, uint64_t lanes,
            const struct places *p, const uint32_t slice[N], struct texels *to)
{
   /* size: where texels are, and what they are */
   struct lane_pixels slices;
   struct texels memory;
   const int n = lane_count(t);
   if (!lanes)
      return;
   find_slices(n, &level->surface, a, slice, &slices);
   fetch(t, level, lanes, p, &slices, 1, &memory);
   for (unsigned k = 0; k < 4; k++)
      put_lanes(t, lanes, memory.component[k], to->component[k]);
}

bool
WIDE(tex_plain_load)(const struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   const uint64_t lanes = t->request->exec & UINT64_MAX >> (N - t->request->lanes);
   const struct address address = take_address(t->request);
   struct places p = {.border = {0}};
   struct texels texels;
   uint32_t number, slice[N];
   const struct tex_level *level;
   if (!lanes || !find_level(t, lanes, &number) || !(level = tex_image_level(t->image, number, t->fault)))
      return false;
   memset(&texels, 0, sizeof(texels));
   uint64_t inside = lanes & place_texels(t, level, &address, &p, slice), plain = inside;
   if (t->image->has_meta && !level->plain)
      read_meta(t, level, &address, &p, slice, &plain, &texels);
   load_texels(t, level, &address, plain, &p, slice, &texels);
   for (uint64_t left = t->image->fmask_samples_log2 ? inside : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      texels.component[0][l] = tex_meta_spread_fmask(t->image, texels.component[0][l]);
   }
   select_components(t, lanes, &texels, result);
   return !tex_image_forget_hazard(t->image);
}
