#include "sim/texel/bc.h"

#include <assert.h>
#include <string.h>

#include "sim/texel/bc6h.h"
#include "sim/texel/bc7.h"
#include "sim/texel/numeric.h"

static void
rgb565(uint16_t bits, float rgb[3])
{
   rgb[0] = (float)(bits >> 11) / 31.0f;
   rgb[1] = (float)(bits >> 5 & 63) / 63.0f;
   rgb[2] = (float)(bits & 31) / 31.0f;
}

/* The colour half of BC1, BC2 and BC3. punch_through: BC1's mode of three colours and transparent black. */
static void
decode_color(const uint8_t *block, unsigned texel, bool punch_through, float color[4])
{
   uint16_t ends[2];
   uint32_t codes;
   memcpy(ends, block, 4);
   memcpy(&codes, block + 4, 4);
   unsigned code = codes >> (2 * texel) & 3;
   float a[3], b[3];
   rgb565(ends[0], a);
   rgb565(ends[1], b);
   bool three = punch_through && ends[0] <= ends[1];
   color[3] = 1.0f;
   for (unsigned i = 0; i < 3; i++) {
      switch (code) {
      case 0:
         color[i] = a[i];
         break;
      case 1:
         color[i] = b[i];
         break;
      case 2:
         color[i] = three ? (a[i] + b[i]) / 2.0f : (2.0f * a[i] + b[i]) / 3.0f;
         break;
      default:
         color[i] = three ? 0.0f : (a[i] + 2.0f * b[i]) / 3.0f;
         break;
      }
   }
   if (three && code == 3)
      color[3] = 0.0f;
}

/* One channel of BC4: two ends and 3-bit codes. */
static float
decode_channel(const uint8_t *block, unsigned texel, bool is_signed)
{
   uint64_t bits = 0;
   memcpy(&bits, block, 8);
   unsigned code = (unsigned)(bits >> (16 + 3 * texel)) & 7;
   float a = is_signed ? sim_snorm_to_float(block[0], 8) : sim_unorm_to_float(block[0], 8);
   float b = is_signed ? sim_snorm_to_float(block[1], 8) : sim_unorm_to_float(block[1], 8);
   bool eight = is_signed ? (int8_t)block[0] > (int8_t)block[1] : block[0] > block[1];
   if (code < 2)
      return code ? b : a;
   if (eight)
      return ((float)(8 - code) * a + (float)(code - 1) * b) / 7.0f;
   if (code < 6)
      return ((float)(6 - code) * a + (float)(code - 1) * b) / 5.0f;
   return code == 7 ? 1.0f : is_signed ? -1.0f : 0.0f;
}

void
sim_bc_decode(enum sim_texel_layout layout, bool is_signed, const void *block, unsigned x, unsigned y, float color[4])
{
   const uint8_t *bytes = block;
   unsigned texel = y * 4 + x;
   switch (layout) {
   case SIM_TEXEL_BC1:
      decode_color(bytes, texel, true, color);
      return;
   case SIM_TEXEL_BC2:
      decode_color(bytes + 8, texel, false, color);
      color[3] = (float)(bytes[texel / 2] >> (texel % 2 * 4) & 15) / 15.0f;
      return;
   case SIM_TEXEL_BC3:
      decode_color(bytes + 8, texel, false, color);
      color[3] = decode_channel(bytes, texel, false);
      return;
   case SIM_TEXEL_BC4:
      color[0] = decode_channel(bytes, texel, is_signed);
      return;
   case SIM_TEXEL_BC5:
      color[0] = decode_channel(bytes, texel, is_signed);
      color[1] = decode_channel(bytes + 8, texel, is_signed);
      return;
   case SIM_TEXEL_BC6H:
      sim_bc6h_decode(is_signed, block, texel, color);
      return;
   case SIM_TEXEL_BC7:
      sim_bc7_decode(block, texel, color);
      return;
   case SIM_TEXEL_PLAIN:
   case SIM_TEXEL_SHARED_EXPONENT:
   case SIM_TEXEL_ETC2_RGB:
   case SIM_TEXEL_ETC2_PUNCH:
   case SIM_TEXEL_ETC2_RGBA:
   case SIM_TEXEL_EAC_R:
   case SIM_TEXEL_EAC_RG:
   case SIM_TEXEL_ASTC:
      break;
   }
   assert(!"not a layout of blocks");
}
