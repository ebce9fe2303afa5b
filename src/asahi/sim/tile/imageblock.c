#include "asahi/sim/tile/imageblock.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "asahi/sim/surface/formats.h"
#include "asahi/sim/tex/tex.h"
#include "asahi/sim/tile/buffer.h"
#include "util/within_memory.h"

struct agx_imageblocks {
   const struct sim_vm *vm;
   uint32_t width_px, height_px, samples, sample_size_B;
   uint32_t waves_per_group, group_count;
   uint8_t **groups; /* of each group; NULL: nothing was stored, or it has ended */
};

static size_t
size_B(const struct agx_imageblocks *b)
{
   return (size_t)b->width_px * b->height_px * b->samples * b->sample_size_B;
}

static uint8_t *
pixel_at(const void *data, const struct agx_wave_tile_access *access, unsigned lane)
{
   const struct agx_imageblocks *b = data;
   uint32_t x = access->coords[0][lane], y = access->coords[1][lane];
   if (!access->explicit_coords || x >= b->width_px || y >= b->height_px || !b->groups[access->group])
      return NULL;
   return b->groups[access->group] + ((size_t)y * b->width_px + x) * b->samples * b->sample_size_B;
}

static struct agx_tile_buffer
buffer_of(const struct agx_imageblocks *b)
{
   return (struct agx_tile_buffer){b->samples, b->sample_size_B, b, pixel_at};
}

static bool
load(void *user, const struct agx_wave_tile_access *access, uint32_t value[4][AGX_WAVE_LANES],
     struct sim_fault *fault)
{
   struct agx_tile_buffer buffer = buffer_of(user);
   return agx_tile_buffer_load(&buffer, access, value, fault);
}

/* What nobody stored is what the last group left: anything. */
static uint8_t *
memory_of(struct agx_imageblocks *b, uint32_t group)
{
   if (!b->groups[group])
      b->groups[group] = memset(need_malloc("a threadgroup's tile", size_B(b)), 0xa5, size_B(b));
   return b->groups[group];
}

/* Honeykrisp stores four components to samples that have one or two: those beyond are lost (inferred). */
static uint8_t
components_that_fit(const struct agx_imageblocks *b, const struct agx_wave_tile_access *access)
{
   unsigned one_B = agx_format_is_packed(access->format) ? 0 : agx_format_B(access->format), mask = 0;
   for (unsigned i = 0; i < 4; i++)
      mask |= (unsigned)(access->offset_B + (i + 1) * one_B <= b->sample_size_B) << i;
   return (uint8_t)mask;
}

static bool
store(void *user, const struct agx_wave_tile_access *access, const uint32_t value[4][AGX_WAVE_LANES],
      struct sim_fault *fault)
{
   struct agx_imageblocks *b = user;
   struct agx_tile_buffer buffer = buffer_of(b);
   struct agx_wave_tile_access kept = *access;
   memory_of(b, access->group);
   kept.mask &= components_that_fit(b, access);
   return !kept.mask || agx_tile_buffer_store(&buffer, &kept, value, fault);
}

static bool
store_block(void *user, const struct agx_wave_block *a, struct sim_fault *fault)
{
   struct agx_imageblocks *b = user;
   if (!a->explicit_coords)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "a threadgroup's tile has no place without coordinates");
   if (a->offset_B >= b->sample_size_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "byte %u of a sample that has %u in the tile buffer",
                           a->offset_B, b->sample_size_B);
   struct agx_tex_block block = {
      .dim = a->dim,
      .format = a->format,
      .rtz = a->round_to_zero,
      .tile = memory_of(b, a->group),
      .sample_stride_B = b->sample_size_B,
      .offset_B = a->offset_B,
      .tile_width_px = b->width_px,
      .tile_height_px = b->height_px,
      .samples = b->samples,
      .x_px = a->coords[0],
      .y_px = a->coords[1],
      .layer = agx_tex_block_has_layer((enum agx_dim)a->dim) ? a->coords[2] & 0xffff : 0,
      .lod = a->lod,
   };
   memcpy(block.pbe, a->texture, sizeof(block.pbe));
   return agx_tex_write_block(b->vm, &block, fault);
}

/* The engine has filled in the threads. */
static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)wave;
   const struct agx_imageblocks *b = user;
   start->fragments.tile = group;
   for (unsigned lane = 0; lane < AGX_WAVE_LANES; lane++)
      start->fragments.samples[lane] = start->lanes >> lane & 1 ? (uint8_t)((1u << b->samples) - 1) : 0;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct agx_wave_result *result)
{
   (void)result;
   struct agx_imageblocks *b = user;
   if (wave + 1 < b->waves_per_group)
      return;
   free(b->groups[group]);
   b->groups[group] = NULL;
}

static bool
set_layout(struct agx_imageblocks *b, const struct agx_usc_shared *shared)
{
   b->samples = shared->sample_count;
   b->sample_size_B = shared->sample_stride_B;
   switch (shared->layout) {
   case AGX_SHARED_LAYOUT_VERTEX_COMPUTE:
      return false;
   case AGX_SHARED_LAYOUT_32X32:
      b->width_px = b->height_px = 32;
      break;
   case AGX_SHARED_LAYOUT_32X16:
      b->width_px = 32;
      b->height_px = 16;
      break;
   case AGX_SHARED_LAYOUT_16X16:
      b->width_px = b->height_px = 16;
      break;
   }
   return shared->uses_shared_memory;
}

struct agx_imageblocks *
agx_imageblocks_create(struct agx_wave_launch *launch, struct sim_fault *fault)
{
   static const struct agx_wave_hooks hooks = {.load_tile = load, .store_tile = store, .store_block = store_block};
   const struct agx_usc_shared *shared = &launch->program->shared;
   struct agx_imageblocks made = {
      .vm = launch->vm, .waves_per_group = launch->waves_per_group, .group_count = launch->group_count};
   if (!set_layout(&made, shared))
      return NULL;
   if (!made.sample_size_B || made.samples > 4 || size_B(&made) > shared->threadgroup_B) {
      sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                    "threadgroups of %u bytes, and a tile of theirs would have %ux%u pixels of %u samples of %u",
                    shared->threadgroup_B, made.width_px, made.height_px, made.samples, made.sample_size_B);
      return NULL;
   }
   struct agx_imageblocks *b = need_malloc("tiles of threadgroups", sizeof(*b));
   *b = made;
   b->groups = calloc(b->group_count, sizeof(*b->groups));
   if (!b->groups) {
      free(b);
      out_of_memory("tiles of threadgroups", made.group_count * sizeof(*made.groups));
   }
   launch->hooks = &hooks;
   launch->start = start;
   launch->retire = retire;
   launch->user = b;
   return b;
}

void
agx_imageblocks_free(void *blocks)
{
   struct agx_imageblocks *b = blocks;
   for (uint32_t i = 0; b && i < b->group_count; i++)
      free(b->groups[i]);
   free(b ? b->groups : NULL);
   free(b);
}
