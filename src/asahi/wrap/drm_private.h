#ifndef INDIUM_ASAHI_WRAP_DRM_PRIVATE_H
#define INDIUM_ASAHI_WRAP_DRM_PRIVATE_H

#include <asahi_drm.h>

#include "asahi/wrap/agx_drm.h"

/* Handlers of what an ioctl has answered: arg is a copy of its argument, zeros after what the caller has. */

void agx_drm_gem_created(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_gem_closed(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_prime_imported(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_vm_created(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_vm_destroyed(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_vm_bound(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_queue_created(struct agx_drm_file *file, int fd, void *arg);
void agx_drm_queue_destroyed(struct agx_drm_file *file, int fd, void *arg);

/* The buffer and its mapping are known no more. */
void agx_drm_bo_free(struct agx_drm_bo *bo);

/* Makes the ioctl itself. arg: the caller's. */
int agx_drm_submit(struct agx_drm_file *file, int fd, unsigned long request, void *arg);

#endif
