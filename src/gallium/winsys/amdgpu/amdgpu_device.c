#include <stdlib.h>
#include <string.h>
#include <xf86drm.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"
#include "util/log.h"

/* BO_HANDLES chunks; timeline syncobjs came at the same time. */
#define MIN_DRM_MINOR 27

static int
query_memory(struct amdgpu_ws *ws)
{
   struct drm_amdgpu_memory_info memory = {0};
   int error = amdgpu_query_info(ws->dev, AMDGPU_INFO_MEMORY, sizeof(memory), &memory);
   ws->info.vram_B = memory.vram.total_heap_size;
   ws->info.gtt_B = memory.gtt.total_heap_size;
   return error;
}

static int
query_pci(struct amdgpu_ws *ws)
{
   drmDevicePtr device;
   int error = drmGetDevice2(ws->fd, 0, &device);
   if (error)
      return error;
   if (device->bustype == DRM_BUS_PCI) {
      ws->info.pci_domain = device->businfo.pci->domain;
      ws->info.pci_bus = device->businfo.pci->bus;
      ws->info.pci_dev = device->businfo.pci->dev;
      ws->info.pci_func = device->businfo.pci->func;
   }
   drmFreeDevice(&device);
   return 0;
}

/* The kernel writes as much as is asked for, but Mesa's drm-shim writes the struct of its own uapi, which grows. */
static int
query_device(struct amdgpu_ws *ws)
{
   union {
      struct drm_amdgpu_info_device dev;
      uint8_t room[1024];
   } answer = {0};
   int error = amdgpu_query_info(ws->dev, AMDGPU_INFO_DEV_INFO, sizeof(answer.dev), &answer);
   ws->info.dev = answer.dev;
   return error;
}

/* Those of a kind that the kernel does not know are none. */
static void
query_rings(struct amdgpu_ws *ws)
{
   for (unsigned ring = 0; ring < AMDGPU_WS_RINGS; ring++) {
      struct drm_amdgpu_info_hw_ip ip = {0};
      int error = amdgpu_query_hw_ip_info(ws->dev, amdgpu_ws_ip_type(ring), 0, &ip);
      ws->info.num_rings[ring] = error ? 0 : (uint32_t)__builtin_popcount(ip.available_rings);
   }
}

static int
query(struct amdgpu_ws *ws)
{
   struct amdgpu_ws_info *info = &ws->info;
   struct amdgpu_gpu_info gpu = {0};
   int error = query_device(ws);
   error = error ? error : amdgpu_query_gpu_info(ws->dev, &gpu);
   error = error ? error : amdgpu_query_sw_info(ws->dev, amdgpu_sw_info_address32_hi, &info->address32_hi);
   error = error ? error : query_memory(ws);
   error = error ? error : query_pci(ws);
   info->gb_addr_config = gpu.gb_addr_cfg;
   query_rings(ws);
   const char *name = amdgpu_get_marketing_name(ws->dev);
   strncpy(info->marketing_name, name ? name : "AMD Radeon Graphics", sizeof(info->marketing_name) - 1);
   return error;
}

/* True if the kernel driver is one we speak with. */
static bool
is_amdgpu(int fd)
{
   drmVersionPtr version = drmGetVersion(fd);
   if (!version)
      return false;
   bool fits =
      !strcmp(version->name, "amdgpu") && version->version_major == 3 && version->version_minor >= MIN_DRM_MINOR;
   if (!fits)
      log_error("winsys: kernel driver %s %d.%d, not amdgpu 3.%d or newer", version->name, version->version_major,
                version->version_minor, MIN_DRM_MINOR);
   drmFreeVersion(version);
   return fits;
}

struct amdgpu_ws *
amdgpu_ws_create(int fd)
{
   struct amdgpu_ws *ws;
   uint32_t major, minor; /* is_amdgpu() has seen them */
   if (!is_amdgpu(fd) || !(ws = calloc(1, sizeof(*ws))))
      return NULL;
   int error = amdgpu_device_initialize(fd, &major, &minor, &ws->dev);
   if (!error) {
      ws->fd = amdgpu_device_get_fd(ws->dev);
      error = query(ws);
      if (error)
         amdgpu_device_deinitialize(ws->dev);
   }
   if (error) {
      log_error("winsys: amdgpu device does not answer: %s", strerror(-error));
      free(ws);
      return NULL;
   }
   pthread_rwlock_init(&ws->shared_lock, NULL);
   return ws;
}

void
amdgpu_ws_destroy(struct amdgpu_ws *ws)
{
   amdgpu_device_deinitialize(ws->dev);
   pthread_rwlock_destroy(&ws->shared_lock);
   free(ws->shared);
   free(ws->shared_uses);
   free(ws);
}

bool
amdgpu_ws_last_fault(struct amdgpu_ws *ws, struct amdgpu_ws_fault *fault)
{
   enum { GPUVM_FAULT = 0x23 }; /* AMDGPU_INFO_GPUVM_FAULT of newer headers */
   *fault = (struct amdgpu_ws_fault){0};
   return !amdgpu_query_info(ws->dev, GPUVM_FAULT, sizeof(*fault), fault) && fault->status;
}

const struct amdgpu_ws_info *
amdgpu_ws_info(const struct amdgpu_ws *ws)
{
   return &ws->info;
}

int
amdgpu_ws_fd(const struct amdgpu_ws *ws)
{
   return ws->fd;
}

int
amdgpu_ws_timestamp(struct amdgpu_ws *ws, uint64_t *ticks)
{
   return amdgpu_query_info(ws->dev, AMDGPU_INFO_TIMESTAMP, sizeof(*ticks), ticks);
}
