#include "gallium/drivers/asahi/base/agx_tile.h"

#include <string.h>

#include "util/format.h"
#include "util/macros.h"

/* Words by the size and meaning of a component, for formats whose components are all alike. */
static const struct {
   uint8_t bits, numeric;
   enum agx_format format, block;
} plain[] = {
   {8, FORMAT_UNORM, AGX_FORMAT_U8NORM, AGX_FORMAT_U8NORM},
   {8, FORMAT_SNORM, AGX_FORMAT_S8NORM, AGX_FORMAT_S8NORM},
   {8, FORMAT_SRGB, AGX_FORMAT_SRGBA8, AGX_FORMAT_U8NORM},
   {8, FORMAT_UINT, AGX_FORMAT_I8, AGX_FORMAT_I8},
   {8, FORMAT_SINT, AGX_FORMAT_I8, AGX_FORMAT_I8},
   {16, FORMAT_UNORM, AGX_FORMAT_U16NORM, AGX_FORMAT_U16NORM},
   {16, FORMAT_SNORM, AGX_FORMAT_S16NORM, AGX_FORMAT_S16NORM},
   {16, FORMAT_UINT, AGX_FORMAT_I16, AGX_FORMAT_I16},
   {16, FORMAT_SINT, AGX_FORMAT_I16, AGX_FORMAT_I16},
   {16, FORMAT_SFLOAT, AGX_FORMAT_F16, AGX_FORMAT_I16},
   {32, FORMAT_UINT, AGX_FORMAT_I32, AGX_FORMAT_I32},
   {32, FORMAT_SINT, AGX_FORMAT_I32, AGX_FORMAT_I32},
   {32, FORMAT_SFLOAT, AGX_FORMAT_I32, AGX_FORMAT_I32},
};

static const uint8_t word_B[] = {
   [AGX_FORMAT_I8] = 1,      [AGX_FORMAT_I16] = 2,    [AGX_FORMAT_I32] = 4,      [AGX_FORMAT_F16] = 2,
   [AGX_FORMAT_U8NORM] = 1,  [AGX_FORMAT_S8NORM] = 1, [AGX_FORMAT_U16NORM] = 2,  [AGX_FORMAT_S16NORM] = 2,
   [AGX_FORMAT_RGB10A2] = 4, [AGX_FORMAT_SRGBA8] = 1, [AGX_FORMAT_RG11B10F] = 4,
};

static bool
is_alike(const struct format_info *info)
{
   for (unsigned i = 1; i < info->component_count; i++) {
      if (info->components[i].bits != info->components[0].bits)
         return false;
   }
   return true;
}

/* Words of the tile for a format with unlike components, or components that are no words. */
static bool
packed_format(const struct format_info *info, struct agx_tile_format *out)
{
   const struct format_component *first = &info->components[0];

   out->packed = true;
   if (info->packed_bits == 32 && first->bits == 10 && first->numeric == FORMAT_UNORM) {
      out->format = out->block = AGX_FORMAT_RGB10A2;
   } else if (info->packed_bits == 32 && first->bits == 10 && first->numeric == FORMAT_UINT) {
      out->format = out->block = AGX_FORMAT_I16;
      out->packed = false;
   } else if (info->packed_bits == 32 && first->bits == 11 && first->numeric == FORMAT_UFLOAT) {
      out->format = out->block = AGX_FORMAT_RG11B10F;
   } else if (info->packed_bits == 16 && first->numeric == FORMAT_UNORM) {
      out->format = AGX_FORMAT_F16; /* holds them exactly enough: 6 bits at most */
      out->block = AGX_FORMAT_I16;
      out->packed = false;
   } else {
      return false;
   }
   out->components = out->format == AGX_FORMAT_RG11B10F ? 3 : 4;
   return true;
}

static bool
plain_format(const struct format_info *info, struct agx_tile_format *out)
{
   for (unsigned i = 0; i < ARRAY_SIZE(plain); i++) {
      if (plain[i].bits != info->components[0].bits || plain[i].numeric != info->components[0].numeric)
         continue;
      out->format = plain[i].format;
      out->block = plain[i].block;
      out->components = info->component_count;
      return info->component_count != 3;
   }
   return false;
}

bool
agx_tile_format(uint32_t format, struct agx_tile_format *out)
{
   const struct format_info *info = format_info(format);

   *out = (struct agx_tile_format){0};
   if (!info || info->compression || info->planes > 1 || info->block_width_el > 1 || !info->component_count ||
       info->components[0].name > FORMAT_A)
      return false;
   bool alike = is_alike(info) && info->components[0].bits % 8 == 0;
   if (!(alike ? plain_format(info, out) : packed_format(info, out)))
      return false;
   enum format_numeric numeric = info->components[0].numeric;
   out->is_integer = numeric == FORMAT_UINT || numeric == FORMAT_SINT;
   out->is_signed = numeric == FORMAT_SINT || numeric == FORMAT_SNORM || numeric == FORMAT_SFLOAT;
   out->is_normalized = numeric == FORMAT_UNORM || numeric == FORMAT_SNORM || numeric == FORMAT_SRGB;
   out->is_srgb = numeric == FORMAT_SRGB;
   for (unsigned i = 0; i < info->component_count; i++) {
      out->has_alpha |= info->components[i].name == FORMAT_A;
      if (info->components[i].name <= FORMAT_A)
         out->component_bits[info->components[i].name - FORMAT_R] = info->components[i].bits;
      if (info->components[i].name == FORMAT_R)
         out->bits = info->components[i].bits;
   }
   out->alignment_B = word_B[out->format];
   out->size_B = (uint8_t)(out->packed ? 4 : out->components * word_B[out->format]);
   return out->bits != 0;
}

void
agx_tile_range(const struct agx_tile_format *format, unsigned component, int64_t *min, int64_t *max)
{
   unsigned bits = format->component_bits[component] ? format->component_bits[component] : format->bits;

   *min = format->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
   *max = (INT64_C(1) << (bits - format->is_signed)) - 1;
}

static void
choose_size(struct agx_tile_layout *layout)
{
   static const uint8_t sizes[][2] = {{32, 32}, {32, 16}, {16, 16}};

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      layout->width_px = sizes[i][0];
      layout->height_px = sizes[i][1];
      if ((unsigned)layout->sample_size_B * layout->samples * layout->width_px * layout->height_px <= AGX_TILE_MAX_B)
         return;
   }
}

static unsigned
sample_size_B(unsigned end_B)
{
   return MAX2((unsigned)align_up(end_B, 8), 8u);
}

static bool
fits(unsigned end_B, unsigned samples)
{
   return sample_size_B(end_B) <= AGX_TILE_MAX_SAMPLE_B && sample_size_B(end_B) * 256 * samples <= AGX_TILE_MAX_B;
}

bool
agx_tile_layout_init(struct agx_tile_layout *layout, const uint32_t *formats, unsigned count, unsigned samples)
{
   unsigned end_B = 0;

   memset(layout, 0, sizeof(*layout));
   layout->num_targets = count;
   layout->samples = (uint8_t)MAX2(samples, 1);
   for (unsigned i = 0; i < count; i++) {
      struct agx_tile_target *target = &layout->targets[i];

      if (!formats[i])
         continue;
      if (!agx_tile_format(formats[i], &target->format))
         return false;
      unsigned offset_B = (unsigned)align_up(end_B, MAX2(target->format.alignment_B, 1u));

      target->used = true;
      target->spilled = !fits(offset_B + target->format.size_B, layout->samples);
      if (target->spilled) {
         target->state = (uint8_t)(2 * layout->num_spilled++);
         continue;
      }
      target->offset_B = (uint8_t)offset_B;
      end_B = offset_B + target->format.size_B;
   }
   layout->sample_size_B = (uint8_t)sample_size_B(end_B);
   choose_size(layout);
   return true;
}

struct agx_usc_shared
agx_tile_shared(const struct agx_tile_layout *layout)
{
   enum agx_shared_layout shape = layout->height_px == 32  ? AGX_SHARED_LAYOUT_32X32
                                  : layout->width_px == 32 ? AGX_SHARED_LAYOUT_32X16
                                                           : AGX_SHARED_LAYOUT_16X16;
   unsigned tile_B = (unsigned)layout->sample_size_B * layout->samples * layout->width_px * layout->height_px;

   return (struct agx_usc_shared){
      .uses_shared_memory = true,
      .layout = shape,
      .sample_count = layout->samples,
      .sample_stride_B = layout->sample_size_B,
      .threadgroup_B = tile_B,
   };
}
