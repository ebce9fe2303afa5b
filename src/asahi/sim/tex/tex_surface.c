/* Descriptors become surfaces once, not for each lane and instruction. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/tex/tex_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { CACHED_SURFACES = 16 };

struct cached {
   bool used, is_pbe;
   uint32_t words[6];
   struct agx_surface surface;
};

/* Each thread's cache lies on the heap: every thread of the program pays for thread-local storage. */
static pthread_key_t cache_key;

__attribute__((constructor)) static void
create_key(void)
{
   if (pthread_key_create(&cache_key, free))
      abort();
}

static struct cached *
own_cache(void)
{
   struct cached *cache = pthread_getspecific(cache_key);
   if (!cache) {
      cache = need_calloc("a thread's images", CACHED_SURFACES, sizeof(*cache));
      if (pthread_setspecific(cache_key, cache)) {
         free(cache);
         out_of_memory("a thread's images", CACHED_SURFACES * sizeof(*cache));
      }
   }
   return cache;
}

const struct tex_dim *
tex_dim(unsigned dim)
{
   static const struct tex_dim dims[] = {
      [AGX_DIM_1D] = {1, false, false, false},        [AGX_DIM_1D_ARRAY] = {1, true, false, false},
      [AGX_DIM_2D] = {2, false, false, false},        [AGX_DIM_2D_ARRAY] = {2, true, false, false},
      [AGX_DIM_2D_MS] = {2, false, true, false},      [AGX_DIM_3D] = {3, false, false, false},
      [AGX_DIM_CUBE] = {3, false, false, true},       [AGX_DIM_CUBE_ARRAY] = {3, true, false, true},
      [AGX_DIM_2D_MS_ARRAY] = {2, true, true, false},
   };
   return dim < ARRAY_SIZE(dims) ? &dims[dim] : NULL;
}

/* Instruction and descriptor mean the same kind of image; one of the two may have layers and the other one not. */
static bool
check_dimension(const struct agx_surface *surface, unsigned dim, struct sim_fault *fault)
{
   const struct tex_dim *asked = tex_dim(dim), *is = tex_dim(surface->dimension);
   if (!asked)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, surface->base, "image instruction of dimension %u", dim);
   if (asked->place != is->place || asked->has_sample != is->has_sample || asked->is_cube != is->is_cube)
      return sim_fault_set(fault, SIM_FAULT_STATE, surface->base,
                           "an image instruction of dimension %u meets a descriptor of dimension %u", dim,
                           surface->dimension);
   return true;
}

/* Null descriptors of drivers are of one dimension for all instructions: no channel of a texture is its texels', and
 * a written image is one texel. Source: Honeykrisp 25.0.7 and 26.1.6, whose null descriptors have dimension 1D. */
static bool
is_null(const uint32_t words[6], bool is_pbe)
{
   if (is_pbe) {
      struct agx_pbe p;
      agx_pbe_unpack(&p, words);
      return p.layout == AGX_LAYOUT_TWIDDLED && !p.dimension && p.width_px == 1 && p.height_px == 1;
   }
   struct agx_texture t;
   agx_texture_unpack(&t, words);
   return !t.dimension && t.swizzle_r == AGX_CHANNEL_ZERO && t.swizzle_g == AGX_CHANNEL_ZERO &&
          t.swizzle_b == AGX_CHANNEL_ZERO && t.swizzle_a == AGX_CHANNEL_ZERO;
}

struct agx_surface *
tex_surface(const struct sim_vm *vm, const uint32_t descriptor[6], bool is_pbe, unsigned dim, struct sim_fault *fault)
{
   uint32_t words[6];
   memcpy(words, descriptor, sizeof(words));
   if (tex_dim(dim) && is_null(words, is_pbe))
      words[0] |= dim; /* the field is 0 */
   uint32_t hash = words[0] * 0x9e3779b1u ^ words[1] * 0x85ebca6bu ^ words[2] * 0xc2b2ae35u ^ words[3] << 7 ^ is_pbe;
   struct cached *entry = &own_cache()[(hash ^ hash >> 13) % CACHED_SURFACES];
   if (!entry->used || entry->is_pbe != is_pbe || memcmp(entry->words, words, sizeof(entry->words))) {
      entry->used = false;
      entry->is_pbe = is_pbe;
      memcpy(entry->words, words, sizeof(entry->words));
      if (!(is_pbe ? agx_surface_of_pbe : agx_surface_of_texture)(&entry->surface, words, fault))
         return NULL;
      entry->used = true;
   }
   if (!check_dimension(&entry->surface, dim, fault) ||
       !agx_surface_map(&entry->surface, vm, is_pbe ? SIM_WRITE : SIM_READ, fault))
      return NULL;
   return &entry->surface;
}
