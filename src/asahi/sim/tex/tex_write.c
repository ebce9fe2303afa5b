/* The pixel back end: registers, or a tile, become pixels of an image. */
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/surface/formats.h"
#include "asahi/sim/tex/tex_private.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* Contents of a register, or of a tile, of so many bytes as a component of the format: a float, or an integer. */
static uint32_t
from_register(const struct agx_surface *s, uint32_t bits, unsigned size_B)
{
   if (size_B == 4)
      return bits;
   if (!s->is_int)
      return size_B == 2 ? float_bits(sim_half_to_float((uint16_t)bits)) : bits;
   const unsigned above = 32 - 8 * size_B;
   return s->format.numeric == SIM_SINT ? (uint32_t)((int32_t)(bits << above) >> above) : bits << above >> above;
}

/* The components of a pixel in order of the format, rounded to zero where that is wanted. */
static void
encode(const struct agx_surface *s, const uint32_t data[4], bool rtz, void *bytes)
{
   uint32_t value[4];
   for (unsigned c = 0; c < 4; c++)
      value[c] = data[s->swizzle[c]];
   if (rtz)
      agx_format_round_to_zero(&s->format, value);
   sim_texel_encode(&s->format, value, bytes);
}

unsigned
agx_tex_write_components(const uint32_t pbe[6])
{
   struct agx_pbe p;
   agx_pbe_unpack(&p, pbe);
   const enum agx_channel swizzle[4] = {p.swizzle_r, p.swizzle_g, p.swizzle_b, p.swizzle_a};
   struct sim_texel_format format = agx_pixel_format(p.channels, p.type, p.srgb);
   unsigned end = format.components ? 0 : 4;
   for (unsigned c = 0; c < format.components; c++)
      end = MAX2(end, swizzle[c] + 1u);
   return end;
}

static bool
check_write(const struct agx_surface *s, uint32_t lod, struct sim_fault *fault)
{
   if (lod)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, s->base,
                           "an image is written at level %u: the model has only the level of the descriptor", lod);
   return true;
}

/* False: outside, nothing is written. */
static bool
locate(const struct agx_surface *s, const struct tex_dim *dim, const struct agx_tex_write *w, unsigned lane,
       uint32_t at[3], uint32_t *sample)
{
   const struct agx_surface_level *level = &s->level[s->first_level];
   const uint32_t size[2] = {level->width_px, level->height_px};
   uint32_t layer;
   tex_layer_sample(dim, w->coords_16, w->coords, lane, &layer, sample);
   at[1] = 0;
   for (unsigned i = 0; i < dim->place && i < 2; i++) {
      at[i] = w->coords_16 ? w->coords[i][lane] & 0xffff : w->coords[i][lane];
      if (at[i] >= size[i])
         return false;
   }
   at[2] = dim->place < 3 ? layer : w->coords_16 ? w->coords[2][lane] & 0xffff : w->coords[2][lane];
   return at[2] < (dim->place < 3 ? s->layers : level->slices_px) && !(*sample >> s->samples_log2);
}

bool
agx_tex_write(const struct sim_vm *vm, const struct agx_tex_write *w, struct sim_fault *fault)
{
   struct agx_surface *s = tex_surface(vm, w->pbe, true, w->dim, fault);
   if (!s)
      return false;
   const struct tex_dim *dim = tex_dim(w->dim);
   if (dim->is_cube)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, s->base, "imgw to a cube: it is written as an array");
   for (uint32_t lanes = w->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);
      uint32_t at[3] = {0}, sample, data[4];
      uint8_t bytes[16];
      if (!check_write(s, w->lod[lane], fault))
         return false;
      if (!locate(s, dim, w, lane, at, &sample))
         continue;
      for (unsigned c = 0; c < 4; c++)
         data[c] = from_register(s, w->data[c][lane], w->data_16 ? 2 : 4);
      encode(s, data, w->rtz, bytes);
      const struct agx_surface_place place = {
         .x_px = at[0], .y_px = at[1], .layer = at[2], .level = s->first_level, .sample = sample};
      if (agx_surface_write(s, vm, &place, bytes, fault) == AGX_SURFACE_FAULT)
         return false;
   }
   return true;
}

unsigned
agx_tex_write_places(const struct sim_vm *vm, const struct agx_tex_write *w, uint64_t va[AGX_TEX_LANES])
{
   struct sim_fault fault = {0};
   const struct agx_surface *s = tex_surface(vm, w->pbe, true, w->dim, &fault);
   if (!s || s->sparse || tex_dim(w->dim)->is_cube)
      return 0;
   for (unsigned lane = 0; lane < AGX_TEX_LANES; lane++) {
      uint32_t at[3] = {0}, sample;
      va[lane] = w->exec >> lane & 1 && locate(s, tex_dim(w->dim), w, lane, at, &sample)
                    ? s->base.va + agx_surface_offset_B(s, at[0], at[1], at[2], s->first_level, sample)
                    : 0;
   }
   return s->sample_B;
}

/* How a tile's bytes become a pixel's. */
enum block_way {
   BLOCK_RAW,       /* they are it */
   BLOCK_REGISTERS, /* i16 and i32 are what registers would hold: floats for formats of floats */
   BLOCK_NUMBERS,   /* by their value */
};

/* Formats of 8 bits go as they are when the sizes agree: a tile in sRGB is stored in sRGB by a descriptor without it
 * (reported). */
static enum block_way
way_of(const struct agx_surface *s, enum agx_format format)
{
   const struct sim_texel_format *f = &s->format;
   bool in_order = true;
   for (unsigned c = 0; c < f->components; c++)
      in_order &= s->swizzle[c] == c;
   bool is_plain = f->layout == SIM_TEXEL_PLAIN && in_order && f->bits[0] == f->bits[f->components - 1];
   bool same_size = is_plain && !agx_format_is_packed(format) && f->bits[0] == 8 * agx_format_B(format);
   switch (format) {
   case AGX_FORMAT_I8:
   case AGX_FORMAT_I16:
   case AGX_FORMAT_I32:
      return same_size && (s->is_int || f->numeric == SIM_FLOAT) ? BLOCK_RAW : BLOCK_REGISTERS;
   case AGX_FORMAT_SRGBA8:
      return same_size && f->numeric == SIM_UNORM ? BLOCK_RAW : BLOCK_NUMBERS;
   case AGX_FORMAT_U8NORM:
   case AGX_FORMAT_U16NORM:
      return same_size && f->numeric == SIM_UNORM ? BLOCK_RAW : BLOCK_NUMBERS;
   case AGX_FORMAT_S8NORM:
   case AGX_FORMAT_S16NORM:
      return same_size && f->numeric == SIM_SNORM ? BLOCK_RAW : BLOCK_NUMBERS;
   case AGX_FORMAT_F16:
   case AGX_FORMAT_RGB10A2:
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RG11B10F_RTZ:
   case AGX_FORMAT_RGB9E5_RTZ:
      break;
   }
   return BLOCK_NUMBERS;
}

static void
convert(const struct agx_surface *s, const struct agx_tex_block *b, enum block_way way, const uint8_t *tile,
        uint8_t *bytes)
{
   enum agx_format format = (enum agx_format)b->format;
   if (way == BLOCK_RAW) {
      memcpy(bytes, tile, s->sample_B);
      return;
   }
   uint32_t value[4] = {0};
   /* Of sRGB bytes the codes, whatever they mean. */
   agx_format_unpack(format == AGX_FORMAT_SRGBA8 ? AGX_FORMAT_U8NORM : format, s->format.components, tile, value);
   for (unsigned c = 0; way == BLOCK_REGISTERS && c < 4; c++)
      value[c] = from_register(s, value[c], agx_format_B(format));
   encode(s, value, b->rtz, bytes);
}

static bool
check_block(const struct agx_surface *s, const struct agx_tex_block *b, struct sim_fault *fault)
{
   if (!agx_format_B((enum agx_format)b->format) || b->format == AGX_FORMAT_F16)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, s->base, "imgwblk of format %u (half floats go as i16)",
                           b->format);
   if (b->samples != 1u << s->samples_log2)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "imgwblk of a tile of %u samples to an image of %u",
                           b->samples, 1u << s->samples_log2);
   return check_write(s, b->lod, fault);
}

bool
agx_tex_write_block(const struct sim_vm *vm, const struct agx_tex_block *b, struct sim_fault *fault)
{
   struct agx_surface *s = tex_surface(vm, b->pbe, true, b->dim, fault);
   if (!s || !check_block(s, b, fault))
      return false;
   const struct agx_surface_level *level = &s->level[s->first_level];
   uint32_t layers = s->dimension == AGX_TEXTURE_DIMENSION_3D ? level->slices_px : s->layers;
   if (b->layer >= layers || b->x_px >= level->width_px || b->y_px >= level->height_px)
      return true;
   enum block_way way = way_of(s, (enum agx_format)b->format);
   size_t count = (size_t)b->tile_width_px * b->tile_height_px * b->samples;
   uint8_t *bytes = need_calloc("a tile", count, s->sample_B);
   for (size_t i = 0; i < count; i++)
      convert(s, b, way, b->tile + i * b->sample_stride_B + b->offset_B, bytes + i * s->sample_B);
   const struct agx_surface_rect rect = {.x_px = b->x_px,
                                         .y_px = b->y_px,
                                         .width_px = b->tile_width_px,
                                         .height_px = b->tile_height_px,
                                         .layer = b->layer,
                                         .level = s->first_level,
                                         .data = bytes};
   enum agx_surface_access access = agx_surface_write_rect(s, vm, &rect, fault);
   free(bytes);
   return access != AGX_SURFACE_FAULT;
}
