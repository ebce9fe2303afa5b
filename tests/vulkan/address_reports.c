/* VK_EXT_device_address_binding_report: which addresses memory, buffers and images get, and that they lose them;
 * names of objects and filters of VK_EXT_debug_utils. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

enum { MAX_EVENTS = 256, SIZE_B = 4096 };

struct event {
   VkObjectType type;
   uint64_t handle, va, size_B;
   VkDeviceAddressBindingTypeEXT binding;
   char name[16];
};

static struct events {
   uint32_t count, wrong;
   struct event of[MAX_EVENTS];
} events, refused;

static VkBool32 VKAPI_PTR
note(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct events *to = user;
   if (!(types & VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT))
      return VK_FALSE;
   const VkDeviceAddressBindingCallbackDataEXT *binding = data->pNext;
   if (!binding || binding->sType != VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT ||
       severity != VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT || !data->objectCount || to->count == MAX_EVENTS) {
      to->wrong++;
      return VK_FALSE;
   }
   struct event *event = &to->of[to->count++];
   *event = (struct event){data->pObjects->objectType, data->pObjects->objectHandle,
                           binding->baseAddress,       binding->size,
                           binding->bindingType,       ""};
   snprintf(event->name, sizeof(event->name), "%s", data->pObjects->pObjectName ? data->pObjects->pObjectName : "");
   return VK_FALSE;
}

static VkDebugUtilsMessengerEXT
create_messenger(VkInstance instance, VkDebugUtilsMessageTypeFlagsEXT types, struct events *to)
{
   const VkDebugUtilsMessengerCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
      .messageType = types,
      .pfnUserCallback = note,
      .pUserData = to,
   };
   const PFN_vkCreateDebugUtilsMessengerEXT create =
      (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
   VkDebugUtilsMessengerEXT messenger;
   vkx_check(create(instance, &info, NULL, &messenger), "vkCreateDebugUtilsMessengerEXT");
   return messenger;
}

static void
destroy_messenger(VkInstance instance, VkDebugUtilsMessengerEXT messenger)
{
   ((PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"))(
      instance, messenger, NULL);
}

static void
set_name(struct vkx *vkx, VkObjectType type, uint64_t handle, const char *name)
{
   const VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                               .objectType = type,
                                               .objectHandle = handle,
                                               .pObjectName = name};
   vkx_check(((PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(vkx->instance, "vkSetDebugUtilsObjectNameEXT"))(
                vkx->device, &info),
             "vkSetDebugUtilsObjectNameEXT");
}

static const struct event *
find(VkObjectType type, uint64_t handle, VkDeviceAddressBindingTypeEXT binding, uint32_t *count)
{
   const struct event *found = NULL;
   *count = 0;
   for (uint32_t i = 0; i < events.count; i++) {
      const struct event *e = &events.of[i];
      if (e->type == type && e->handle == handle && e->binding == binding) {
         found = e;
         (*count)++;
      }
   }
   return found;
}

/* Bound once, to a range of at least so many bytes; unbound once or never, the same range. */
static uint64_t
check(const char *what, VkObjectType type, uint64_t handle, uint64_t size_B, bool gone)
{
   uint32_t bound, unbound;
   const struct event *bind = find(type, handle, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, &bound);
   const struct event *unbind = find(type, handle, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, &unbound);
   vkt_expect(bound == 1 && unbound == gone, "%s: bound %u times, unbound %u times", what, bound, unbound);
   if (!bind)
      return 0;
   vkt_expect(bind->va && bind->size_B >= size_B, "%s: %llu bytes of %llu", what, (unsigned long long)bind->size_B,
              (unsigned long long)size_B);
   vkt_expect(!unbind || (unbind->va == bind->va && unbind->size_B == bind->size_B), "%s: another range is unbound",
              what);
   vkt_expect(!unbind || !strcmp(unbind->name, what), "%s: called %s", what, unbind ? unbind->name : "");
   return bind->va;
}

/* Objects of one memory. */
static void
test_bindings(struct vkx *vkx)
{
   struct vkx_buffer buffer = vkt_addressed_create(vkx, SIZE_B, 0);
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                                 .extent = {32, 32, 1},
                                                                 .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                                             false);
   const uint64_t handles[] = {(uint64_t)buffer.buffer, (uint64_t)image.image, (uint64_t)buffer.memory,
                               (uint64_t)image.memory};
   static const VkObjectType types[] = {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_IMAGE, VK_OBJECT_TYPE_DEVICE_MEMORY,
                                        VK_OBJECT_TYPE_DEVICE_MEMORY};
   static const char *const names[] = {"buffer", "image", "buffer's", "image's"};
   static const uint64_t sizes_B[] = {SIZE_B, 32 * 32 * 4, SIZE_B, 32 * 32 * 4};
   for (uint32_t i = 0; i < 4; i++) {
      check(names[i], types[i], handles[i], sizes_B[i], false);
      set_name(vkx, types[i], handles[i], names[i]);
   }
   const uint64_t at = check("buffer", types[0], handles[0], SIZE_B, false), address = vkt_address(vkx, &buffer);
   vkt_expect(at == address, "the buffer is at 0x%llx and not at 0x%llx", (unsigned long long)address,
              (unsigned long long)at);
   vkt_image_destroy(vkx, &image);
   vkx_buffer_destroy(vkx, &buffer);
   for (uint32_t i = 0; i < 4; i++)
      check(names[i], types[i], handles[i], sizes_B[i], true);
}

int
main(void)
{
   vkt_address_reports = true;
   struct vkx vkx = vkt_create("address_reports");
   if (!vkt_has("VK_EXT_device_address_binding_report")) {
      vkt_skip("VK_EXT_device_address_binding_report");
      return vkt_finish(&vkx);
   }
   VkDebugUtilsMessengerEXT wanted =
      create_messenger(vkx.instance, VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &events);
   VkDebugUtilsMessengerEXT others =
      create_messenger(vkx.instance, VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT, &refused);
   /* The loader's object, not the driver's */
   set_name(&vkx, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT, (uint64_t)(uintptr_t)others, "a messenger");
   test_bindings(&vkx);
   const uint32_t count = events.count;
   destroy_messenger(vkx.instance, wanted);
   struct vkx_buffer later = vkt_buffer_create(&vkx, SIZE_B, 0);
   vkx_buffer_destroy(&vkx, &later);
   vkt_expect(events.count == count && !events.wrong, "%u reports without a messenger, %u wrong ones",
              events.count - count, events.wrong);
   vkt_expect(!refused.count && !refused.wrong, "%u reports to a messenger that does not want them", refused.count);
   destroy_messenger(vkx.instance, others);
   return vkt_finish(&vkx);
}
