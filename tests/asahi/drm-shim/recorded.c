/* A program to be recorded: a buffer at several addresses, one dispatch that ends at once, and another after a
 * change. */
#include "node.h"

#define VA UINT64_C(0x2000000000)

static void
submits(void **state)
{
   const uint32_t READ = DRM_ASAHI_BIND_READ, SINGLE = DRM_ASAHI_BIND_SINGLE_PAGE, UNBIND = DRM_ASAHI_BIND_UNBIND;
   uint32_t vm = create_vm(), queue = create_queue(vm), bo = create_bo(2 * PAGE_B, 0, 0);
   uint32_t *memory = map_bo(bo, 2 * PAGE_B);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, bo, 0, 2 * PAGE_B, VA}), 0);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){READ, bo, PAGE_B, PAGE_B, 2 * VA}), 0);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){READ | SINGLE, bo, PAGE_B, 3 * PAGE_B, 3 * VA}), 0);
   memory[4] = 0x40000000; /* end of the stream */
   assert_int_equal(probe(queue, VA + 16), 1);
   memory[0x1000] = 0x40000000;
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){UNBIND, 0, 0, PAGE_B, 3 * VA + PAGE_B}), 0);
   assert_int_equal(probe(queue, 2 * VA), 1);
   munmap(memory, 2 * PAGE_B);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(submits, open_node, close_node)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
