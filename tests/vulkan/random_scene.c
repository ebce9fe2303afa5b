#include "random_scene.h"

/* clang-format off */
static const VkFormat float_formats[] = {
   VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
   VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R5G6B5_UNORM_PACK16,
   VK_FORMAT_A1R5G5B5_UNORM_PACK16, VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_SFLOAT,
   VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT,
   VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16_SNORM,
   VK_FORMAT_R16G16_SNORM, VK_FORMAT_R8_SNORM, VK_FORMAT_B10G11R11_UFLOAT_PACK32};
/* clang-format on */
static const VkFormat uint_formats[] = {VK_FORMAT_R8_UINT,           VK_FORMAT_R8G8_UINT,
                                        VK_FORMAT_R8G8B8A8_UINT,     VK_FORMAT_R16_UINT,
                                        VK_FORMAT_R16G16_UINT,       VK_FORMAT_R16G16B16A16_UINT,
                                        VK_FORMAT_R32_UINT,          VK_FORMAT_R32G32_UINT,
                                        VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_A2B10G10R10_UINT_PACK32};
static const VkFormat sint_formats[] = {VK_FORMAT_R8_SINT,  VK_FORMAT_R8G8_SINT,   VK_FORMAT_R8G8B8A8_SINT,
                                        VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R16G16B16A16_SINT,
                                        VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT};
static const VkFormat depth_formats[] = {VK_FORMAT_UNDEFINED,
                                         VK_FORMAT_UNDEFINED,
                                         VK_FORMAT_D16_UNORM,
                                         VK_FORMAT_D16_UNORM,
                                         VK_FORMAT_D32_SFLOAT,
                                         VK_FORMAT_D32_SFLOAT_S8_UINT,
                                         VK_FORMAT_D32_SFLOAT_S8_UINT,
                                         VK_FORMAT_D32_SFLOAT_S8_UINT,
                                         VK_FORMAT_S8_UINT,
                                         VK_FORMAT_S8_UINT};

static unsigned
type_of(const struct random_targets *targets, uint32_t i)
{
   return targets->types == TYPES_ALL ? i % 3 : targets->types;
}

static VkClearValue
choose_clear(struct random_tile *tile, unsigned type)
{
   VkClearValue value;
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t byte = rnd(tile, 256);
      if (type == TYPES_FLOAT)
         value.color.float32[i] = (float)byte / 255;
      else
         value.color.uint32[i] = i == 3 ? byte & 1 : byte / 2;
   }
   return value;
}

static VkClearValue
choose_depth_clear(struct random_tile *tile)
{
   return (VkClearValue){.depthStencil = {(float)rnd(tile, 9) / 8, rnd(tile, 256)}};
}

static void
choose_attachment(struct vkx *vkx, struct random_tile *tile, struct attachment *a, const struct random_scene *scene,
                  VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   /* size: fields of an image */
   const bool color = vkt_aspects(format) == VK_IMAGE_ASPECT_COLOR_BIT;
   /* RADV and lavapipe resolve to slice 0 of a volume, whatever the view. */
   const bool thick = color && samples == 1 && scene->targets.samples == 1 &&
                      !(usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT) && chance(tile, 8);
   const uint32_t levels = samples > 1 || thick ? 1 : 1 + (chance(tile, 30) ? rnd(tile, 3) : 0);
   /* lavapipe resolves from and to layer 0, whatever the view. */
   const bool single = thick || (tile->strict && scene->targets.samples > 1) || chance(tile, 70);
   const uint32_t layers = single ? 1 : 1 + rnd(tile, 3);
   a->level = rnd(tile, levels);
   a->layer = thick ? rnd(tile, 3) : rnd(tile, layers);
   a->info = (VkImageCreateInfo){
      .flags = thick ? VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT : 0,
      .imageType = thick ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = {(scene->targets.extent.width + rnd(tile, 2) * 3) << a->level,
                 (scene->targets.extent.height + rnd(tile, 2) * 5) << a->level, thick ? 3u << a->level : 1},
      .mipLevels = levels,
      .arrayLayers = layers,
      .samples = samples,
      .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
   };
   for (unsigned i = 0; i < 2; i++)
      a->loads[i] = chance(tile, 50) ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
   VkImageFormatProperties properties;
   need(tile,
        vkGetPhysicalDeviceImageFormatProperties(vkx->physical, format, a->info.imageType, VK_IMAGE_TILING_OPTIMAL,
                                                 a->info.usage, a->info.flags, &properties) == VK_SUCCESS &&
           properties.sampleCounts & samples && properties.maxMipLevels >= levels);
   say(tile, " [%d%s %ux%u level %u/%u layer %u/%u %s]", format, thick ? " 3D" : "", a->info.extent.width,
       a->info.extent.height, a->level, levels, a->layer, layers, a->loads[0] ? "clear" : "load");
}

static void
choose_targets(struct vkx *vkx, struct random_tile *tile, struct random_scene *scene)
{
   struct random_targets *targets = &scene->targets;
   static const uint32_t counts[] = {0, 0, 1, 1, 1, 2, 2, 3, 4, 8};
   targets->samples = chance(tile, 25) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
   targets->types = targets->samples > 1 || chance(tile, 50) ? TYPES_FLOAT : 1 + rnd(tile, 3);
   targets->colors = PICK(tile, counts);
   targets->input = targets->samples == 1 && targets->types == TYPES_FLOAT && targets->colors > 1 && chance(tile, 75);
   targets->extent =
      (VkExtent2D){chance(tile, 50) ? 64 : 17 + rnd(tile, 48), chance(tile, 50) ? 64 : 17 + rnd(tile, 48)};
   targets->depth = PICK(tile, depth_formats);
   VkRect2D *area = &targets->area;
   *area = (VkRect2D){{0, 0}, targets->extent};
   if (chance(tile, 30)) {
      area->offset = (VkOffset2D){(int32_t)rnd(tile, 12), (int32_t)rnd(tile, 12)};
      area->extent.width -= (uint32_t)area->offset.x + rnd(tile, 5);
      area->extent.height -= (uint32_t)area->offset.y + rnd(tile, 5);
   }
   say(tile, " %ux%u area %d,%d %ux%u x%u", targets->extent.width, targets->extent.height, area->offset.x,
       area->offset.y, area->extent.width, area->extent.height, targets->samples);
   for (uint32_t i = 0; i < targets->colors; i++) {
      const unsigned type = type_of(targets, i);
      struct attachment *a = &scene->colors[i];
      targets->formats[i] = type == TYPES_FLOAT  ? PICK(tile, float_formats)
                            : type == TYPES_UINT ? PICK(tile, uint_formats)
                                                 : PICK(tile, sint_formats);
      choose_attachment(vkx, tile, a, scene, targets->formats[i], targets->samples,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                           (targets->input && !i ? VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT : 0));
      a->before = choose_clear(tile, type);
      a->clear = choose_clear(tile, type);
      a->unused = !targets->input && targets->samples == 1 && chance(tile, 6);
      if (a->unused)
         a->loads[0] = VK_ATTACHMENT_LOAD_OP_LOAD;
      if (targets->samples > 1)
         choose_attachment(vkx, tile, &scene->resolves[i], scene, targets->formats[i], VK_SAMPLE_COUNT_1_BIT,
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      scene->resolves[i].before = a->before;
   }
   if (targets->depth)
      choose_attachment(vkx, tile, &scene->depth, scene, targets->depth, targets->samples,
                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   scene->depth.before = choose_depth_clear(tile);
   scene->depth.clear = choose_depth_clear(tile);
}

static void
choose_clears(struct random_tile *tile, struct random_scene *scene, struct clears *clears, uint32_t colors)
{
   const VkRect2D area = scene->targets.area;
   *clears = (struct clears){.rects = 1 + rnd(tile, 3)};
   if (!chance(tile, 25))
      return;
   if (colors && chance(tile, 80)) {
      const uint32_t which = rnd(tile, colors), i = which + (scene->targets.input && colors != 1);
      clears->attachments[clears->count++] =
         (VkClearAttachment){VK_IMAGE_ASPECT_COLOR_BIT, which, choose_clear(tile, type_of(&scene->targets, i))};
   }
   VkImageAspectFlags aspects = scene->targets.depth ? vkt_aspects(scene->targets.depth) : 0;
   if (aspects == (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
      aspects = (VkImageAspectFlags[]){aspects, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}[rnd(tile, 3)];
   if (aspects && chance(tile, 60))
      clears->attachments[clears->count++] = (VkClearAttachment){aspects, 0, choose_depth_clear(tile)};
   for (uint32_t i = 0; i < clears->rects; i++) {
      const uint32_t x = rnd(tile, area.extent.width), y = rnd(tile, area.extent.height);
      clears->rect[i] = (VkClearRect){{{area.offset.x + (int32_t)x, area.offset.y + (int32_t)y},
                                       {1 + rnd(tile, area.extent.width - x), 1 + rnd(tile, area.extent.height - y)}},
                                      0,
                                      1};
      if (clears->count)
         say(tile, " clear(%x) %d,%d %ux%u", clears->attachments[clears->count - 1].aspectMask,
             clears->rect[i].rect.offset.x, clears->rect[i].rect.offset.y, clears->rect[i].rect.extent.width,
             clears->rect[i].rect.extent.height);
   }
}

void
random_scene_choose(struct vkx *vkx, struct random_tile *tile, struct random_scene *scene,
                    uint8_t *const maps[RANDOM_DRAWS][3])
{
   choose_targets(vkx, tile, scene);
   scene->draws = 1 + rnd(tile, RANDOM_DRAWS);
   scene->first_of_second = scene->targets.input ? rnd(tile, scene->draws + 1) : scene->draws;
   for (uint32_t i = 0; i < scene->draws; i++) {
      const uint32_t subpass = i >= scene->first_of_second;
      const uint32_t all = scene->targets.colors, colors = scene->targets.input ? (subpass ? all - 1 : 1) : all;
      choose_clears(tile, scene, &scene->clears[i], colors);
      random_draw_choose(vkx, tile, &scene->draw[i], &scene->targets, subpass, maps[i]);
   }
   if (scene->targets.samples > 1)
      tile->slack += 0.004f, tile->pixels *= 4;
   scene->descriptor_buffer = chance(tile, 50);
   if (scene->descriptor_buffer)
      say(tile, " descriptor buffer");
}
