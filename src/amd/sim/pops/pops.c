#include "amd/sim/pops/pops.h"

#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state.h"
#include "amd/sim/state/quad.h"
#include "sim/waves/race.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* The newest quad that covered a pixel (or a sample of it): wave + 1, 0 none; and its index in the wave. */
struct cover {
   uint32_t wave;
   uint32_t quad;
};

/* The wave that a packer is filling. */
struct open_wave {
   uint32_t wave;        /* AMD_POPS_NONE: none */
   uint32_t layer_start; /* quad index */
   uint32_t seq;
};

/* A pixel of a bin that a quad covers, and its samples in buckets. */
struct place {
   uint32_t index, buckets;
};

struct former {
   struct amd_pops_launch *launch;
   struct amd_pops_memory *memory;
   const struct amd_pops_state *state;
   uint32_t quads_per_wave, buckets;
   bool per_sample;
   struct place places[4 * AMD_COARSE_PIXELS]; /* of the quad that comes in */
   unsigned place_count;
};

/* Logarithms: GFX9 says it nowhere; elsewhere there is a packer for two render backends, or for one that is two
 * (assumed here, too: COLLISION_WAVEID has one bit for it, so an engine has two at most). GFX10.1 has what its kernel
 * driver makes of the counts of scan converters and of packers of each (other chips report 0 there), later ones
 * GB_ADDR_CONFIG.NUM_PKRS 10:8. */
static uint32_t
count_packers_log2(const struct amd_chip *chip)
{
   uint32_t steering = chip->pa_sc_tile_steering_override;
   if (amd_traits[chip->gen].packers_unsaid)
      return log2_ceil(MAX2(chip->num_rb_pipes / 2, 1));
   if (!steering)
      return chip->gb_addr_config >> 8 & 7;
   return G_PA_SC_TILE_STEERING_OVERRIDE_NUM_SC(steering) +
          G_PA_SC_TILE_STEERING_OVERRIDE_NUM_PACKER_PER_SC(chip->gen, steering);
}

/* Shader engines share them evenly. */
struct amd_pops_packers
amd_pops_packers(const struct amd_chip *chip)
{
   uint32_t packers_log2 = count_packers_log2(chip), se_log2 = log2_ceil(MAX2(chip->num_se, 1));
   struct amd_pops_packers p = {1u << packers_log2, packers_log2 > se_log2 ? packers_log2 - se_log2 : 0};
   p.per_se_log2 = MIN2(p.per_se_log2, 2); /* COLLISION_WAVEID has two bits for it */
   return p;
}

/* Squares of AMD_POPS_REGION_PX in turn along both axes, bits folded from both: a row or a column meets all. */
uint32_t
amd_pops_packer_of(const struct amd_pops_packers *packers, uint32_t x, uint32_t y)
{
   uint32_t rx = x / AMD_POPS_REGION_PX, ry = y / AMD_POPS_REGION_PX;
   uint32_t bits = ((rx ^ ry) & 1) | ((ry ^ rx >> 2) & 1) << 1 | ((ry >> 1 ^ rx >> 1) & 1) << 2 |
                   ((rx >> 1 ^ ry >> 2) & 1) << 3 | ((rx >> 2 ^ ry >> 3) & 1) << 4 | ((rx >> 3 ^ ry >> 2) & 1) << 5;
   return bits & (packers->count - 1);
}

static struct amd_pops_wave *
wave_at(const struct former *f, uint32_t wave)
{
   return dynarray_at(&f->memory->waves, struct amd_pops_wave, wave);
}

uint32_t
amd_pops_samples(const struct amd_quad *quad, unsigned pixel, unsigned samples_log2, bool per_sample)
{
   if (!quad->cover[pixel])
      return 0;
   return sim_fold_samples(per_sample ? quad->cover[pixel] : quad->raster[pixel], samples_log2);
}

/* Lists a quad's pixels, of coarse ones (GFX11) their parts: their places in the bin, and the buckets of each. */
static void
list_places(struct former *f, const struct amd_quad *quad)
{
   f->place_count = 0;
   for (unsigned pixel = 0; pixel < 4; pixel++) {
      uint32_t x = (quad->x + amd_quad_dx(quad, pixel)) % AMD_BIN_PX,
               y = (quad->y + amd_quad_dy(quad, pixel)) % AMD_BIN_PX;
      if (!quad->cover[pixel])
         continue;
      for (unsigned k = 0; k < (amd_quad_is_coarse(quad) ? AMD_COARSE_PIXELS : 1u); k++) {
         uint32_t covered = amd_quad_is_coarse(quad) ? quad->part[pixel][k]
                            : f->per_sample          ? quad->cover[pixel]
                                                     : quad->raster[pixel];
         uint32_t samples = sim_fold_samples(covered & ~f->state->unseen, f->state->samples_log2);
         if (samples)
            f->places[f->place_count++] = (struct place){(y + (k >> 1)) * AMD_BIN_PX + x + (k & 1), samples};
      }
   }
}

static struct cover *
cover_at(const struct former *f, const struct place *place)
{
   return dynarray_at(&f->memory->map, struct cover, place->index * f->buckets);
}

/* What a quad meets: the newest wave other than `open`, and whether a quad of the open wave's present layer. */
static uint32_t
find_overlap(const struct former *f, const struct open_wave *open, bool *in_layer)
{
   uint32_t newest = AMD_POPS_NONE;
   *in_layer = false;
   for (unsigned i = 0; i < f->place_count; i++) {
      uint32_t buckets = f->places[i].buckets;
      const struct cover *cover = cover_at(f, &f->places[i]);
      for (unsigned b = 0; buckets >> b; b++) {
         if (!(buckets >> b & 1) || !cover[b].wave)
            continue;
         uint32_t wave = cover[b].wave - 1, seq = wave_at(f, wave)->seq;
         if (wave == open->wave)
            *in_layer |= cover[b].quad >= open->layer_start;
         else if (newest == AMD_POPS_NONE || seq > newest)
            newest = seq;
      }
   }
   return newest;
}

static void
mark_cover(const struct former *f, uint32_t wave, uint32_t index)
{
   for (unsigned i = 0; i < f->place_count; i++) {
      uint32_t buckets = f->places[i].buckets;
      struct cover *cover = cover_at(f, &f->places[i]);
      for (unsigned b = 0; buckets >> b; b++) {
         if (buckets >> b & 1)
            cover[b] = (struct cover){wave + 1, index};
      }
   }
}

/* The pixels of a bin, for waves of earlier launches. */
static struct amd_pops_past *
history_of(struct amd_pops_memory *m, const struct amd_quad *quad)
{
   struct amd_pops_past **bin = &m->history[quad->y / AMD_BIN_PX % AMD_POPS_MAX_BINS * AMD_POPS_MAX_BINS +
                                            quad->x / AMD_BIN_PX % AMD_POPS_MAX_BINS];
   if (!*bin)
      *bin = need_calloc("a bin of overlaps", AMD_BIN_PX * AMD_BIN_PX, sizeof(**bin));
   return *bin;
}

/* Meets a quad with the earlier launches, by whole pixels, and takes their place. */
static void
pass_history(const struct former *f, const struct amd_quad *quad, struct amd_pops_wave *wave)
{
   uint32_t started = f->memory->started[wave->packer], drained = f->memory->drained[wave->packer];
   struct amd_pops_past *history = history_of(f->memory, quad);
   for (unsigned i = 0; i < f->place_count; i++) {
      struct amd_pops_past *past = &history[f->places[i].index];
      if ((int32_t)(past->newest - started) <= 0)
         past->earlier = past->newest;
      const uint32_t back = started - past->earlier + 1;
      if (past->earlier && back - 1 < started - drained && (!wave->before || back < wave->before))
         wave->before = back;
      past->newest = started + wave->seq + 1;
   }
}

static void
open_new(struct former *f, struct open_wave *open, uint32_t packer)
{
   uint32_t wave = (uint32_t)dynarray_count(&f->memory->waves, struct amd_pops_wave);
   uint32_t seq = open->seq++;
   if (open->wave == AMD_POPS_NONE)
      f->launch->first[packer] = wave;
   else
      wave_at(f, open->wave)->next = wave;
   dynarray_append(
      &f->memory->waves, struct amd_pops_wave,
      (struct amd_pops_wave){.packer = packer, .seq = seq, .newest = AMD_POPS_NONE, .next = AMD_POPS_NONE});
   open->wave = wave;
   open->layer_start = 0;
}

static void
add_quad(struct former *f, const struct amd_quad *quad, uint32_t *place)
{
   uint32_t packer = amd_pops_packer_of(&f->launch->packers, quad->x, quad->y);
   struct open_wave *open = dynarray_at(&f->memory->open, struct open_wave, packer);
   list_places(f, quad);
   bool in_layer = false, full = open->wave == AMD_POPS_NONE || wave_at(f, open->wave)->count == f->quads_per_wave;
   uint32_t newest = find_overlap(f, open, &in_layer);
   if (full || (in_layer && !f->state->pa_intrawave)) {
      open_new(f, open, packer);
      newest = find_overlap(f, open, &in_layer);
   }
   struct amd_pops_wave *wave = wave_at(f, open->wave);
   uint32_t index = wave->count++;
   if (in_layer) {
      wave->layers |= 1u << index;
      open->layer_start = index;
   }
   if (newest != AMD_POPS_NONE && (wave->newest == AMD_POPS_NONE || newest > wave->newest))
      wave->newest = newest;
   mark_cover(f, open->wave, index);
   pass_history(f, quad, wave);
   *place = open->wave * f->quads_per_wave + index;
}

static void
list_order(struct former *f, const uint32_t *place, uint32_t count)
{
   struct amd_pops_memory *m = f->memory;
   uint32_t waves = (uint32_t)dynarray_count(&m->waves, struct amd_pops_wave), first = 0;
   m->order.size_B = 0;
   uint32_t *order = dynarray_grow(&m->order, count * sizeof(*order));
   for (uint32_t w = 0; w < waves; w++) {
      wave_at(f, w)->first = first;
      first += wave_at(f, w)->count;
   }
   for (uint32_t q = 0; q < count; q++)
      order[wave_at(f, place[q] / f->quads_per_wave)->first + place[q] % f->quads_per_wave] = q;
   f->launch->order = order;
   f->launch->waves = m->waves.data;
   f->launch->wave_count = waves;
}

void
amd_pops_form(struct amd_pops_launch *launch, struct amd_pops_memory *memory, const struct amd_pops_state *state,
              const struct amd_quad *quads, uint32_t count, uint32_t quads_per_wave, bool per_sample)
{
   struct former f = {.launch = launch,
                      .memory = memory,
                      .state = state,
                      .quads_per_wave = quads_per_wave,
                      .buckets = 1u << state->samples_log2,
                      .per_sample = per_sample};
   memory->waves.size_B = memory->place.size_B = memory->map.size_B = memory->open.size_B = 0;
   memset(launch->first, 0xff, sizeof(launch->first));
   launch->lost = state->lost != NULL;
   uint32_t *place = dynarray_grow(&memory->place, count * sizeof(*place));
   struct open_wave *open = dynarray_grow(&memory->open, launch->packers.count * sizeof(*open));
   for (uint32_t i = 0; i < launch->packers.count; i++)
      open[i] = (struct open_wave){.wave = AMD_POPS_NONE};
   size_t map_B = (size_t)AMD_BIN_PX * AMD_BIN_PX * f.buckets * sizeof(struct cover);
   struct cover *map = dynarray_grow(&memory->map, map_B);
   for (uint32_t q = 0; q < count; q++) {
      bool same_bin = q && quads[q].x / AMD_BIN_PX == quads[q - 1].x / AMD_BIN_PX &&
                      quads[q].y / AMD_BIN_PX == quads[q - 1].y / AMD_BIN_PX;
      if (!same_bin)
         memset(map, 0, map_B);
      add_quad(&f, &quads[q], &place[q]);
   }
   for (uint32_t i = 0; i < launch->packers.count; i++)
      memory->started[i] += open[i].seq;
   list_order(&f, place, count);
}

void
amd_pops_drain(struct amd_pops_memory *memory)
{
   memcpy(memory->drained, memory->started, sizeof(memory->started));
}

void
amd_pops_memory_free(struct amd_pops_memory *memory)
{
   struct dynarray *arrays[] = {&memory->waves, &memory->order, &memory->place, &memory->map, &memory->open};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   for (unsigned i = 0; i < ARRAY_SIZE(memory->history); i++)
      free(memory->history[i]);
}
