/* Samplers of extensions: custom colours of borders, through swizzled views too; cubes whose faces have edges;
 * filters that give the smallest or largest texel. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

static const uint32_t float_code[] = {
#include "samplers_float.inc"
};
static const uint32_t int_code[] = {
#include "samplers_int.inc"
};
static const uint32_t cube_code[] = {
#include "samplers_cube.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
enum { LANES = 64, MAX_LOOKS = 256, SAMPLE = 4, FETCH = 5 };
enum shader { FLOAT, INT, CUBE, NUM_SHADERS };

struct push {
   uint32_t at, gather;
};

struct place {
   float x, y, z, level;
};

static struct vkx *vkx;
static struct vkx_buffer results, places, texels;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipeline pipelines[NUM_SHADERS];
static VkDescriptorPool pool;
static uint32_t looks;

static VkDescriptorSet
create_set(VkSampler sampler, VkImageView view)
{
   const struct vkt_descriptor descriptors[3] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = results.buffer},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = view, .sampler = sampler},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = places.buffer}};
   return vkt_bindings_create(vkx, &pool, set_layout, 3, descriptors);
}

/* Looks at one place, or at count <= LANES of them; the number of the first result. */
static uint32_t
look(VkCommandBuffer cmd, enum shader shader, VkSampler sampler, VkImageView view, const struct place *at,
     uint32_t count, uint32_t gather)
{
   /* size: all that a lookup reads */
   const struct push push = {looks++ * LANES, gather};
   if (looks > MAX_LOOKS)
      vkx_check(VK_ERROR_TOO_MANY_OBJECTS, "looks");
   VkDescriptorSet set = create_set(sampler, view);
   for (uint32_t i = 0; i < LANES; i++)
      ((struct place *)places.map)[push.at + i] = at[i % count];
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[shader]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
   return push.at;
}

static void
run_samplers(VkCommandBuffer cmd)
{
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   looks = 0;
}

static VkSamplerCreateInfo
sampler_info(VkFilter filter, VkSamplerAddressMode mode)
{
   return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = filter,
                                .minFilter = filter,
                                .addressModeU = mode,
                                .addressModeV = mode,
                                .addressModeW = mode,
                                .maxLod = VK_LOD_CLAMP_NONE};
}

static VkSampler
create_sampler(const VkSamplerCreateInfo *info)
{
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* 2D, of `layers` layers, filled with data: tight rows of all layers. */
static struct vkt_image
create_image(VkFormat format, uint32_t size_px, uint32_t layers, VkImageCreateFlags flags, const void *data,
             uint32_t data_B)
{
   const VkImageCreateInfo info = {.flags = flags,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = format,
                                   .extent = {size_px, size_px, 1},
                                   .arrayLayers = layers,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   struct vkt_image image = vkt_image_create(vkx, info, false);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers},
                                   .imageExtent = info.extent};
   memcpy(texels.map, data, data_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, texels.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

static VkImageView
create_view(const struct vkt_image *image, VkImageViewType type, VkComponentMapping mapping)
{
   const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image->image,
      .viewType = type,
      .format = image->info.format,
      .components = mapping,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static bool
is_near(uint32_t at, const float want[4], float tolerance)
{
   const float *got = (float *)results.map + 4 * at;
   for (unsigned c = 0; c < 4; c++) {
      if (!(got[c] >= want[c] - tolerance && got[c] <= want[c] + tolerance)) {
         printf("   component %u: %g, not %g\n", c, (double)got[c], (double)want[c]);
         return false;
      }
   }
   return true;
}

/* ---- custom colours of borders ---- */

#define S(x) VK_COMPONENT_SWIZZLE_##x
static const VkComponentMapping mappings[] = {{S(IDENTITY), S(IDENTITY), S(IDENTITY), S(IDENTITY)},
                                              {S(B), S(G), S(R), S(A)},
                                              {S(A), S(R), S(G), S(B)},
                                              {S(ONE), S(A), S(ZERO), S(R)}};

static const struct format {
   VkFormat format;
   const char *name;
   unsigned components;
   enum shader shader;
   uint32_t texel[4]; /* bytes of a texel of zeros in colour, one in alpha if there is any */
   uint32_t texel_B;
} formats[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, FLOAT, {0xff000000}, 4},
   {VK_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, FLOAT, {0xff000000}, 4},
   {VK_FORMAT_B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 4, FLOAT, {0xff000000}, 4},
   {VK_FORMAT_R8_UNORM, "R8_UNORM", 1, FLOAT, {0}, 1},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "A2B10G10R10_UNORM_PACK32", 4, FLOAT, {0xc0000000}, 4},
   {VK_FORMAT_R4G4B4A4_UNORM_PACK16, "R4G4B4A4_UNORM_PACK16", 4, FLOAT, {0x000f}, 2},
   {VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 4, FLOAT, {0, 0, 0, 0x3f800000}, 16},
   {VK_FORMAT_R16G16B16A16_SINT, "R16G16B16A16_SINT", 4, INT, {0, 0x10000}, 8},
   {VK_FORMAT_R32_SINT, "R32_SINT", 1, INT, {0}, 4},
};

/* The colour through a view of a format; the texels have zeros and an alpha of 1. */
static void
seen(const struct format *format, const VkComponentMapping *mapping, const float color[4], float out[4])
{
   const VkComponentSwizzle list[4] = {mapping->r, mapping->g, mapping->b, mapping->a};
   for (unsigned c = 0; c < 4; c++) {
      const unsigned from = list[c] == S(IDENTITY) ? c : (unsigned)(list[c] - S(R));
      if (list[c] == S(ONE) || list[c] == S(ZERO))
         out[c] = list[c] == S(ONE);
      else
         out[c] = from < format->components ? color[from] : from == 3;
   }
}

/* The results of integers as floats. */
static void
make_floats(const struct format *format, uint32_t at)
{
   uint32_t *words = (uint32_t *)results.map + 4 * at;
   for (unsigned c = 0; c < 4 && format->shader == INT; c++) {
      const float value = (float)(int32_t)words[c];
      memcpy(&words[c], &value, 4);
   }
}

static VkSampler
custom_sampler(const struct format *format, VkFilter filter, const float color[4], const VkComponentMapping *mapping)
{
   VkSamplerCreateInfo info = sampler_info(filter, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
   const VkSamplerBorderColorComponentMappingCreateInfoEXT map = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT, .components = *mapping};
   VkSamplerCustomBorderColorCreateInfoEXT custom = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
      .pNext = vkt_has("VK_EXT_border_color_swizzle") ? &map : NULL,
      .format = color[3] > 0.3f ? format->format : VK_FORMAT_UNDEFINED};
   for (unsigned c = 0; c < 4; c++) {
      if (format->shader == INT)
         custom.customBorderColor.int32[c] = (int32_t)color[c];
      else
         custom.customBorderColor.float32[c] = color[c];
   }
   info.pNext = &custom;
   info.borderColor = format->shader == INT ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
   return create_sampler(&info);
}

/* Beyond the edge, on it and within, by a filter; gathered beyond it. */
static void
check_border(const struct format *format, const VkComponentMapping *mapping, unsigned color_number)
{
   static const float colors[][4] = {{0.25f, 0.5f, 0.75f, 0.125f}, {1, 0.0625f, 0, 0.375f}};
   static const float int_colors[][4] = {{-7, 3, 100, 9}, {1, 0, -2, 5}};
   static const float black[4] = {0, 0, 0, 1};
   static const struct place where[3] = {{-0.5f, 0.5f, 0, 0}, {0, 0.5f, 0, 0}, {0.5f, 0.5f, 0, 0}};
   const float *color = format->shader == INT ? int_colors[color_number] : colors[color_number];
   uint8_t data[16 * 16];
   for (unsigned i = 0; i < 16; i++)
      memcpy(data + i * format->texel_B, format->texel, format->texel_B);
   struct vkt_image image = create_image(format->format, 4, 1, 0, data, 16 * format->texel_B);
   VkImageView view = create_view(&image, VK_IMAGE_VIEW_TYPE_2D, *mapping);
   VkSampler nearest = custom_sampler(format, VK_FILTER_NEAREST, color, mapping), linear = VK_NULL_HANDLE;
   VkCommandBuffer cmd = vkx_begin(vkx);
   const uint32_t plain = look(cmd, format->shader, nearest, view, where, 3, SAMPLE);
   const uint32_t fetched = look(cmd, format->shader, nearest, view, &where[2], 1, FETCH);
   uint32_t gathered[4], filtered = 0;
   for (uint32_t c = 0; c < 4; c++)
      gathered[c] = look(cmd, format->shader, nearest, view, where, 1, c);
   if (format->shader == FLOAT) {
      linear = custom_sampler(format, VK_FILTER_LINEAR, color, mapping);
      filtered = look(cmd, FLOAT, linear, view, where, 3, SAMPLE);
   }
   run_samplers(cmd);
   float beyond[4], inside[4], half[4];
   seen(format, mapping, color, beyond);
   seen(format, mapping, black, inside);
   const char *name = format->name;
   const unsigned m = (unsigned)(mapping - mappings);
   for (unsigned i = 0; i < 3; i++)
      make_floats(format, plain + i);
   make_floats(format, fetched);
   vkt_expect(is_near(plain, beyond, 0), "%s, mapping %u, colour %u: the border", name, m, color_number);
   vkt_expect(is_near(plain + 2, inside, 0), "%s, mapping %u, colour %u: inside", name, m, color_number);
   vkt_expect(is_near(fetched, inside, 0), "%s, mapping %u, colour %u: a fetch", name, m, color_number);
   for (unsigned c = 0; c < 4; c++) {
      const float all[4] = {beyond[c], beyond[c], beyond[c], beyond[c]};
      make_floats(format, gathered[c]);
      vkt_expect(is_near(gathered[c], all, 0), "%s, mapping %u, colour %u: component %u of the border, gathered",
                 name, m, color_number, c);
   }
   for (unsigned c = 0; c < 4; c++)
      half[c] = (beyond[c] + inside[c]) / 2;
   if (linear) {
      vkt_expect(is_near(filtered, beyond, 1e-6f), "%s, mapping %u, colour %u: the border, filtered", name, m,
                 color_number);
      vkt_expect(is_near(filtered + 1, half, 1.0f / 256), "%s, mapping %u, colour %u: half a border", name, m,
                 color_number);
      vkt_expect(is_near(filtered + 2, inside, 1e-6f), "%s, mapping %u, colour %u: inside, filtered", name, m,
                 color_number);
   }
   vkDestroySampler(vkx->device, nearest, NULL);
   vkDestroySampler(vkx->device, linear, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

/* So many colours at once, half of them destroyed and created again. */
static void
check_many(void)
{
   static const struct place outside = {-1, -1, 0, 0};
   enum { COUNT = 32, ROUNDS = 3 };
   const struct format *format = &formats[6];
   struct vkt_image image = create_image(format->format, 1, 1, 0, format->texel, format->texel_B);
   VkImageView view = create_view(&image, VK_IMAGE_VIEW_TYPE_2D, mappings[0]);
   VkSampler samplers[COUNT] = {VK_NULL_HANDLE};
   float colors[COUNT][4];
   for (unsigned round = 0; round < ROUNDS; round++) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      for (unsigned i = 0; i < COUNT; i++) {
         if (round && vkt_random() % 2)
            continue;
         vkDestroySampler(vkx->device, samplers[i], NULL);
         for (unsigned c = 0; c < 4; c++)
            colors[i][c] = (float)vkt_random_below(3) - (float)round; /* some are equal */
         samplers[i] = custom_sampler(format, VK_FILTER_NEAREST, colors[i], &mappings[0]);
      }
      for (unsigned i = 0; i < COUNT; i++)
         look(cmd, FLOAT, samplers[i], view, &outside, 1, SAMPLE);
      run_samplers(cmd);
      for (unsigned i = 0; i < COUNT; i++)
         vkt_expect(is_near(i * LANES, colors[i], 0), "colour %u of many, round %u", i, round);
   }
   for (unsigned i = 0; i < COUNT; i++)
      vkDestroySampler(vkx->device, samplers[i], NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
check_borders(void)
{
   if (!vkt_has("VK_EXT_custom_border_color")) {
      vkt_skip("VK_EXT_custom_border_color");
      return;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      for (unsigned m = 0; m < (vkt_has("VK_EXT_border_color_swizzle") ? ARRAY_SIZE(mappings) : 1); m++)
         check_border(&formats[i], &mappings[m], (i + m) % 2);
   }
   check_many();
}

/* ---- cubes ---- */

/* Faces of one colour each. Right at an edge a filter takes half of each of two faces, or only the face. */
static void
check_cube(bool edges)
{
   enum { SIZE = 4 };
   static const struct place where[] = {{1, 0, 0, 0}, {1, 0.999f, 0, 0}, {0.999f, 0, -1, 0}, {0.2f, -1, 0.999f, 0}};
   static const uint8_t faces[ARRAY_SIZE(where)][2] = {{0, 0}, {0, 2}, {5, 0}, {3, 4}};
   float data[6][SIZE * SIZE];
   for (unsigned face = 0; face < 6; face++) {
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         data[face][i] = (float)(1 << face);
   }
   struct vkt_image image =
      create_image(VK_FORMAT_R32_SFLOAT, SIZE, 6, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, data, sizeof(data));
   VkImageView view = create_view(&image, VK_IMAGE_VIEW_TYPE_CUBE, mappings[0]);
   VkSamplerCreateInfo info = sampler_info(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   info.flags = edges ? VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0;
   VkSampler sampler = create_sampler(&info);
   VkCommandBuffer cmd = vkx_begin(vkx);
   const uint32_t at = look(cmd, CUBE, sampler, view, where, ARRAY_SIZE(where), 0);
   run_samplers(cmd);
   for (unsigned i = 0; i < ARRAY_SIZE(where); i++) {
      const float own = (float)(1 << faces[i][0]), other = (float)(1 << faces[i][1]);
      const float want[4] = {edges ? own : (own + other) / 2, 0, 0, 1};
      vkt_expect(is_near(at + i, want, edges ? 0 : 0.02f * (own + other)), "place %u of a cube with%s edges", i,
                 edges ? "" : "out");
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
check_cubes(void)
{
   check_cube(false);
   if (vkt_has("VK_EXT_non_seamless_cube_map"))
      check_cube(true);
   else
      vkt_skip("VK_EXT_non_seamless_cube_map");
}

/* ---- the smallest and the largest ---- */

static void
check_reduction(VkSamplerReductionMode mode, VkFormat format, const char *name)
{
   static const uint8_t data[4][4] = {{10, 200, 30, 40}, {50, 60, 70, 80}, {90, 5, 110, 120}, {130, 140, 150, 15}};
   static const struct place where[3] = {{0.5f, 0.5f, 0, 0}, {0.5f, 0.1f, 0, 0}, {0.1f, 0.9f, 0, 0}};
   static const uint8_t of[3][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 2, 2, 2}}; /* texels of the filter */
   const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                       .reductionMode = mode};
   VkSamplerCreateInfo info = sampler_info(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   const unsigned components = format == VK_FORMAT_R8_UNORM ? 1 : 4;
   uint8_t bytes[16];
   for (unsigned i = 0; i < 4; i++)
      memcpy(bytes + components * i, data[i], components);
   struct vkt_image image = create_image(format, 2, 1, 0, bytes, 4 * components);
   VkImageView view = create_view(&image, VK_IMAGE_VIEW_TYPE_2D, mappings[0]);
   info.pNext = &reduction;
   VkSampler sampler = create_sampler(&info);
   VkCommandBuffer cmd = vkx_begin(vkx);
   const uint32_t at = look(cmd, FLOAT, sampler, view, where, 3, SAMPLE);
   run_samplers(cmd);
   for (unsigned i = 0; i < 3; i++) {
      float want[4] = {0, 0, 0, 1};
      for (unsigned c = 0; c < components; c++) {
         want[c] = data[of[i][0]][c] / 255.0f;
         for (unsigned t = 1; t < 4; t++) {
            const float value = data[of[i][t]][c] / 255.0f;
            if ((mode == VK_SAMPLER_REDUCTION_MODE_MIN) == (value < want[c]))
               want[c] = value;
         }
      }
      vkt_expect(is_near(at + i, want, 1e-6f), "%s of %s, place %u",
                 mode == VK_SAMPLER_REDUCTION_MODE_MIN ? "smallest" : "largest", name, i);
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
check_reductions(void)
{
   VkPhysicalDeviceSamplerFilterMinmaxProperties minmax = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &minmax, {0}};
   if (!vkt_has("VK_EXT_sampler_filter_minmax")) {
      vkt_skip("VK_EXT_sampler_filter_minmax");
      return;
   }
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   for (unsigned i = 0; i < 2; i++) {
      const VkSamplerReductionMode mode = i ? VK_SAMPLER_REDUCTION_MODE_MAX : VK_SAMPLER_REDUCTION_MODE_MIN;
      check_reduction(mode, VK_FORMAT_R8_UNORM, "R8_UNORM");
      if (minmax.filterMinmaxImageComponentMapping)
         check_reduction(mode, VK_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM");
   }
}

/* ---- the smallest level ---- */

/* Levels of one value each: samples see no larger level, not even a part of one; sizes are those of the view. */
static void
check_min_lod(float min_lod, uint32_t base)
{
   enum { LEVELS = 4 };
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = VK_FORMAT_R32_SFLOAT,
                                           .extent = {8, 8, 1},
                                           .mipLevels = LEVELS,
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkImageViewMinLodCreateInfoEXT min = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT,
                                               .minLod = min_lod};
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .pNext = &min,
                                       .image = image.image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32_SFLOAT,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, base, LEVELS - base, 0, 1}};
   VkSamplerCreateInfo sampler_of = sampler_info(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   struct place where[9];
   VkImageView view;
   sampler_of.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   VkSampler sampler = create_sampler(&sampler_of);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const VkClearColorValue color = {.float32 = {(float)level * 16}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1};
      vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   vkt_barrier(cmd);
   for (unsigned i = 0; i < ARRAY_SIZE(where); i++)
      where[i] = (struct place){0.3f, 0.6f, 0, (float)i / 2 - 1};
   const uint32_t at = look(cmd, FLOAT, sampler, view, where, ARRAY_SIZE(where), SAMPLE);
   run_samplers(cmd);
   for (unsigned i = 0; i < ARRAY_SIZE(where); i++) {
      float level = where[i].level > 0 ? where[i].level + (float)base : (float)base;
      level = level < min_lod ? min_lod : level > LEVELS - 1 ? LEVELS - 1 : level;
      const float want[4] = {level * 16, 0, 0, 1};
      vkt_expect(is_near(at + i, want, 1.0f / 8), "level %g of a view from level %u, %g on", (double)where[i].level,
                 base, (double)min_lod);
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
check_min_lods(void)
{
   if (!vkt_has("VK_EXT_image_view_min_lod")) {
      vkt_skip("VK_EXT_image_view_min_lod");
      return;
   }
   check_min_lod(0, 0);
   check_min_lod(1.5f, 0);
   check_min_lod(1.25f, 1);
   check_min_lod(3, 2);
}

/* ---- */

static void
create_objects(void)
{
   static const struct {
      const uint32_t *words;
      size_t size_B;
   } codes[NUM_SHADERS] = {
      {float_code, sizeof(float_code)}, {int_code, sizeof(int_code)}, {cube_code, sizeof(cube_code)}};
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkDescriptorPoolSize sizes[2] = {{types[0], 2 * MAX_LOOKS}, {types[1], MAX_LOOKS}};
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = MAX_LOOKS,
                                            .poolSizeCount = 2,
                                            .pPoolSizes = sizes};
   results = vkt_buffer_create(vkx, MAX_LOOKS * LANES * 16, 0xff);
   places = vkt_buffer_create(vkx, MAX_LOOKS * LANES * sizeof(struct place), 0);
   texels = vkt_buffer_create(vkx, 4096, 0);
   set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      pipelines[i] =
         vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, codes[i].words, codes[i].size_B));
}

static void
destroy_objects(void)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &results);
   vkx_buffer_destroy(vkx, &places);
   vkx_buffer_destroy(vkx, &texels);
}

int
main(void)
{
   vkt_samplers = true;
   struct vkx device = vkt_create("samplers");
   vkx = &device;
   create_objects();
   check_borders();
   check_cubes();
   check_reductions();
   check_min_lods();
   destroy_objects();
   return vkt_finish(vkx);
}
