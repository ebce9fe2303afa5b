#include "amd/common/ac_format.h"

#include <stddef.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

/* Layouts by the widths of their components, lowest bits first. Hardware names list the highest bits first. `image`
 * is the first value of the run unorm, snorm, uscaled, sscaled, uint, sint, float (32-bit components: uint, sint,
 * float; a single format otherwise). Source: format lists of the descriptor documentation, see desc.txt. */
struct layout {
   uint8_t bits[4];
   uint8_t image;
   uint8_t srgb;
   uint8_t color; /* COLOR_* of CB_COLOR0_INFO.FORMAT, 0 if not renderable */
   enum { RUN, RUN_INTEGER_FLOAT, RUN_INTEGER, UNORM_ONLY } kind;
};

static const struct layout layouts[] = {
   {{8}, V_GFX10_FORMAT_8_UNORM, V_GFX10_FORMAT_8_SRGB, V_COLOR_8, RUN},
   {{16}, V_GFX10_FORMAT_16_UNORM, 0, V_COLOR_16, RUN},
   {{8, 8}, V_GFX10_FORMAT_8_8_UNORM, V_GFX10_FORMAT_8_8_SRGB, V_COLOR_8_8, RUN},
   {{32}, V_GFX10_FORMAT_32_UINT, 0, V_COLOR_32, RUN_INTEGER_FLOAT},
   {{16, 16}, V_GFX10_FORMAT_16_16_UNORM, 0, V_COLOR_16_16, RUN},
   {{11, 11, 10}, V_GFX10_FORMAT_10_11_11_UNORM, 0, V_COLOR_10_11_11, RUN},
   {{10, 11, 11}, V_GFX10_FORMAT_11_11_10_UNORM, 0, V_COLOR_11_11_10, RUN},
   {{2, 10, 10, 10}, V_GFX10_FORMAT_10_10_10_2_UNORM, 0, V_COLOR_10_10_10_2, RUN},
   {{10, 10, 10, 2}, V_GFX10_FORMAT_2_10_10_10_UNORM, 0, V_COLOR_2_10_10_10, RUN},
   {{8, 8, 8, 8}, V_GFX10_FORMAT_8_8_8_8_UNORM, V_GFX10_FORMAT_8_8_8_8_SRGB, V_COLOR_8_8_8_8, RUN},
   {{32, 32}, V_GFX10_FORMAT_32_32_UINT, 0, V_COLOR_32_32, RUN_INTEGER_FLOAT},
   {{64}, V_GFX10_FORMAT_32_32_UINT, 0, 0, RUN_INTEGER}, /* halves of a texel, as RADV has it */
   {{16, 16, 16, 16}, V_GFX10_FORMAT_16_16_16_16_UNORM, 0, V_COLOR_16_16_16_16, RUN},
   {{32, 32, 32}, V_GFX10_FORMAT_32_32_32_UINT, 0, 0, RUN_INTEGER_FLOAT},
   {{32, 32, 32, 32}, V_GFX10_FORMAT_32_32_32_32_UINT, 0, V_COLOR_32_32_32_32, RUN_INTEGER_FLOAT},
   {{5, 6, 5}, V_GFX10_FORMAT_5_6_5_UNORM, 0, V_COLOR_5_6_5, UNORM_ONLY},
   {{5, 5, 5, 1}, V_GFX10_FORMAT_1_5_5_5_UNORM, 0, V_COLOR_1_5_5_5, UNORM_ONLY},
   {{1, 5, 5, 5}, V_GFX10_FORMAT_5_5_5_1_UNORM, 0, V_COLOR_5_5_5_1, UNORM_ONLY},
   {{4, 4, 4, 4}, V_GFX10_FORMAT_4_4_4_4_UNORM, 0, V_COLOR_4_4_4_4, UNORM_ONLY},
};

static const uint16_t block_formats[][2] = {{FORMAT_BC1_RGB_UNORM_BLOCK, V_GFX10_FORMAT_BC1_UNORM},
                                            {FORMAT_BC1_RGB_SRGB_BLOCK, V_GFX10_FORMAT_BC1_SRGB},
                                            {FORMAT_BC1_RGBA_UNORM_BLOCK, V_GFX10_FORMAT_BC1_UNORM},
                                            {FORMAT_BC1_RGBA_SRGB_BLOCK, V_GFX10_FORMAT_BC1_SRGB},
                                            {FORMAT_BC2_UNORM_BLOCK, V_GFX10_FORMAT_BC2_UNORM},
                                            {FORMAT_BC2_SRGB_BLOCK, V_GFX10_FORMAT_BC2_SRGB},
                                            {FORMAT_BC3_UNORM_BLOCK, V_GFX10_FORMAT_BC3_UNORM},
                                            {FORMAT_BC3_SRGB_BLOCK, V_GFX10_FORMAT_BC3_SRGB},
                                            {FORMAT_BC4_UNORM_BLOCK, V_GFX10_FORMAT_BC4_UNORM},
                                            {FORMAT_BC4_SNORM_BLOCK, V_GFX10_FORMAT_BC4_SNORM},
                                            {FORMAT_BC5_UNORM_BLOCK, V_GFX10_FORMAT_BC5_UNORM},
                                            {FORMAT_BC5_SNORM_BLOCK, V_GFX10_FORMAT_BC5_SNORM},
                                            {FORMAT_BC6H_UFLOAT_BLOCK, V_GFX10_FORMAT_BC6_UFLOAT},
                                            {FORMAT_BC6H_SFLOAT_BLOCK, V_GFX10_FORMAT_BC6_SFLOAT},
                                            {FORMAT_BC7_UNORM_BLOCK, V_GFX10_FORMAT_BC7_UNORM},
                                            {FORMAT_BC7_SRGB_BLOCK, V_GFX10_FORMAT_BC7_SRGB},
                                            {FORMAT_ETC2_R8G8B8_UNORM_BLOCK, AC_FORMAT_ETC2_RGB_UNORM},
                                            {FORMAT_ETC2_R8G8B8_SRGB_BLOCK, AC_FORMAT_ETC2_RGB_SRGB},
                                            {FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, AC_FORMAT_ETC2_RGBA1_UNORM},
                                            {FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, AC_FORMAT_ETC2_RGBA1_SRGB},
                                            {FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, AC_FORMAT_ETC2_RGBA_UNORM},
                                            {FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, AC_FORMAT_ETC2_RGBA_SRGB},
                                            {FORMAT_EAC_R11_UNORM_BLOCK, AC_FORMAT_EAC_R_UNORM},
                                            {FORMAT_EAC_R11_SNORM_BLOCK, AC_FORMAT_EAC_R_SNORM},
                                            {FORMAT_EAC_R11G11_UNORM_BLOCK, AC_FORMAT_EAC_RG_UNORM},
                                            {FORMAT_EAC_R11G11_SNORM_BLOCK, AC_FORMAT_EAC_RG_SNORM}};

static const struct layout *
find_layout(const struct format_info *info)
{
   if (!info || info->compression || info->planes != 1 || info->block_width_el != 1)
      return NULL;
   for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++) {
      unsigned n = 0;

      while (n < 4 && layouts[i].bits[n] == (n < info->component_count ? info->components[n].bits : 0))
         n++;
      if (n == 4)
         return &layouts[i];
   }
   return NULL;
}

/* Place of a numeric type in a run, -1 if the run has no such format. */
static int
place_in_run(const struct layout *layout, enum format_numeric numeric)
{
   static const int8_t full[] = {
      [FORMAT_VOID] = -1,   [FORMAT_UNORM] = 0, [FORMAT_SNORM] = 1,  [FORMAT_USCALED] = 2,
      [FORMAT_SSCALED] = 3, [FORMAT_UINT] = 4,  [FORMAT_SINT] = 5,   [FORMAT_UFLOAT] = 6,
      [FORMAT_SFLOAT] = 6,  [FORMAT_SRGB] = -1, [FORMAT_FIXED] = -1,
   };
   int place = full[numeric];

   if (layout->kind == UNORM_ONLY)
      return place == 0 ? 0 : -1;
   if (layout->kind == RUN_INTEGER_FLOAT)
      return place >= 4 ? place - 4 : -1;
   if (layout->kind == RUN_INTEGER)
      return place == 4 || place == 5 ? place - 4 : -1;
   bool has_float =
      layout->bits[0] == 16 || layout->bits[0] == 11 || (layout->bits[0] == 10 && layout->bits[1] == 11);
   return place == 6 && !has_float ? -1 : place;
}

static bool
is_color(const struct format_info *info)
{
   for (unsigned i = 0; i < info->component_count; i++) {
      if (info->components[i].name > FORMAT_A || info->components[i].numeric != info->components[0].numeric)
         return false;
   }
   return info->component_count > 0;
}

uint32_t
ac_format_image(uint32_t format)
{
   const struct format_info *info = format_info(format);
   const struct layout *layout;

   for (unsigned i = 0; i < ARRAY_SIZE(block_formats); i++) {
      if (block_formats[i][0] == format)
         return block_formats[i][1];
   }
   if (format == FORMAT_E5B9G9R9_UFLOAT_PACK32)
      return V_GFX10_FORMAT_5_9_9_9_FLOAT;
   layout = find_layout(info);
   if (!layout || !is_color(info) || (layout->bits[2] == 32 && !layout->bits[3]))
      return 0;
   if (info->components[0].numeric == FORMAT_SRGB)
      return layout->srgb;
   int place = place_in_run(layout, info->components[0].numeric);
   return place < 0 ? 0 : layout->image + (uint32_t)place;
}

uint32_t
ac_format_buffer(uint32_t format)
{
   const struct format_info *info = format_info(format);
   const struct layout *layout = find_layout(info);

   if (!layout || layout->kind == UNORM_ONLY || !is_color(info))
      return 0;
   int place = place_in_run(layout, info->components[0].numeric);
   return place < 0 ? 0 : layout->image + (uint32_t)place;
}

void
ac_format_swizzle(uint32_t format, uint8_t select[4])
{
   const struct format_info *info = format_info(format);

   if (info && info->compression) {
      bool bc1_rgb = format == FORMAT_BC1_RGB_UNORM_BLOCK || format == FORMAT_BC1_RGB_SRGB_BLOCK;

      for (unsigned c = 0; c < 4; c++)
         select[c] = (uint8_t)(c < info->component_count ? V_SQ_SEL_X + c : V_SQ_SEL_0);
      if (bc1_rgb || info->component_count < 4)
         select[3] = V_SQ_SEL_1;
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      select[c] = c == 3 ? V_SQ_SEL_1 : V_SQ_SEL_0;
      for (unsigned i = 0; info && i < MIN2(info->component_count, 4u); i++) {
         if (info->components[i].name == c)
            select[c] = (uint8_t)(V_SQ_SEL_X + i);
      }
   }
   if (format == FORMAT_R64_UINT || format == FORMAT_R64_SINT)
      select[1] = V_SQ_SEL_X + 1;
   if (format == FORMAT_E5B9G9R9_UFLOAT_PACK32) {
      for (unsigned c = 0; c < 3; c++)
         select[c] = (uint8_t)(V_SQ_SEL_X + c);
      select[3] = V_SQ_SEL_1;
   }
}

uint32_t
ac_format_of_aspect(uint32_t format, bool stencil)
{
   switch (format) {
   case FORMAT_D16_UNORM:
      return stencil ? 0 : FORMAT_R16_UNORM;
   case FORMAT_D32_SFLOAT:
      return stencil ? 0 : FORMAT_R32_SFLOAT;
   case FORMAT_S8_UINT:
      return stencil ? FORMAT_R8_UINT : 0;
   case FORMAT_D16_UNORM_S8_UINT:
      return stencil ? FORMAT_R8_UINT : FORMAT_R16_UNORM;
   case FORMAT_D32_SFLOAT_S8_UINT:
      return stencil ? FORMAT_R8_UINT : FORMAT_R32_SFLOAT;
   case FORMAT_X8_D24_UNORM_PACK32:
   case FORMAT_D24_UNORM_S8_UINT:
      return 0;
   default: /* others: colour, as it is */
      return format;
   }
}

/* Component order of a colour target: STD is r first, ALT swaps red and blue, _REV reverses. */
static int
color_swap(const struct format_info *info)
{
   const struct format_component *c = info->components;

   switch (info->component_count) {
   case 1:
      return c[0].name == FORMAT_A ? V_SWAP_ALT_REV : V_SWAP_STD;
   case 2:
      if (c[1].name == FORMAT_A)
         return V_SWAP_ALT;
      return c[0].name == FORMAT_R ? V_SWAP_STD : V_SWAP_STD_REV;
   case 3:
      return c[0].name == FORMAT_R ? V_SWAP_STD : V_SWAP_STD_REV;
   default:
      if (c[0].name == FORMAT_R)
         return V_SWAP_STD;
      if (c[0].name == FORMAT_B)
         return V_SWAP_ALT;
      if (c[0].name == FORMAT_A)
         return c[1].name == FORMAT_B ? V_SWAP_STD_REV : V_SWAP_ALT_REV;
      return -1;
   }
}

/* The export format must keep every bit of the target, before blending too. */
static uint8_t
export_format(const struct format_info *info, const struct ac_color_format *color)
{
   unsigned bits = 0;

   for (unsigned i = 0; i < info->component_count; i++)
      bits = MAX2(bits, info->components[i].bits);
   if (bits == 32 || (bits == 16 && color->is_normalized)) {
      bool has_alpha_only = info->components[0].name == FORMAT_A;

      if (info->component_count == 1 && !has_alpha_only)
         return V_SPI_SHADER_32_R;
      if (info->component_count == 2 && info->components[1].name == FORMAT_G)
         return V_SPI_SHADER_32_GR;
      return V_SPI_SHADER_32_ABGR;
   }
   if (color->is_integer)
      return info->components[0].numeric == FORMAT_UINT ? V_SPI_SHADER_UINT16_ABGR : V_SPI_SHADER_SINT16_ABGR;
   return V_SPI_SHADER_FP16_ABGR;
}

bool
ac_format_color(uint32_t format, struct ac_color_format *out)
{
   static const int8_t numbers[] = {[FORMAT_VOID] = -1,
                                    [FORMAT_UNORM] = V_NUMBER_UNORM,
                                    [FORMAT_SNORM] = V_NUMBER_SNORM,
                                    [FORMAT_USCALED] = -1,
                                    [FORMAT_SSCALED] = -1,
                                    [FORMAT_UINT] = V_NUMBER_UINT,
                                    [FORMAT_SINT] = V_NUMBER_SINT,
                                    [FORMAT_UFLOAT] = V_NUMBER_FLOAT,
                                    [FORMAT_SFLOAT] = V_NUMBER_FLOAT,
                                    [FORMAT_SRGB] = V_NUMBER_SRGB,
                                    [FORMAT_FIXED] = -1};
   const struct format_info *info = format_info(format);
   const struct layout *layout = find_layout(info);

   *out = (struct ac_color_format){0};
   if (!layout || !layout->color || !ac_format_image(format))
      return false;
   enum format_numeric numeric = info->components[0].numeric;
   int swap = color_swap(info);
   if (numbers[numeric] < 0 || swap < 0)
      return false;
   out->format = layout->color;
   out->number = (uint8_t)numbers[numeric];
   out->swap = (uint8_t)swap;
   out->is_integer = numeric == FORMAT_UINT || numeric == FORMAT_SINT;
   out->is_float = numeric == FORMAT_UFLOAT || numeric == FORMAT_SFLOAT;
   out->is_normalized = !out->is_integer && !out->is_float;
   out->blendable = !out->is_integer;
   out->is_int8 = out->is_integer && layout->bits[0] == 8;
   out->is_int10 = out->is_integer && (layout->bits[0] == 10 || layout->bits[0] == 2);
   out->export_format = export_format(info, out);
   out->alpha_export_format = out->export_format == V_SPI_SHADER_32_R    ? V_SPI_SHADER_32_AR
                              : out->export_format == V_SPI_SHADER_32_GR ? V_SPI_SHADER_32_ABGR
                                                                         : out->export_format;
   return true;
}

uint32_t
ac_format_depth(uint32_t format)
{
   switch (format) {
   case FORMAT_D16_UNORM:
   case FORMAT_D16_UNORM_S8_UINT:
      return V_Z_16;
   case FORMAT_D32_SFLOAT:
   case FORMAT_D32_SFLOAT_S8_UINT:
      return V_Z_32_FLOAT;
   default: /* others: not for the depth block */
      return V_Z_INVALID;
   }
}

bool
ac_format_has_stencil(uint32_t format)
{
   return format == FORMAT_S8_UINT || format == FORMAT_D16_UNORM_S8_UINT || format == FORMAT_D32_SFLOAT_S8_UINT;
}

/* Component c of three. */
static struct ac_vertex_part
component_part(const struct format_info *info, unsigned c)
{
   const struct layout *layout = &layouts[info->block_size_B == 3 ? 0 : 1]; /* of 8 or 16 bits */
   int place = place_in_run(layout, info->components[0].numeric);
   uint8_t size_B = info->block_size_B / 3;

   return (struct ac_vertex_part){.format = place < 0 ? 0 : layout->image + (uint32_t)place,
                                  .select = {V_SQ_SEL_X, V_SQ_SEL_0, V_SQ_SEL_0, V_SQ_SEL_1},
                                  .offset_B = (uint8_t)(c * size_B),
                                  .size_B = size_B};
}

/* From the component on, as many as a slot of shaders has: two, or the last one. */
static struct ac_vertex_part
wide_part(const struct format_info *info, unsigned component)
{
   bool two = info->component_count > component + 1;

   return (struct ac_vertex_part){
      .format = two ? V_GFX10_FORMAT_32_32_32_32_UINT : V_GFX10_FORMAT_32_32_UINT,
      .select = {V_SQ_SEL_X, V_SQ_SEL_Y, two ? V_SQ_SEL_Z : V_SQ_SEL_0, two ? V_SQ_SEL_W : V_SQ_SEL_0},
      .offset_B = (uint8_t)(8 * component),
      .size_B = two ? 16 : 8};
}

struct ac_vertex_format
ac_format_vertex(uint32_t format)
{
   const struct format_info *info = format_info(format);
   struct ac_vertex_format vertex = {0};

   if (!info || info->compression || !is_color(info))
      return vertex;
   vertex.has_components = info->component_count == 3 && (info->block_size_B == 3 || info->block_size_B == 6) &&
                           info->components[0].bits % 8 == 0;
   if (vertex.has_components) {
      for (unsigned c = 0; c < 3; c++)
         vertex.parts[c] = component_part(info, c);
      vertex.num_parts = vertex.parts[0].format ? 3 : 0;
   } else if (info->components[0].bits == 64) {
      for (unsigned c = 0; c < info->component_count; c += 2)
         vertex.parts[vertex.num_parts++] = wide_part(info, c);
   } else {
      vertex.parts[0] = (struct ac_vertex_part){.format = ac_format_buffer(format), .size_B = info->block_size_B};
      ac_format_swizzle(format, vertex.parts[0].select);
      vertex.num_parts = vertex.parts[0].format != 0;
   }
   return vertex;
}
