/* Colours and the bytes of the texels that hold them. */
#ifndef COLOR_TEXELS_H
#define COLOR_TEXELS_H

#include <vulkan/vulkan.h>

static const struct color_clear {
   VkFormat format;
   VkClearColorValue color;
   uint32_t size_B;
   uint8_t bytes[16];
} color_clears[] = {
   {VK_FORMAT_R8_UNORM, {{0.2f}}, 1, {0x33}},
   {VK_FORMAT_R8G8_SNORM, {{-1, 0.503937f}}, 2, {0x81, 0x40}},
   {VK_FORMAT_R8G8B8A8_UNORM, {{0, 0.2f, 0.6f, 1}}, 4, {0, 0x33, 0x99, 0xff}},
   {VK_FORMAT_B8G8R8A8_UNORM, {{0, 0.2f, 0.6f, 1}}, 4, {0x99, 0x33, 0, 0xff}},
   {VK_FORMAT_R8G8B8A8_SRGB, {{0, 1, 0.21586f, 0.4f}}, 4, {0, 0xff, 0x80, 0x66}},
   {VK_FORMAT_B8G8R8A8_SRGB, {{0, 1, 0.21586f, 0.4f}}, 4, {0x80, 0xff, 0, 0x66}},
   {VK_FORMAT_R8G8B8A8_UINT, {.uint32 = {1, 2, 254, 255}}, 4, {1, 2, 254, 255}},
   {VK_FORMAT_R8G8B8A8_SINT, {.int32 = {-1, -128, 127, 5}}, 4, {0xff, 0x80, 0x7f, 5}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {{1, 0, 1, 1.0f / 3}}, 4, {0xff, 0x03, 0xf0, 0x7f}},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, {.uint32 = {1023, 0, 1, 2}}, 4, {0xff, 0x03, 0x10, 0x80}},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, {{1, 0, 1, 0}}, 2, {0x1f, 0xf8}},
   {VK_FORMAT_A1R5G5B5_UNORM_PACK16, {{1, 0, 1, 1}}, 2, {0x1f, 0xfc}},
   {VK_FORMAT_R16_UNORM, {{0.2f}}, 2, {0x33, 0x33}},
   {VK_FORMAT_R16_SFLOAT, {{0.5f}}, 2, {0x00, 0x38}},
   {VK_FORMAT_R16G16_SINT, {.int32 = {-2, 30000}}, 4, {0xfe, 0xff, 0x30, 0x75}},
   {VK_FORMAT_R16G16_SNORM, {{-1, 1}}, 4, {0x01, 0x80, 0xff, 0x7f}},
   {VK_FORMAT_R16G16B16A16_UINT, {.uint32 = {1, 0x8000, 0xffff, 7}}, 8, {1, 0, 0, 0x80, 0xff, 0xff, 7, 0}},
   {VK_FORMAT_R16G16B16A16_SFLOAT, {{1, -2, 0.5f, 0}}, 8, {0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0}},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {{1, 0.5f, 2, 0}}, 4, {0xc0, 0x03, 0x1c, 0x80}},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {{1, 0.5f, 2, 0}}, 4, {0x80, 0x80, 0x00, 0x8c}},
   {VK_FORMAT_R32_UINT, {.uint32 = {0xdeadbeef}}, 4, {0xef, 0xbe, 0xad, 0xde}},
   {VK_FORMAT_R32G32_SFLOAT, {{1, -0.5f}}, 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf}},
   {VK_FORMAT_R32G32B32A32_SINT,
    {.int32 = {-1, 2, -3, 0x12345678}},
    16,
    {0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff, 0x78, 0x56, 0x34, 0x12}},
};

#endif
