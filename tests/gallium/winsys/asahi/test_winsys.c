/* The winsys over the shim in noop mode: what it asks of the kernel is accepted, and addresses are where they should
 * be. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gallium/winsys/asahi/asahi_winsys.h"

static struct asahi_ws *ws;

static int
setup(void **state)
{
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   ws = asahi_ws_create(fd);
   close(fd);
   return !ws;
}

static int
teardown(void **state)
{
   asahi_ws_destroy(ws);
   return 0;
}

static void
info(void **state)
{
   const struct asahi_ws_info *info = asahi_ws_info(ws);
   uint64_t ns = 0;
   assert_int_equal(info->params.chip_id, 0x8103);
   assert_int_equal(info->params.gpu_variant, 'G');
   assert_int_equal(info->usc_base, UINT64_C(1) << 36);
   assert_int_equal(info->heap_start, info->usc_base + (UINT64_C(1) << 32));
   assert_true(info->heap_end <= info->params.vm_end - info->params.vm_kernel_min_size);
   assert_int_equal(asahi_ws_timestamp(ws, &ns), 0);
   assert_int_not_equal(ns, 0);
   assert_null(asahi_ws_create(0));
}

static void
buffers(void **state)
{
   const struct asahi_ws_info *info = asahi_ws_info(ws);
   struct asahi_ws_bo *a = asahi_ws_bo_create(ws, 100, 0, ASAHI_WS_BO_USC | ASAHI_WS_BO_READ_ONLY);
   struct asahi_ws_bo *b = asahi_ws_bo_create(ws, 5 << 20, 1 << 21, ASAHI_WS_BO_CACHED);
   assert_int_equal(a->size_B, 16384);
   assert_in_range(a->va, info->usc_base + 16384, info->heap_start - 2 * 16384);
   assert_in_range(b->va, info->heap_start, info->heap_end);
   assert_int_equal(b->va % (1 << 21), 0);
   uint32_t *map = asahi_ws_bo_map(b);
   assert_non_null(map);
   assert_ptr_equal(asahi_ws_bo_map(b), map);
   assert_int_equal(map[(5 << 18) - 1], 0);
   int fd;
   assert_int_equal(asahi_ws_bo_export(a, &fd), -EPERM);
   assert_null(asahi_ws_bo_create(ws, UINT64_C(1) << 50, 0, 0));
   assert_null(asahi_ws_bo_create(ws, 0, 0, 0));
   asahi_ws_bo_destroy(a);
   asahi_ws_bo_destroy(b);
}

#define MANY 200

/* No two buffers share a page, none lies next to another, and what is freed in any order comes back whole. */
static void
addresses(void **state)
{
   struct asahi_ws_bo *bos[MANY];
   uint64_t first_va = 0;
   uint32_t random = 1;
   for (unsigned round = 0; round < 2; round++) {
      struct asahi_ws_bo *whole = asahi_ws_bo_create(ws, 64 << 20, 0, 0);
      assert_true(!round || whole->va == first_va);
      first_va = whole->va;
      asahi_ws_bo_destroy(whole);
      for (unsigned i = 0; i < MANY; i++)
         bos[i] = asahi_ws_bo_create(ws, 16384u * (1 + i % 5), i % 3 ? 0 : 65536, 0);
      for (unsigned i = 0; i < MANY; i++) {
         for (unsigned j = 0; j < i; j++)
            assert_true(bos[i]->va >= bos[j]->va + bos[j]->size_B + 16384 ||
                        bos[j]->va >= bos[i]->va + bos[i]->size_B + 16384);
      }
      for (unsigned left = MANY; left; left--) {
         random = random * 1664525 + 1013904223;
         unsigned i = (random >> 8) % left;
         asahi_ws_bo_destroy(bos[i]);
         bos[i] = bos[left - 1];
      }
   }
}

static void
sharing(void **state)
{
   int fd;
   struct asahi_ws_bo *bo = asahi_ws_bo_create(ws, 32768, 0, ASAHI_WS_BO_SHAREABLE);
   uint32_t *map = asahi_ws_bo_map(bo), object = 0;
   map[5] = 0x1234;
   assert_int_equal(asahi_ws_bo_export(bo, &fd), 0);
   struct asahi_ws_bo *alias = asahi_ws_bo_import(ws, fd, 0);
   assert_non_null(alias);
   assert_int_equal(alias->handle, bo->handle);
   assert_int_not_equal(alias->va, bo->va);
   assert_int_equal(alias->size_B, 32768);
   /* The handle lives as long as one of its buffers. */
   asahi_ws_bo_destroy(bo);
   map = asahi_ws_bo_map(alias);
   assert_non_null(map);
   assert_int_equal(map[5], 0x1234);
   assert_int_equal(asahi_ws_bind_timestamps(alias, &object), 0);
   asahi_ws_unbind_timestamps(ws, object);
   asahi_ws_bo_destroy(alias);
   close(fd);
   assert_null(asahi_ws_bo_import(ws, 0, 0));
}

static void
submits(void **state)
{
   const uint32_t end_of_stream[2] = {0x40000000, 0};
   int drm = asahi_ws_fd(ws);
   struct asahi_ws_queue *queue = asahi_ws_queue_create(ws, DRM_ASAHI_PRIORITY_MEDIUM);
   struct asahi_ws_bo *bo = asahi_ws_bo_create(ws, 16384, 0, ASAHI_WS_BO_SHAREABLE | ASAHI_WS_BO_CACHED);
   memcpy(asahi_ws_bo_map(bo), end_of_stream, sizeof(end_of_stream));
   struct asahi_ws_command commands[150] = {0};
   uint32_t object = 0, many = 150;
   assert_int_equal(asahi_ws_bind_timestamps(bo, &object), 0);
   for (unsigned i = 0; i < many; i++)
      commands[i].compute_cmd = (struct drm_asahi_cmd_compute){
         .cdm_ctrl_stream_base = bo->va, .cdm_ctrl_stream_end = bo->va + 8, .ts.end = {object, 1024 + 8 * i}};
   struct ws_sync line = {0, 3}, flag = {0, 0};
   uint64_t point;
   assert_int_equal(ws_syncobj_create(drm, false, &line.syncobj), 0);
   assert_int_equal(ws_syncobj_create(drm, false, &flag.syncobj), 0);
   struct asahi_ws_submit submit = {.commands = commands, .command_count = many, .syncs = {NULL, &flag, 0, 1}};
   /* More than the kernel takes at once. */
   assert_true(many > asahi_ws_info(ws)->params.max_commands_per_submission);
   assert_int_equal(asahi_ws_queue_submit(queue, &submit), 0);
   assert_int_equal(ws_syncobj_wait(drm, &flag, 1, 0, INT64_MAX), 0);
   for (unsigned i = 0; i < many; i++)
      assert_int_not_equal(((uint64_t *)bo->map)[128 + i], 0);
   submit = (struct asahi_ws_submit){commands, 1, {&flag, &line, 1, 1}};
   assert_int_equal(asahi_ws_queue_submit(queue, &submit), 0);
   assert_int_equal(ws_syncobj_wait(drm, &line, 1, 0, INT64_MAX), 0);
   assert_int_equal(ws_syncobj_query(drm, line.syncobj, &point), 0);
   assert_int_equal(point, 3);
   assert_false(asahi_ws_queue_lost(queue));
   submit.command_count = 0;
   assert_int_equal(asahi_ws_queue_submit(queue, &submit), -EINVAL);

   /* A stream where nothing is. */
   commands[0].compute_cmd.cdm_ctrl_stream_base = 0x5000;
   submit = (struct asahi_ws_submit){commands, 1, {0}};
   assert_int_equal(asahi_ws_queue_submit(queue, &submit), 0);
   assert_true(asahi_ws_queue_lost(queue));

   ws_syncobj_destroy(drm, line.syncobj);
   ws_syncobj_destroy(drm, flag.syncobj);
   asahi_ws_unbind_timestamps(ws, object);
   asahi_ws_bo_destroy(bo);
   asahi_ws_queue_destroy(queue);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(info),    cmocka_unit_test(buffers), cmocka_unit_test(addresses),
      cmocka_unit_test(sharing), cmocka_unit_test(submits),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
