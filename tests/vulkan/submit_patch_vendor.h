/* What submit_patch.c knows of a kernel driver, and what it does for it. */
#ifndef INDIUM_TESTS_SUBMIT_PATCH_VENDOR_H
#define INDIUM_TESTS_SUBMIT_PATCH_VENDOR_H

#include <stdbool.h>
#include <stdint.h>

#include "submit_patch.h"

struct patch_vendor {
   const char *name;                                             /* as DRM_IOCTL_VERSION says it */
   unsigned submit;                                              /* the command that submits */
   void (*patch)(int fd, const void *argument);                  /* ahead of it, if there is a patch to do */
   void (*note)(int fd, unsigned command, const void *argument); /* after every command that succeeded */
   uint64_t (*file_offset)(int fd, uint32_t handle);             /* for mmap */
};

extern const struct patch_vendor patch_amdgpu, patch_asahi;

/* NULL: none of them. */
const struct patch_vendor *patch_vendor(int fd);

int patch_ioctl(int fd, unsigned long request, void *argument);
void patch_fail(const char *what);
void patch_mapped(int fd, uint64_t va, uint64_t size_B, uint32_t handle, uint64_t offset_B);
void patch_unmapped(int fd, uint64_t va);

/* What lies at a GPU address. */
void *patch_memory(int fd, uint64_t va);

#endif
