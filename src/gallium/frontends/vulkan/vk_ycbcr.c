#include "gallium/frontends/vulkan/vk_ycbcr.h"

#include "compiler/nir/nir.h"
#include "util/format_enum.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/macros.h"

/* ---- formats ---- */

uint32_t
vk_format_planes(uint32_t format)
{
   const struct format_info *info = format_info(format);
   return info ? info->planes : 1;
}

/* Words of which the highest bits count. */
uint32_t
vk_stored_format(uint32_t format)
{
   switch (format) {
   case FORMAT_R10X6_UNORM_PACK16:
   case FORMAT_R12X4_UNORM_PACK16:
      return FORMAT_R16_UNORM;
   case FORMAT_R10X6G10X6_UNORM_2PACK16:
   case FORMAT_R12X4G12X4_UNORM_2PACK16:
      return FORMAT_R16G16_UNORM;
   default: /* others: without padding */
      return format;
   }
}

uint32_t
vk_plane_format(uint32_t format, uint32_t plane)
{
   const struct format_info *info = format_info(format);
   return vk_stored_format(info && info->planes > 1 ? info->plane[plane].format : format);
}

VkFormatFeatureFlags
vk_ycbcr_features(uint32_t format, const VkFormatFeatureFlags planes[VK_MAX_PLANES])
{
   const VkFormatFeatureFlags each = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                     VK_FORMAT_FEATURE_TRANSFER_DST_BIT |
                                     VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
   const struct format_plane *chroma = &format_info(format)->plane[1];
   const bool subsampled = chroma->width_divisor > 1 || chroma->height_divisor > 1;
   VkFormatFeatureFlags features = each;
   for (uint32_t i = 0; i < vk_format_planes(format); i++)
      features &= planes[i];
   if (!(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
      return 0;
   if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT)
      features |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT;
   return features | VK_FORMAT_FEATURE_DISJOINT_BIT | VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT |
          VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT |
          (subsampled ? VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT : 0);
}

/* ---- conversions ---- */

/* Of a component, with its padding if the format has several planes. */
static uint8_t
stored_bits(const struct format_info *info)
{
   return info->planes > 1 && info->packed_bits ? info->packed_bits : info->components[0].bits;
}

/* A component of a format, before it is swizzled. */
static struct nir_ycbcr_source
source_of(const struct format_info *info, enum format_component_name name)
{
   for (unsigned i = 0; i < info->component_count; i++) {
      const struct format_component *component = &info->components[i];
      if (component->name != name)
         continue;
      /* A plane has R, or R and G; the only plane all by their names. */
      const unsigned channel = info->planes > 1 ? component->shift / stored_bits(info) : name;
      return (struct nir_ycbcr_source){NIR_YCBCR_TEXEL, component->plane, (uint8_t)channel};
   }
   return (struct nir_ycbcr_source){.kind = name == FORMAT_A ? NIR_YCBCR_ONE : NIR_YCBCR_ZERO};
}

static struct nir_ycbcr_source
swizzled(const struct format_info *info, VkComponentSwizzle swizzle, enum format_component_name own)
{
   switch (swizzle) {
   case VK_COMPONENT_SWIZZLE_ZERO:
      return (struct nir_ycbcr_source){.kind = NIR_YCBCR_ZERO};
   case VK_COMPONENT_SWIZZLE_ONE:
      return (struct nir_ycbcr_source){.kind = NIR_YCBCR_ONE};
   case VK_COMPONENT_SWIZZLE_R:
   case VK_COMPONENT_SWIZZLE_G:
   case VK_COMPONENT_SWIZZLE_B:
   case VK_COMPONENT_SWIZZLE_A:
      return source_of(info, FORMAT_R + (unsigned)(swizzle - VK_COMPONENT_SWIZZLE_R));
   case VK_COMPONENT_SWIZZLE_IDENTITY:
   case VK_COMPONENT_SWIZZLE_MAX_ENUM:
      break;
   }
   return source_of(info, own);
}

/* Of linear filters; the nearest texel is that of midpoints. */
static float
shift_tl(uint8_t divisor, VkChromaLocation location)
{
   return divisor == 2 && location == VK_CHROMA_LOCATION_COSITED_EVEN ? 0.25f : 0;
}

static struct nir_ycbcr
describe(const struct format_info *info, const VkSamplerYcbcrConversionCreateInfo *from)
{
   const VkComponentMapping *map = &from->components;
   struct nir_ycbcr to = {
      .planes = info->planes,
      .model = (enum nir_ycbcr_model)from->ycbcrModel,
      .narrow = from->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW,
      .bits = info->components[0].bits,
      .stored_bits = stored_bits(info),
      .sources = {swizzled(info, map->r, FORMAT_R), swizzled(info, map->g, FORMAT_G),
                  swizzled(info, map->b, FORMAT_B), swizzled(info, map->a, FORMAT_A)},
   };
   if (info->planes > 1 && from->chromaFilter == VK_FILTER_LINEAR) {
      to.chroma_shift_tl[0] = shift_tl(info->plane[1].width_divisor, from->xChromaOffset);
      to.chroma_shift_tl[1] = shift_tl(info->plane[1].height_divisor, from->yChromaOffset);
   }
   return to;
}

/* Its values lie one after the other. */
static uint64_t
hash_conversion(const VkSamplerYcbcrConversionCreateInfo *info)
{
   const size_t from = offsetof(VkSamplerYcbcrConversionCreateInfo, format),
                to = offsetof(VkSamplerYcbcrConversionCreateInfo, forceExplicitReconstruction);
   return hash_bytes((const char *)info + from, to + sizeof(info->forceExplicitReconstruction) - from);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSamplerYcbcrConversion(VkDevice _device, const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkSamplerYcbcrConversion *pConversion)
{
   VK_FROM(vk_device, device, _device);
   const struct format_info *info = format_info(pCreateInfo->format);
   if (!info || !info->component_count) {
      log_error("vkCreateSamplerYcbcrConversion: format %u is unknown", pCreateInfo->format);
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   }
   struct vk_ycbcr_conversion *conversion = vk_alloc(&device->alloc, pAllocator, sizeof(*conversion));
   if (!conversion)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   conversion->conversion = describe(info, pCreateInfo);
   conversion->chroma_filter = pCreateInfo->chromaFilter;
   conversion->hash = hash_conversion(pCreateInfo);
   *pConversion = VK_TO(VkSamplerYcbcrConversion, conversion);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySamplerYcbcrConversion(VkDevice _device, VkSamplerYcbcrConversion ycbcrConversion,
                                     const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)ycbcrConversion);
}

/* ---- shaders ---- */

bool
vk_lower_ycbcr(struct nir_shader *shader, const struct pipe_pipeline_layout *layout)
{
   const char *error = NULL;
   uint32_t count = 0;
   for (uint32_t i = 0; i < layout->num_sets; i++)
      count += layout->sets[i] ? container_of(layout->sets[i], struct vk_set_layout, layout)->num_conversions : 0;
   if (!count)
      return true;
   struct nir_ycbcr_binding *bindings = arena_array(shader->arena, struct nir_ycbcr_binding, count);
   count = 0;
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      const struct vk_set_layout *set =
         layout->sets[i] ? container_of(layout->sets[i], struct vk_set_layout, layout) : NULL;
      for (uint32_t j = 0; set && j < set->num_conversions; j++) {
         bindings[count] = set->conversions[j];
         bindings[count++].set = i;
      }
   }
   if (nir_lower_ycbcr(shader, bindings, count, &error))
      return true;
   log_error("%s", error);
   return false;
}
