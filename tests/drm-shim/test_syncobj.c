/* Syncobjs, fences and handles by the rules of Documentation/gpu/drm-mm.rst, "DRM Sync Objects". */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drm-shim/handles.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"

/* No device is opened here. */
const struct shim_vendor *
shim_vendor_init(void)
{
   static const struct shim_vendor none;
   return &none;
}

static bool
is_signaled(struct shim_syncobj *syncobj, uint64_t point)
{
   struct shim_fence *fence = shim_syncobj_find(syncobj, point);
   assert_non_null(fence);
   bool signaled = shim_fence_is_signaled(fence);
   shim_fence_unref(fence);
   return signaled;
}

static void
binary(void **state)
{
   struct shim_syncobj *syncobj = shim_syncobj_create();
   struct shim_fence *first = shim_fence_create(), *second = shim_fence_create();
   assert_null(shim_syncobj_find(syncobj, 0));
   shim_syncobj_replace(syncobj, first);
   assert_null(shim_syncobj_find(syncobj, 1)); /* no timeline */
   assert_false(is_signaled(syncobj, 0));

   /* Who found the fence before a replacement waits for the old one. */
   struct shim_fence *found = shim_syncobj_find(syncobj, 0);
   shim_syncobj_replace(syncobj, second);
   shim_fence_signal(first, 0);
   assert_true(shim_fence_is_signaled(found));
   assert_false(is_signaled(syncobj, 0));
   shim_fence_signal(second, 0);
   assert_true(is_signaled(syncobj, 0));
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 0);
   shim_syncobj_replace(syncobj, NULL);
   assert_null(shim_syncobj_find(syncobj, 0));

   shim_fence_unref(found);
   shim_fence_unref(first);
   shim_fence_unref(second);
   shim_syncobj_unref(syncobj);
}

static int
error_of(struct shim_syncobj *syncobj)
{
   struct shim_fence *fence = shim_syncobj_find(syncobj, 0);
   assert_non_null(fence);
   assert_true(shim_fence_is_signaled(fence));
   int error = fence->error;
   shim_fence_unref(fence);
   return error;
}

/* A syncobj holds its fence until another one comes, and with it what became of the work, whenever that was known. */
static void
failed(void **state)
{
   for (unsigned before = 0; before < 2; before++) {
      struct shim_syncobj *syncobj = shim_syncobj_create();
      struct shim_fence *bad = shim_fence_create(), *good = shim_fence_create();
      if (before)
         shim_fence_signal(bad, -EIO);
      shim_syncobj_replace(syncobj, bad);
      if (!before)
         shim_fence_signal(bad, -EIO);
      assert_int_equal(error_of(syncobj), -EIO);
      assert_int_equal(error_of(syncobj), -EIO);
      shim_fence_signal(good, 0);
      shim_syncobj_replace(syncobj, good);
      assert_int_equal(error_of(syncobj), 0);
      shim_syncobj_replace(syncobj, bad);
      shim_syncobj_set(syncobj, 3, good);
      assert_true(is_signaled(syncobj, 3));
      assert_int_equal(shim_syncobj_signaled_point(syncobj), 3);
      shim_fence_unref(bad);
      shim_fence_unref(good);
      shim_syncobj_unref(syncobj);
   }
}

/* A point is signaled when its fence and all before it are. */
static void
timeline(void **state)
{
   struct shim_syncobj *syncobj = shim_syncobj_create();
   struct shim_fence *fences[3];
   for (unsigned i = 0; i < 3; i++) {
      fences[i] = shim_fence_create();
      shim_syncobj_set(syncobj, 10 * (i + 1), fences[i]);
   }
   assert_int_equal(shim_syncobj_last_point(syncobj), 30);
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 0);
   assert_null(shim_syncobj_find(syncobj, 31));

   shim_fence_signal(fences[1], 0);
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 0);
   assert_false(is_signaled(syncobj, 20));
   shim_fence_signal(fences[0], 0);
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 20);
   assert_true(is_signaled(syncobj, 20));
   assert_true(is_signaled(syncobj, 15)); /* between points: the next one counts */
   assert_false(is_signaled(syncobj, 21));
   assert_false(is_signaled(syncobj, 0)); /* point 0: all of it */

   /* A point below the last one is the last one again: who looks for it waits for the new fence, as in the kernel,
    * which warns that a query tells 0 then. Honeykrisp's first submit adds the point that is there already. */
   struct shim_fence *late = shim_fence_create();
   shim_syncobj_set(syncobj, 5, late);
   assert_int_equal(shim_syncobj_last_point(syncobj), 30);
   shim_fence_signal(fences[2], 0);
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 0);
   assert_false(is_signaled(syncobj, 0));
   assert_false(is_signaled(syncobj, 30));
   assert_false(is_signaled(syncobj, 5));
   assert_null(shim_syncobj_find(syncobj, 31));
   struct shim_fence *after = shim_fence_create();
   shim_syncobj_set(syncobj, 40, after);
   assert_false(is_signaled(syncobj, 30));
   shim_fence_signal(after, 0);
   assert_false(is_signaled(syncobj, 40));
   shim_fence_unref(after);
   shim_fence_signal(late, 0);
   assert_true(is_signaled(syncobj, 0));

   /* A replacement makes it binary. */
   shim_syncobj_replace(syncobj, late);
   assert_int_equal(shim_syncobj_signaled_point(syncobj), 0);
   assert_null(shim_syncobj_find(syncobj, 30));

   for (unsigned i = 0; i < 3; i++)
      shim_fence_unref(fences[i]);
   shim_fence_unref(late);
   shim_syncobj_unref(syncobj);
}

static void
merged(void **state)
{
   struct shim_fence *a = shim_fence_create(), *b = shim_fence_create(), *done = shim_fence_signaled();
   struct shim_fence *one = shim_fence_merge((struct shim_fence *[]){a, done}, 2);
   assert_ptr_equal(one, a);
   struct shim_fence *both = shim_fence_merge((struct shim_fence *[]){a, b, done}, 3);
   struct shim_fence *nested = shim_fence_merge((struct shim_fence *[]){both, a}, 2);
   shim_fence_signal(b, 0);
   assert_false(shim_fence_is_signaled(both));
   shim_lock();
   assert_false(shim_fence_wait(nested, 0));
   assert_false(shim_fence_wait(nested, shim_now_ns() + 1000));
   shim_fence_signal(a, -ECANCELED);
   assert_true(shim_fence_wait(nested, 0));
   assert_int_equal(nested->error, -ECANCELED); /* of a part of a part */
   assert_int_equal(done->error, 0);
   shim_unlock();
   shim_fence_unref(one);
   shim_fence_unref(both);
   shim_fence_unref(nested);
   shim_fence_unref(a);
   shim_fence_unref(b);
   shim_fence_unref(done);
}

static void
handles(void **state)
{
   struct shim_handles table = {0};
   char things[4];
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(shim_handles_add(&table, &things[i]), i + 1);
   assert_null(shim_handles_get(&table, 0));
   assert_null(shim_handles_get(&table, 5));
   assert_ptr_equal(shim_handles_remove(&table, 3), &things[2]);
   assert_null(shim_handles_remove(&table, 3));
   assert_ptr_equal(shim_handles_remove(&table, 1), &things[0]);
   assert_int_equal(shim_handles_add(&table, &things[0]), 1); /* the lowest free number */
   assert_int_equal(shim_handles_add(&table, &things[2]), 3);
   assert_int_equal(shim_handles_add(&table, &things[0]), 5);
   assert_ptr_equal(shim_handles_get(&table, 4), &things[3]);
   shim_handles_free(&table);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(binary), cmocka_unit_test(failed),  cmocka_unit_test(timeline),
      cmocka_unit_test(merged), cmocka_unit_test(handles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
