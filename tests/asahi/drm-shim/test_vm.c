/* Random binds, against a flat array of what each page shows; also what two addresses of one page show. */
#include <asahi_drm.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/shim.h"

enum { PAGES = 3000, BOS = 6, BO_PAGES = 40 };
#define FIRST_VA (UINT64_C(0x2000000000) - PAGES / 2 * ASAHI_PAGE_B) /* across a border of the page tables */

struct page {
   const char *host;
   unsigned access;
};

static struct page expected[PAGES];
static uint32_t seed = 1;

static uint32_t
next_random(uint32_t end)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % end;
}

static void
apply(struct shim_file *file, struct asahi_file *asahi, const uint32_t *bos)
{
   unsigned first = next_random(PAGES), count = 1 + next_random(next_random(8) ? BO_PAGES : PAGES);
   bool single = next_random(4) == 0, unbind = next_random(4) == 0;
   count = first + count > PAGES ? PAGES - first : count;
   count = !single && !unbind && count > BO_PAGES ? BO_PAGES : count;
   uint32_t handle = bos[next_random(BOS)];
   unsigned offset = next_random(BO_PAGES - (single || unbind ? 1 : count) + 1);
   offset = offset < BO_PAGES ? offset : 0;
   uint32_t rights = 1 + next_random(3);
   struct drm_asahi_gem_bind_op op = {.range = count * ASAHI_PAGE_B, .addr = FIRST_VA + first * ASAHI_PAGE_B};
   op.flags = unbind ? DRM_ASAHI_BIND_UNBIND : rights << 1 | (single ? DRM_ASAHI_BIND_SINGLE_PAGE : 0);
   op.handle = unbind ? 0 : handle;
   op.offset = unbind ? 0 : offset * ASAHI_PAGE_B;
   struct drm_asahi_vm_bind args = {1, 1, sizeof(op), 0, (uintptr_t)&op};
   assert_int_equal(asahi_vm_bind(file, &args), 0);
   for (unsigned i = 0; i < count; i++) {
      const char *host = shim_bo_get(file, handle)->map;
      unsigned access = (rights & 1 ? SIM_READ : 0) | (rights & 2 ? SIM_WRITE : 0);
      host += (offset + (single ? 0 : i)) * ASAHI_PAGE_B;
      expected[first + i] = unbind ? (struct page){0} : (struct page){host, access};
   }
}

static void
check(const struct asahi_vm *vm, unsigned index)
{
   uint64_t run_B, inside_B = next_random(ASAHI_PAGE_B);
   const struct page *page = &expected[index];
   struct sim_va va = sim_va(FIRST_VA + index * ASAHI_PAGE_B + inside_B);
   for (unsigned access = SIM_READ; access <= SIM_WRITE; access++) {
      const char *host = sim_vm_lookup(vm->vm, va, access, &run_B, NULL);
      if (!(page->access & access)) {
         assert_null(host);
         continue;
      }
      assert_ptr_equal(host, page->host + inside_B);
      /* As far as it says, the host's memory shows what the pages show. */
      for (uint64_t at_B = ASAHI_PAGE_B - inside_B; at_B < run_B; at_B += ASAHI_PAGE_B)
         assert_ptr_equal(host + at_B, expected[++index].host);
      return;
   }
}

static void
random_binds(void **state)
{
   struct asahi_file asahi = {0};
   struct shim_file file = {.vendor_data = &asahi};
   struct drm_asahi_vm_create create = {.kernel_start = ASAHI_VM_END - ASAHI_VM_KERNEL_MIN_B,
                                        .kernel_end = ASAHI_VM_END};
   uint32_t bos[BOS];
   shim_lock();
   assert_int_equal(asahi_vm_create(&file, &create), 0);
   const struct asahi_vm *vm = shim_handles_get(&asahi.vms, create.vm_id);
   for (unsigned i = 0; i < BOS; i++) {
      struct drm_asahi_gem_create args = {.size = BO_PAGES * ASAHI_PAGE_B};
      assert_int_equal(asahi_gem_create(&file, &args), 0);
      bos[i] = args.handle;
   }
   for (unsigned step = 0; step < 4000; step++) {
      apply(&file, &asahi, bos);
      for (unsigned i = 0; i < 20; i++)
         check(vm, next_random(PAGES));
      if (step % 64)
         continue;
      /* One goes: nothing shows it any more. */
      unsigned victim = next_random(BOS);
      const char *host = shim_bo_get(&file, bos[victim])->map;
      for (unsigned i = 0; i < PAGES; i++)
         if (expected[i].host >= host && expected[i].host < host + BO_PAGES * ASAHI_PAGE_B)
            expected[i] = (struct page){0};
      assert_int_equal(shim_bo_close_handle(&file, bos[victim]), 0);
      struct drm_asahi_gem_create args = {.size = BO_PAGES * ASAHI_PAGE_B};
      assert_int_equal(asahi_gem_create(&file, &args), 0);
      bos[victim] = args.handle;
      for (unsigned i = 0; i < PAGES; i++)
         check(vm, i);
   }
   assert_int_equal(asahi_vm_destroy(&file, &(struct drm_asahi_vm_destroy){.vm_id = create.vm_id}), 0);
   for (unsigned i = 0; i < BOS; i++) {
      assert_int_equal(shim_bo_get(&file, bos[i])->refs, 1);
      assert_int_equal(shim_bo_close_handle(&file, bos[i]), 0);
   }
   shim_handles_free(&asahi.vms);
   shim_handles_free(&file.bos);
   shim_unlock();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_binds)};
   setenv("INDIUM_MODE", "noop", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
