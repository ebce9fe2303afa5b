/* Where samples lie. */
#include "gallium/frontends/vulkan/vk_graphics_state.h"
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

static const VkPipelineSampleLocationsStateCreateInfoEXT *
locations_state(const VkPipelineMultisampleStateCreateInfo *multisample)
{
   return vk_find_struct(multisample->pNext, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
}

bool
vk_has_sample_locations(const VkPipelineMultisampleStateCreateInfo *multisample)
{
   const VkPipelineSampleLocationsStateCreateInfoEXT *state = locations_state(multisample);
   return state && state->sampleLocationsEnable;
}

/* From the left or upper edge of a pixel, rounded to 1/16, in four bits. */
static uint32_t
coordinate(float place)
{
   const float sixteenths = MIN2(MAX2(place, 0.0f), 1.0f) * 16 + 0.5f;
   return MIN2((uint32_t)sixteenths, 15u);
}

struct pipe_sample_locations
vk_sample_locations(const VkSampleLocationsInfoEXT *info)
{
   struct pipe_sample_locations locations = {.samples =
                                                MIN2((uint32_t)info->sampleLocationsPerPixel, PIPE_MAX_SAMPLES)};
   const uint32_t width = MAX2(info->sampleLocationGridSize.width, 1u);
   const uint32_t height = MAX2(info->sampleLocationGridSize.height, 1u);
   for (uint32_t pixel = 0; pixel < 4; pixel++) {
      const uint32_t from = ((pixel >> 1) % height * width + (pixel & 1) % width) * locations.samples;
      for (uint32_t i = 0; i < locations.samples && from + i < info->sampleLocationsCount; i++) {
         const VkSampleLocationEXT *location = &info->pSampleLocations[from + i];
         locations.at[pixel][i] = (uint8_t)(coordinate(location->x) | coordinate(location->y) << 4);
      }
   }
   return locations;
}

struct pipe_sample_locations
vk_sample_locations_of(const VkPipelineMultisampleStateCreateInfo *multisample)
{
   const VkPipelineSampleLocationsStateCreateInfoEXT *state = locations_state(multisample);
   return state ? vk_sample_locations(&state->sampleLocationsInfo) : (struct pipe_sample_locations){0};
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceMultisamplePropertiesEXT(VkPhysicalDevice physicalDevice, VkSampleCountFlagBits samples,
                                                 VkMultisamplePropertiesEXT *pMultisampleProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   const uint32_t grid_px = samples > 1 && samples & caps->sample_counts ? caps->sample_grid_px : 0;
   pMultisampleProperties->maxSampleLocationGridSize = (VkExtent2D){grid_px, grid_px};
}
