/* Processes and threads on one GPU: workers [--threads N] [--rounds N]. Children made by fork(2), before the process
 * has its device and while its threads work, each with a device of its own; one that continues with its parent's,
 * which waits; threads that submit to one queue. Each fills a buffer with numbers of its own and reads a copy.
 * Threads take turns, but for waits, and forks have their turn: no driver promises that its locks outlive a fork. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vkx.h"

enum { WORDS = 4096, MAX_THREADS = 16, CHILDREN = 6 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

struct worker {
   struct vkx vkx;
   pthread_t thread;
   uint32_t number, rounds, wrong;
};

static void
create_pool(struct vkx *vkx)
{
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = vkx->family};
   vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &vkx->pool), "vkCreateCommandPool");
}

static void
submit(struct worker *w, VkCommandBuffer cmd)
{
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkFence fence;
   vkx_check(vkCreateFence(w->vkx.device, &fence_info, NULL, &fence), "vkCreateFence");
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(w->vkx.queue, 1, &info, fence), "vkQueueSubmit");
   pthread_mutex_unlock(&turn);
   vkx_check(vkWaitForFences(w->vkx.device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   pthread_mutex_lock(&turn);
   vkDestroyFence(w->vkx.device, fence, NULL);
   vkFreeCommandBuffers(w->vkx.device, w->vkx.pool, 1, &cmd);
}

static void *
work(void *data)
{
   struct worker *w = data;
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
   pthread_mutex_lock(&turn);
   create_pool(&w->vkx);
   struct vkx_buffer filled = vkx_buffer_create(&w->vkx, WORDS * 4, usage, false);
   struct vkx_buffer copied = vkx_buffer_create(&w->vkx, WORDS * 4, usage, true);
   for (uint32_t round = 0; round < w->rounds; round++) {
      const uint32_t value = w->number << 16 | round;
      const VkBufferCopy whole = {0, 0, WORDS * 4};
      VkCommandBuffer cmd = vkx_begin(&w->vkx);
      vkCmdFillBuffer(cmd, filled.buffer, 0, VK_WHOLE_SIZE, value);
      vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
      vkCmdCopyBuffer(cmd, filled.buffer, copied.buffer, 1, &whole);
      vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
      submit(w, cmd);
      for (uint32_t i = 0; i < WORDS; i++)
         w->wrong += ((const uint32_t *)copied.map)[i] != value;
   }
   vkx_buffer_destroy(&w->vkx, &filled);
   vkx_buffer_destroy(&w->vkx, &copied);
   vkDestroyCommandPool(w->vkx.device, w->vkx.pool, NULL);
   pthread_mutex_unlock(&turn);
   return NULL;
}

/* Words that are wrong. */
static uint32_t
work_on(const struct vkx *vkx, uint32_t number, uint32_t threads, uint32_t rounds)
{
   struct worker workers[MAX_THREADS];
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < threads; i++) {
      workers[i] = (struct worker){.vkx = *vkx, .number = number + i, .rounds = rounds};
      if (i && pthread_create(&workers[i].thread, NULL, work, &workers[i]))
         exit(1);
   }
   work(&workers[0]);
   for (uint32_t i = 0; i < threads; i++) {
      if (i)
         pthread_join(workers[i].thread, NULL);
      wrong += workers[i].wrong;
   }
   return wrong;
}

/* A child that works; vkx: its parent's device, or NULL. */
static pid_t
start_child(const struct vkx *vkx, uint32_t number, uint32_t rounds)
{
   fflush(NULL);
   pthread_mutex_lock(&turn);
   pid_t child = fork();
   pthread_mutex_unlock(&turn);
   if (!child) {
      struct vkx own;
      if (!vkx)
         own = vkx_create("workers");
      _exit(work_on(vkx ? vkx : &own, number, 1, rounds) != 0);
   }
   return child;
}

static bool
has_worked(pid_t child, const char *which)
{
   int status;
   if (child < 0 || waitpid(child, &status, 0) != child || status) {
      printf("the child %s: status 0x%x\n", which, child < 0 ? -1 : status);
      return false;
   }
   return true;
}

/* While other threads work; whether all have worked. */
static void *
start_amid(void *fine)
{
   bool *all = fine;
   for (uint32_t i = 0; i < CHILDREN; i++)
      *all &= has_worked(start_child(NULL, 200 + i, 1), "from amid the work");
   return NULL;
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){"--threads", "--rounds", NULL},
                      "workers [--threads N] [--rounds N]");
   const uint32_t threads = (uint32_t)strtoul(vkx_option(argc, argv, "--threads", "4"), NULL, 0);
   const uint32_t rounds = (uint32_t)strtoul(vkx_option(argc, argv, "--rounds", "20"), NULL, 0);
   if (!threads || threads > MAX_THREADS)
      return 2;
   pid_t ahead = start_child(NULL, 100, rounds);
   struct vkx vkx = vkx_create("workers");
   uint32_t wrong = work_on(&vkx, 1, threads, rounds);
   bool fine = true;
   pthread_t forker;
   if (pthread_create(&forker, NULL, start_amid, &fine))
      return 1;
   wrong += work_on(&vkx, 1, threads, rounds);
   pthread_join(forker, NULL);
   fine &= has_worked(ahead, "from ahead of the device");
   fine &= has_worked(start_child(&vkx, 300, rounds), "with its parent's device");
   wrong += work_on(&vkx, 1, threads, rounds);
   vkx_destroy(&vkx);
   printf(wrong || !fine ? "FAILED: %u wrong words\n" : "ok: every sum and word is right\n", wrong);
   return wrong || !fine;
}
