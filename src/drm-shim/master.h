/* Masters of the card's node and the clients that they have authenticated (drivers/gpu/drm/drm_auth.c). The kernel
 * has one for all processes, the shim one in each process. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_MASTER_H
#define INDIUM_DRM_SHIM_MASTER_H

#include <stdbool.h>
#include <stdint.h>

struct shim_file;

/* What a client must be for an ioctl: bits. */
enum shim_needs {
   SHIM_NEEDS_PRIMARY = 1, /* of a card's node */
   SHIM_NEEDS_AUTH = 2,    /* authenticated, or of a render node */
   SHIM_NEEDS_MASTER = 4,
};

/* 0 or -EACCES. */
int shim_master_permit(const struct shim_file *file, unsigned needs);

/* Who opens the card's node becomes its master if there is none. Nothing for a render client. */
void shim_master_open(struct shim_file *file);
void shim_master_close(struct shim_file *file);

/* The ioctls: 0 or a negative errno. */
int shim_master_set(struct shim_file *file);
int shim_master_drop(struct shim_file *file);
int shim_master_get_magic(struct shim_file *file, uint32_t *magic);
int shim_master_auth_magic(struct shim_file *file, uint32_t magic);

/* The name of the device as its master has asked for it; "" before. */
const char *shim_master_unique(const struct shim_file *file);
void shim_master_set_unique(struct shim_file *file);

#endif
