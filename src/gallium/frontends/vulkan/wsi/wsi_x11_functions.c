/* Libraries of X, loaded where they are. docs/decisions/windows.md says why the driver is not linked with them. */
#include <dlfcn.h>
#include <pthread.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"

static struct wsi_x11_functions functions;

/* They stay loaded: connections are the application's, and end after the driver. */
static bool
load(void *library, const char *name, void *function)
{
   void *found = library ? dlsym(library, name) : NULL;
   memcpy(function, &found, sizeof(found));
   return found;
}

static void
load_all(void)
{
   void *core = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
   void *shm = dlopen("libxcb-shm.so.0", RTLD_NOW | RTLD_LOCAL);
   void *randr = dlopen("libxcb-randr.so.0", RTLD_NOW | RTLD_LOCAL);
   void *dri3 = dlopen("libxcb-dri3.so.0", RTLD_NOW | RTLD_LOCAL);
   void *present = dlopen("libxcb-present.so.0", RTLD_NOW | RTLD_LOCAL);
   functions.has_core = functions.has_shm = functions.has_randr = functions.has_dri3 = true;
#define LOAD_CORE(name) functions.has_core &= load(core, #name, &functions.name);
   WSI_X11_CORE(LOAD_CORE)
#define LOAD_SHM(name) functions.has_shm &= load(shm, #name, &functions.name);
   WSI_X11_SHM(LOAD_SHM)
#define LOAD_RANDR(name) functions.has_randr &= load(randr, #name, &functions.name);
   WSI_X11_RANDR(LOAD_RANDR)
#define LOAD_DRI3(name) functions.has_dri3 &= load(dri3, #name, &functions.name);
   WSI_X11_DRI3(LOAD_DRI3)
#define LOAD_PRESENT(name) functions.has_dri3 &= load(present, #name, &functions.name);
   WSI_X11_PRESENT(LOAD_PRESENT)
}

const struct wsi_x11_functions *
wsi_x11_functions(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, load_all);
   return &functions;
}
