/* What the tests of windows share: a device that presents, a swapchain, and frames of one colour. Names no driver. */
#ifndef SWAP_H
#define SWAP_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

#include "vkt.h"

#define SWAP_MAX_IMAGES 8

struct swap {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkDevice device;
   VkQueue queue;
   uint32_t family;
   VkSurfaceKHR surface;
   VkFormat format;
   VkExtent2D extent;
   VkPresentModeKHR mode;
   bool drawn; /* some image of the swapchain was */
   VkSwapchainKHR swapchain;
   uint32_t num_images;
   VkImage images[SWAP_MAX_IMAGES];
   VkCommandPool pool;
   VkCommandBuffer cmds[SWAP_MAX_IMAGES];
   VkFence fences[SWAP_MAX_IMAGES];
   VkSemaphore acquired, rendered[SWAP_MAX_IMAGES];
   bool has_ids, has_waits, has_ids2, has_waits2, has_maintenance, has_shared, has_mutable, has_timing;
   VkImageUsageFlags usage; /* of images; at first the destination of transfers */
   /* Of the next swapchain and the next present: */
   VkSwapchainCreateFlagsKHR create_flags;
   const void *create_chain, *present_chain;
   bool by_ids2; /* presents give their ids in VkPresentId2KHR */
};

/* A command of the instance or the device, which ends the program when it is not there. */
#define SWAP_PROC(swap, name) ((PFN_##name)swap_proc(swap, #name))
PFN_vkVoidFunction swap_proc(const struct swap *swap, const char *name);

/* An instance with this extension for surfaces. */
void swap_init(struct swap *swap, const char *extension);
/* A device that presents to swap->surface, from a queue family with all of these flags: the last such one. */
void swap_init_device(struct swap *swap, VkQueueFlags flags);
/* Modifiers of images of swap->format that have one plane; their number. */
uint32_t swap_modifiers(const struct swap *swap, uint64_t *modifiers, uint32_t max);
/* With colours of sRGB. */
bool swap_has_format(const struct swap *swap, VkFormat format);
bool swap_has_mode(const struct swap *swap, VkPresentModeKHR mode);
/* A swapchain of swap->extent, of the first format that has four bytes in the order blue, green, red; it takes the
 * place of an older one. */
VkResult swap_create(struct swap *swap, VkPresentModeKHR mode, uint32_t images);
void swap_destroy(struct swap *swap);
void swap_finish(struct swap *swap);

/* Acquires, clears to a colour of 0xrrggbb and presents; id: 0 for none. */
VkResult swap_frame(struct swap *swap, uint32_t color, uint64_t id);
/* The same with an image that has been acquired; wait: with swap->acquired. */
VkResult swap_draw(struct swap *swap, uint32_t index, uint32_t color, uint64_t id, bool wait);

#endif
