#include "amd/sim/pops/pops.h"

#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "amd/sim/pops/pops_squares.h"
#include "amd/sim/state/draw_state.h"
#include "amd/sim/state/quad.h"
#include "sim/waves/race.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* The wave that a packer is filling. */
struct open_wave {
   uint32_t wave;        /* AMD_POPS_NONE: none */
   uint32_t layer_start; /* quad index */
   uint32_t seq;         /* of the next wave */
};

struct former {
   struct amd_pops_launch *launch;
   struct amd_pops_memory *memory;
   const struct amd_pops_state *state;
   uint32_t quads_per_wave;
   bool per_sample;
   struct pops_square *squares; /* of the bin of the quads that come in */
   uint32_t *samples;           /* the same, see struct pops_covered */
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
   const uint32_t packer = amd_pops_packer_of(&f->launch->packers, quad->x, quad->y);
   const struct pops_past past = {f->memory->started[packer], f->memory->drained[packer]};
   struct open_wave *open = dynarray_at(&f->memory->open, struct open_wave, packer);
   struct pops_covered covered;
   pops_cover(&covered, f->state, quad, f->per_sample, f->squares, f->samples);
   bool full = open->wave == AMD_POPS_NONE || wave_at(f, open->wave)->count == f->quads_per_wave;
   struct pops_met met = pops_meet(&covered, past.started, open->seq, open->layer_start);
   if (full || (met.in_layer && !f->state->pa_intrawave)) {
      open_new(f, open, packer);
      met = pops_meet(&covered, past.started, open->seq, open->layer_start);
   }
   struct amd_pops_wave *wave = wave_at(f, open->wave);
   uint32_t index = wave->count++;
   if (met.in_layer) {
      wave->layers |= 1u << index;
      open->layer_start = index;
   }
   if (met.newest && (wave->newest == AMD_POPS_NONE || met.newest - 1 > wave->newest))
      wave->newest = met.newest - 1;
   const uint32_t before = pops_mark(&covered, &past, wave->seq, index);
   if (before && (!wave->before || before < wave->before))
      wave->before = before;
   *place = open->wave * f->quads_per_wave + index;
}

static uint32_t
bin_of(const struct amd_quad *quad)
{
   return quad->y / AMD_BIN_PX % AMD_POPS_MAX_BINS * AMD_POPS_MAX_BINS + quad->x / AMD_BIN_PX % AMD_POPS_MAX_BINS;
}

/* Quads of another bin follow. */
static void
open_bin(struct former *f, uint32_t bin)
{
   struct pops_square **squares = &f->memory->squares[bin];
   const size_t samples_B =
      f->state->samples_log2 ? (POPS_SQUARES * 4 * sizeof(uint32_t)) << f->state->samples_log2 : 0;
   if (!*squares)
      *squares = need_calloc("a bin of overlaps", POPS_SQUARES, sizeof(**squares));
   f->squares = *squares;
   f->memory->samples.size_B = 0;
   f->samples = dynarray_grow(&f->memory->samples, samples_B + 4);
   memset(f->samples, 0, samples_B);
}

static void
list_order(struct former *f, const uint32_t *place, uint32_t count)
{
   struct amd_pops_memory *m = f->memory;
   struct amd_pops_wave *waves = m->waves.data;
   const uint32_t wave_count = (uint32_t)dynarray_count(&m->waves, struct amd_pops_wave);
   const unsigned per_wave_log2 = (unsigned)__builtin_ctz(f->quads_per_wave);
   m->order.size_B = 0;
   uint32_t *order = dynarray_grow(&m->order, count * sizeof(*order));
   for (uint32_t w = 0, first = 0; w < wave_count; first += waves[w++].count)
      waves[w].first = first;
   for (uint32_t q = 0; q < count; q++)
      order[waves[place[q] >> per_wave_log2].first + (place[q] & (f->quads_per_wave - 1))] = q;
   f->launch->order = order;
   f->launch->waves = waves;
   f->launch->wave_count = wave_count;
}

void
amd_pops_form(struct amd_pops_launch *launch, struct amd_pops_memory *memory, const struct amd_pops_state *state,
              const struct amd_quad *quads, uint32_t count, uint32_t quads_per_wave, bool per_sample)
{
   struct former f = {
      .launch = launch, .memory = memory, .state = state, .quads_per_wave = quads_per_wave, .per_sample = per_sample};
   memory->waves.size_B = memory->place.size_B = memory->open.size_B = 0;
   memset(launch->first, 0xff, sizeof(launch->first));
   launch->lost = state->lost != NULL;
   uint32_t *place = dynarray_grow(&memory->place, count * sizeof(*place));
   struct open_wave *open = dynarray_grow(&memory->open, launch->packers.count * sizeof(*open));
   for (uint32_t i = 0; i < launch->packers.count; i++)
      open[i] = (struct open_wave){.wave = AMD_POPS_NONE};
   for (uint32_t q = 0, bin, last = UINT32_MAX; q < count; q++, last = bin) {
      bin = bin_of(&quads[q]);
      if (bin != last)
         open_bin(&f, bin);
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
   struct dynarray *arrays[] = {&memory->waves, &memory->order, &memory->place, &memory->samples, &memory->open};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   for (unsigned i = 0; i < ARRAY_SIZE(memory->squares); i++)
      free(memory->squares[i]);
}
