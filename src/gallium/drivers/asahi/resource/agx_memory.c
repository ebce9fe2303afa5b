/* Device memory: one winsys buffer each. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/log.h"

/* NULL, and the descriptor stays the caller's: what it names is no buffer, or is smaller. */
static struct asahi_ws_bo *
import(struct asahi_ws *ws, uint64_t size_B, int fd)
{
   struct asahi_ws_bo *bo = asahi_ws_bo_import(ws, fd, ASAHI_WS_BO_SHAREABLE);

   if (bo && size_B > bo->size_B) {
      log_error("memory: an import of %" PRIu64 " bytes from a buffer of %" PRIu64, size_B, bo->size_B);
      asahi_ws_bo_destroy(bo);
      return NULL;
   }
   if (bo)
      close(fd);
   return bo;
}

_Static_assert(WS_VA_REPLAYED == PIPE_VA_REPLAYED, "addresses are handed on");

/* Of the application, without a file. */
static struct asahi_ws_bo *
from_heap(struct agx_screen *screen, struct agx_memory *memory, uint32_t type, uint64_t size_B, uint64_t va)
{
   unsigned cached = screen->base.caps.memory_types[type].host_cached ? ASAHI_WS_BO_CACHED : 0;

   if (!aux_heap_take(&screen->base, 0, size_B, &memory->share))
      return NULL;
   return asahi_ws_bo_create_at(screen->ws, size_B, 0, cached | ASAHI_WS_BO_SHAREABLE, va);
}

static enum pipe_result
hand_out(struct agx_screen *screen, struct agx_memory *memory, enum pipe_result failure, struct pipe_memory **out)
{
   if (!memory->bo) {
      aux_heap_give_back(&screen->base, &memory->share);
      free(memory);
      return failure;
   }
   *out = agx_memory_handle(memory);
   return PIPE_OK;
}

static enum pipe_result
memory_create(struct pipe_screen *screen, uint32_t type, uint64_t size_B, int fd, struct pipe_memory **out)
{
   struct asahi_ws *ws = agx_screen(screen)->ws;
   struct agx_memory *memory = calloc(1, sizeof(*memory));

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   if (type == PIPE_MEMORY_TYPE_DESCRIPTORS)
      memory->bo = asahi_ws_bo_create(ws, size_B, 0, 0);
   else if (fd >= 0)
      memory->bo = import(ws, size_B, fd);
   else
      memory->bo = from_heap(agx_screen(screen), memory, type, size_B, 0);
   return hand_out(agx_screen(screen), memory, fd >= 0 ? PIPE_INVALID_HANDLE : PIPE_OUT_OF_DEVICE_MEMORY, out);
}

static enum pipe_result
memory_create_at(struct pipe_screen *screen, uint32_t type, uint64_t size_B, uint64_t va, struct pipe_memory **out)
{
   struct agx_memory *memory = calloc(1, sizeof(*memory));

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   memory->bo = from_heap(agx_screen(screen), memory, type, size_B, va);
   return hand_out(agx_screen(screen), memory, va > PIPE_VA_REPLAYED ? PIPE_ADDRESS_TAKEN : PIPE_OUT_OF_DEVICE_MEMORY,
                   out);
}

static uint64_t
memory_address(const struct pipe_memory *memory)
{
   return agx_memory(memory)->bo->va;
}

static void
memory_destroy(struct pipe_screen *screen, struct pipe_memory *pipe)
{
   struct agx_memory *memory = agx_memory(pipe);

   asahi_ws_bo_destroy(memory->bo);
   aux_heap_give_back(screen, &memory->share);
   free(memory);
}

static void *
memory_map(struct pipe_screen *screen, struct pipe_memory *memory)
{
   return asahi_ws_bo_map(agx_memory(memory)->bo);
}

static bool
memory_map_at(struct pipe_screen *screen, struct pipe_memory *memory, void *address, uint64_t size_B)
{
   return asahi_ws_bo_map_at(agx_memory(memory)->bo, address, size_B);
}

static enum pipe_result
memory_export(struct pipe_screen *screen, struct pipe_memory *memory, int *fd)
{
   return asahi_ws_bo_export(agx_memory(memory)->bo, fd) ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
}

void
agx_init_memory(struct agx_screen *screen)
{
   screen->base.memory_create = memory_create;
   screen->base.memory_create_at = memory_create_at;
   screen->base.memory_address = memory_address;
   screen->base.memory_map_at = memory_map_at;
   screen->base.heap_used = aux_heap_used;
   screen->base.memory_destroy = memory_destroy;
   screen->base.memory_map = memory_map;
   screen->base.memory_export = memory_export;
}
