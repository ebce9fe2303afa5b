/* The winsys over the shim in noop mode: what it asks of the kernel is accepted and what it reports is the chip's. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

static struct amdgpu_ws *ws;

/* In place of libdrm's: the answer is longer than what is asked for, as Mesa's drm-shim gives it. */
int
amdgpu_query_info(amdgpu_device_handle dev, unsigned id, unsigned size_B, void *answer)
{
   int (*query)(amdgpu_device_handle, unsigned, unsigned, void *);
   *(void **)&query = dlsym(RTLD_NEXT, "amdgpu_query_info");
   int error = query(dev, id, size_B, answer);
   if (id == AMDGPU_INFO_DEV_INFO)
      memset((char *)answer + size_B, 0xff, 1024 - size_B);
   return error;
}

static int
setup(void **state)
{
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   ws = amdgpu_ws_create(fd);
   close(fd);
   return !ws;
}

static int
teardown(void **state)
{
   amdgpu_ws_destroy(ws);
   return 0;
}

static void
info(void **state)
{
   const struct amdgpu_ws_info *info = amdgpu_ws_info(ws);
   assert_int_equal(info->dev.family, 143);
   assert_int_equal(info->dev.device_id, 0x73bf);
   assert_int_equal(info->gb_addr_config, 0x444);
   assert_int_equal(info->vram_B, 17163091968);
   assert_int_equal(info->address32_hi, 0xffff8000);
   assert_int_equal(info->pci_bus, 4);
   assert_string_equal(info->marketing_name, "AMD Radeon RX 6800");
   assert_null(amdgpu_ws_create(0));
}

static void
buffers(void **state)
{
   const unsigned map_flags = AMDGPU_WS_BO_CPU_ACCESS;
   struct amdgpu_ws_bo *a = amdgpu_ws_bo_create(ws, 100, 0, AMDGPU_WS_GTT, map_flags | AMDGPU_WS_BO_VA_32BIT);
   struct amdgpu_ws_bo *b = amdgpu_ws_bo_create(ws, 5 << 20, 1 << 16, AMDGPU_WS_VRAM, map_flags);
   struct amdgpu_ws_bo *hidden = amdgpu_ws_bo_create(ws, 4096, 0, AMDGPU_WS_VRAM, 0);
   assert_int_equal(a->size_B, 4096);
   assert_int_equal(a->va >> 32, 0xffff8000);
   assert_int_not_equal(b->va >> 32, 0xffff8000);
   assert_int_equal(b->va % (2 << 20), 0); /* whole fragments */
   uint32_t *map = amdgpu_ws_bo_map(b);
   assert_non_null(map);
   assert_ptr_equal(amdgpu_ws_bo_map(b), map);
   assert_int_equal(map[(5 << 18) - 1], 0);
   assert_null(amdgpu_ws_bo_map(hidden));
   int fd;
   assert_int_equal(amdgpu_ws_bo_export(a, &fd), -EPERM);
   assert_null(amdgpu_ws_bo_create(ws, UINT64_C(1) << 50, 0, AMDGPU_WS_VRAM, 0));
   amdgpu_ws_bo_destroy(a);
   amdgpu_ws_bo_destroy(b);
   amdgpu_ws_bo_destroy(hidden);
}

static int
submit(struct amdgpu_ws_ctx *ctx, const struct amdgpu_ws_bo *bo, struct ws_sync wait, struct ws_sync signal)
{
   struct amdgpu_ws_ib ibs[2] = {{bo->va, 64, false}, {bo->va + 256, 8, false}};
   struct amdgpu_ws_submit submit = {
      .ibs = ibs,
      .ib_count = 2,
      .syncs = {&wait, &signal, wait.syncobj != 0, signal.syncobj != 0},
   };
   return amdgpu_ws_ctx_submit(ctx, &submit);
}

static void
sharing(void **state)
{
   int fd;
   struct amdgpu_ws_ctx *ctx;
   struct amdgpu_ws_bo *bo =
      amdgpu_ws_bo_create(ws, 8192, 0, AMDGPU_WS_VRAM, AMDGPU_WS_BO_SHAREABLE | AMDGPU_WS_BO_CPU_ACCESS);
   assert_int_equal(amdgpu_ws_ctx_create(ws, AMDGPU_CTX_PRIORITY_HIGH, &ctx), -EACCES);
   assert_int_equal(amdgpu_ws_ctx_create(ws, AMDGPU_CTX_PRIORITY_NORMAL, &ctx), 0);
   assert_int_equal(amdgpu_ws_bo_export(bo, &fd), 0);
   struct amdgpu_ws_bo *alias = amdgpu_ws_bo_import(ws, fd, 1 << 18, 0);
   assert_int_equal(alias->handle, bo->handle);
   assert_int_not_equal(alias->va, bo->va);
   assert_int_equal(alias->va % (1 << 18), 0);
   assert_int_equal(alias->size_B, 8192);
   /* The list that goes with a submit holds each handle as long as one of its buffers lives. */
   amdgpu_ws_bo_destroy(bo);
   assert_int_equal(submit(ctx, alias, (struct ws_sync){0}, (struct ws_sync){0}), 0);
   amdgpu_ws_bo_destroy(alias);
   bo = amdgpu_ws_bo_create(ws, 4096, 0, AMDGPU_WS_GTT, 0);
   assert_int_equal(submit(ctx, bo, (struct ws_sync){0}, (struct ws_sync){0}), 0);
   assert_null(amdgpu_ws_bo_import(ws, 0, 0, 0));
   amdgpu_ws_bo_destroy(bo);
   amdgpu_ws_ctx_destroy(ctx);
   close(fd);
}

static void
syncs(void **state)
{
   struct amdgpu_ws_ctx *ctx;
   struct amdgpu_ws_bo *bo = amdgpu_ws_bo_create(ws, 4096, 0, AMDGPU_WS_GTT, 0);
   struct ws_sync line = {0, 3}, flag = {0, 0}, both[2];
   uint32_t imported;
   uint64_t point;
   int fd;
   assert_int_equal(amdgpu_ws_ctx_create(ws, AMDGPU_CTX_PRIORITY_LOW, &ctx), 0);
   assert_int_equal(ws_syncobj_create(amdgpu_ws_fd(ws), false, &line.syncobj), 0);
   assert_int_equal(ws_syncobj_create(amdgpu_ws_fd(ws), false, &flag.syncobj), 0);
   both[0] = line;
   both[1] = flag;
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), both, 2, 0, 0), -ETIME);
   assert_int_equal(submit(ctx, bo, (struct ws_sync){0}, flag), 0);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), both, 2, 0, INT64_MAX), 0);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), both, 2, WS_WAIT_ALL, 0), -ETIME);
   assert_int_equal(submit(ctx, bo, flag, line), 0);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), both, 2, WS_WAIT_ALL, INT64_MAX), 0);
   assert_int_equal(ws_syncobj_query(amdgpu_ws_fd(ws), line.syncobj, &point), 0);
   assert_int_equal(point, 3);
   assert_int_equal(ws_syncobj_signal(amdgpu_ws_fd(ws), (struct ws_sync){line.syncobj, 9}), 0);
   assert_int_equal(ws_syncobj_query(amdgpu_ws_fd(ws), line.syncobj, &point), 0);
   assert_int_equal(point, 9);
   assert_int_equal(ws_syncobj_reset(amdgpu_ws_fd(ws), flag.syncobj), 0);
   /* A submit may not wait for what nobody has submitted. */
   assert_int_equal(submit(ctx, bo, flag, line), -EINVAL);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), &flag, 1, WS_WAIT_PENDING, 0), -ETIME);
   assert_int_equal(submit(ctx, bo, line, flag), 0);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), &flag, 1, WS_WAIT_PENDING, 0), 0);

   assert_int_equal(ws_sync_file_export(amdgpu_ws_fd(ws), flag.syncobj, &fd), 0);
   assert_int_equal(ws_syncobj_reset(amdgpu_ws_fd(ws), flag.syncobj), 0);
   assert_int_equal(ws_sync_file_import(amdgpu_ws_fd(ws), flag.syncobj, fd), 0);
   close(fd);
   assert_int_equal(ws_syncobj_export(amdgpu_ws_fd(ws), flag.syncobj, &fd), 0);
   assert_int_equal(ws_syncobj_import(amdgpu_ws_fd(ws), fd, &imported), 0);
   close(fd);
   assert_int_equal(ws_syncobj_wait(amdgpu_ws_fd(ws), &(struct ws_sync){imported, 0}, 1, 0, 0), 0);
   assert_int_equal(amdgpu_ws_ctx_reset_status(ctx), AMDGPU_WS_NO_RESET);
   ws_syncobj_destroy(amdgpu_ws_fd(ws), imported);
   ws_syncobj_destroy(amdgpu_ws_fd(ws), line.syncobj);
   ws_syncobj_destroy(amdgpu_ws_fd(ws), flag.syncobj);
   amdgpu_ws_bo_destroy(bo);
   amdgpu_ws_ctx_destroy(ctx);
}

static void
ranges(void **state)
{
   struct amdgpu_ws_range holes = {0}, nothing = {0}, low = {0}, none = {0};
   struct amdgpu_ws_bo *bo = amdgpu_ws_bo_create(ws, 8192, 0, AMDGPU_WS_VRAM, 0);
   assert_int_equal(amdgpu_ws_range_create(ws, 100000, 1 << 16, AMDGPU_WS_RANGE_HOLES, &holes), 0);
   assert_int_equal(amdgpu_ws_range_create(ws, 4096, 0, 0, &nothing), 0);
   assert_int_equal(amdgpu_ws_range_create(ws, 4096, 0, AMDGPU_WS_RANGE_VA_32BIT, &low), 0);
   assert_int_equal(low.va >> 32, amdgpu_ws_info(ws)->address32_hi);
   assert_int_equal(holes.size_B, 102400);
   assert_int_equal(holes.va % (1 << 16), 0);
   /* Over what is mapped, of whatever kind, but not past the end of the memory. */
   struct amdgpu_ws_bind bind = {holes.va + 4096, 8192, bo, 0, true};
   assert_int_equal(amdgpu_ws_bind(ws, &bind), 0);
   bind.va += 4096;
   bind.offset_B = 4096;
   assert_int_equal(amdgpu_ws_bind(ws, &bind), -EINVAL);
   bind.size_B = 4096;
   assert_int_equal(amdgpu_ws_bind(ws, &bind), 0);
   assert_int_equal(amdgpu_ws_bind(ws, &(struct amdgpu_ws_bind){.va = holes.va, .size_B = 16384, .hole = true}), 0);
   assert_int_equal(amdgpu_ws_bind(ws, &(struct amdgpu_ws_bind){.va = nothing.va, .size_B = 4096}), 0);
   assert_int_equal(amdgpu_ws_bind(ws, &(struct amdgpu_ws_bind){nothing.va, 4096, bo, 0, false}), 0);
   assert_int_not_equal(amdgpu_ws_range_create(ws, UINT64_C(1) << 50, 0, AMDGPU_WS_RANGE_HOLES, &none), 0);
   assert_int_not_equal(amdgpu_ws_range_create(ws, UINT64_MAX, 0, AMDGPU_WS_RANGE_HOLES, &none), 0);
   amdgpu_ws_range_destroy(ws, &none);
   amdgpu_ws_range_destroy(ws, &holes);
   amdgpu_ws_range_destroy(ws, &nothing);
   amdgpu_ws_range_destroy(ws, &low);
   amdgpu_ws_bo_destroy(bo);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(info), cmocka_unit_test(buffers), cmocka_unit_test(sharing),
                                      cmocka_unit_test(syncs), cmocka_unit_test(ranges)};
   return cmocka_run_group_tests(tests, setup, teardown);
}
