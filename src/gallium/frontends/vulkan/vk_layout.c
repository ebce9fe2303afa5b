/* Layouts and ranges of images in the contract's words. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "util/macros.h"

#define LAYOUT(name) VK_IMAGE_LAYOUT_##name
#define TESTED (PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_SAMPLED | PIPE_USE_INPUT)
#define WRITTEN (PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_DEPTH_STENCIL_WRITE)
#define READ (PIPE_USE_SAMPLED | PIPE_USE_INPUT)
#define LOOP (READ | PIPE_USE_FEEDBACK_LOOP)
#define LOCAL (PIPE_USE_INPUT | PIPE_USE_STORAGE | PIPE_USE_LOCAL_READ)
#define GENERAL PIPE_USE_GENERAL

/* enum pipe_use bits by aspect. */
struct layout {
   VkImageLayout layout;
   uint32_t color, depth, stencil;
};

static const struct layout layouts[] = {
   {LAYOUT(UNDEFINED), 0, 0, 0},
   {LAYOUT(ZERO_INITIALIZED_EXT), 0, 0, 0},
   {LAYOUT(GENERAL), GENERAL, GENERAL, GENERAL},
   {LAYOUT(COLOR_ATTACHMENT_OPTIMAL), PIPE_USE_COLOR, 0, 0},
   {LAYOUT(DEPTH_STENCIL_ATTACHMENT_OPTIMAL), 0, WRITTEN, WRITTEN},
   {LAYOUT(DEPTH_STENCIL_READ_ONLY_OPTIMAL), 0, TESTED, TESTED},
   {LAYOUT(SHADER_READ_ONLY_OPTIMAL), READ, READ, READ},
   {LAYOUT(TRANSFER_SRC_OPTIMAL), PIPE_USE_TRANSFER_SRC, PIPE_USE_TRANSFER_SRC, PIPE_USE_TRANSFER_SRC},
   {LAYOUT(TRANSFER_DST_OPTIMAL), PIPE_USE_TRANSFER_DST, PIPE_USE_TRANSFER_DST, PIPE_USE_TRANSFER_DST},
   {LAYOUT(PREINITIALIZED), PIPE_USE_HOST, PIPE_USE_HOST, PIPE_USE_HOST},
   {LAYOUT(DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL), 0, TESTED, WRITTEN},
   {LAYOUT(DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL), 0, WRITTEN, TESTED},
   {LAYOUT(DEPTH_ATTACHMENT_OPTIMAL), 0, WRITTEN, 0},
   {LAYOUT(DEPTH_READ_ONLY_OPTIMAL), 0, TESTED, 0},
   {LAYOUT(STENCIL_ATTACHMENT_OPTIMAL), 0, 0, WRITTEN},
   {LAYOUT(STENCIL_READ_ONLY_OPTIMAL), 0, 0, TESTED},
   {LAYOUT(READ_ONLY_OPTIMAL), READ, TESTED, TESTED},
   {LAYOUT(ATTACHMENT_OPTIMAL), PIPE_USE_COLOR, WRITTEN, WRITTEN},
   {LAYOUT(PRESENT_SRC_KHR), PIPE_USE_PRESENT, 0, 0},
   {LAYOUT(SHARED_PRESENT_KHR), GENERAL | PIPE_USE_PRESENT, 0, 0},
   {LAYOUT(FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR), PIPE_USE_SHADING_RATE, 0, 0},
   {LAYOUT(ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT), LOOP | PIPE_USE_COLOR, LOOP | WRITTEN, LOOP | WRITTEN},
   {LAYOUT(RENDERING_LOCAL_READ), LOCAL | PIPE_USE_COLOR, LOCAL | WRITTEN, LOCAL | WRITTEN},
};

/* A layout of an extension that the driver does not offer allows everything. */
static struct layout
find_layout(VkImageLayout layout)
{
   for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++) {
      if (layouts[i].layout == layout)
         return layouts[i];
   }
   return (struct layout){layout, GENERAL, GENERAL, GENERAL};
}

uint32_t
vk_layout_uses(VkImageLayout layout, uint32_t aspect)
{
   const struct layout row = find_layout(layout);
   return aspect == PIPE_ASPECT_COLOR ? row.color : aspect == PIPE_ASPECT_DEPTH ? row.depth : row.stencil;
}

/* There is nothing in an image, or the zeros of its memory. */
static bool
is_fresh(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_UNDEFINED || layout == VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT;
}

/* False: nothing changes. Equal layouts keep the contents, whatever they are. */
static bool
aspect_barrier(const struct vk_transition *t, uint32_t aspect, struct pipe_image_barrier *out)
{
   VkImageLayout from = aspect == PIPE_ASPECT_STENCIL ? t->from.stencil : t->from.main;
   VkImageLayout to = aspect == PIPE_ASPECT_STENCIL ? t->to.stencil : t->to.main;
   *out = (struct pipe_image_barrier){
      .image = t->image->planes[0],
      .range = t->range,
      .before = vk_layout_uses(from, aspect),
      .after = vk_layout_uses(to, aspect),
      .discard = is_fresh(from) && !is_fresh(to),
      .src_family = t->src_family,
      .dst_family = t->dst_family,
   };
   out->range.aspects = aspect;
   return from != to || t->src_family != t->dst_family;
}

static unsigned
plane_barriers(const struct vk_transition *transition, struct pipe_image_barrier *out)
{
   struct pipe_image_barrier barrier;
   unsigned count = 0;
   if (!aspect_barrier(transition, PIPE_ASPECT_COLOR, &barrier))
      return 0;
   for (uint32_t i = 0; i < transition->image->num_planes; i++) {
      if (transition->planes >> i & 1) {
         out[count] = barrier;
         out[count++].image = transition->image->planes[i];
      }
   }
   return count;
}

unsigned
vk_image_barriers(const struct vk_transition *transition, struct pipe_image_barrier out[VK_MAX_IMAGE_BARRIERS])
{
   unsigned count = 0;
   if (transition->image->num_planes > 1)
      return plane_barriers(transition, out);
   for (uint32_t aspect = PIPE_ASPECT_COLOR; aspect <= PIPE_ASPECT_STENCIL; aspect <<= 1) {
      struct pipe_image_barrier barrier, *last = &out[count ? count - 1 : 0];
      if (!(transition->range.aspects & aspect) || !aspect_barrier(transition, aspect, &barrier))
         continue;
      if (count && last->before == barrier.before && last->after == barrier.after && last->discard == barrier.discard)
         last->range.aspects |= aspect;
      else
         out[count++] = barrier;
   }
   return count;
}

struct pipe_subresource_range
vk_subresource_range(const struct vk_image *image, const VkImageSubresourceRange *range)
{
   return (struct pipe_subresource_range){
      .aspects = vk_aspects(range->aspectMask),
      .base_level = range->baseMipLevel,
      .levels =
         range->levelCount == VK_REMAINING_MIP_LEVELS ? image->desc.levels - range->baseMipLevel : range->levelCount,
      .base_layer = range->baseArrayLayer,
      .layers = range->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->desc.layers - range->baseArrayLayer
                                                               : range->layerCount,
   };
}
