#include "fake_gpu.h"

#include <errno.h>
#include <stdlib.h>

#include "amd/hw/chips.h"
#include "gallium/drivers/radeonsi/si_public.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

#define ADDRESS32_HI 0xffff8000u
#define MAX_BOS 4096

struct amdgpu_ws {
   struct amdgpu_ws_info info;
   uint64_t next_va, next_va32;
};

static struct amdgpu_ws_bo *bos[MAX_BOS];
unsigned fake_num_bos;
_Atomic unsigned fake_num_submits;
unsigned fake_num_ibs[FAKE_MAX_SUBMITS], fake_num_waits[FAKE_MAX_SUBMITS], fake_num_signals[FAKE_MAX_SUBMITS];
bool fake_lost;
const char *fake_chip = "navi21";
int fake_submit_error;

struct amdgpu_ws *
amdgpu_ws_create(int fd)
{
   const struct amd_chip *chip = amd_chip_by_name(fake_chip);
   struct amdgpu_ws *ws = calloc(1, sizeof(*ws));

   ws->next_va = UINT64_C(0xffff800100000000); /* sign bits as the kernel may hand out */
   ws->next_va32 = (uint64_t)ADDRESS32_HI << 32 | 0x100000;
   ws->info.dev.family = chip->family;
   ws->info.dev.external_rev = chip->external_rev;
   ws->info.dev.ids_flags = chip->ids_flags;
   ws->info.dev.num_shader_engines = chip->num_se;
   ws->info.dev.cu_active_number = chip->num_cu_active;
   ws->info.dev.num_rb_pipes = chip->num_rb_pipes;
   ws->info.dev.enabled_rb_pipes_mask = chip->enabled_rb_pipes_mask;
   ws->info.dev.gpu_counter_freq = chip->gpu_counter_freq_kHz;
   ws->info.gb_addr_config = chip->gb_addr_config;
   ws->info.address32_hi = ADDRESS32_HI;
   ws->info.vram_B = chip->vram_B;
   ws->info.gtt_B = chip->gtt_B;
   return ws;
}

struct pipe_screen *
fake_screen_create(void)
{
   return si_screen_create(amdgpu_ws_create(-1));
}

void
amdgpu_ws_destroy(struct amdgpu_ws *ws)
{
   free(ws);
}

int
amdgpu_ws_fd(const struct amdgpu_ws *ws)
{
   return -1;
}

const struct amdgpu_ws_info *
amdgpu_ws_info(const struct amdgpu_ws *ws)
{
   return &ws->info;
}

int
amdgpu_ws_timestamp(struct amdgpu_ws *ws, uint64_t *ticks)
{
   *ticks = 1;
   return 0;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, enum amdgpu_ws_domain domain,
                    unsigned flags)
{
   struct amdgpu_ws_bo *bo = calloc(1, sizeof(*bo));
   uint64_t *next = flags & AMDGPU_WS_BO_VA_32BIT ? &ws->next_va32 : &ws->next_va;
   uint64_t alignment = alignment_B > 4096 ? alignment_B : 4096;

   if (fake_num_bos == MAX_BOS) {
      free(bo);
      return NULL;
   }
   *next = (*next + alignment - 1) / alignment * alignment;
   bo->va = *next;
   bo->size_B = (size_B + 4095) / 4096 * 4096;
   /* Scratch buffers are large and nobody looks into them. */
   bo->map = bo->size_B < (64u << 20) ? calloc(1, bo->size_B) : NULL;
   *next += bo->size_B + 4096;
   bos[fake_num_bos++] = bo;
   return bo;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_create_at(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, enum amdgpu_ws_domain domain,
                       unsigned flags, uint64_t va)
{
   return va ? NULL : amdgpu_ws_bo_create(ws, size_B, alignment_B, domain, flags);
}

struct amdgpu_ws_bo *
amdgpu_ws_order_create(struct amdgpu_ws *ws)
{
   return amdgpu_ws_bo_create(ws, 1, 1, AMDGPU_WS_GTT, 0);
}

void
amdgpu_ws_order_destroy(struct amdgpu_ws_bo *order)
{
   amdgpu_ws_bo_destroy(order);
}

void
amdgpu_ws_bo_destroy(struct amdgpu_ws_bo *bo)
{
   if (!bo)
      return;
   for (unsigned i = 0; i < fake_num_bos; i++) {
      if (bos[i] == bo)
         bos[i] = bos[--fake_num_bos];
   }
   free(bo->map);
   free(bo);
}

void *
amdgpu_ws_bo_map(struct amdgpu_ws_bo *bo)
{
   return bo->map;
}

int
amdgpu_ws_bo_export(struct amdgpu_ws_bo *bo, int *fd)
{
   return -1;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_import(struct amdgpu_ws *ws, int fd, uint64_t alignment_B, unsigned flags)
{
   return NULL;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_of_host(struct amdgpu_ws *ws, void *bytes, uint64_t size_B, uint64_t alignment_B)
{
   return NULL;
}

bool
amdgpu_ws_bo_map_at(struct amdgpu_ws_bo *bo, void *address, uint64_t size_B)
{
   return false;
}

void
amdgpu_ws_bo_set_priority(struct amdgpu_ws_bo *bo, uint32_t priority)
{
}

int
amdgpu_ws_range_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags,
                       struct amdgpu_ws_range *range)
{
   return -ENOTSUP;
}

void
amdgpu_ws_range_destroy(struct amdgpu_ws *ws, const struct amdgpu_ws_range *range)
{
}

int
amdgpu_ws_bind(struct amdgpu_ws *ws, const struct amdgpu_ws_bind *bind)
{
   return -ENOTSUP;
}

bool
amdgpu_ws_last_fault(struct amdgpu_ws *ws, struct amdgpu_ws_fault *fault)
{
   return false;
}

void *
fake_memory(uint64_t va, uint64_t size_B)
{
   for (unsigned i = 0; i < fake_num_bos; i++) {
      if (va >= bos[i]->va && va + size_B <= bos[i]->va + bos[i]->size_B && bos[i]->map)
         return (char *)bos[i]->map + (va - bos[i]->va);
   }
   return NULL;
}

/* ---- submits: nothing runs ---- */

int
amdgpu_ws_ctx_create(struct amdgpu_ws *ws, int32_t priority, struct amdgpu_ws_ctx **ctx)
{
   *ctx = (struct amdgpu_ws_ctx *)ws;
   return 0;
}

void
amdgpu_ws_ctx_destroy(struct amdgpu_ws_ctx *ctx)
{
}

enum amdgpu_ws_reset
amdgpu_ws_ctx_reset_status(struct amdgpu_ws_ctx *ctx)
{
   return fake_lost ? AMDGPU_WS_GUILTY : AMDGPU_WS_NO_RESET;
}

int
amdgpu_ws_ctx_submit(struct amdgpu_ws_ctx *ctx, const struct amdgpu_ws_submit *submit)
{
   fake_num_ibs[fake_num_submits % FAKE_MAX_SUBMITS] = submit->ib_count;
   fake_num_waits[fake_num_submits % FAKE_MAX_SUBMITS] = submit->syncs.num_waits;
   fake_num_signals[fake_num_submits % FAKE_MAX_SUBMITS] = submit->syncs.num_signals;
   fake_num_submits++;
   return fake_submit_error;
}
