#include "gallium/frontends/vulkan/vk_compiled.h"

struct vk_compiled *
vk_compiled(struct vk_device *device, struct pipe_shader *shader, bool incomplete)
{
   struct vk_compiled *compiled = vk_alloc(&device->alloc, NULL, sizeof(*compiled));
   if (!compiled) {
      device->screen->shader_destroy(device->screen, shader);
      return NULL;
   }
   *compiled = (struct vk_compiled){.references = 1, .shader = shader, .incomplete = incomplete};
   return compiled;
}

struct vk_compiled *
vk_compiled_ref(struct vk_compiled *compiled)
{
   __atomic_add_fetch(&compiled->references, 1, __ATOMIC_RELAXED);
   return compiled;
}

void
vk_compiled_unref(struct vk_device *device, struct vk_compiled *compiled)
{
   if (!compiled || __atomic_sub_fetch(&compiled->references, 1, __ATOMIC_ACQ_REL))
      return;
   device->screen->shader_destroy(device->screen, compiled->shader);
   vk_free(&device->alloc, NULL, compiled);
}
