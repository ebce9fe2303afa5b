#include "amd/sim/tex/tex_image.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/base/model.h"
#include "amd/sim/surface/formats.h"
#include "amd/sim/tex/tex_meta.h"
#include "sim/texel/block_memo.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { WAYS = 4, SETS = 4, CACHED_IMAGES = WAYS * SETS };

struct cache {
   struct tex_image images[CACHED_IMAGES];
   bool used[CACHED_IMAGES];
   uint8_t next[SETS]; /* the way that is replaced */
};

/* Each thread's cache lies on the heap: every thread of the program pays for thread-local storage. */
static pthread_key_t cache_key;

__attribute__((constructor)) static void
create_key(void)
{
   if (pthread_key_create(&cache_key, free))
      abort();
}

static struct cache *
own_cache(void)
{
   struct cache *cache = pthread_getspecific(cache_key);
   if (!cache) {
      cache = need_calloc("a thread's images", 1, sizeof(*cache));
      if (pthread_setspecific(cache_key, cache)) {
         free(cache);
         out_of_memory("a thread's images", sizeof(*cache));
      }
   }
   return cache;
}

static bool
decode_format(struct tex_image *image, const struct amd_sq_img_rsrc *rsrc, enum amd_gen gen, struct sim_fault *fault)
{
   unsigned format = amd_format_of_image(gen, rsrc);
   image->format = *amd_format_unified(format);
   image->compressed = image->format.layout >= SIM_TEXEL_BC1;
   if (!image->format.size_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "the model does not have image format 0x%x",
                           rsrc->data_format | rsrc->num_format << 6 | rsrc->format);
   image->clamps_reference = format == V_GFX10_FORMAT_32_FLOAT_CLAMP || image->format.numeric == SIM_UNORM;
   image->is_int = sim_numeric_is_int(image->format.numeric);
   image->dst_sel[0] = (uint8_t)rsrc->dst_sel_x;
   image->dst_sel[1] = (uint8_t)rsrc->dst_sel_y;
   image->dst_sel[2] = (uint8_t)rsrc->dst_sel_z;
   image->dst_sel[3] = (uint8_t)rsrc->dst_sel_w;
   return true;
}

static bool
decode(struct tex_image *image, const uint32_t *w, const struct amd_chip *chip, struct sim_fault *fault)
{
   enum amd_gen gen = chip->gen;
   const struct amd_sq_img_rsrc *rsrc = &image->rsrc;
   image->rsrc = amd_sq_img_rsrc_unpack(gen, w);
   if (!decode_format(image, rsrc, gen, fault))
      return false;
   image->type = (uint8_t)rsrc->type;
   if (image->type < V_SQ_RSRC_IMG_1D)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "image descriptor of type %u", image->type);
   if (rsrc->corner_samples)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "the model does not have texels at corners");
   bool msaa = image->type == V_SQ_RSRC_IMG_2D_MSAA || image->type == V_SQ_RSRC_IMG_2D_MSAA_ARRAY;
   bool is_3d = image->type == V_SQ_RSRC_IMG_3D, every_pitch = amd_traits[gen].pitch_of_every_mode;
   bool is_1d = image->type == V_SQ_RSRC_IMG_1D || image->type == V_SQ_RSRC_IMG_1D_ARRAY;
   image->base_level = msaa ? 0 : (uint8_t)rsrc->base_level;
   image->last_level = msaa ? 0 : (uint8_t)rsrc->last_level;
   image->base_array = rsrc->base_array;
   image->last_array = rsrc->depth;
   image->slices_of_level = is_3d && rsrc->array_pitch && !every_pitch;
   if (is_3d && !image->slices_of_level)
      image->base_array = 0;
   image->min_lod = (float)rsrc->min_lod / 256.0f;
   image->desc = (struct amd_surface_desc){
      .gen = gen,
      .gb_addr_config = chip->gb_addr_config,
      .base_256B = rsrc->base_address,
      .mode = (uint8_t)rsrc->sw_mode,
      .element_B = image->format.size_B,
      .element_log2 = (uint8_t)log2_ceil(image->format.size_B),
      .samples_log2 = msaa ? (uint8_t)rsrc->last_level : 0,
      .levels = (uint8_t)(msaa ? 1 : rsrc->max_mip + 1),
      .texel_px = image->compressed ? 4 : 1,
      .is_3d = is_3d,
      .width_px = rsrc->width + 1,
      .height_px = is_1d ? 1 : rsrc->height + 1,
      .slices = rsrc->depth + 1,
      .pitch_el = every_pitch ? rsrc->pitch + 1 : 0,
   };
   /* Of a single linear 2D image the depth field is the pitch - 1, 0: the rule. */
   bool single =
      image->type == V_SQ_RSRC_IMG_2D || image->type == V_SQ_RSRC_IMG_1D || image->type == V_SQ_RSRC_IMG_2D_MSAA;
   if (single) {
      image->last_array = image->base_array;
      image->desc.slices = image->base_array + 1;
      if (image->desc.mode == V_SW_LINEAR && rsrc->depth && !every_pitch)
         image->desc.pitch_el = ((uint32_t)rsrc->pitch_msb << 13 | rsrc->depth) + 1;
   }
   if (image->base_level > image->last_level || image->last_level >= image->desc.levels ||
       image->desc.samples_log2 > 4)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "image levels %u to %u of %u", image->base_level,
                           image->last_level, image->desc.levels);
   return tex_meta_decode(image, fault);
}

static unsigned
find_set(const uint32_t words[8])
{
   const uint32_t hash =
      words[0] * 0x9e3779b1u ^ words[1] * 0x85ebca6bu ^ words[3] * 0xc2b2ae35u ^ words[4] ^ words[2] << 7;
   return (hash ^ hash >> 13) % SETS;
}

static struct tex_image *
find_known(struct cache *cache, unsigned set, const uint32_t words[8], const struct amd_chip *chip)
{
   for (unsigned slot = set * WAYS; slot < (set + 1) * WAYS; slot++) {
      struct tex_image *image = &cache->images[slot];
      if (cache->used[slot] && !memcmp(image->words, words, sizeof(image->words)) && image->chip == chip)
         return image;
   }
   return NULL;
}

struct tex_image *
tex_image_known(const uint32_t words[8], const struct amd_chip *chip)
{
   return find_known(own_cache(), find_set(words), words, chip);
}

struct tex_image *
tex_image_get(const uint32_t words[8], const struct amd_chip *chip, struct sim_fault *fault)
{
   struct cache *cache = own_cache();
   const unsigned set = find_set(words);
   struct tex_image *image = find_known(cache, set, words, chip);
   if (image)
      return image;
   const unsigned slot = set * WAYS + cache->next[set]++ % WAYS;
   image = &cache->images[slot];
   cache->used[slot] = false;
   for (unsigned i = 0; i < ARRAY_SIZE(image->levels); i++)
      image->levels[i].ready = false;
   memcpy(image->words, words, sizeof(image->words));
   image->chip = chip;
   if (!decode(image, words, chip, fault))
      return NULL;
   cache->used[slot] = true;
   return image;
}

const struct tex_level *
tex_image_level(struct tex_image *image, unsigned number, struct sim_fault *fault)
{
   struct tex_level *level = &image->levels[number];
   if (level->ready)
      return level;
   if (!amd_surface_init(&level->surface, &image->desc, number, fault) ||
       (image->has_meta && !tex_meta_level(image, level, number, fault)))
      return NULL;
   level->width = MAX2(image->desc.width_px >> number, 1u);
   level->height = MAX2(image->desc.height_px >> number, 1u);
   level->depth = image->desc.is_3d ? MAX2(image->desc.slices >> number, 1u) : 1;
   level->ready = true;
   return level;
}

bool
tex_image_map(struct tex_image *image, const struct sim_vm *vm, struct amd_cache_port *port, unsigned path,
              struct sim_fault *fault)
{
   const struct tex_level *level = tex_image_level(image, image->base_level, fault);
   if (!level)
      return false;
   bool hole;
   image->base = level->surface.base;
   image->host = sim_vm_lookup(vm, image->base, SIM_READ, &image->run_B, &hole);
   if (!image->host && !hole)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, image->base, "surface at unmapped address 0x%012lx",
                           (long)image->base.va);
   if (hole)
      image->run_B = 0;
   image->vm = vm;
   image->missing = false;
   image->port = port && port->caches ? port : NULL;
   image->path = (uint8_t)path;
   return !image->has_meta || tex_meta_map(image, vm, fault);
}

const uint8_t *
tex_image_piece(struct tex_image *image, uint64_t offset_B, bool *bad)
{
   static const uint8_t zeros[16];
   struct sim_va va = sim_va_add(image->base, (int64_t)offset_B);
   uint64_t run_B;
   bool hole;
   const uint8_t *host = sim_vm_lookup(image->vm, va, SIM_READ, &run_B, &hole);
   *bad |= !hole && (!host || run_B < image->format.size_B);
   image->missing |= hole;
   if (!host || run_B < image->format.size_B)
      return zeros;
   return image->port ? amd_cache_read(image->port, image->path, va, host, image->format.size_B) : host;
}

static const uint8_t *
texel_bytes(struct tex_image *image, uint64_t offset_B, bool *bad)
{
   if (offset_B + image->format.size_B <= image->run_B)
      return tex_image_bytes(image, offset_B);
   return tex_image_piece(image, offset_B, bad);
}

v4u
tex_image_texel(struct tex_image *image, const struct tex_level *level, struct tex_place p, bool *bad)
{
   v4u value;
   uint64_t offset_B = image->compressed ? amd_surface_offset(&level->surface, p.x >> 2, p.y >> 2, p.slice, p.sample)
                                         : amd_surface_offset(&level->surface, p.x, p.y, p.slice, p.sample);
   uint8_t texel[16];
   if (image->watch)
      image->watch->see(image->watch, image->lane, sim_va_add(image->base, (int64_t)offset_B), image->format.size_B);
   if (image->has_meta && tex_meta_texel(image, level, p, offset_B, texel, bad))
      sim_texel_decode(&image->format, texel, (uint32_t *)&value);
   else if (image->compressed)
      (image->reference ? sim_texel_decode_block : sim_block_memo_decode)(
         &image->format, texel_bytes(image, offset_B, bad), p.x & 3, p.y & 3, (uint32_t *)&value);
   else
      sim_texel_decode(&image->format, texel_bytes(image, offset_B, bad), (uint32_t *)&value);
   if (image->fmask_samples_log2)
      value[0] = tex_meta_spread_fmask(image, value[0]);
   return value;
}
