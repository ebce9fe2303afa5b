#include "gallium/drivers/asahi/resource/agx_format.h"

#include <ail/ail.h>

#include "util/format.h"
#include "util/format_enum.h"

/* By enum format_numeric; scaled numbers are none of the texture unit's. */
static const struct {
   bool known;
   enum agx_texture_type type;
} types[] = {
   [FORMAT_UNORM] = {true, AGX_TEXTURE_TYPE_UNORM},  [FORMAT_SNORM] = {true, AGX_TEXTURE_TYPE_SNORM},
   [FORMAT_UINT] = {true, AGX_TEXTURE_TYPE_UINT},    [FORMAT_SINT] = {true, AGX_TEXTURE_TYPE_SINT},
   [FORMAT_UFLOAT] = {true, AGX_TEXTURE_TYPE_FLOAT}, [FORMAT_SFLOAT] = {true, AGX_TEXTURE_TYPE_FLOAT},
   [FORMAT_SRGB] = {true, AGX_TEXTURE_TYPE_UNORM},   [FORMAT_FIXED] = {false, 0},
};

/* Of a component that has a depth or a stencil value: the only one, and read as red. */
static unsigned
channel_of(const struct format_component *component)
{
   return component->name >= FORMAT_DEPTH ? FORMAT_R : component->name;
}

bool
agx_format_codes(uint32_t format, struct agx_format_codes *codes)
{
   const struct format_info *info = format_info(format);
   int channels = ail_format_channels(format);

   if (!info || channels < 0 || !types[info->components[0].numeric].known)
      return false;
   *codes = (struct agx_format_codes){
      .channels = (enum agx_channels)channels,
      .type = types[info->components[0].numeric].type,
      .srgb = info->components[0].numeric == FORMAT_SRGB,
      .place = {AGX_CHANNEL_ZERO, AGX_CHANNEL_ZERO, AGX_CHANNEL_ZERO, AGX_CHANNEL_ONE},
      .components = info->component_count,
   };
   for (unsigned i = 0; i < info->component_count; i++) {
      unsigned channel = channel_of(&info->components[i]);
      /* One bit of alpha is the unit's fourth component, also where it is the lowest bit. */
      unsigned place = channels == AGX_CHANNELS_A1R5G5B5 ? (i + 3) % 4 : i;

      codes->place[channel] = (uint8_t)place;
      codes->stored[place] = (uint8_t)channel;
   }
   return true;
}

uint32_t
agx_format_of_aspect(uint32_t format, bool stencil)
{
   switch (format) {
   case FORMAT_D32_SFLOAT_S8_UINT:
      return stencil ? FORMAT_S8_UINT : FORMAT_D32_SFLOAT;
   case FORMAT_S8_UINT:
      return stencil ? FORMAT_S8_UINT : 0;
   default: /* others: one aspect */
      return stencil ? 0 : format;
   }
}

uint32_t
agx_format_same_channels(uint32_t format)
{
   static const uint32_t integers[] = {FORMAT_R8_UINT,           FORMAT_R8G8_UINT,
                                       FORMAT_R8G8B8A8_UINT,     FORMAT_R16_UINT,
                                       FORMAT_R16G16_UINT,       FORMAT_R16G16B16A16_UINT,
                                       FORMAT_R32_UINT,          FORMAT_R32G32_UINT,
                                       FORMAT_R32G32B32A32_UINT, FORMAT_A2B10G10R10_UINT_PACK32};
   int channels = ail_format_channels(format);

   for (unsigned i = 0; i < sizeof(integers) / sizeof(integers[0]) && channels >= 0; i++) {
      if (ail_format_channels(integers[i]) == channels)
         return integers[i];
   }
   return 0;
}

uint32_t
agx_format_turned(uint32_t format)
{
   switch (format) {
   case FORMAT_R4G4B4A4_UNORM_PACK16:
      return FORMAT_A4R4G4B4_UNORM_PACK16;
   case FORMAT_B4G4R4A4_UNORM_PACK16:
      return FORMAT_A4B4G4R4_UNORM_PACK16;
   default: /* others: alpha is the hardware's, or there is none */
      return 0;
   }
}

bool
agx_format_is_triple(uint32_t format)
{
   return format == FORMAT_R32G32B32_SFLOAT || format == FORMAT_R32G32B32_UINT || format == FORMAT_R32G32B32_SINT;
}

bool
agx_format_is_integer(uint32_t format)
{
   const struct format_info *info = format_info(format);

   return info && (info->components[0].numeric == FORMAT_UINT || info->components[0].numeric == FORMAT_SINT);
}
