/* What a vendor's shim tells the neutral part: the device's identity and its own ioctls. */
#ifndef INDIUM_DRM_SHIM_VENDOR_H
#define INDIUM_DRM_SHIM_VENDOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct shim_bo;
struct shim_file;

/* An ioctl: arg points to a private copy of the argument, at least arg_B bytes (missing ones are zero), which is
 * copied back afterwards. Returns 0 or a negative errno. Runs with the shim's lock held. */
struct shim_ioctl {
   int (*handler)(struct shim_file *file, void *arg);
   size_t arg_B;
};

struct shim_vendor {
   const char *driver; /* DRM_IOCTL_VERSION */
   const char *description;
   int version_major, version_minor;

   /* Where the device is. With a platform.name it is a device of the SoC, named so in the device tree; without, one
    * of the PCI bus. */
   struct {
      const char *name;
      const char *compatible[2]; /* NULL after the last */
   } platform;
   struct {
      uint16_t vendor, device, subsystem_vendor, subsystem_device;
      uint8_t revision;
   } pci;
   const char *tree_name; /* unique among the devices of all vendors; part of a directory name */

   const struct shim_ioctl *ioctls; /* indexed by ioctl number - DRM_COMMAND_BASE */
   unsigned ioctl_count;
   unsigned submit_ioctl; /* the one that submits work, as an index */
   bool ioctls_need_auth; /* of clients of a card's node */

   size_t bo_B; /* size of the vendor's struct that starts with struct shim_bo */
   /* The last reference of a buffer is gone. */
   void (*bo_free)(struct shim_bo *bo);
   /* A handle of the buffer in this file is closed; another may be open. */
   void (*bo_close)(struct shim_file *file, struct shim_bo *bo);

   /* What the application has mapped at [first, end) is about to change, and buffers show some of it: waits until no
    * job uses that, which may give up the lock. NULL: none ever does. */
   void (*user_pages_change)(uintptr_t first, uintptr_t end);

   /* Opens and closes the vendor's part of a file (file->vendor_data). file_close may come before work of the file
    * has ended. */
   int (*file_open)(struct shim_file *file);
   void (*file_close)(struct shim_file *file);
   /* fdinfo has the keys of DRM; and those of the vendor, with the lock held, or NULL. */
   bool has_fdinfo;
   void (*print_fdinfo)(FILE *out, struct shim_file *file);
   /* In the child after fork(2): threads are gone. */
   void (*forked)(void);
};

/* Defined by the vendor's part of the library. Called once; never returns NULL (a wrong environment ends the process
 * with a message and status 2). */
const struct shim_vendor *shim_vendor_init(void);

#endif
