/* The one file that names the drivers: render node -> winsys -> screen. */
#include "gallium/frontends/vulkan/pipe_loader.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gallium/drivers/asahi/agx_public.h"
#include "gallium/drivers/radeonsi/si_public.h"
#include "gallium/include/pipe/p_screen.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

static struct pipe_screen *
open_radeonsi(int fd)
{
   struct amdgpu_ws *ws = amdgpu_ws_create(fd);
   struct pipe_screen *screen = ws ? si_screen_create(ws) : NULL;
   if (ws && !screen)
      amdgpu_ws_destroy(ws);
   return screen;
}

static struct pipe_screen *
open_asahi(int fd)
{
   struct asahi_ws *ws = asahi_ws_create(fd);
   struct pipe_screen *screen = ws ? agx_screen_create(ws) : NULL;
   if (ws && !screen)
      asahi_ws_destroy(ws);
   return screen;
}

const struct loader_driver loader_drivers[] = {
   {"amdgpu", open_radeonsi},
   {"asahi", open_asahi},
   {0},
};

/* NULL if no driver takes the node. */
static struct pipe_screen *
open_node(const struct loader_driver *driver, const char *path)
{
   struct pipe_screen *screen = NULL;
   int fd = open(path, O_RDWR | O_CLOEXEC);
   if (fd < 0)
      return NULL;
   drmVersionPtr version = drmGetVersion(fd);
   while (version && driver->kernel_name && strcmp(version->name, driver->kernel_name))
      driver++;
   if (version && driver->kernel_name)
      screen = driver->open(fd);
   drmFreeVersion(version);
   close(fd);
   return screen;
}

static void
fill_node(struct pipe_node *node, const drmDevicePtr device)
{
   struct stat at;
   if (!stat(device->nodes[DRM_NODE_RENDER], &at)) {
      node->render_major = major(at.st_rdev);
      node->render_minor = minor(at.st_rdev);
   }
   node->has_primary = device->available_nodes & 1 << DRM_NODE_PRIMARY && !stat(device->nodes[DRM_NODE_PRIMARY], &at);
   if (node->has_primary) {
      node->primary_major = major(at.st_rdev);
      node->primary_minor = minor(at.st_rdev);
   }
   node->has_pci = device->bustype == DRM_BUS_PCI;
   if (node->has_pci) {
      node->pci_domain = device->businfo.pci->domain;
      node->pci_bus = device->businfo.pci->bus;
      node->pci_device = device->businfo.pci->dev;
      node->pci_function = device->businfo.pci->func;
   }
}

uint32_t
pipe_loader_probe(const struct loader_driver *drivers, struct pipe_screen *screens[], uint32_t max)
{
   drmDevicePtr devices[64];
   int count = drmGetDevices2(0, devices, 64);
   uint32_t found = 0;
   for (int i = 0; i < count && found < max; i++) {
      if (!(devices[i]->available_nodes & 1 << DRM_NODE_RENDER))
         continue;
      screens[found] = open_node(drivers, devices[i]->nodes[DRM_NODE_RENDER]);
      if (screens[found])
         fill_node(&screens[found++]->caps.node, devices[i]);
   }
   if (count > 0)
      drmFreeDevices(devices, count);
   return found;
}
