/* Reading and writing samples, through compression and sparse page tables. */
#include <string.h>

#include "asahi/sim/surface/surface_private.h"
#include "sim/texel/block_memo.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

enum tile_mode {
   TILE_PLAIN, /* as it would be without compression */
   TILE_SOLID, /* each of the 8 parts has one colour, those lie side by side at the begin of the tile */
   TILE_OTHER,
};

/* Mode bytes by the bytes of a sample (log2). */
static const uint8_t plain_modes[5] = {0x1f, 0x3f, 0x7f, 0xff, 0xff};
static const uint8_t solid_modes[5] = {0x60, 0x01, 0x03, 0x07, 0x07};

static enum tile_mode
mode_of(const struct agx_surface *s, uint8_t byte)
{
   unsigned log2 = log2_floor(s->sample_B);
   return byte == plain_modes[log2] ? TILE_PLAIN : byte == solid_modes[log2] ? TILE_SOLID : TILE_OTHER;
}

/* A sample's place among all samples of a level: 2 lie one below the other, 4 in a square. */
static void
sample_place(const struct agx_surface *s, uint32_t *x, uint32_t *y, uint32_t sample)
{
   if (s->samples_log2 == 2) {
      *x = *x * 2 + (sample & 1);
      *y = *y * 2 + (sample >> 1);
   } else if (s->samples_log2 == 1) {
      *y = *y * 2 + sample;
   }
}

uint64_t
agx_surface_metadata_offset_B(const struct agx_surface *s, const struct agx_surface_place *place, unsigned *mode_byte)
{
   const struct agx_surface_level *at = &s->level[place->level];
   uint32_t x = place->x_px, y = place->y_px;
   if (!at->has_metadata)
      return UINT64_MAX;
   sample_place(s, &x, &y, place->sample);
   *mode_byte = (x >> 3 & 1) | (y >> 2 & 3) << 1;
   unsigned w = at->metadata_width_log2_tl, h = at->metadata_height_log2_tl, square = MIN2(w, h);
   uint32_t mask = (1u << square) - 1;
   x /= SURFACE_TILE_SA;
   y /= SURFACE_TILE_SA;
   uint64_t longer = (w > h ? x : y) >> square;
   uint64_t index = longer << (2 * square) | agx_surface_spread(y & mask) << 1 | agx_surface_spread(x & mask);
   return place->layer * s->metadata_layer_stride_B + at->metadata_offset_B + index * 8;
}

/* The 8 mode bytes of a sample's tile; NULL after a fault. */
static uint8_t *
metadata_of(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_place *place,
            unsigned access, unsigned *mode_byte, struct sim_fault *fault)
{
   uint64_t offset_B = agx_surface_metadata_offset_B(s, place, mode_byte);
   struct sim_va va = sim_va_add(s->metadata, (int64_t)offset_B);
   if (offset_B + 8 <= s->metadata_run_B)
      return surface_tell(vm, va, 8, access, s->metadata_host + offset_B);
   uint64_t run_B;
   uint8_t *host = sim_vm_lookup(vm, va, access, &run_B, NULL);
   if (host && run_B >= 8)
      return surface_tell(vm, va, 8, access, host);
   sim_fault_set(fault, SIM_FAULT_ADDRESS, va, "image metadata reaches the unmapped address 0x%010lx", (long)va.va);
   return NULL;
}

/* Pixels of a compression tile. */
static void
tile_size_px(const struct agx_surface *s, uint32_t *width, uint32_t *height)
{
   *width = SURFACE_TILE_SA >> (s->samples_log2 == 2);
   *height = SURFACE_TILE_SA >> (s->samples_log2 > 0);
}

/* First byte of the tile's body: its elements lie side by side. */
static uint64_t
tile_offset_B(const struct agx_surface *s, const struct agx_surface_place *place)
{
   uint32_t w, h;
   tile_size_px(s, &w, &h);
   return agx_surface_offset_B(s, place->x_px & ~(w - 1), place->y_px & ~(h - 1), place->layer, place->level, 0);
}

/* Whether the level's tiles may be anything but plain. */
static bool
is_compressed(const struct agx_surface *s, uint32_t level)
{
   return s->compressed && s->level[level].compressed;
}

/* What a tile in a mode that nobody has described holds: garbage that no picture looks like. */
static void
fill_garbage(uint8_t *bytes, unsigned size_B, uint32_t x, uint32_t y)
{
   for (unsigned i = 0; i < size_B; i++)
      bytes[i] = (uint8_t)((x * 0x9e3779b1u ^ y * 0x85ebca6bu ^ i * 0xc2b2ae35u) >> 13);
}

enum agx_surface_access
agx_surface_read_bytes(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_place *at,
                       void *bytes, struct sim_fault *fault)
{
   bool absent = false;
   uint64_t offset_B = agx_surface_offset_B(s, at->x_px, at->y_px, at->layer, at->level, at->sample);
   if (is_compressed(s, at->level)) {
      unsigned part;
      const uint8_t *modes = metadata_of(s, vm, at, SIM_READ, &part, fault);
      if (!modes)
         return AGX_SURFACE_FAULT;
      enum tile_mode mode = mode_of(s, modes[part]);
      if (mode == TILE_OTHER) {
         fill_garbage(bytes, s->sample_B, at->x_px, at->y_px);
         return AGX_SURFACE_DONE;
      }
      if (mode == TILE_SOLID)
         offset_B = tile_offset_B(s, at) + part * s->sample_B;
   }
   const uint8_t *host = surface_body(s, vm, at->layer, offset_B, s->sample_B, SIM_READ, &absent, fault);
   if (!host) {
      memset(bytes, 0, s->sample_B);
      return absent ? AGX_SURFACE_ABSENT : AGX_SURFACE_FAULT;
   }
   memcpy(bytes, host, s->sample_B);
   return AGX_SURFACE_DONE;
}

enum agx_surface_access
agx_surface_read(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_place *place,
                 uint32_t value[4], struct sim_fault *fault)
{
   uint8_t bytes[16];
   struct agx_surface_place element = *place;
   if (s->is_block) {
      element.x_px /= s->block_width_px;
      element.y_px /= s->block_height_px;
   }
   enum agx_surface_access access = agx_surface_read_bytes(s, vm, &element, bytes, fault);
   if (access != AGX_SURFACE_DONE) {
      memset(value, 0, 4 * sizeof(*value));
      return access;
   }
   if (s->is_block)
      sim_block_memo_decode(&s->format, bytes, place->x_px % s->block_width_px, place->y_px % s->block_height_px,
                            value);
   else
      sim_texel_decode(&s->format, bytes, value);
   return AGX_SURFACE_DONE;
}

/* Turns a tile of one colour a part into plain bytes, so that a part of it can be written. */
static bool
make_plain(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_place *place,
           struct sim_fault *fault)
{
   uint32_t w, h, samples = 1u << s->samples_log2;
   tile_size_px(s, &w, &h);
   const struct agx_surface_place start = {
      .x_px = place->x_px & ~(w - 1), .y_px = place->y_px & ~(h - 1), .layer = place->layer, .level = place->level};
   unsigned part;
   uint8_t *modes = metadata_of(s, vm, &start, SIM_WRITE, &part, fault);
   if (!modes)
      return false;
   uint8_t plain = plain_modes[log2_floor(s->sample_B)], was[8], colors[8 * 16];
   memcpy(was, modes, sizeof(was));
   memset(modes, plain, sizeof(was));
   bool absent = false;
   uint64_t start_B = tile_offset_B(s, &start);
   uint8_t *body = surface_body(s, vm, start.layer, start_B, SURFACE_TILE_SA * SURFACE_TILE_SA * s->sample_B,
                                SIM_WRITE, &absent, fault);
   if (!body)
      return false;
   memcpy(colors, body, 8u * s->sample_B);
   for (uint32_t i = 0; i < w * h * samples; i++) {
      struct agx_surface_place at = start;
      at.x_px += i / samples % w;
      at.y_px += i / samples / w;
      at.sample = i % samples;
      agx_surface_metadata_offset_B(s, &at, &part);
      if (was[part] == plain)
         continue;
      uint8_t *to = body + (agx_surface_offset_B(s, at.x_px, at.y_px, at.layer, at.level, at.sample) - start_B);
      if (mode_of(s, was[part]) == TILE_SOLID)
         memcpy(to, colors + part * s->sample_B, s->sample_B);
      else
         fill_garbage(to, s->sample_B, at.x_px, at.y_px);
   }
   return true;
}

enum agx_surface_access
agx_surface_write(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_place *at,
                  const void *bytes, struct sim_fault *fault)
{
   bool absent = false;
   if (is_compressed(s, at->level)) {
      unsigned part;
      const uint8_t *modes = metadata_of(s, vm, at, SIM_WRITE, &part, fault);
      if (!modes || (mode_of(s, modes[part]) != TILE_PLAIN && !make_plain(s, vm, at, fault)))
         return AGX_SURFACE_FAULT;
   }
   uint64_t offset_B = agx_surface_offset_B(s, at->x_px, at->y_px, at->layer, at->level, at->sample);
   uint8_t *host = surface_body(s, vm, at->layer, offset_B, s->sample_B, SIM_WRITE, &absent, fault);
   if (!host)
      return absent ? AGX_SURFACE_ABSENT : AGX_SURFACE_FAULT;
   memcpy(host, bytes, s->sample_B);
   return AGX_SURFACE_DONE;
}

/* A rectangle of pixels to write, and its samples. */
struct rect {
   uint32_t x, y, width, height, stride_px, layer, level;
   const uint8_t *data;
};

static struct agx_surface_place
rect_place(const struct rect *r)
{
   return (struct agx_surface_place){.x_px = r->x, .y_px = r->y, .layer = r->layer, .level = r->level};
}

static const uint8_t *
rect_sample(const struct agx_surface *s, const struct rect *r, uint32_t x, uint32_t y, uint32_t sample)
{
   size_t index = (size_t)(y - r->y) * r->stride_px + (x - r->x);
   return r->data + ((index << s->samples_log2) + sample) * s->sample_B;
}

static enum agx_surface_access
write_pixels(const struct agx_surface *s, const struct sim_vm *vm, const struct rect *whole, const struct rect *part,
             struct sim_fault *fault)
{
   enum agx_surface_access all = AGX_SURFACE_DONE;
   uint32_t element_B = (uint32_t)s->sample_B << s->samples_log2;
   for (uint32_t y = part->y; y < part->y + part->height; y++) {
      for (uint32_t x = part->x; x < part->x + part->width; x++) {
         bool absent = false;
         uint64_t offset_B = agx_surface_offset_B(s, x, y, part->layer, part->level, 0);
         uint8_t *host = surface_body(s, vm, part->layer, offset_B, element_B, SIM_WRITE, &absent, fault);
         if (host)
            memcpy(host, rect_sample(s, whole, x, y, 0), element_B);
         else if (absent)
            all = AGX_SURFACE_ABSENT;
         else
            return AGX_SURFACE_FAULT;
      }
   }
   return all;
}

static bool
is_one_color(const struct agx_surface *s, const struct rect *whole, const struct rect *tile)
{
   const uint8_t *first = rect_sample(s, whole, tile->x, tile->y, 0);
   for (uint32_t y = tile->y; y < tile->y + tile->height; y++) {
      for (uint32_t i = 0; i < tile->width << s->samples_log2; i++) {
         if (memcmp(rect_sample(s, whole, tile->x, y, 0) + i * s->sample_B, first, s->sample_B))
            return false;
      }
   }
   return true;
}

/* One compression tile, or the part of it that lies in the level: the rest of it is nobody's. */
static enum agx_surface_access
write_tile(const struct agx_surface *s, const struct sim_vm *vm, const struct rect *whole, const struct rect *tile,
           struct sim_fault *fault)
{
   const struct agx_surface_place start = rect_place(tile);
   unsigned part, log2 = log2_floor(s->sample_B);
   uint8_t *modes = metadata_of(s, vm, &start, SIM_WRITE, &part, fault);
   if (!modes)
      return AGX_SURFACE_FAULT;
   if (!is_one_color(s, whole, tile)) {
      memset(modes, plain_modes[log2], 8);
      return write_pixels(s, vm, whole, tile, fault);
   }
   bool absent = false;
   uint64_t start_B = tile_offset_B(s, &start);
   uint8_t *body = surface_body(s, vm, start.layer, start_B, 8u * s->sample_B, SIM_WRITE, &absent, fault);
   if (!body)
      return AGX_SURFACE_FAULT;
   memset(modes, solid_modes[log2], 8);
   for (unsigned i = 0; i < 8; i++)
      memcpy(body + i * s->sample_B, rect_sample(s, whole, tile->x, tile->y, 0), s->sample_B);
   return AGX_SURFACE_DONE;
}

/* A tile of which the rectangle covers a part only. */
static enum agx_surface_access
write_part(const struct agx_surface *s, const struct sim_vm *vm, const struct rect *whole, const struct rect *tile,
           struct sim_fault *fault)
{
   const struct agx_surface_place start = rect_place(tile);
   if (!make_plain(s, vm, &start, fault))
      return AGX_SURFACE_FAULT;
   return write_pixels(s, vm, whole, tile, fault);
}

static enum agx_surface_access
write_compressed(const struct agx_surface *s, const struct sim_vm *vm, const struct rect *whole,
                 struct sim_fault *fault)
{
   const struct agx_surface_level *at = &s->level[whole->level];
   uint32_t w, h;
   tile_size_px(s, &w, &h);
   for (uint32_t ty = whole->y & ~(h - 1); ty < whole->y + whole->height; ty += h) {
      for (uint32_t tx = whole->x & ~(w - 1); tx < whole->x + whole->width; tx += w) {
         struct rect tile = {
            .x = MAX2(tx, whole->x), .y = MAX2(ty, whole->y), .layer = whole->layer, .level = whole->level};
         uint32_t end_x = MIN2(tx + w, whole->x + whole->width), end_y = MIN2(ty + h, whole->y + whole->height);
         tile.width = end_x - tile.x;
         tile.height = end_y - tile.y;
         bool all = tile.x == tx && tile.y == ty && (end_x == tx + w || end_x == at->width_px) &&
                    (end_y == ty + h || end_y == at->height_px);
         enum agx_surface_access access = (all ? write_tile : write_part)(s, vm, whole, &tile, fault);
         if (access != AGX_SURFACE_DONE)
            return access;
      }
   }
   return AGX_SURFACE_DONE;
}

enum agx_surface_access
agx_surface_write_rect(const struct agx_surface *s, const struct sim_vm *vm, const struct agx_surface_rect *rect,
                       struct sim_fault *fault)
{
   const struct agx_surface_level *at = &s->level[rect->level];
   if (rect->x_px >= at->width_px || rect->y_px >= at->height_px)
      return AGX_SURFACE_DONE;
   struct rect whole = {.x = rect->x_px,
                        .y = rect->y_px,
                        .width = MIN2(rect->width_px, at->width_px - rect->x_px),
                        .height = MIN2(rect->height_px, at->height_px - rect->y_px),
                        .stride_px = rect->width_px,
                        .layer = rect->layer,
                        .level = rect->level,
                        .data = rect->data};
   if (is_compressed(s, rect->level))
      return write_compressed(s, vm, &whole, fault);
   return write_pixels(s, vm, &whole, &whole, fault);
}
