/* Which images a compositor takes: it answers with a table of pairs of a format and a modifier, and with groups
 * (tranches) of their numbers, best first, each for a device. */
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"
#include "util/macros.h"

/* linux-dmabuf-v1.xml, format_table */
struct pair {
   uint32_t format, pad;
   uint64_t modifier;
};

struct answer {
   const struct wsi_swapchain *swapchain;
   uint32_t format;
   const struct pair *table;
   uint32_t size_B, num_modifiers;
   uint64_t *modifiers;
   bool is_ours, is_done; /* the group's device is the swapchain's */
};

static void
hear_done(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback)
{
   ((struct answer *)data)->is_done = true;
}

static void
hear_table(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback, int fd, uint32_t size_B)
{
   struct answer *answer = data;
   const void *map = answer->table ? MAP_FAILED : mmap(NULL, size_B, PROT_READ, MAP_PRIVATE, fd, 0);
   close(fd);
   if (map == MAP_FAILED)
      return;
   answer->table = map;
   answer->size_B = size_B;
}

static bool
is_ours(const struct answer *answer, const struct wl_array *device)
{
   dev_t number;
   if (device->size != sizeof(number))
      return false;
   memcpy(&number, device->data, sizeof(number));
   return wsi_direct_same_device(answer->swapchain, number);
}

static void
hear_device(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback, struct wl_array *device)
{
}

static void
hear_group_device(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback, struct wl_array *device)
{
   struct answer *answer = data;
   answer->is_ours = is_ours(answer, device);
}

static void
hear_group(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback, struct wl_array *indices)
{
   struct answer *answer = data;
   const uint16_t *index = indices->data;
   for (size_t i = 0; i < indices->size / sizeof(*index) && answer->is_ours; i++) {
      const struct pair *pair = &answer->table[index[i]];
      if ((index[i] + 1u) * sizeof(*pair) <= answer->size_B && pair->format == answer->format &&
          answer->num_modifiers < WSI_WAYLAND_FORMATS)
         answer->modifiers[answer->num_modifiers++] = pair->modifier;
   }
}

static void
hear_flags(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback, uint32_t flags)
{
}

static void
hear_group_done(void *data, struct zwp_linux_dmabuf_feedback_v1 *feedback)
{
   ((struct answer *)data)->is_ours = false;
}

uint32_t
wsi_wayland_modifiers(const struct wsi_swapchain *swapchain, uint32_t format, uint64_t modifiers[WSI_WAYLAND_FORMATS])
{
   static const struct zwp_linux_dmabuf_feedback_v1_listener listener = {
      .done = hear_done,
      .format_table = hear_table,
      .main_device = hear_device,
      .tranche_done = hear_group_done,
      .tranche_target_device = hear_group_device,
      .tranche_formats = hear_group,
      .tranche_flags = hear_flags,
   };
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   struct answer answer = {.swapchain = swapchain, .format = format, .modifiers = modifiers};
   struct zwp_linux_dmabuf_feedback_v1 *feedback =
      wayland->dmabuf ? zwp_linux_dmabuf_v1_get_surface_feedback(wayland->dmabuf, wayland->surface) : NULL;
   if (!feedback)
      return 0;
   zwp_linux_dmabuf_feedback_v1_add_listener(feedback, &listener, &answer);
   while (!answer.is_done && WSI_WAYLAND(wl_display_roundtrip_queue)(wayland->display, wayland->queue) >= 0)
      ;
   zwp_linux_dmabuf_feedback_v1_destroy(feedback);
   if (answer.table)
      munmap((void *)answer.table, answer.size_B);
   return answer.num_modifiers;
}
