/* The one file that names the drivers: render node -> winsys -> screen. */
#include <fcntl.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gallium/drivers/radeonsi/si_public.h"
#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

/* NULL if no driver of ours takes the node. */
static struct pipe_screen *
probe(const char *path)
{
   int fd = open(path, O_RDWR | O_CLOEXEC);
   if (fd < 0)
      return NULL;
   drmVersionPtr version = drmGetVersion(fd);
   struct pipe_screen *screen = NULL;
   if (version && !strcmp(version->name, "amdgpu")) {
      struct amdgpu_ws *ws = amdgpu_ws_create(fd);
      screen = ws ? si_screen_create(ws) : NULL;
      if (ws && !screen)
         amdgpu_ws_destroy(ws);
   }
   if (version)
      drmFreeVersion(version);
   close(fd);
   return screen;
}

uint32_t
pipe_loader_probe(struct pipe_screen *screens[], uint32_t max)
{
   drmDevicePtr devices[64];
   int count = drmGetDevices2(0, devices, 64);
   uint32_t found = 0;
   for (int i = 0; i < count; i++) {
      if (!(devices[i]->available_nodes & 1 << DRM_NODE_RENDER) || found == max)
         continue;
      screens[found] = probe(devices[i]->nodes[DRM_NODE_RENDER]);
      found += screens[found] != NULL;
   }
   if (count > 0)
      drmFreeDevices(devices, count);
   return found;
}
