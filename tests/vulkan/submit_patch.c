/* This program's own ioctl() stands before those of the preloaded shim and of libc. It notes where buffers are mapped
 * on the GPU, and changes a command stream or a shader in memory before the submission continues. */
#include "submit_patch_vendor.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <drm.h>

#define MAX_MAPPINGS 4096

struct mapping {
   uint64_t va, size_B, offset_B;
   uint32_t handle;
   int fd;
};

enum submit_patch submit_patch_next;

static struct mapping mappings[MAX_MAPPINGS];
static unsigned num_mappings;

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...);

int
patch_ioctl(int fd, unsigned long request, void *argument)
{
   static int (*next)(int, unsigned long, ...);
   if (!next)
      next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
   return next(fd, request, argument);
}

void
patch_fail(const char *what)
{
   printf("submit_patch: %s\n", what); /* stderr may be captured */
   exit(1);
}

void
patch_unmapped(int fd, uint64_t va)
{
   for (unsigned i = 0; i < num_mappings; i++) {
      if (mappings[i].fd == fd && mappings[i].va == va)
         mappings[i] = mappings[--num_mappings];
   }
}

void
patch_mapped(int fd, uint64_t va, uint64_t size_B, uint32_t handle, uint64_t offset_B)
{
   if (num_mappings == MAX_MAPPINGS)
      patch_fail("more mappings than expected");
   mappings[num_mappings++] = (struct mapping){va, size_B, offset_B, handle, fd};
}

void *
patch_memory(int fd, uint64_t va)
{
   for (unsigned i = 0; i < num_mappings; i++) {
      const struct mapping *m = &mappings[i];
      uint64_t inside_B = (va - m->va) & 0xffffffffffff; /* packets hold 48 bits */
      if (m->fd != fd || inside_B >= m->size_B)
         continue;
      const uint64_t place = patch_vendor(fd)->file_offset(fd, m->handle);
      void *base = mmap(NULL, m->offset_B + m->size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)place);
      if (base == MAP_FAILED)
         patch_fail("mmap of a buffer");
      return (char *)base + m->offset_B + inside_B; /* stays mapped: the program is short */
   }
   patch_fail("an address that no buffer has");
   return NULL;
}

const struct patch_vendor *
patch_vendor(int fd)
{
   static const struct patch_vendor *const vendors[] = {&patch_amdgpu, &patch_asahi};
   char name[32] = "";
   struct drm_version version = {.name = name, .name_len = sizeof(name) - 1};
   if (patch_ioctl(fd, DRM_IOCTL_VERSION, &version))
      return NULL;
   for (unsigned i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
      if (!strcmp(name, vendors[i]->name))
         return vendors[i];
   }
   return NULL;
}

int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *argument = va_arg(args, void *);
   va_end(args);
   /* libdrm passes directions of its own. */
   const unsigned number = _IOC_NR(request);
   const bool command =
      _IOC_TYPE(request) == DRM_IOCTL_BASE && number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
   const struct patch_vendor *vendor = command ? patch_vendor(fd) : NULL;
   if (vendor && submit_patch_next != SUBMIT_AS_IT_IS && number - DRM_COMMAND_BASE == vendor->submit)
      vendor->patch(fd, argument);
   int result = patch_ioctl(fd, request, argument);
   if (vendor && !result)
      vendor->note(fd, number - DRM_COMMAND_BASE, argument);
   return result;
}
