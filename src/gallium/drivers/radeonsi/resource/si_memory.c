/* Device memory: one winsys buffer each. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/log.h"

/* What images or their metadata are aligned to, at most. */
#define LARGEST_BLOCK_B (1u << 18)

static unsigned
bo_flags(const struct pipe_memory_type *type)
{
   unsigned flags = 0;

   if (type->host_visible)
      flags |= AMDGPU_WS_BO_CPU_ACCESS;
   if (type->descriptors)
      flags |= AMDGPU_WS_BO_VA_32BIT;
   if (type->host_visible && !type->host_cached && !type->device_local)
      flags |= AMDGPU_WS_BO_WRITE_COMBINED;
   return flags;
}

/* NULL, and the descriptor stays the caller's: what it names is no buffer, or is smaller. */
static struct amdgpu_ws_bo *
import(struct amdgpu_ws *ws, const struct pipe_memory_type *type, uint64_t size_B, int fd)
{
   struct amdgpu_ws_bo *bo =
      amdgpu_ws_bo_import(ws, fd, LARGEST_BLOCK_B, AMDGPU_WS_BO_SHAREABLE | (bo_flags(type) & AMDGPU_WS_BO_VA_32BIT));

   if (bo && size_B > bo->size_B) {
      log_error("memory: an import of %" PRIu64 " bytes from a buffer of %" PRIu64, size_B, bo->size_B);
      amdgpu_ws_bo_destroy(bo);
      return NULL;
   }
   if (bo)
      close(fd);
   return bo;
}

_Static_assert(WS_VA_REPLAYED == PIPE_VA_REPLAYED, "addresses are handed on");

/* Of the application, without a file. */
static struct amdgpu_ws_bo *
from_heap(struct si_screen *screen, struct si_memory *memory, uint32_t type, uint64_t size_B, uint64_t va)
{
   const struct pipe_memory_type *kind = &screen->base.caps.memory_types[type];

   if (!aux_heap_take(&screen->base, kind->heap, size_B, &memory->share))
      return NULL;
   return amdgpu_ws_bo_create_at(screen->ws, size_B, LARGEST_BLOCK_B,
                                 kind->device_local ? AMDGPU_WS_VRAM : AMDGPU_WS_GTT,
                                 bo_flags(kind) | AMDGPU_WS_BO_SHAREABLE, va);
}

static enum pipe_result
hand_out(struct si_screen *screen, struct si_memory *memory, enum pipe_result failure, struct pipe_memory **out)
{
   if (!memory->bo) {
      aux_heap_give_back(&screen->base, &memory->share);
      free(memory);
      return failure;
   }
   *out = si_memory_handle(memory);
   return PIPE_OK;
}

static enum pipe_result
memory_create(struct pipe_screen *screen, uint32_t type, uint64_t size_B, int fd, struct pipe_memory **out)
{
   struct amdgpu_ws *ws = si_screen(screen)->ws;
   struct si_memory *memory = calloc(1, sizeof(*memory));

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   if (type == PIPE_MEMORY_TYPE_DESCRIPTORS)
      memory->bo =
         amdgpu_ws_bo_create(ws, size_B, 4096, AMDGPU_WS_GTT, AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_VA_32BIT);
   else if (fd >= 0)
      memory->bo = import(ws, &screen->caps.memory_types[type], size_B, fd);
   else
      memory->bo = from_heap(si_screen(screen), memory, type, size_B, 0);
   return hand_out(si_screen(screen), memory, fd >= 0 ? PIPE_INVALID_HANDLE : PIPE_OUT_OF_DEVICE_MEMORY, out);
}

static enum pipe_result
memory_create_at(struct pipe_screen *screen, uint32_t type, uint64_t size_B, uint64_t va, struct pipe_memory **out)
{
   struct si_memory *memory = calloc(1, sizeof(*memory));

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   memory->bo = from_heap(si_screen(screen), memory, type, size_B, va);
   return hand_out(si_screen(screen), memory, va > PIPE_VA_REPLAYED ? PIPE_ADDRESS_TAKEN : PIPE_OUT_OF_DEVICE_MEMORY,
                   out);
}

static uint64_t
memory_address(const struct pipe_memory *memory)
{
   return si_memory(memory)->bo->va;
}

static enum pipe_result
memory_import_host(struct pipe_screen *screen, void *bytes, uint64_t size_B, struct pipe_memory **out)
{
   struct si_memory *memory = calloc(1, sizeof(*memory));

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   memory->bo = amdgpu_ws_bo_of_host(si_screen(screen)->ws, bytes, size_B, LARGEST_BLOCK_B);
   if (!memory->bo) {
      free(memory);
      return PIPE_INVALID_HANDLE;
   }
   *out = si_memory_handle(memory);
   return PIPE_OK;
}

static void
memory_prioritize(struct pipe_screen *screen, struct pipe_memory *memory, float priority)
{
   amdgpu_ws_bo_set_priority(si_memory(memory)->bo, (uint32_t)(priority * AMDGPU_WS_MAX_PRIORITY));
}

static bool
memory_map_at(struct pipe_screen *screen, struct pipe_memory *memory, void *address, uint64_t size_B)
{
   return amdgpu_ws_bo_map_at(si_memory(memory)->bo, address, size_B);
}

static void
memory_destroy(struct pipe_screen *screen, struct pipe_memory *pipe)
{
   struct si_memory *memory = si_memory(pipe);

   amdgpu_ws_bo_destroy(memory->bo);
   aux_heap_give_back(screen, &memory->share);
   free(memory);
}

static void *
memory_map(struct pipe_screen *screen, struct pipe_memory *memory)
{
   return amdgpu_ws_bo_map(si_memory(memory)->bo);
}

static enum pipe_result
memory_export(struct pipe_screen *screen, struct pipe_memory *memory, int *fd)
{
   return amdgpu_ws_bo_export(si_memory(memory)->bo, fd) ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
}

void
si_init_memory(struct si_screen *screen)
{
   screen->base.memory_create = memory_create;
   screen->base.memory_create_at = memory_create_at;
   screen->base.memory_address = memory_address;
   screen->base.memory_import_host = memory_import_host;
   screen->base.memory_prioritize = memory_prioritize;
   screen->base.memory_map_at = memory_map_at;
   screen->base.heap_used = aux_heap_used;
   screen->base.memory_destroy = memory_destroy;
   screen->base.memory_map = memory_map;
   screen->base.memory_export = memory_export;
}
