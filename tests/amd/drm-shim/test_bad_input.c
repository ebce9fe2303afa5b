/* Wrong arguments get the kernel's error numbers; nothing crashes. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define BAD UINT64_C(0x10)            /* an address that is never mapped */
#define NONE 12345                    /* a handle that does not exist */

static int fd;
static uint32_t context, buffer, sync_handle;

static int
call(unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? errno : 0;
}

static int
setup(void **state)
{
   fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   union drm_amdgpu_ctx ctx = {.in = {.op = AMDGPU_CTX_OP_ALLOC_CTX}};
   union drm_amdgpu_gem_create bo = {.in = {.bo_size = 4096, .domains = AMDGPU_GEM_DOMAIN_GTT}};
   if (call(DRM_IOCTL_AMDGPU_CTX, &ctx) || call(DRM_IOCTL_AMDGPU_GEM_CREATE, &bo))
      return -1;
   context = ctx.out.alloc.ctx_id;
   buffer = bo.out.handle;
   return drmSyncobjCreate(fd, 0, &sync_handle);
}

static int
teardown(void **state)
{
   return close(fd);
}

#define EXPECT(error, request, type, ...) assert_int_equal(call(request, &(type)__VA_ARGS__), error)

static void
core(void **state)
{
   assert_int_equal(call(DRM_IOCTL_GET_CAP, NULL), EFAULT);
   assert_int_equal(call(DRM_IOCTL_GET_CAP, (void *)BAD), EFAULT);
   assert_int_equal(call(DRM_IO(0x3f), NULL), EINVAL);
   assert_int_equal(call(DRM_IO(0xff), NULL), EINVAL);
   EXPECT(EOPNOTSUPP, DRM_IOCTL_GET_CAP, struct drm_get_cap, {.capability = 999}); /* of a GPU without displays */
   EXPECT(EFAULT, DRM_IOCTL_VERSION, struct drm_version, {.name_len = 10, .name = (char *)BAD});
   EXPECT(EINVAL, DRM_IOCTL_GEM_CLOSE, struct drm_gem_close, {.handle = NONE});
   EXPECT(EINVAL, DRM_IOCTL_GEM_CLOSE, struct drm_gem_close, {.handle = 0});
   EXPECT(EACCES, DRM_IOCTL_GET_UNIQUE, struct drm_unique, {0});
   EXPECT(EACCES, DRM_IOCTL_GEM_FLINK, struct drm_gem_flink, {.handle = buffer});
   EXPECT(EACCES, DRM_IOCTL_MODE_GETRESOURCES, struct drm_mode_card_res, {0});
   EXPECT(ENOENT, DRM_IOCTL_PRIME_HANDLE_TO_FD, struct drm_prime_handle, {.handle = NONE});
   EXPECT(EINVAL, DRM_IOCTL_PRIME_HANDLE_TO_FD, struct drm_prime_handle, {.handle = buffer, .flags = 1});
   EXPECT(EBADF, DRM_IOCTL_PRIME_FD_TO_HANDLE, struct drm_prime_handle, {.fd = 9999});
   EXPECT(EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, struct drm_prime_handle, {.fd = 0});
}

static void
syncobjs(void **state)
{
   uint32_t handles[] = {sync_handle, NONE};
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_CREATE, struct drm_syncobj_create, {.flags = 2});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, struct drm_syncobj_destroy, {.handle = NONE});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, struct drm_syncobj_destroy, {.handle = sync_handle, .pad = 1});
   EXPECT(EFAULT, DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait, {.count_handles = 1, .handles = BAD});
   EXPECT(ENOENT, DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait,
          {.count_handles = 2, .handles = (uintptr_t)handles, .flags = 2});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait,
          {.count_handles = 1, .handles = (uintptr_t)handles, .flags = 0x80});
   EXPECT(ENOMEM, DRM_IOCTL_SYNCOBJ_RESET, struct drm_syncobj_array, {.count_handles = ~0u, .handles = BAD});
   EXPECT(EFAULT, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array,
          {.count_handles = 1, .handles = (uintptr_t)handles, .points = BAD});
   EXPECT(EFAULT, DRM_IOCTL_SYNCOBJ_QUERY, struct drm_syncobj_timeline_array,
          {.count_handles = 1, .handles = (uintptr_t)handles, .points = BAD});
   EXPECT(ENOENT, DRM_IOCTL_SYNCOBJ_TRANSFER, struct drm_syncobj_transfer,
          {.src_handle = NONE, .dst_handle = sync_handle});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_TRANSFER, struct drm_syncobj_transfer,
          {.src_handle = sync_handle, .dst_handle = sync_handle});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, struct drm_syncobj_handle, {.handle = NONE});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, struct drm_syncobj_handle, {.fd = fd});
   EXPECT(EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, struct drm_syncobj_handle, {.fd = fd, .flags = 1});
}

#define INFO DRM_IOCTL_AMDGPU_INFO

static void
info(void **state)
{
   uint32_t out[64];
   EXPECT(EINVAL, INFO, struct drm_amdgpu_info, {0});
   EXPECT(EFAULT, INFO, struct drm_amdgpu_info, {.return_pointer = BAD, .return_size = 4});
   EXPECT(EINVAL, INFO, struct drm_amdgpu_info,
          {.return_pointer = (uintptr_t)out, .return_size = sizeof(out), .query = 0x999});
   EXPECT(EINVAL, INFO, struct drm_amdgpu_info,
          {(uintptr_t)out, sizeof(out), AMDGPU_INFO_HW_IP_INFO, .query_hw_ip = {.type = 77}});
   EXPECT(EINVAL, INFO, struct drm_amdgpu_info,
          {(uintptr_t)out, sizeof(out), AMDGPU_INFO_FW_VERSION,
           .query_fw = {.fw_type = AMDGPU_INFO_FW_GFX_ME, .ip_instance = 1}});
   EXPECT(EFAULT, INFO, struct drm_amdgpu_info,
          {(uintptr_t)out, sizeof(out), AMDGPU_INFO_READ_MMR_REG, .read_mmr_reg = {.dword_offset = 1, .count = 1}});
   EXPECT(EINVAL, INFO, struct drm_amdgpu_info,
          {(uintptr_t)out, sizeof(out), AMDGPU_INFO_READ_MMR_REG,
           .read_mmr_reg = {.dword_offset = 0x263e, .count = 1u << 31}});
   /* A short buffer gets what fits and no more. */
   memset(out, 0x77, sizeof(out));
   EXPECT(0, INFO, struct drm_amdgpu_info,
          {.return_pointer = (uintptr_t)out, .return_size = 6, .query = AMDGPU_INFO_DEV_INFO});
   assert_int_equal(out[0], 0x73bf);
   assert_int_equal(out[1] >> 16, 0x7777);
}

static void
buffers(void **state)
{
   const unsigned long create = DRM_IOCTL_AMDGPU_GEM_CREATE;
   EXPECT(EINVAL, create, union drm_amdgpu_gem_create, {.in = {.bo_size = 0, .domains = 4}});
   EXPECT(EINVAL, create, union drm_amdgpu_gem_create, {.in = {.bo_size = 4096, .domains = 0}});
   EXPECT(EINVAL, create, union drm_amdgpu_gem_create, {.in = {.bo_size = 4096, .domains = 0x8000}});
   EXPECT(EINVAL, create, union drm_amdgpu_gem_create,
          {.in = {.bo_size = 4096, .domains = 4, .domain_flags = 1u << 30}});
   EXPECT(EINVAL, create, union drm_amdgpu_gem_create,
          {.in = {.bo_size = 4096, .domains = 4, .domain_flags = AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS}});
   EXPECT(
      EINVAL, create, union drm_amdgpu_gem_create,
      {.in = {.bo_size = 4096, .domains = AMDGPU_GEM_DOMAIN_GDS, .domain_flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID}});
   EXPECT(ENOMEM, create, union drm_amdgpu_gem_create, {.in = {.bo_size = UINT64_C(1) << 50, .domains = 4}});
   EXPECT(ENOMEM, create, union drm_amdgpu_gem_create, {.in = {.bo_size = UINT64_MAX, .domains = 4}});
   EXPECT(ENOENT, DRM_IOCTL_AMDGPU_GEM_MMAP, union drm_amdgpu_gem_mmap, {.in = {.handle = NONE}});
   EXPECT(ENOENT, DRM_IOCTL_AMDGPU_GEM_METADATA, struct drm_amdgpu_gem_metadata, {.handle = NONE, .op = 1});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_METADATA, struct drm_amdgpu_gem_metadata, {.handle = buffer, .op = 3});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_METADATA, struct drm_amdgpu_gem_metadata,
          {.handle = buffer, .op = 1, .data = {.data_size_bytes = 257}});
   EXPECT(ENOENT, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, union drm_amdgpu_gem_wait_idle, {.in = {.handle = NONE}});
   EXPECT(EFAULT, DRM_IOCTL_AMDGPU_GEM_OP, struct drm_amdgpu_gem_op, {.handle = buffer, .op = 0, .value = BAD});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_OP, struct drm_amdgpu_gem_op, {.handle = buffer, .op = 7});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_USERPTR, struct drm_amdgpu_gem_userptr, {.addr = 4096, .size = 1});
   EXPECT(EACCES, DRM_IOCTL_AMDGPU_GEM_USERPTR, struct drm_amdgpu_gem_userptr, {.addr = 4096, .size = 4096});
   EXPECT(EFAULT, DRM_IOCTL_AMDGPU_GEM_USERPTR, struct drm_amdgpu_gem_userptr,
          {.addr = 4096, .size = 4096, .flags = AMDGPU_GEM_USERPTR_READONLY});
   EXPECT(ENOENT, DRM_IOCTL_AMDGPU_GEM_VA, struct drm_amdgpu_gem_va,
          {.handle = NONE, .operation = 1, .flags = 2, .va_address = 0x800000000, .map_size = 4096});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_VA, struct drm_amdgpu_gem_va,
          {.handle = buffer, .operation = 1, .flags = 0x8000, .va_address = 0x800000000, .map_size = 4096});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_VA, struct drm_amdgpu_gem_va,
          {.handle = buffer, .operation = 1, .flags = 2, .va_address = 0x800000001, .map_size = 4096});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_VA, struct drm_amdgpu_gem_va,
          {.handle = buffer, .operation = 1, .flags = 2, .va_address = 0x800000000, .map_size = UINT64_C(-4096)});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_GEM_VA, struct drm_amdgpu_gem_va,
          {.handle = buffer,
           .operation = 1,
           .flags = 2,
           .va_address = 0x800000000,
           .offset_in_bo = UINT64_C(-4096),
           .map_size = 8192});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_BO_LIST, union drm_amdgpu_bo_list, {.in = {.operation = 9}});
   EXPECT(EFAULT, DRM_IOCTL_AMDGPU_BO_LIST, union drm_amdgpu_bo_list,
          {.in = {.bo_number = 1, .bo_info_size = 8, .bo_info_ptr = BAD}});
   assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), MAP_FAILED);
   assert_ptr_equal(mmap(NULL, UINT64_C(1) << 40, PROT_READ, MAP_SHARED, fd, (off_t)buffer << 36), MAP_FAILED);
}

static void
contexts(void **state)
{
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx, {.in = {.op = 99, .ctx_id = context}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx, {.in = {.op = AMDGPU_CTX_OP_FREE_CTX, .ctx_id = NONE}});
   EXPECT(EACCES, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx,
          {.in = {.op = AMDGPU_CTX_OP_ALLOC_CTX, .priority = AMDGPU_CTX_PRIORITY_HIGH}});
   EXPECT(EACCES, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx,
          {.in = {.op = AMDGPU_CTX_OP_ALLOC_CTX, .priority = AMDGPU_CTX_PRIORITY_VERY_HIGH}});
   for (int32_t i = 0; i < 4; i++) /* a number without a name is NORMAL */
      EXPECT(0, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx,
             {.in = {.op = AMDGPU_CTX_OP_ALLOC_CTX, .priority = (int32_t[]){-1023, -512, 7, 1 << 30}[i]}});
   for (unsigned op = AMDGPU_CTX_OP_ALLOC_CTX; op <= AMDGPU_CTX_OP_SET_STABLE_PSTATE; op++)
      EXPECT(EINVAL, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx, {.in = {.op = op, .ctx_id = context, .flags = 16}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx,
          {.in = {.op = AMDGPU_CTX_OP_GET_STABLE_PSTATE, .ctx_id = context, .flags = 1}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_CTX, union drm_amdgpu_ctx,
          {.in = {.op = AMDGPU_CTX_OP_SET_STABLE_PSTATE, .ctx_id = context, .flags = 5}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_WAIT_CS, union drm_amdgpu_wait_cs, {.in = {.ctx_id = NONE}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_WAIT_CS, union drm_amdgpu_wait_cs, {.in = {.ctx_id = context, .handle = 1000}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_WAIT_CS, union drm_amdgpu_wait_cs, {.in = {.ctx_id = context, .ip_type = 55}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_WAIT_CS, union drm_amdgpu_wait_cs, {.in = {.ctx_id = context, .ring = 55}});
   EXPECT(EFAULT, DRM_IOCTL_AMDGPU_WAIT_FENCES, union drm_amdgpu_wait_fences,
          {.in = {.fences = BAD, .fence_count = 2}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, union drm_amdgpu_fence_to_handle,
          {.in = {.fence = {.ctx_id = context}, .what = 9}});
   EXPECT(EACCES, DRM_IOCTL_AMDGPU_SCHED, union drm_amdgpu_sched, {0});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_VM, union drm_amdgpu_vm, {.in = {.op = 9}});
   EXPECT(EINVAL, DRM_IOCTL_AMDGPU_VM, union drm_amdgpu_vm, {.in = {.op = AMDGPU_VM_OP_RESERVE_VMID, .flags = 1}});
   EXPECT(0, DRM_IOCTL_AMDGPU_VM, union drm_amdgpu_vm, {.in = {.op = AMDGPU_VM_OP_RESERVE_VMID}});
   EXPECT(0, DRM_IOCTL_AMDGPU_VM, union drm_amdgpu_vm, {.in = {.op = AMDGPU_VM_OP_UNRESERVE_VMID}});
}

static int
submit(uint32_t id, uint32_t length_dw, uint64_t data)
{
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32};
   struct drm_amdgpu_cs_chunk chunks[2] = {{AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib},
                                           {id, length_dw, data}};
   uint64_t pointers[2] = {(uintptr_t)&chunks[0], (uintptr_t)&chunks[1]};
   return call(DRM_IOCTL_AMDGPU_CS,
               &(union drm_amdgpu_cs){.in = {.ctx_id = context, .num_chunks = 2, .chunks = (uintptr_t)pointers}});
}

#define SUBMIT(id, type, ...) submit(id, sizeof(type) / 4, (uintptr_t) & (type)__VA_ARGS__)

static void
submits(void **state)
{
   const unsigned long cs = DRM_IOCTL_AMDGPU_CS;
   EXPECT(EINVAL, cs, union drm_amdgpu_cs, {.in = {.ctx_id = NONE, .num_chunks = 1, .chunks = BAD}});
   EXPECT(EINVAL, cs, union drm_amdgpu_cs, {.in = {.ctx_id = context, .num_chunks = 0}});
   EXPECT(EFAULT, cs, union drm_amdgpu_cs, {.in = {.ctx_id = context, .num_chunks = 1, .chunks = BAD}});
   EXPECT(EFAULT, cs, union drm_amdgpu_cs,
          {.in = {.ctx_id = context, .num_chunks = 1, .chunks = (uintptr_t)&(uint64_t){BAD}}});
   EXPECT(ENOENT, cs, union drm_amdgpu_cs,
          {.in = {.ctx_id = context, .bo_list_handle = NONE, .num_chunks = 1, .chunks = BAD}});
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32};
   assert_int_equal(submit(99, 0, 0), EINVAL);
   assert_int_equal(submit(AMDGPU_CHUNK_ID_IB, 8, BAD), EFAULT);
   assert_int_equal(submit(AMDGPU_CHUNK_ID_IB, 3, (uintptr_t)&ib), EINVAL);
   assert_int_equal(submit(AMDGPU_CHUNK_ID_SYNCOBJ_IN, ~0u, (uintptr_t)&ib), ENOMEM);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_IB, struct drm_amdgpu_cs_chunk_ib, {.ip_type = 3}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_IB, struct drm_amdgpu_cs_chunk_ib, {.ring = 4}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_FENCE, struct drm_amdgpu_cs_chunk_fence, {.handle = NONE}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_FENCE, struct drm_amdgpu_cs_chunk_fence, {buffer, 4092}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_SYNCOBJ_IN, struct drm_amdgpu_cs_chunk_sem, {NONE}), ENOENT);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_SYNCOBJ_IN, struct drm_amdgpu_cs_chunk_sem, {sync_handle}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_SYNCOBJ_OUT, struct drm_amdgpu_cs_chunk_sem, {NONE}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_DEPENDENCIES, struct drm_amdgpu_cs_chunk_dep, {.ctx_id = NONE}), EINVAL);
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_BO_HANDLES, struct drm_amdgpu_bo_list_in, {~0u, ~0u, 1, 8, BAD}), EFAULT);
   struct drm_amdgpu_bo_list_entry entry = {NONE, 0};
   assert_int_equal(
      SUBMIT(AMDGPU_CHUNK_ID_BO_HANDLES, struct drm_amdgpu_bo_list_in, {~0u, ~0u, 1, 8, (uintptr_t)&entry}), ENOENT);
   /* One list a submit, by handle or as a chunk. */
   entry.bo_handle = buffer;
   struct drm_amdgpu_bo_list_in list = {~0u, ~0u, 1, 8, (uintptr_t)&entry};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4, (uintptr_t)&list};
   uint64_t twice[2] = {(uintptr_t)&chunk, (uintptr_t)&chunk};
   EXPECT(EINVAL, cs, union drm_amdgpu_cs, {.in = {.ctx_id = context, .num_chunks = 2, .chunks = (uintptr_t)twice}});
   union drm_amdgpu_bo_list made = {.in = {.bo_number = 1, .bo_info_size = 8, .bo_info_ptr = (uintptr_t)&entry}};
   assert_int_equal(call(DRM_IOCTL_AMDGPU_BO_LIST, &made), 0);
   EXPECT(
      EINVAL, cs, union drm_amdgpu_cs,
      {.in = {
          .ctx_id = context, .bo_list_handle = made.out.list_handle, .num_chunks = 1, .chunks = (uintptr_t)twice}});
   /* After all that, a good one works. */
   assert_int_equal(SUBMIT(AMDGPU_CHUNK_ID_SYNCOBJ_OUT, struct drm_amdgpu_cs_chunk_sem, {sync_handle}), 0);
   assert_int_equal(drmSyncobjWait(fd, &sync_handle, 1, 0, 0, NULL), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(core),     cmocka_unit_test(syncobjs),
                                      cmocka_unit_test(info),     cmocka_unit_test(buffers),
                                      cmocka_unit_test(contexts), cmocka_unit_test(submits)};
   return cmocka_run_group_tests(tests, setup, teardown);
}
