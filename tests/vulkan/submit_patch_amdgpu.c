/* Submissions of amdgpu, and what is in them. */
#include <sys/ioctl.h>

#include <amdgpu_drm.h>
#include <drm.h>

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "submit_patch_vendor.h"

#define UNKNOWN_PACKET 0xfe
#define UNKNOWN_INSTRUCTION 0xbfff0000 /* SOPP 127 */
#define SH_BASE_B 0xb000               /* SET_SH_REG counts dwords from here */

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
            *(uint32_t *)patch_memory(fd, program) = UNKNOWN_INSTRUCTION;
         return true;
      }
      at += 1 + body;
   }
   return false;
}

static void
patch_submission(int fd, const void *argument)
{
   const union drm_amdgpu_cs *cs = argument;
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)cs->in.chunks;
   for (uint32_t i = 0; i < cs->in.num_chunks; i++) {
      const struct drm_amdgpu_cs_chunk *chunk = (const void *)(uintptr_t)chunks[i];
      if (chunk->chunk_id != AMDGPU_CHUNK_ID_IB)
         continue;
      const struct drm_amdgpu_cs_chunk_ib *ib = (const void *)(uintptr_t)chunk->chunk_data;
      if (patch_stream(fd, patch_memory(fd, ib->va_start & 0xffffffffffff), ib->ib_bytes / 4))
         submit_patch_next = SUBMIT_AS_IT_IS;
   }
}

static void
note(int fd, unsigned command, const void *argument)
{
   const struct drm_amdgpu_gem_va *va = argument;
   if (command != DRM_AMDGPU_GEM_VA)
      return;
   if (va->operation == AMDGPU_VA_OP_UNMAP)
      patch_unmapped(fd, va->va_address);
   else if (va->operation == AMDGPU_VA_OP_MAP && va->handle)
      patch_mapped(fd, va->va_address, va->map_size, va->handle, va->offset_in_bo);
}

static uint64_t
file_offset(int fd, uint32_t handle)
{
   union drm_amdgpu_gem_mmap arg = {.in = {.handle = handle}};
   if (patch_ioctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &arg))
      patch_fail("a buffer cannot be mapped");
   return arg.out.addr_ptr;
}

const struct patch_vendor patch_amdgpu = {"amdgpu", DRM_AMDGPU_CS, patch_submission, note, file_offset};
