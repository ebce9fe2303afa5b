/* The thread of a swapchain: waits for each queued image's pixels and for the display, and shows them. */
#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"
#include "util/thread.h"

static bool
replaces_older(VkPresentModeKHR mode)
{
   return mode == VK_PRESENT_MODE_MAILBOX_KHR || mode == VK_PRESENT_MODE_FIFO_LATEST_READY_EXT;
}

static bool
is_fifo(VkPresentModeKHR mode)
{
   return mode == VK_PRESENT_MODE_FIFO_KHR || mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR;
}

/* The time that a present asks for, if its mode keeps to such; else 0. */
static int64_t
target_of(const struct wsi_swapchain *swapchain, const struct wsi_image *image)
{
   const bool keeps = is_fifo(image->mode) || image->mode == VK_PRESENT_MODE_FIFO_LATEST_READY_EXT;
   return keeps ? wsi_timing_due(swapchain, image) : 0;
}

/* When an image may be shown that is ready now. A target is met by the first refresh that does not come before. */
static int64_t
due_ns(const struct wsi_swapchain *swapchain, const struct wsi_image *image, int64_t now_ns)
{
   const VkPresentModeKHR mode = image->mode;
   const int64_t refresh_ns = swapchain->refresh_ns;
   const int64_t target_ns = target_of(swapchain, image);
   const bool immediate = mode == VK_PRESENT_MODE_IMMEDIATE_KHR || wsi_mode_shared(mode);
   if (!refresh_ns || immediate || !swapchain->shown_ns)
      return MAX2(now_ns, target_ns);
   if (mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR)
      return MAX2(MAX2(now_ns, target_ns), swapchain->shown_ns + refresh_ns);
   if (target_ns > INT64_MAX / 2) /* in a century or never, and the sum would overflow */
      return INT64_MAX;
   const int64_t passed_ns = MAX2(now_ns, target_ns - 1) - swapchain->shown_ns;
   return swapchain->shown_ns + (passed_ns / refresh_ns + 1) * refresh_ns;
}

/* Under the lock, which it gives back meanwhile. False: the device is lost. */
static bool
wait_done(struct wsi_swapchain *swapchain, const struct wsi_image *image, int64_t until_ns)
{
   const int64_t now_ns = wsi_now_ns();
   pthread_mutex_unlock(&swapchain->lock);
   const VkResult result =
      indium_WaitForFences(VK_TO(VkDevice, swapchain->device), 1, &image->done, VK_TRUE,
                           until_ns == INT64_MAX ? UINT64_MAX : (uint64_t)MAX2(until_ns - now_ns, 0));
   pthread_mutex_lock(&swapchain->lock);
   if (result < 0)
      swapchain->status = result;
   if (result == VK_SUCCESS)
      wsi_timing_note(swapchain, image, VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT, wsi_now_ns());
   return result == VK_SUCCESS;
}

static struct wsi_image *
pop(struct wsi_swapchain *swapchain)
{
   struct wsi_image *image = swapchain->first;
   swapchain->first = image->next;
   image->next = NULL;
   return image;
}

/* The first one has been shown, or never will be. */
static void
pop_shown(struct wsi_swapchain *swapchain)
{
   struct wsi_image *image = pop(swapchain);
   image->state = wsi_mode_shared(image->mode) ? WSI_ACQUIRED : WSI_FREE;
   if (swapchain->status >= 0)
      swapchain->shown_id = MAX2(swapchain->shown_id, image->present_id);
   wsi_timing_end(swapchain, image);
   pthread_cond_broadcast(&swapchain->changed);
}

void
wsi_confirm(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   if (!image->on_way)
      return;
   image->on_way = false;
   swapchain->on_way--;
   wsi_timing_end(swapchain, image);
   swapchain->shown_id = MAX2(swapchain->shown_id, image->present_id);
   pthread_cond_broadcast(&swapchain->changed);
}

void
wsi_release(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   wsi_confirm(swapchain, image);
   image->state = WSI_FREE;
   pthread_cond_broadcast(&swapchain->changed);
}

static void
wait_confirmed(struct wsi_swapchain *swapchain)
{
   while (swapchain->on_way && !swapchain->stopping && swapchain->status >= 0)
      wsi_wait_changed(swapchain, INT64_MAX);
}

/* Waits for the display; what comes meanwhile may take the first one's place. */
static void
wait_due(struct wsi_swapchain *swapchain)
{
   const int64_t until_ns = due_ns(swapchain, swapchain->first, wsi_now_ns());
   bool in_time = true;
   if (swapchain->one_at_a_time && is_fifo(swapchain->first->mode))
      wait_confirmed(swapchain);
   for (;;) {
      struct wsi_image *next = swapchain->first->next;
      if (next && replaces_older(next->mode) && target_of(swapchain, next) <= until_ns &&
          wait_done(swapchain, next, until_ns))
         pop_shown(swapchain);
      else if (!in_time || swapchain->stopping || until_ns <= wsi_now_ns())
         break;
      else
         in_time = wsi_wait_changed(swapchain, until_ns);
   }
   swapchain->shown_ns = MAX2(until_ns, 1);
}

static void
show_copy(struct wsi_swapchain *swapchain)
{
   struct wsi_image *image = swapchain->first;
   pthread_mutex_unlock(&swapchain->lock);
   const VkResult result = swapchain->platform->show(swapchain, image);
   pthread_mutex_lock(&swapchain->lock);
   if (result < 0)
      swapchain->status = result;
   pop_shown(swapchain);
}

/* Once it is sent, the display may say at any time that it has it. */
static void
show_direct(struct wsi_swapchain *swapchain)
{
   static uint32_t serials;
   struct wsi_image *image = pop(swapchain);
   image->state = WSI_SHOWN;
   image->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
   image->presents++;
   image->on_way = true;
   swapchain->on_way++;
   pthread_mutex_unlock(&swapchain->lock);
   const VkResult result = swapchain->platform->show(swapchain, image);
   pthread_mutex_lock(&swapchain->lock);
   if (result < 0)
      swapchain->status = result;
   pthread_cond_broadcast(&swapchain->changed);
}

static void *
present_queued(void *data)
{
   struct wsi_swapchain *swapchain = data;
   pthread_mutex_lock(&swapchain->lock);
   for (;;) {
      while (!swapchain->first && !swapchain->stopping)
         pthread_cond_wait(&swapchain->changed, &swapchain->lock);
      if (!swapchain->first)
         break;
      const bool done = wait_done(swapchain, swapchain->first, INT64_MAX);
      if (done && swapchain->status >= 0)
         wait_due(swapchain);
      if (done)
         wsi_timing_note(swapchain, swapchain->first, VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT, wsi_now_ns());
      if (!done || swapchain->status < 0)
         pop_shown(swapchain);
      else if (swapchain->direct)
         show_direct(swapchain);
      else
         show_copy(swapchain);
   }
   pthread_mutex_unlock(&swapchain->lock);
   return NULL;
}

void
wsi_presenter_queue(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   image->state = WSI_QUEUED;
   image->next = NULL;
   if (swapchain->first)
      swapchain->last->next = image;
   else
      swapchain->first = image;
   swapchain->last = image;
   pthread_cond_broadcast(&swapchain->changed);
}

VkResult
wsi_presenter_start(struct wsi_swapchain *swapchain)
{
   swapchain->has_thread = thread_start(&swapchain->thread, present_queued, swapchain);
   return swapchain->has_thread ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* What is queued is shown, without waiting for the display. */
void
wsi_presenter_stop(struct wsi_swapchain *swapchain)
{
   if (!swapchain->has_thread)
      return;
   pthread_mutex_lock(&swapchain->lock);
   swapchain->stopping = true;
   pthread_cond_broadcast(&swapchain->changed);
   pthread_mutex_unlock(&swapchain->lock);
   pthread_join(swapchain->thread, NULL);
}
