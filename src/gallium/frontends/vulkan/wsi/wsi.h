/* Windows. A platform knows one kind of surface; all else is the same for all of them. A thread of the swapchain
 * gives images to the platform when the queue's work is done, in the order and at the time that the present mode asks
 * for. What the display gets is the image itself, if it takes such (wsi_direct.c), else a copy that the queue has
 * made in memory that the processor reads. docs/windows.md. */
#ifndef INDIUM_WSI_H
#define INDIUM_WSI_H

#include "gallium/frontends/vulkan/vk_private.h"

#define WSI_MAX_FORMATS 16
#define WSI_MAX_MODES 8
#define WSI_REFRESH_NS 16666667 /* of a display whose rate is not known */

struct wsi_swapchain;
struct wsi_timing;

/* When a present is to be shown; ns 0: as soon as can be. */
struct wsi_target {
   int64_t ns;
   bool relative, nearest; /* to the present before; of refreshes */
};

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
   VkFence done; /* the queue's work for a present */
   /* Of images that are copied: */
   VkBuffer pixels; /* rows without gaps */
   VkDeviceMemory pixels_memory;
   void *map;
   VkCommandBuffer copies[PIPE_MAX_QUEUE_FAMILIES]; /* to pixels, by the queue's family; NULL: none yet */
   /* Of direct ones: */
   int fd;                 /* the memory, as a dma-buf */
   uintptr_t own;          /* the platform's; 0: it does not know the image */
   struct pipe_sync *sync; /* explicit: point 2n - 1 says that present n may be read, 2n that it was */
   /* Under the swapchain's lock: */
   enum wsi_state {
      WSI_FREE,
      WSI_ACQUIRED,
      WSI_QUEUED,
      WSI_SHOWN, /* the display has it, and says when it does not need it any more */
   } state;
   VkPresentModeKHR mode; /* of the present that it is queued for, as are: */
   uint64_t present_id;   /* 0: none */
   uint64_t timing;       /* wsi_timing.c; 0: none */
   struct wsi_target target;
   struct wsi_image *next;
   bool on_way;       /* the display has not said yet that it shows it */
   uint32_t serial;   /* of the last present, of all swapchains */
   uint64_t presents; /* to the display */
};

/* Where a direct image lies, for those who import it. */
struct wsi_plane {
   int fd; /* the image's own */
   uint32_t offset_B, pitch_B;
   uint64_t modifier;
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
   /* Shows image->map, and returns when the pixels may change; or a direct image. The swapchain's thread. */
   VkResult (*show)(struct wsi_swapchain *swapchain, struct wsi_image *image);
   /* Of direct images; NULL where there are none: tells the display of one, and sets image->own. */
   VkResult (*add)(struct wsi_swapchain *swapchain, struct wsi_image *image);
   /* Hears what the display has said, without waiting: calls wsi_confirm, wsi_release, or sets the status. Under the
    * lock, any thread. */
   void (*hear)(struct wsi_swapchain *swapchain);
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
   /* Platforms set these in open: */
   bool direct;        /* the display gets the images themselves */
   bool explicit_sync; /* images have a sync */
   bool one_at_a_time; /* FIFO: the display has one image at most that it does not show yet */
   uint32_t num_modifiers;
   uint64_t modifiers[PIPE_MAX_MODIFIERS]; /* that both know, of direct images */
   VkImageDrmFormatModifierListCreateInfoEXT modifier_list;
   VkExternalMemoryImageCreateInfo external;
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
   uint32_t on_way;                /* images that are */
   uint32_t next_image;            /* where the search for a free one starts */
   /* wsi_timing.c, in the order of presents: */
   uint32_t num_timings, max_timings;
   struct wsi_timing *timings;
   uint64_t timing_numbers, rate_number;
   int64_t told_refresh_ns;
   uint32_t num_images;
   struct wsi_image images[];
};

/* The platform of a surface; NULL: no such. */
const struct wsi_platform *wsi_platform(const VkIcdSurfaceBase *surface);
extern const struct wsi_platform wsi_headless, wsi_wayland, wsi_xcb, wsi_xlib;

/* Of 60 Hz and so on: the time now. */
int64_t wsi_now_ns(void);
/* Waits for a change, until a time of wsi_now_ns; false: it has passed. Also returns when nothing has changed. */
bool wsi_wait_changed(struct wsi_swapchain *swapchain, int64_t until_ns);

/* The description without formats that the device cannot render to, read and show. */
VkResult wsi_describe(const struct vk_physical_device *physical, const VkIcdSurfaceBase *surface,
                      struct wsi_description *out);
/* An image is shared with the display while it is rendered to. */
bool wsi_mode_shared(VkPresentModeKHR mode);

VkResult wsi_image_init(struct wsi_swapchain *swapchain, struct wsi_image *image);
void wsi_image_finish(struct wsi_swapchain *swapchain, struct wsi_image *image);
/* Commands that copy the image to its pixels, for queues of the family. A direct image needs none. */
VkResult wsi_image_copy(struct wsi_swapchain *swapchain, struct wsi_image *image, uint32_t family);

/* The thread. Without one presents are shown as they come. */
VkResult wsi_presenter_start(struct wsi_swapchain *swapchain);
void wsi_presenter_stop(struct wsi_swapchain *swapchain);
/* Under the lock: hands an image over whose copy has been submitted. */
void wsi_presenter_queue(struct wsi_swapchain *swapchain, struct wsi_image *image);

/* Hears what the display says. Under the lock. */
void wsi_hear(struct wsi_swapchain *swapchain);
/* The display shows the image, or has dropped it for a newer one. Under the lock, as is the next. */
void wsi_confirm(struct wsi_swapchain *swapchain, struct wsi_image *image);
/* The display does not read the image any more. */
void wsi_release(struct wsi_swapchain *swapchain, struct wsi_image *image);

/* VK_EXT_present_timing. Of presents that ask for it (info may be NULL): whether there is room for the times of one
 * more; under the lock, as are the following: what the present asks for; that it has reached a stage (its bit), and
 * at what time of wsi_now_ns; that it reaches no more stages; when it is to be shown, at the earliest. */
void wsi_timing_capabilities(const VkIcdSurfaceBase *surface, VkPresentTimingSurfaceCapabilitiesEXT *out);
bool wsi_timing_has_room(const struct wsi_swapchain *swapchain, const VkPresentTimingInfoEXT *info);
void wsi_timing_begin(struct wsi_swapchain *swapchain, struct wsi_image *image, const VkPresentTimingInfoEXT *info);
void wsi_timing_note(struct wsi_swapchain *swapchain, const struct wsi_image *image, VkPresentStageFlagsEXT stage,
                     int64_t time_ns);
void wsi_timing_end(struct wsi_swapchain *swapchain, struct wsi_image *image);
int64_t wsi_timing_due(const struct wsi_swapchain *swapchain, const struct wsi_image *image);

/* The ways that INDIUM_WSI allows. False: it says something else, and the log has a line. */
enum wsi_way {
   WSI_WAY_ANY,
   WSI_WAY_DIRECT, /* no copies */
   WSI_WAY_SHM,    /* copies, in memory that both share */
   WSI_WAY_PUT,    /* copies, in requests (X) */
};
bool wsi_way(enum wsi_way *way);

/* Makes the swapchain direct, if images can have one of the modifiers that the display takes. */
bool wsi_direct_init(struct wsi_swapchain *swapchain, const uint64_t *modifiers, uint32_t count);
/* Exports an image with memory, and tells the platform of it. */
VkResult wsi_direct_add(struct wsi_swapchain *swapchain, struct wsi_image *image);
void wsi_direct_finish(struct wsi_swapchain *swapchain, struct wsi_image *image);
struct wsi_plane wsi_direct_plane(const struct wsi_swapchain *swapchain, const struct wsi_image *image);
/* A sync file of those who still read the image, as the kernel knows them; -1: there are none. */
int wsi_direct_readers(const struct wsi_image *image);
/* Explicit synchronisation: before the image is shown once more, its work being done. The point that releases it. */
VkResult wsi_direct_signal(struct wsi_swapchain *swapchain, struct wsi_image *image, uint64_t *release);
/* Under the lock: releases images whose points the display has signaled. */
void wsi_direct_hear(struct wsi_swapchain *swapchain);
/* Whether a descriptor's or a number of a device (dev_t) is that of the swapchain's device. */
bool wsi_direct_same_device(const struct wsi_swapchain *swapchain, uint64_t device);

/* An error, or whether the swapchain still fits its surface. */
VkResult wsi_check(struct wsi_swapchain *swapchain);

/* For vk_image.c: the swapchain of a create info, whose images' create info takes its place; NULL: none. */
const VkImageCreateInfo *wsi_image_info(const VkImageCreateInfo *info);
/* The memory of a swapchain's image; VK_NULL_HANDLE: the chain names none. */
VkDeviceMemory wsi_bound_memory(const void *chain);

#endif
