/* Formats of wl_shm, as its protocol describes their pixels. */
#include "compositor_private.h"

#include <string.h>

/* Where red, green, blue and alpha lie in a pixel: first bit and how many; of 16 bits, halves where `is_float`. */
static const struct format {
   uint32_t code;
   uint8_t pixel_B;
   bool is_float;
   uint8_t first[4], bits[4];
} formats[] = {
   {WL_SHM_FORMAT_XRGB8888, 4, false, {16, 8, 0, 24}, {8, 8, 8, 8}},
   {WL_SHM_FORMAT_ARGB8888, 4, false, {16, 8, 0, 24}, {8, 8, 8, 8}},
   {WL_SHM_FORMAT_XBGR8888, 4, false, {0, 8, 16, 24}, {8, 8, 8, 8}},
   {WL_SHM_FORMAT_ABGR8888, 4, false, {0, 8, 16, 24}, {8, 8, 8, 8}},
   {WL_SHM_FORMAT_XRGB2101010, 4, false, {20, 10, 0, 30}, {10, 10, 10, 2}},
   {WL_SHM_FORMAT_ARGB2101010, 4, false, {20, 10, 0, 30}, {10, 10, 10, 2}},
   {WL_SHM_FORMAT_XBGR2101010, 4, false, {0, 10, 20, 30}, {10, 10, 10, 2}},
   {WL_SHM_FORMAT_ABGR2101010, 4, false, {0, 10, 20, 30}, {10, 10, 10, 2}},
   {WL_SHM_FORMAT_XBGR16161616F, 8, true, {0, 16, 32, 48}, {16, 16, 16, 16}},
   {WL_SHM_FORMAT_ABGR16161616F, 8, true, {0, 16, 32, 48}, {16, 16, 16, 16}},
   {WL_SHM_FORMAT_XBGR16161616, 8, false, {0, 16, 32, 48}, {16, 16, 16, 16}},
   {WL_SHM_FORMAT_ABGR16161616, 8, false, {0, 16, 32, 48}, {16, 16, 16, 16}},
   {WL_SHM_FORMAT_RGB565, 2, false, {11, 5, 0, 0}, {5, 6, 5, 0}},
};

static const struct format *
find(uint32_t code)
{
   const struct format *format = formats;
   while (format->code != code)
      format++; /* clients can only have what was added */
   return format;
}

uint32_t
compositor_pixel_B(uint32_t code)
{
   return find(code)->pixel_B;
}

/* To 8 bits. Halves from 0 to 1. */
static uint32_t
component(const struct format *format, uint64_t pixel, unsigned i)
{
   const uint32_t max = (1u << format->bits[i]) - 1, raw = (uint32_t)(pixel >> format->first[i]) & max;
   if (!format->is_float)
      return max ? (raw * 255u + max / 2) / max : 255;
   const int exponent = (int)(raw >> 10) - 25;
   const uint32_t mantissa = (raw & 0x3ff) | 0x400;
   return raw ? (uint32_t)((float)mantissa * 255.0f / (float)(1u << -exponent) + 0.5f) : 0;
}

uint32_t
compositor_color(uint32_t code, const char *bytes)
{
   const struct format *format = find(code);
   uint64_t pixel = 0;
   memcpy(&pixel, bytes, format->pixel_B);
   return component(format, pixel, 3) << 24 | component(format, pixel, 0) << 16 | component(format, pixel, 1) << 8 |
          component(format, pixel, 2);
}

void
compositor_add_formats(struct compositor *compositor)
{
   for (size_t i = 2; i < sizeof(formats) / sizeof(formats[0]); i++) /* the first two are there */
      wl_display_add_shm_format(compositor->display, formats[i].code);
}
