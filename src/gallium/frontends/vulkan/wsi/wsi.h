/* Windows. A platform knows one kind of surface; all else is the same for all of them. Swapchain images are copied
 * into memory that the processor reads, at the end of the queue's work, and a thread of the swapchain gives them to
 * the platform, in the order and at the time that the present mode asks for. docs/windows.md. */
#ifndef INDIUM_WSI_H
#define INDIUM_WSI_H

#include "gallium/frontends/vulkan/vk_private.h"

#define WSI_MAX_FORMATS 16
#define WSI_MAX_MODES 8
#define WSI_REFRESH_NS 16666667 /* of a display whose rate is not known */

struct wsi_swapchain;

/* What a platform says of a surface. */
struct wsi_description {
   VkExtent2D extent; /* width UINT32_MAX: the swapchain decides */
   VkCompositeAlphaFlagsKHR alphas;
   uint32_t num_formats;
   VkFormat formats[WSI_MAX_FORMATS]; /* best first; those that the device cannot render to are left out */
};

struct wsi_image {
   VkImage image;
   VkDeviceMemory memory;
   VkBuffer pixels; /* rows without gaps, complete when `copied` is signaled */
   VkDeviceMemory pixels_memory;
   void *map;
   VkCommandBuffer copies[PIPE_MAX_QUEUE_FAMILIES]; /* to pixels, by the queue's family; NULL: none yet */
   VkFence copied;
   /* Under the swapchain's lock: */
   enum wsi_state {
      WSI_FREE,
      WSI_ACQUIRED,
      WSI_QUEUED,
   } state;
   VkPresentModeKHR mode; /* of the present that it is queued for, as are: */
   uint64_t present_id;   /* 0: none */
   struct wsi_image *next;
};

/* What is on the way for one kind of surface. Functions return VK_SUCCESS, VK_SUBOPTIMAL_KHR,
 * VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_SURFACE_LOST_KHR, or that memory ran out. */
struct wsi_platform {
   VkIcdWsiPlatform kind;
   VkResult (*describe)(const VkIcdSurfaceBase *surface, struct wsi_description *out);
   /* Sets swapchain->own and, if it knows better, refresh_ns. NULL: there is nothing to do. */
   VkResult (*open)(struct wsi_swapchain *swapchain);
   void (*close)(struct wsi_swapchain *swapchain); /* also after open failed; may be NULL */
   /* Whether the swapchain still fits its surface. Any thread. NULL: it always does. */
   VkResult (*check)(struct wsi_swapchain *swapchain);
   /* Shows image->map. The swapchain's thread; returns when the pixels may change. */
   VkResult (*show)(struct wsi_swapchain *swapchain, const struct wsi_image *image);
};

struct wsi_swapchain {
   struct vk_device *device;
   const struct wsi_platform *platform;
   const VkIcdSurfaceBase *surface;
   VkImageCreateInfo image_info; /* of all images */
   VkImageFormatListCreateInfo view_formats;
   VkFormat *formats; /* of that list */
   VkCompositeAlphaFlagBitsKHR alpha;
   uint32_t pixel_B;
   int64_t refresh_ns; /* 0: nothing is waited for */
   void *own;          /* the platform's */
   VkCommandPool pools[PIPE_MAX_QUEUE_FAMILIES];
   pthread_t thread;
   bool has_thread;
   pthread_mutex_t lock; /* of what follows and what images say */
   pthread_cond_t changed;
   bool stopping, retired;
   VkResult status;                /* an error stays */
   VkPresentModeKHR mode;          /* of presents that do not say */
   struct wsi_image *first, *last; /* queued, by next */
   uint64_t shown_id;              /* the greatest present id that is done */
   int64_t shown_ns;               /* when the last one was */
   uint32_t next_image;            /* where the search for a free one starts */
   uint32_t num_images;
   struct wsi_image images[];
};

/* The platform of a surface; NULL: no such. */
const struct wsi_platform *wsi_platform(const VkIcdSurfaceBase *surface);
extern const struct wsi_platform wsi_headless, wsi_wayland, wsi_xcb, wsi_xlib;

/* Of 60 Hz and so on: the time now. */
int64_t wsi_now_ns(void);
/* Waits for a change, until a time of wsi_now_ns; false: it has passed. */
bool wsi_wait_changed(struct wsi_swapchain *swapchain, int64_t until_ns);

/* The description without formats that the device cannot render to, read and show. */
VkResult wsi_describe(const struct vk_physical_device *physical, const VkIcdSurfaceBase *surface,
                      struct wsi_description *out);
/* An image is shared with the display while it is rendered to. */
bool wsi_mode_shared(VkPresentModeKHR mode);

VkResult wsi_image_init(struct wsi_swapchain *swapchain, struct wsi_image *image);
void wsi_image_finish(struct wsi_swapchain *swapchain, struct wsi_image *image);
/* Commands that copy the image to its pixels, for queues of the family. */
VkResult wsi_image_copy(struct wsi_swapchain *swapchain, struct wsi_image *image, uint32_t family);

/* The thread. Without one presents are shown as they come. */
VkResult wsi_presenter_start(struct wsi_swapchain *swapchain);
void wsi_presenter_stop(struct wsi_swapchain *swapchain);
/* Under the lock: hands an image over whose copy has been submitted. */
void wsi_presenter_queue(struct wsi_swapchain *swapchain, struct wsi_image *image);

/* An error, or whether the swapchain still fits its surface. */
VkResult wsi_check(struct wsi_swapchain *swapchain);

/* For vk_image.c: the swapchain of a create info, whose images' create info takes its place; NULL: none. */
const VkImageCreateInfo *wsi_image_info(const VkImageCreateInfo *info);
/* The memory of a swapchain's image; VK_NULL_HANDLE: the chain names none. */
VkDeviceMemory wsi_bound_memory(const void *chain);

#endif
