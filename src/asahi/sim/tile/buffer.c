/* The tile buffer as instructions see it. */
#include <string.h>

#include "asahi/sim/surface/formats.h"
#include "asahi/sim/tile/buffer.h"
#include "asahi/sim/tile/tile.h"
#include "sim/texel/numeric.h"

static bool
is_integer(enum agx_format format)
{
   return format == AGX_FORMAT_I8 || format == AGX_FORMAT_I16 || format == AGX_FORMAT_I32;
}

/* Bytes from the offset on that the components take; those without a mask bit in the middle leave holes. */
static unsigned
reach_B(const struct agx_wave_tile_access *a)
{
   unsigned size_B = agx_format_B(a->format);
   return agx_format_is_packed(a->format) ? size_B : size_B * (32 - (unsigned)__builtin_clz(a->mask));
}

static bool
check(const struct agx_tile_buffer *b, const struct agx_wave_tile_access *a, struct sim_fault *fault)
{
   if (!a->mask || !agx_format_B(a->format))
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, sim_va(0), "no components, or an unknown format");
   if (a->offset_B + reach_B(a) > b->sample_size_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "bytes %u to %u of a sample that has %u in the tile buffer", a->offset_B,
                           a->offset_B + reach_B(a) - 1, b->sample_size_B);
   return true;
}

bool
agx_tile_buffer_load(const struct agx_tile_buffer *b, const struct agx_wave_tile_access *a,
                     uint32_t value[4][AGX_WAVE_LANES], struct sim_fault *fault)
{
   unsigned stride_B = b->sample_size_B, all = (1u << b->samples) - 1;
   if (!check(b, a, fault))
      return false;
   bool narrow = a->register_bits == 16 && !is_integer(a->format), packed = agx_format_is_packed(a->format);
   unsigned components = packed ? 4 : 32 - (unsigned)__builtin_clz(a->mask);
   for (unsigned left = a->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctz(left), samples = a->samples[lane] & all;
      const uint8_t *pixel = b->pixel(b->data, a, lane);
      if (samples & (samples - 1))
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "samples 0x%x are loaded at once", samples);
      uint32_t v[4] = {0};
      if (pixel && samples)
         agx_format_unpack(a->format, components, pixel + (unsigned)__builtin_ctz(samples) * stride_B + a->offset_B,
                           v);
      for (unsigned c = 0; c < 4; c++)
         value[c][lane] = narrow ? sim_half_from_float(bits_float(v[c])) : v[c];
   }
   return true;
}

/* Components with a mask bit; others keep what the sample has. */
static void
store_masked(const struct agx_wave_tile_access *a, const uint8_t *bytes, uint8_t *to)
{
   unsigned size_B = agx_format_B(a->format);
   for (unsigned c = 0; c < 4; c++) {
      if (a->mask >> c & 1)
         memcpy(to + c * size_B, bytes + c * size_B, size_B);
   }
}

bool
agx_tile_buffer_store(const struct agx_tile_buffer *b, const struct agx_wave_tile_access *a,
                      const uint32_t value[4][AGX_WAVE_LANES], struct sim_fault *fault)
{
   unsigned stride_B = b->sample_size_B, all = (1u << b->samples) - 1;
   if (!check(b, a, fault))
      return false;
   bool narrow = a->register_bits == 16 && !is_integer(a->format), packed = agx_format_is_packed(a->format);
   bool whole = packed || (a->mask & (a->mask + 1)) == 0;
   unsigned size_B = reach_B(a), components = packed ? 4 : 32 - (unsigned)__builtin_clz(a->mask);
   for (unsigned left = a->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctz(left);
      uint8_t *pixel = b->pixel(b->data, a, lane);
      if (!pixel || !(a->samples[lane] & all))
         continue;
      uint32_t v[4];
      for (unsigned c = 0; c < 4; c++)
         v[c] = narrow ? float_bits(sim_half_to_float((uint16_t)value[c][lane])) : value[c][lane];
      uint8_t bytes[16];
      agx_format_pack(a->format, components, v, bytes);
      for (unsigned samples = a->samples[lane] & all; samples; samples &= samples - 1) {
         uint8_t *to = pixel + (unsigned)__builtin_ctz(samples) * stride_B + a->offset_B;
         if (whole)
            memcpy(to, bytes, size_B);
         else
            store_masked(a, bytes, to);
      }
   }
   return true;
}

/* A lane's pixel; NULL: outside of the render. */
static uint8_t *
pixel_at(const void *data, const struct agx_wave_tile_access *a, unsigned lane)
{
   const struct agx_tiles *t = data;
   const struct agx_render_command *c = t->render->command;
   struct agx_tile *tile = &t->tiles[a->fragments->tile];
   uint32_t x = a->fragments->x[lane], y = a->fragments->y[lane];
   if (a->explicit_coords) {
      x = tile->x0 + a->coords[0][lane];
      y = tile->y0 + a->coords[1][lane];
   }
   if (x < tile->x0 || x >= tile->x0 + t->row_px || y < tile->y0 || y >= tile->y0 + t->pixels / t->row_px)
      return NULL;
   return tile->colour + (size_t)agx_tile_pixel(t, tile, x, y) * c->samples * c->sample_size_B;
}

static struct agx_tile_buffer
buffer_of(const struct agx_tiles *t)
{
   return (struct agx_tile_buffer){t->render->samples, t->render->command->sample_size_B, t, pixel_at};
}

bool
agx_tile_load(void *user, const struct agx_wave_tile_access *access, uint32_t value[4][AGX_WAVE_LANES],
              struct sim_fault *fault)
{
   struct agx_tile_buffer buffer = buffer_of(*(struct agx_tiles *const *)user);
   return agx_tile_buffer_load(&buffer, access, value, fault);
}

bool
agx_tile_store(void *user, const struct agx_wave_tile_access *access, const uint32_t value[4][AGX_WAVE_LANES],
               struct sim_fault *fault)
{
   struct agx_tile_buffer buffer = buffer_of(*(struct agx_tiles *const *)user);
   return agx_tile_buffer_store(&buffer, access, value, fault);
}
