/* Visuals of X: where the colours lie in the pixels of a window. */
#include <endian.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"
#include "util/macros.h"

/* By depth and the mask of red, which says the rest. A window of depth 32 is blended with what lies under it. */
static const struct {
   uint8_t depth;
   uint32_t red;
   VkFormat formats[2];
} rows[] = {
   {24, 0xff0000, {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM}},
   {32, 0xff0000, {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM}},
   {24, 0xff, {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM}},
   {32, 0xff, {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM}},
   {30, 0x3ff00000, {VK_FORMAT_A2R10G10B10_UNORM_PACK32}},
   {30, 0x3ff, {VK_FORMAT_A2B10G10R10_UNORM_PACK32}},
   {16, 0xf800, {VK_FORMAT_R5G6B5_UNORM_PACK16}},
};

static const xcb_visualtype_t *
find_in_depth(const struct wsi_x11_functions *x, const xcb_depth_t *depth, xcb_visualid_t visual)
{
   for (xcb_visualtype_iterator_t it = x->xcb_depth_visuals_iterator(depth); it.rem; x->xcb_visualtype_next(&it)) {
      if (it.data->visual_id == visual)
         return it.data;
   }
   return NULL;
}

static const xcb_visualtype_t *
find_in_screen(const struct wsi_x11_functions *x, const xcb_screen_t *screen, xcb_visualid_t visual, uint8_t *depth)
{
   const xcb_visualtype_t *found = NULL;
   for (xcb_depth_iterator_t it = x->xcb_screen_allowed_depths_iterator(screen); it.rem && !found;
        x->xcb_depth_next(&it)) {
      found = find_in_depth(x, it.data, visual);
      *depth = it.data->depth;
   }
   return found;
}

static const xcb_visualtype_t *
find(xcb_connection_t *connection, xcb_visualid_t visual, uint8_t *depth)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const xcb_visualtype_t *found = NULL;
   for (xcb_screen_iterator_t it = x->xcb_setup_roots_iterator(x->xcb_get_setup(connection)); it.rem && !found;
        x->xcb_screen_next(&it))
      found = find_in_screen(x, it.data, visual, depth);
   return found;
}

void
wsi_x11_pixel(xcb_connection_t *connection, uint8_t depth, uint32_t *bits, uint32_t *pad_bits)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   *bits = *pad_bits = 0;
   for (xcb_format_iterator_t it = x->xcb_setup_pixmap_formats_iterator(x->xcb_get_setup(connection)); it.rem;
        x->xcb_format_next(&it)) {
      if (it.data->depth == depth) {
         *bits = it.data->bits_per_pixel;
         *pad_bits = it.data->scanline_pad;
      }
   }
}

/* DirectColor differs only in tables between pixels and colours, which are the application's to fill. SDL 2 takes
 * such a visual where there is one. */
static bool
has_masks(const xcb_visualtype_t *type)
{
   return type->_class == XCB_VISUAL_CLASS_TRUE_COLOR || type->_class == XCB_VISUAL_CLASS_DIRECT_COLOR;
}

/* Pixels go to the server as they are. */
static bool
same_order(xcb_connection_t *connection)
{
   const bool little = wsi_x11_functions()->xcb_get_setup(connection)->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST;
   return little == (__BYTE_ORDER == __LITTLE_ENDIAN);
}

void
wsi_x11_formats(xcb_connection_t *connection, xcb_visualid_t visual, struct wsi_description *out)
{
   uint8_t depth = 0;
   uint32_t bits, pad_bits;
   const xcb_visualtype_t *type = find(connection, visual, &depth);
   const bool direct = type && has_masks(type) && same_order(connection);
   wsi_x11_pixel(connection, depth, &bits, &pad_bits);
   out->num_formats = 0;
   out->alphas = VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR |
                 (depth == 32 ? VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR : VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR);
   for (unsigned i = 0; i < ARRAY_SIZE(rows) && direct; i++) {
      if (rows[i].depth != depth || rows[i].red != type->red_mask || bits != (depth == 16 ? 16 : 32))
         continue;
      for (unsigned j = 0; j < ARRAY_SIZE(rows[i].formats) && rows[i].formats[j]; j++)
         out->formats[out->num_formats++] = rows[i].formats[j];
   }
}

bool
wsi_x11_supports(xcb_connection_t *connection, xcb_visualid_t visual)
{
   struct wsi_description description;
   if (!wsi_x11_functions()->has_core)
      return false;
   wsi_x11_formats(connection, visual, &description);
   return description.num_formats;
}
