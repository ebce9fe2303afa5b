#include "fake_gpu.h"

#include <errno.h>
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_public.h"
#include "util/macros.h"

#define MAX_BOS 4096

struct asahi_ws {
   struct asahi_ws_info info;
   uint64_t next_va, next_usc_va;
};

static struct asahi_ws_bo *bos[MAX_BOS];
unsigned fake_num_bos, fake_buffers_left = MAX_BOS;
_Atomic unsigned fake_num_submits;
unsigned fake_num_commands, fake_num_waits, fake_num_signals;
struct asahi_ws_command fake_command;
int fake_submit_error;
bool fake_lost;

struct pipe_screen *
fake_screen_create(void)
{
   struct asahi_ws *ws = calloc(1, sizeof(*ws));

   ws->info = (struct asahi_ws_info){.params = {.gpu_generation = 13,
                                                .gpu_variant = 'G',
                                                .gpu_revision = 0x11,
                                                .chip_id = 0x8103,
                                                .num_clusters_total = 1},
                                     .usc_base = FAKE_USC_BASE,
                                     .usc_size_B = UINT64_C(1) << 32,
                                     .system_memory_B = UINT64_C(1) << 34};
   ws->next_usc_va = FAKE_USC_BASE + ASAHI_WS_PAGE_B;
   ws->next_va = FAKE_USC_BASE + (UINT64_C(1) << 33);
   struct pipe_screen *screen = agx_screen_create(ws);
   if (!screen)
      free(ws);
   return screen;
}

void
asahi_ws_destroy(struct asahi_ws *ws)
{
   free(ws);
}

const struct asahi_ws_info *
asahi_ws_info(const struct asahi_ws *ws)
{
   return &ws->info;
}

int
asahi_ws_fd(const struct asahi_ws *ws)
{
   return -1;
}

int
asahi_ws_timestamp(struct asahi_ws *ws, uint64_t *ns)
{
   *ns = 1;
   return 0;
}

struct asahi_ws_bo *
asahi_ws_bo_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags)
{
   uint64_t *next = flags & ASAHI_WS_BO_USC ? &ws->next_usc_va : &ws->next_va;
   struct asahi_ws_bo *bo = fake_buffers_left && fake_num_bos < MAX_BOS ? calloc(1, sizeof(*bo)) : NULL;

   if (!bo)
      return NULL;
   fake_buffers_left--;
   bo->va = *next;
   bo->size_B = align_up(size_B, ASAHI_WS_PAGE_B);
   bo->map = calloc(1, bo->size_B);
   *next += bo->size_B + ASAHI_WS_PAGE_B;
   bos[fake_num_bos++] = bo;
   return bo;
}

struct asahi_ws_bo *
asahi_ws_bo_create_at(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags, uint64_t va)
{
   return va ? NULL : asahi_ws_bo_create(ws, size_B, alignment_B, flags);
}

void
asahi_ws_bo_destroy(struct asahi_ws_bo *bo)
{
   if (!bo)
      return;
   for (unsigned i = 0; i < fake_num_bos; i++) {
      if (bos[i] == bo)
         bos[i] = bos[--fake_num_bos];
   }
   fake_buffers_left++;
   free(bo->map);
   free(bo);
}

bool
asahi_ws_range_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, struct asahi_ws_range *range)
{
   *range = (struct asahi_ws_range){ws->next_va, align_up(size_B, ASAHI_WS_PAGE_B)};
   ws->next_va += range->size_B + ASAHI_WS_PAGE_B;
   return true;
}

void
asahi_ws_range_destroy(struct asahi_ws *ws, const struct asahi_ws_range *range)
{
}

int
asahi_ws_bind(struct asahi_ws *ws, const struct asahi_ws_bind *binds, uint32_t count)
{
   return 0;
}

void *
asahi_ws_bo_map(struct asahi_ws_bo *bo)
{
   return bo->map;
}

bool
asahi_ws_bo_map_at(struct asahi_ws_bo *bo, void *address, uint64_t size_B)
{
   return false;
}

int
asahi_ws_bo_export(struct asahi_ws_bo *bo, int *fd)
{
   return -EPERM;
}

struct asahi_ws_bo *
asahi_ws_bo_import(struct asahi_ws *ws, int fd, unsigned flags)
{
   return NULL;
}

int
asahi_ws_bind_timestamps(struct asahi_ws_bo *bo, uint32_t *object)
{
   *object = 7;
   return 0;
}

void
asahi_ws_unbind_timestamps(struct asahi_ws *ws, uint32_t object)
{
}

void *
fake_memory(uint64_t va, uint64_t size_B)
{
   for (unsigned i = 0; i < fake_num_bos; i++) {
      if (va >= bos[i]->va && va + size_B <= bos[i]->va + bos[i]->size_B)
         return (char *)bos[i]->map + (va - bos[i]->va);
   }
   return NULL;
}

/* ---- submits: nothing runs ---- */

struct asahi_ws_queue *
asahi_ws_queue_create(struct asahi_ws *ws, enum drm_asahi_priority priority)
{
   return (struct asahi_ws_queue *)ws;
}

void
asahi_ws_queue_destroy(struct asahi_ws_queue *queue)
{
}

bool
asahi_ws_queue_lost(struct asahi_ws_queue *queue)
{
   return fake_lost;
}

int
asahi_ws_queue_submit(struct asahi_ws_queue *queue, const struct asahi_ws_submit *submit)
{
   fake_num_commands = submit->command_count;
   fake_num_waits = submit->syncs.num_waits;
   fake_num_signals = submit->syncs.num_signals;
   fake_command = submit->commands[0];
   fake_num_submits++;
   return fake_submit_error;
}
