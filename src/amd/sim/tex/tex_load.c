/* Loads by integer coordinates of all lanes at once: tex.c has the rest, lane by lane. */
#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_fetch.h"
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
place_texels(const struct tex_plain *t, const struct tex_level *level, const struct address *a, struct places *p)
{
   const struct amd_tex_request *r = t->request;
   const struct tex_image *image = t->image;
   const bool is_3d = image->type == V_SQ_RSRC_IMG_3D && !image->slices_of_level, has_y = !tex_is_1d(r->dim);
   const uint32_t last_layer = is_3d ? level->depth - 1 : image->last_array - image->base_array;
   const uint32_t first = is_3d ? 0 : image->base_array, samples = 1u << image->desc.samples_log2;
   const int n = lane_count(t);
   uint32_t outside[N];
   for (int l = 0; l < n; l++) {
      const uint32_t x = r->coord.u[0][l], y = has_y ? r->coord.u[1][l] : 0, layer = a->layer ? a->layer[l] : 0;
      p->at[0][0][l] = (int)x;
      p->at[1][0][l] = (int)y;
      p->slice[l] = first + layer;
      const bool is_outside =
         x >= level->width || y >= level->height || layer > last_layer || (a->sample && a->sample[l] >= samples);
      outside[l] = 0 - (uint32_t)is_outside;
   }
   return ~lanes_with_sign(n, outside);
}

bool
WIDE(tex_plain_load)(const struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   const uint64_t lanes = t->request->exec & UINT64_MAX >> (N - t->request->lanes);
   const struct address address = take_address(t->request);
   struct places p;
   struct texels memory, texels;
   uint32_t number;
   const struct tex_level *level;
   if (!lanes || !find_level(t, lanes, &number) || !(level = tex_image_level(t->image, number, t->fault)))
      return false;
   memset(&texels, 0, sizeof(texels));
   memset(p.border, 0, sizeof(p.border));
   p.sample = address.sample;
   const uint64_t inside = lanes & place_texels(t, level, &address, &p);
   if (inside)
      fetch(t, level, inside, &p, 1, &memory);
   for (unsigned k = 0; k < 4 && inside; k++)
      put_lanes(t, inside, memory.component[k], texels.component[k]);
   for (uint64_t left = t->image->fmask_samples_log2 ? inside : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      texels.component[0][l] = tex_meta_spread_fmask(t->image, texels.component[0][l]);
   }
   select_components(t, lanes, &texels, result);
   return !tex_image_forget_hazard(t->image);
}
