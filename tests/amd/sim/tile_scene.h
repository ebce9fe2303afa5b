/* Random surfaces, depth states and colour targets of several chips, with memory of which there are two copies: what
 * is done in two ways is compared there, bit for bit, with all that lies around it. */
#ifndef INDIUM_TESTS_TILE_SCENE_H
#define INDIUM_TESTS_TILE_SCENE_H

#include <math.h>
#include <stdlib.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "amd/sim/rb/rb.h"
#include "amd/sim/state/draw_state_private.h"
#include "amd/sim/surface/formats.h"
#include "util/macros.h"

enum { MOST_B = 1 << 18, AROUND_B = 1024, META_B = 1 << 14, MAX_PX = 70, AREAS = 8 };

static uint64_t seed;

static inline uint32_t
random_below(uint32_t end)
{
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)((seed >> 33) % end);
}

static inline float
random_float(void)
{
   static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1.0f, 0.5f, 1e-40f, 2.0f};
   return random_below(16) ? (float)random_below(4096) / 2048.0f - 0.5f : odd[random_below(ARRAY_SIZE(odd))];
}

static inline uint64_t
random_cover(void)
{
   uint64_t bits = 0;
   if (!random_below(3))
      return UINT64_MAX;
   for (unsigned i = 0; i < 4; i++)
      bits = bits << 16 | random_below(1 << 16);
   return random_below(4) ? bits : 0;
}

/* Memory that a draw writes, twice: [0] goes by quads, [1] by tiles. After it is what nobody may write. */
struct area {
   uint64_t size_B;
   uint8_t *host[2], outside[2];
   struct amd_note_page *written[2], *looked[2]; /* see amd_meta_memory */
};

static struct area areas[AREAS];
static unsigned area_count;

/* NULL: too large. fill: of bytes, or 256: depths. */
static inline struct area *
take_area(uint64_t size_B, const uint8_t *choice, unsigned choices)
{
   if (size_B > MOST_B)
      return NULL;
   struct area *a = &areas[area_count++];
   a->size_B = size_B;
   for (unsigned i = 0; i < 2; i++) {
      a->host[i] = malloc(size_B + AROUND_B);
      a->written[i] = calloc(amd_note_pages(size_B + AROUND_B), sizeof(*a->written[i]));
      a->looked[i] = calloc(amd_note_pages(size_B + AROUND_B), sizeof(*a->looked[i]));
      a->outside[i] = 0;
   }
   for (uint64_t i = 0; i < size_B + AROUND_B; i++)
      a->host[0][i] = choices ? choice[random_below(choices)] : (uint8_t)random_below(256);
   memcpy(a->host[1], a->host[0], size_B + AROUND_B);
   return a;
}

static inline void
free_area(void)
{
   const struct area *a = &areas[--area_count];
   for (unsigned i = 0; i < 2; i++) {
      free(a->host[i]);
      free(a->written[i]);
      free(a->looked[i]);
   }
}

static inline void
compare_and_free(void)
{
   for (; area_count; free_area()) {
      const struct area *a = &areas[area_count - 1];
      assert_memory_equal(a->host[0], a->host[1], a->size_B + AROUND_B);
      const size_t notes_B = amd_note_pages(a->size_B + AROUND_B) * sizeof(*a->written[0]);
      assert_memory_equal(a->written[0], a->written[1], notes_B);
      assert_memory_equal(a->looked[0], a->looked[1], notes_B);
      assert_int_equal(a->outside[0], a->outside[1]);
   }
}

/* A surface of a chip, in a random mode, and what it was made from. */
static inline bool
random_surface(struct amd_surface *surface, struct amd_surface_desc *desc, const struct amd_chip *chip,
               unsigned element_log2, unsigned samples_log2)
{
   struct sim_fault fault = {0};
   *desc = (struct amd_surface_desc){.gen = chip->gen,
                                     .gb_addr_config = chip->gb_addr_config,
                                     .base_256B = 0x200000000 >> 8,
                                     .mode = (uint8_t)random_below(32),
                                     .element_log2 = (uint8_t)element_log2,
                                     .element_B = (uint8_t)(1u << element_log2),
                                     .samples_log2 = (uint8_t)samples_log2,
                                     .levels = (uint8_t)(samples_log2 ? 1 : 1 + random_below(4)),
                                     .texel_px = 1,
                                     .width_px = 8 + random_below(MAX_PX - 8),
                                     .height_px = 8 + random_below(MAX_PX - 8),
                                     .slices = 1 + random_below(2)};
   return amd_surface_init(surface, desc, random_below(desc->levels), &fault);
}

static inline const struct amd_chip *
random_chip(void)
{
   static const char *const names[] = {"vega10", "navi10", "navi21", "navi31", "gfx1150"};
   return amd_chip_by_name(names[random_below(ARRAY_SIZE(names))]);
}

static inline struct amd_meta_memory
meta_memory(struct area *a, unsigned which)
{
   return (struct amd_meta_memory){.host = a->host[which],
                                   .run_B = a->size_B,
                                   .written = a->written[which],
                                   .looked = a->looked[which],
                                   .outside = &a->outside[which]};
}

static inline void
random_samples(struct amd_sample_state *s, unsigned samples_log2)
{
   s->folded = !samples_log2 && !random_below(8);
   s->positions.count = s->folded ? 4 : 1u << samples_log2;
   for (unsigned i = 0; i < s->positions.count; i++) {
      s->positions.x16[i] = (int8_t)(random_below(16) - 8);
      s->positions.y16[i] = (int8_t)(random_below(16) - 8);
   }
   s->by_pixel = s->positions.count > 1 && !random_below(4);
   for (unsigned i = 0; i < 4 && s->by_pixel; i++) {
      s->pixel[i] = s->positions;
      s->pixel[i].x16[i] = (int8_t)(random_below(16) - 8);
   }
}

/* Depths that are near those of random_prim(). */
static inline void
fill_depths(const struct amd_depth_state *d, struct area *a)
{
   for (uint64_t i = 0; i + 4 <= a->size_B && d->z_format_float; i += 4) {
      float f = random_float();
      memcpy(a->host[0] + i, &f, 4);
   }
   memcpy(a->host[1], a->host[0], a->size_B);
}

static inline bool
random_depth(struct amd_draw_state *state, const struct amd_chip *chip, unsigned samples_log2)
{
   static const uint8_t bits[] = {16, 24, 32}, tiles[] = {0, 0, 0, 0, 0, 0xff, 0xf0, 0x0f};
   struct amd_depth_state *d = &state->depth;
   struct amd_surface_desc desc;
   struct sim_fault fault = {0};
   d->z_bits = bits[random_below(3)];
   d->z_format_float = d->z_bits == 32;
   d->has_z = d->any = true;
   d->z_enable = random_below(8);
   d->z_write = d->z_enable && random_below(4);
   d->zfunc = (uint8_t)random_below(8);
   d->bounds_enable = !random_below(8);
   d->bounds_max = 0.75f;
   d->viewport_clamp = random_below(2);
   d->clear_z = !random_below(8);
   d->clear_z_value = (float)random_below(5) / 4.0f;
   d->last_slice = 1;
   state->viewports[0].zmax = 1.0f;
   random_samples(&state->samples, samples_log2);
   if (!random_surface(&d->z, &desc, chip, d->z_bits == 16 ? 1 : 2, samples_log2))
      return false;
   struct area *z = take_area(d->z.size_B, NULL, 0), *htile = NULL;
   if (!z)
      return false;
   fill_depths(d, z);
   /* Sparse memory ends early. */
   d->z_run_B = random_below(8) ? d->z.size_B : random_below((uint32_t)d->z.size_B);
   const struct amd_meta_desc meta = {AMD_META_HTILE,  {.pipe = chip->gen != AMD_GFX9}, &desc, &d->z, 0,
                                      0x300000000 >> 8};
   d->htile.enable =
      desc.levels == 1 && random_below(2) && desc.mode && amd_meta_init(&d->htile.layout, &meta, &fault);
   d->htile.samples_log2 = (uint8_t)samples_log2;
   if (d->htile.enable)
      htile = take_area(d->htile.layout.size_B, tiles, ARRAY_SIZE(tiles));
   d->htile.enable &= htile != NULL;
   return true;
}

/* Which of the two memories the draw has; areas in the order that random_depth() took them. */
static inline void
choose_depth(struct amd_depth_state *d, struct area *first, unsigned which)
{
   d->z_host = first[0].host[which];
   d->z_written = first[0].written[which];
   d->z_outside = &first[0].outside[which];
   if (d->htile.enable)
      d->htile.memory = meta_memory(&first[1], which);
}

static inline struct amd_prim
random_prim(void)
{
   return (struct amd_prim){.origin_x = (int32_t)random_below(90) - 10,
                            .origin_y = (int32_t)random_below(90) - 10,
                            .z = {(double)random_float() / 16, (double)random_float() / 16, (double)random_float()},
                            .layer = (uint16_t)random_below(2)};
}

static inline bool
random_target(struct amd_target_state *t, const struct amd_chip *chip, unsigned samples_log2)
{
   static const struct {
      uint8_t format, number;
   } formats[] = {{V_COLOR_8_8_8_8, V_NUMBER_UNORM}, {V_COLOR_8_8_8_8, V_NUMBER_SRGB},
                  {V_COLOR_8, V_NUMBER_UNORM},       {V_COLOR_16_16, V_NUMBER_FLOAT},
                  {V_COLOR_32_32, V_NUMBER_UINT},    {V_COLOR_16_16_16_16, V_NUMBER_FLOAT},
                  {V_COLOR_5_6_5, V_NUMBER_UNORM},   {V_COLOR_32_32_32_32, V_NUMBER_FLOAT}};
   static const uint8_t codes[] = {0, 0x40, 0x80, 0xc0, 0x20, 0xff, 0xff, 0x10}, nibbles[] = {0xff, 0xcc, 0, 0x0c};
   const unsigned f = random_below(2) ? 0 : random_below(ARRAY_SIZE(formats));
   struct amd_surface_desc desc;
   struct sim_fault fault = {0};
   struct amd_color_meta *m = &t->meta;
   t->enable = true;
   t->write_mask = 15;
   t->logic = V_ROP3_COPY & 15;
   t->format = amd_format_color(formats[f].format, formats[f].number);
   for (unsigned i = 0; i < 4; i++)
      t->component[i] = (uint8_t)(t->format.components == 4 ? 3 - i : i);
   t->samples_log2 = (uint8_t)samples_log2;
   t->last_slice = 1;
   if (!random_surface(&t->surface, &desc, chip, log2_floor(t->format.size_B), samples_log2))
      return false;
   struct area *a = take_area(t->surface.size_B, NULL, 0);
   if (!a)
      return false;
   t->run_B = random_below(8) ? a->size_B : random_below((uint32_t)a->size_B);
   const unsigned kind = desc.levels == 1 && desc.mode ? random_below(3) : 0;
   const struct amd_meta_desc meta = {kind == 1 ? AMD_META_DCC : AMD_META_CMASK,
                                      {.pipe = chip->gen != AMD_GFX9},
                                      &desc,
                                      &t->surface,
                                      0,
                                      0x300000000 >> 8};
   m->dcc = kind == 1 && amd_meta_init(&m->dcc_layout, &meta, &fault);
   m->cmask = kind == 2 && amd_meta_init(&m->cmask_layout, &meta, &fault);
   const uint64_t meta_B = m->dcc ? m->dcc_layout.size_B : m->cmask_layout.size_B;
   a = take_area(m->dcc || m->cmask ? meta_B : 0, m->dcc ? codes : nibbles, m->dcc ? 8 : 4);
   if (!a)
      return false;
   memset(m->clear, 0x5a, sizeof(m->clear));
   m->tile_at_once = amd_color_meta_is_of_tiles(t);
   return true;
}

static inline void
choose_targets(struct amd_color_state *color, unsigned which)
{
   for (unsigned i = 0; i < color->count; i++) {
      struct amd_target_state *t = &color->target[i];
      t->host = areas[2 * i].host[which];
      t->written = areas[2 * i].written[which];
      t->outside = &areas[2 * i].outside[which];
      t->meta.dcc_memory = t->meta.cmask_memory = meta_memory(&areas[2 * i + 1], which);
   }
}

#endif
