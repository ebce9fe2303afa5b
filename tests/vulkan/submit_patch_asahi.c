/* Submissions of asahi, and what is in them. */
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include <drm.h>

#include "asahi/hw/record_table.h"
#include "asahi/hw/records.h"
#include "asahi_drm.h"
#include "submit_patch_vendor.h"

#define UNKNOWN_BLOCK 0xe0000000u
#define UNKNOWN_INSTRUCTION 0xffffffffu

static uint64_t usc_base_va;

/* Replaces the code that the USC list of a launch names. */
static void
patch_program(int fd, const uint8_t *list)
{
   while (list[0] != AGX_USC_TAG_SHADER) {
      const struct agx_sequence *record = agx_stream_find(&agx_stream_usc, list[0]);
      if (!record)
         patch_fail("an unknown word of a USC list");
      list += record->head->size_B;
   }
   struct agx_usc_shader shader;
   agx_usc_shader_unpack(&shader, list);
   memcpy(patch_memory(fd, usc_base_va + shader.code), &(uint32_t){UNKNOWN_INSTRUCTION}, 4);
}

/* The stream's first block is a launch, perhaps after barriers. */
static void
patch_stream(int fd, uint8_t *stream)
{
   uint32_t word;
   const struct agx_sequence *block;
   while (memcpy(&word, stream, 4),
          (block = agx_stream_find(&agx_stream_cdm, word)) && block->head->id == AGX_RECORD_CDM_BARRIER)
      stream += block->head->size_B;
   if (!block || block->head->id != AGX_RECORD_CDM_LAUNCH)
      patch_fail("a stream that does not begin with a launch");
   if (submit_patch_next == SUBMIT_UNKNOWN_PACKET) {
      memcpy(stream, &(uint32_t){UNKNOWN_BLOCK}, 4);
   } else {
      struct agx_cdm_launch launch;
      agx_cdm_launch_unpack(&launch, stream);
      patch_program(fd, patch_memory(fd, usc_base_va + launch.pipeline));
   }
   submit_patch_next = SUBMIT_AS_IT_IS;
}

static void
patch_submission(int fd, const void *argument)
{
   const struct drm_asahi_submit *submit = argument;
   const uint8_t *commands = (const uint8_t *)(uintptr_t)submit->cmdbuf;
   for (uint32_t at = 0; at < submit->cmdbuf_size;) {
      struct drm_asahi_cmd_header header;
      memcpy(&header, commands + at, sizeof(header));
      at += (uint32_t)sizeof(header);
      if (header.cmd_type == DRM_ASAHI_CMD_COMPUTE) {
         uint64_t stream_va;
         memcpy(&stream_va, commands + at + offsetof(struct drm_asahi_cmd_compute, cdm_ctrl_stream_base), 8);
         patch_stream(fd, patch_memory(fd, stream_va));
         return;
      }
      at += header.size;
   }
}

static void
note(int fd, unsigned command, const void *argument)
{
   if (command == DRM_ASAHI_QUEUE_CREATE)
      usc_base_va = ((const struct drm_asahi_queue_create *)argument)->usc_exec_base;
   if (command != DRM_ASAHI_VM_BIND)
      return;
   const struct drm_asahi_vm_bind *binds = argument;
   for (uint32_t i = 0; i < binds->num_binds; i++) {
      struct drm_asahi_gem_bind_op op;
      memcpy(&op, (const uint8_t *)(uintptr_t)binds->userptr + (size_t)i * binds->stride, sizeof(op));
      if (op.flags & DRM_ASAHI_BIND_UNBIND)
         patch_unmapped(fd, op.addr);
      else if (!(op.flags & DRM_ASAHI_BIND_SINGLE_PAGE))
         patch_mapped(fd, op.addr, op.range, op.handle, op.offset);
   }
}

static uint64_t
file_offset(int fd, uint32_t handle)
{
   struct drm_asahi_gem_mmap_offset arg = {.handle = handle};
   if (patch_ioctl(fd, DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &arg))
      patch_fail("a buffer cannot be mapped");
   return arg.offset;
}

const struct patch_vendor patch_asahi = {"asahi", DRM_ASAHI_SUBMIT, patch_submission, note, file_offset};
