/* This program's own ioctl() stands before those of the preloaded shim and of libc. It notes where buffers are mapped
 * on the GPU, and changes a command stream or a shader in memory before the submission goes on. */
#include "submit_patch.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <amdgpu_drm.h>
#include <drm.h>

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"

#define UNKNOWN_PACKET 0xfe
#define UNKNOWN_INSTRUCTION 0xbfff0000 /* SOPP 127 */
#define SH_BASE_B 0xb000               /* SET_SH_REG counts dwords from here */
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

static int
next_ioctl(int fd, unsigned long request, void *argument)
{
   static int (*next)(int, unsigned long, ...);
   if (!next)
      next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
   return next(fd, request, argument);
}

static void
fail(const char *what)
{
   printf("submit_patch: %s\n", what); /* stderr may be captured */
   exit(1);
}

static void
note_mapping(int fd, const struct drm_amdgpu_gem_va *va)
{
   if (va->operation == AMDGPU_VA_OP_UNMAP) {
      for (unsigned i = 0; i < num_mappings; i++) {
         if (mappings[i].fd == fd && mappings[i].va == va->va_address)
            mappings[i] = mappings[--num_mappings];
      }
   } else if (va->operation == AMDGPU_VA_OP_MAP && va->handle) {
      if (num_mappings == MAX_MAPPINGS)
         fail("more mappings than expected");
      mappings[num_mappings++] = (struct mapping){va->va_address, va->map_size, va->offset_in_bo, va->handle, fd};
   }
}

/* The words at a GPU address, mapped anew; the caller unmaps *size_B bytes at *base. */
static uint32_t *
map_words(int fd, uint64_t va, void **base, uint64_t *size_B)
{
   for (unsigned i = 0; i < num_mappings; i++) {
      const struct mapping *m = &mappings[i];
      uint64_t inside_B = (va - m->va) & 0xffffffffffff; /* packets hold 48 bits */
      if (m->fd != fd || inside_B >= m->size_B)
         continue;
      union drm_amdgpu_gem_mmap arg = {.in = {.handle = m->handle}};
      if (next_ioctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &arg))
         fail("a buffer cannot be mapped");
      *size_B = m->offset_B + m->size_B;
      *base = mmap(NULL, *size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)arg.out.addr_ptr);
      if (*base == MAP_FAILED)
         fail("mmap of a buffer");
      return (uint32_t *)((char *)*base + m->offset_B + inside_B);
   }
   fail("an address that no buffer has");
   return NULL;
}

static void
write_word(int fd, uint64_t va, uint32_t word)
{
   void *base;
   uint64_t size_B;
   *map_words(fd, va, &base, &size_B) = word;
   munmap(base, size_B);
}

/* Walks the packets; changes the dispatch or the code it runs. */
static bool
patch_stream(int fd, uint32_t *words, uint32_t count)
{
   uint64_t program = 0;
   for (uint32_t at = 0; at < count;) {
      uint32_t header = words[at], body = (header >> 16 & 0x3fff) + 1, opcode = header >> 8 & 0xff;
      if (header >> 30 != 3) { /* type 2 is one word of padding */
         at++;
         continue;
      }
      if (header >> 16 == 0xffff) { /* a NOP of one word */
         at++;
         continue;
      }
      uint32_t reg_B = SH_BASE_B + 4 * (words[at + 1] & 0xffff);
      if (opcode == PKT3_SET_SH_REG && reg_B <= R_COMPUTE_PGM_LO && R_COMPUTE_PGM_LO < reg_B + 4 * (body - 1)) {
         const uint32_t *lo = &words[at + 2 + (R_COMPUTE_PGM_LO - reg_B) / 4];
         program = ((uint64_t)(lo[1] & 0xff) << 32 | lo[0]) << 8;
      }
      if (opcode == PKT3_DISPATCH_DIRECT) {
         if (submit_patch_next == SUBMIT_UNKNOWN_PACKET)
            words[at] = (header & ~0xff00u) | UNKNOWN_PACKET << 8;
         else
            write_word(fd, program, UNKNOWN_INSTRUCTION);
         return true;
      }
      at += 1 + body;
   }
   return false;
}

static void
patch_submission(int fd, const union drm_amdgpu_cs *cs)
{
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)cs->in.chunks;
   for (uint32_t i = 0; i < cs->in.num_chunks; i++) {
      const struct drm_amdgpu_cs_chunk *chunk = (const void *)(uintptr_t)chunks[i];
      if (chunk->chunk_id != AMDGPU_CHUNK_ID_IB)
         continue;
      const struct drm_amdgpu_cs_chunk_ib *ib = (const void *)(uintptr_t)chunk->chunk_data;
      void *base;
      uint64_t size_B;
      uint32_t *words = map_words(fd, ib->va_start & 0xffffffffffff, &base, &size_B);
      if (patch_stream(fd, words, ib->ib_bytes / 4))
         submit_patch_next = SUBMIT_AS_IT_IS;
      munmap(base, size_B);
   }
}

/* Whether a request is an amdgpu command; libdrm passes directions of its own. */
static bool
is_command(unsigned long request, unsigned command)
{
   return _IOC_TYPE(request) == DRM_IOCTL_BASE && _IOC_NR(request) == DRM_COMMAND_BASE + command;
}

int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *argument = va_arg(args, void *);
   va_end(args);
   if (is_command(request, DRM_AMDGPU_CS) && submit_patch_next != SUBMIT_AS_IT_IS)
      patch_submission(fd, argument);
   int result = next_ioctl(fd, request, argument);
   if (is_command(request, DRM_AMDGPU_GEM_VA) && !result)
      note_mapping(fd, argument);
   return result;
}
