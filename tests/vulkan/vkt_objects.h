/* While vkt_objects is set, as with VKT_OBJECTS=1 in the environment, programs draw with shader objects
 * (VK_EXT_shader_object) in the place of graphics pipelines, and by dynamic rendering in the place of render passes
 * of one subpass. vkt_objects.c and vkt_object_passes.c define the commands that differ: programs find these before
 * the loader's. */
#ifndef VKT_OBJECTS_H
#define VKT_OBJECTS_H

#include "vkt.h"

extern bool vkt_objects; /* needs vkt_shader_objects from the device's creation on */

/* The loader's command: programs call those of this file. */
void *vkt_loader_command(const char *name);
#define VKT_LOADER(name) ((PFN_##name)vkt_loader_command(#name))

/* A command of the device that programs have created last. */
#define VKT_DEVICE(name) VKT_PROC(&vkt_objects_device, name)
extern struct vkx vkt_objects_device; /* set by vkt_create() */

/* What a handle was made of: a copy that is kept until the program ends. NULL if there is none. Handles of two kinds
 * may be the same, and one that is gone comes back. */
enum vkt_kind { VKT_PASS, VKT_FRAMEBUFFER, VKT_LAYOUT, VKT_MODULE, VKT_OBJECTS };
void *vkt_remember(enum vkt_kind kind, uint64_t handle, const void *what, size_t size_B);
void *vkt_recall(enum vkt_kind kind, uint64_t handle);
#define VKT_HANDLE(handle) ((uint64_t)(handle))

#endif
