/* Prints what a device offers, a line each: its version, extensions, the features that are true, limits. bin/offers
 * compares such lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkx.h"

struct feature_struct {
   VkStructureType s_type;
   size_t size_B;
   const char *owners;    /* extensions and versions that have it, with spaces between */
   unsigned first, count; /* in feature_names */
};

/* kind: the registry's word for what a better limit is. */
#define LIMIT(name, kind) printf("limit " #name " %.17g " #kind "\n", (double)limits->name)
#include "offers.inc"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static struct {
   uint32_t version, count;
   VkExtensionProperties *extensions;
} device;

static bool
has(const char *owner, size_t length)
{
   unsigned minor;
   if (sscanf(owner, "VK_VERSION_1_%u", &minor) == 1)
      return minor <= VK_API_VERSION_MINOR(device.version);
   for (uint32_t i = 0; i < device.count; i++) {
      const char *name = device.extensions[i].extensionName;
      if (strlen(name) == length && !strncmp(name, owner, length))
         return true;
   }
   return false;
}

static bool
has_one(const char *owners)
{
   for (const char *at = owners; *at; at += strspn(at, " ")) {
      const size_t length = strcspn(at, " ");
      if (has(at, length))
         return true;
      at += length;
   }
   return false;
}

static void
print_features(VkPhysicalDevice physical)
{
   VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   vkGetPhysicalDeviceFeatures2(physical, &core);
   for (size_t i = 0; i < ARRAY_SIZE(core_features); i++) {
      if (((const VkBool32 *)&core.features)[i])
         printf("feature %s\n", core_features[i]);
   }
   for (size_t i = 0; i < ARRAY_SIZE(feature_structs); i++) {
      const struct feature_struct *known = &feature_structs[i];
      if (!has_one(known->owners))
         continue;
      VkBaseOutStructure *one = calloc(1, known->size_B);
      one->sType = known->s_type;
      core.pNext = one;
      vkGetPhysicalDeviceFeatures2(physical, &core);
      for (unsigned j = 0; j < known->count; j++) {
         if (((const VkBool32 *)(one + 1))[j])
            printf("feature %s\n", feature_names[known->first + j]);
      }
      free(one);
   }
}

int
main(void)
{
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_4};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
   VkInstance instance;
   VkPhysicalDevice physical;
   VkPhysicalDeviceProperties properties;
   uint32_t one = 1;
   vkx_check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
   vkEnumeratePhysicalDevices(instance, &one, &physical);
   if (!one) {
      fprintf(stderr, "no device\n");
      return 1;
   }
   vkGetPhysicalDeviceProperties(physical, &properties);
   device.version = properties.apiVersion;
   vkEnumerateDeviceExtensionProperties(physical, NULL, &device.count, NULL);
   device.extensions = calloc(device.count + 1, sizeof(*device.extensions));
   vkEnumerateDeviceExtensionProperties(physical, NULL, &device.count, device.extensions);
   for (unsigned minor = 0; minor <= VK_API_VERSION_MINOR(device.version); minor++)
      printf("version 1.%u\n", minor);
   for (uint32_t i = 0; i < device.count; i++)
      printf("extension %s\n", device.extensions[i].extensionName);
   print_features(physical);
   print_limits(&properties.limits);
   free(device.extensions);
   vkDestroyInstance(instance, NULL);
   return 0;
}
