/* A program whose node has several descriptors, and whose child continues with them: what the tracer next to it must
 * follow, and what not (test_descriptors.py). */
#include <stdlib.h>
#include <sys/wait.h>

#include "../drm-shim/node.h"

#define VA UINT64_C(0x2000000000)

static uint32_t
begin(uint32_t *vm)
{
   *vm = create_vm();
   uint32_t queue = create_queue(*vm), bo = create_bo(PAGE_B, 0, 0);
   uint32_t *memory = map_bo(bo, PAGE_B);
   assert_int_equal(bind_op(*vm, &(struct drm_asahi_gem_bind_op){RW, bo, 0, PAGE_B, VA}), 0);
   memory[4] = 0x40000000; /* end of the stream */
   munmap(memory, PAGE_B);
   return queue;
}

static void
continues(void **state)
{
   uint32_t vm, queue = begin(&vm);
   int first = fd, second = dup(first), third = fcntl(second, F_DUPFD_CLOEXEC, 100), fourth = dup2(second, 200);
   assert_true(second >= 0 && third >= 100 && fourth == 200);
   close(first);
   fd = third;
   assert_int_equal(probe(queue, VA + 16), 1);
   close(second);
   close(fourth);
   assert_int_equal(probe(queue, VA + 16), 1);

   create_bo(PAGE_B, 0, 0); /* said, and maybe not written yet */
   pid_t child = fork();
   if (!child) {
      create_bo(PAGE_B, 0, 0); /* nobody follows this */
      exit(0);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);

   /* The number is somebody else's, and then a node again, whose handles begin anew. */
   assert_int_equal(dup2(open("/dev/null", O_RDWR), third), third);
   struct drm_asahi_get_time time = {0};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, &time), -ENOTTY);
   int node = open(NODE, O_RDWR);
   assert_int_equal(dup3(node, third, O_CLOEXEC), third);
   close_range((unsigned)node, (unsigned)node, 0);
   queue = begin(&vm);
   assert_int_equal(probe(queue, VA + 16), 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(continues, open_node, close_node)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
