/* A program's side of the asahi node: its calls, with what they return. */
#ifndef INDIUM_TESTS_ASAHI_NODE_H
#define INDIUM_TESTS_ASAHI_NODE_H

#include <asahi_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define PAGE_B UINT64_C(0x4000)
#define KERNEL_START UINT64_C(0x77ffff8000)
#define KERNEL_END UINT64_C(0x7fffff8000)
#define BAD_POINTER UINT64_C(0x10)
#define RW (DRM_ASAHI_BIND_READ | DRM_ASAHI_BIND_WRITE)

static int fd; /* of the node */

static inline int
call(unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? -errno : 0;
}

static inline uint32_t
create_vm(void)
{
   struct drm_asahi_vm_create args = {.kernel_start = KERNEL_START, .kernel_end = KERNEL_END};
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_CREATE, &args), 0);
   return args.vm_id;
}

static inline uint32_t
create_bo(uint64_t size_B, uint32_t flags, uint32_t vm)
{
   struct drm_asahi_gem_create args = {.size = size_B, .flags = flags, .vm_id = vm};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_CREATE, &args), 0);
   return args.handle;
}

static inline void *
map_bo(uint32_t handle, uint64_t size_B)
{
   struct drm_asahi_gem_mmap_offset args = {.handle = handle};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &args), 0);
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.offset);
   assert_ptr_not_equal(map, MAP_FAILED);
   return map;
}

static inline int
bind_op(uint32_t vm, const struct drm_asahi_gem_bind_op *op)
{
   struct drm_asahi_vm_bind args = {.vm_id = vm, .num_binds = 1, .stride = sizeof(*op), .userptr = (uintptr_t)op};
   return call(DRM_IOCTL_ASAHI_VM_BIND, &args);
}

static inline uint32_t
create_queue(uint32_t vm)
{
   struct drm_asahi_queue_create args = {.vm_id = vm, .priority = DRM_ASAHI_PRIORITY_MEDIUM};
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_CREATE, &args), 0);
   return args.queue_id;
}

/* The status of the fence that a syncobj holds: 1, or the error of the work. */
static inline int
fence_status(uint32_t syncobj)
{
   int file;
   struct sync_file_info info = {0};
   assert_int_equal(drmSyncobjExportSyncFile(fd, syncobj, &file), 0);
   assert_int_equal(ioctl(file, SYNC_IOC_FILE_INFO, &info), 0);
   close(file);
   return info.status;
}

struct compute_cmdbuf {
   struct drm_asahi_cmd_header header;
   struct drm_asahi_cmd_compute compute;
};

static inline struct compute_cmdbuf
compute_at(uint64_t va)
{
   return (struct compute_cmdbuf){
      .header = {DRM_ASAHI_CMD_COMPUTE, sizeof(struct drm_asahi_cmd_compute), 0, 0},
      .compute = {.cdm_ctrl_stream_base = va, .cdm_ctrl_stream_end = va + 8},
   };
}

static inline int
submit_bytes(uint32_t queue, const void *data, uint32_t size_B)
{
   struct drm_asahi_submit args = {.cmdbuf = (uintptr_t)data, .queue_id = queue, .cmdbuf_size = size_B};
   return call(DRM_IOCTL_ASAHI_SUBMIT, &args);
}

/* What becomes of a dispatch whose stream is there: 1, or -EIO. */
static inline int
probe(uint32_t queue, uint64_t va)
{
   struct compute_cmdbuf cmdbuf = compute_at(va);
   struct drm_asahi_sync sync = {.sync_type = DRM_ASAHI_SYNC_SYNCOBJ};
   struct drm_asahi_submit args = {.syncs = (uintptr_t)&sync,
                                   .cmdbuf = (uintptr_t)&cmdbuf,
                                   .queue_id = queue,
                                   .out_sync_count = 1,
                                   .cmdbuf_size = sizeof(cmdbuf)};
   assert_int_equal(drmSyncobjCreate(fd, 0, &sync.handle), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), 0);
   int status = fence_status(sync.handle);
   assert_int_equal(drmSyncobjDestroy(fd, sync.handle), 0);
   return status;
}

static inline int
open_node(void **state)
{
   fd = open(NODE, O_RDWR | O_CLOEXEC);
   return fd < 0;
}

static inline int
close_node(void **state)
{
   return close(fd);
}

#endif
