/* What fdinfo tells of memory and engines, by Documentation/gpu/drm-usage-stats.rst and amdgpu_fdinfo.c. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define VRAM AMDGPU_GEM_DOMAIN_VRAM
#define GTT AMDGPU_GEM_DOMAIN_GTT
#define MiB (UINT64_C(1) << 20)

/* The value of a key, or NULL. Valid until the next call. */
static const char *
value_of(int fd, const char *key)
{
   static char line[256];
   char path[64];
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   const char *value = NULL;
   while (!value && fgets(line, sizeof(line), file)) {
      line[strcspn(line, "\n")] = 0;
      const size_t key_B = strlen(key);
      if (!strncmp(line, key, key_B) && line[key_B] == ':')
         value = line + key_B + 1 + strspn(line + key_B + 1, " \t");
   }
   fclose(file);
   return value;
}

static void
expect(int fd, const char *key, const char *value)
{
   assert_non_null(value_of(fd, key));
   assert_string_equal(value_of(fd, key), value);
}

static uint32_t
create(int fd, uint64_t size_B, uint64_t domains, uint64_t flags)
{
   union drm_amdgpu_gem_create args = {.in = {.bo_size = size_B, .domains = domains, .domain_flags = flags}};
   assert_int_equal(drmCommandWriteRead(fd, DRM_AMDGPU_GEM_CREATE, &args, sizeof(args)), 0);
   return args.out.handle;
}

static void
test_memory(void **state)
{
   static const char *const regions[] = {"cpu", "gtt", "vram", "gds", "gws", "oa", "doorbell"};
   static const char *const kinds[] = {"total", "shared", "active", "resident", "purgeable"};
   int fd = open(NODE, O_RDWR | O_CLOEXEC), other = open(NODE, O_RDWR | O_CLOEXEC), prime;
   for (unsigned i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
      for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
         char key[64];
         snprintf(key, sizeof(key), "drm-%s-%s", kinds[k], regions[i]);
         expect(fd, key, "0");
      }
   }
   expect(fd, "drm-driver", "amdgpu");
   expect(fd, "drm-memory-vram", "0 KiB");
   assert_true(strtoul(value_of(fd, "pasid"), NULL, 10) >= 0x8000);
   assert_string_not_equal(value_of(fd, "pasid"), "");

   /* The largest unit that divides; of two places, VRAM. */
   create(fd, 3 * MiB, VRAM, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID);
   uint32_t shared = create(fd, 2 * MiB, VRAM | GTT, 0);
   create(fd, 20480, GTT, 0);
   uint32_t small = create(fd, 1, AMDGPU_GEM_DOMAIN_CPU, 0);
   expect(fd, "drm-total-vram", "5 MiB");
   expect(fd, "drm-resident-vram", "5 MiB");
   expect(fd, "drm-memory-vram", "5120 KiB");
   expect(fd, "amd-requested-vram", "5120 KiB");
   expect(fd, "amd-evicted-vram", "0 KiB");
   expect(fd, "drm-total-gtt", "20 KiB");
   expect(fd, "amd-requested-gtt", "20 KiB");
   expect(fd, "drm-total-cpu", "4 KiB");
   expect(fd, "drm-shared-vram", "0");
   expect(other, "drm-total-vram", "0");
   assert_int_equal(drmCloseBufferHandle(fd, small), 0);
   expect(fd, "drm-total-cpu", "0");

   /* Exported it is shared, and counts for whoever imports it, once. */
   assert_int_equal(drmPrimeHandleToFD(fd, shared, DRM_CLOEXEC, &prime), 0);
   expect(fd, "drm-shared-vram", "2 MiB");
   uint32_t imported, again;
   assert_int_equal(drmPrimeFDToHandle(other, prime, &imported), 0);
   assert_int_equal(drmPrimeFDToHandle(other, prime, &again), 0);
   expect(other, "drm-total-vram", "2 MiB");
   expect(other, "drm-shared-vram", "2 MiB");
   close(prime);
   close(other);
   close(fd);
}

/* VRAM gets full: what wants to be there and is not counts as evicted. */
static void
test_full(void **state)
{
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   struct drm_amdgpu_memory_info info;
   struct drm_amdgpu_info query = {
      .return_pointer = (uintptr_t)&info, .return_size = sizeof(info), .query = AMDGPU_INFO_MEMORY};
   assert_int_equal(drmCommandWrite(fd, DRM_AMDGPU_INFO, &query, sizeof(query)), 0);
   create(fd, (info.vram.usable_heap_size - info.vram.heap_usage) / MiB * MiB - 8 * MiB, VRAM,
          AMDGPU_GEM_CREATE_NO_CPU_ACCESS);
   create(fd, 64 * MiB, VRAM | GTT, 0);
   expect(fd, "amd-evicted-vram", "65536 KiB");
   expect(fd, "drm-resident-gtt", "64 MiB");
   expect(fd, "drm-total-gtt", "0");
   close(fd);
}

static void
submit(amdgpu_device_handle device, amdgpu_context_handle context, uint32_t ip)
{
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32, .ip_type = ip};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib};
   uint64_t seq;
   assert_int_equal(amdgpu_cs_submit_raw2(device, context, 0, 1, &chunk, &seq), 0);
}

/* Of engines that were used, their time, which grows. */
static void
test_engines(void **state)
{
   amdgpu_device_handle device;
   amdgpu_context_handle context;
   uint32_t major, minor;
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   assert_int_equal(amdgpu_device_initialize(fd, &major, &minor, &device), 0);
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   assert_null(value_of(fd, "drm-engine-gfx"));
   for (unsigned i = 0; i < 100; i++) {
      submit(device, context, AMDGPU_HW_IP_GFX);
      submit(device, context, AMDGPU_HW_IP_DMA);
   }
   assert_null(value_of(fd, "drm-engine-compute"));
   assert_non_null(value_of(fd, "drm-engine-dma"));
   char *unit;
   const unsigned long long before = strtoull(value_of(fd, "drm-engine-gfx"), &unit, 10);
   assert_string_equal(unit, " ns");
   for (unsigned i = 0; i < 100; i++)
      submit(device, context, AMDGPU_HW_IP_GFX);
   const unsigned long long after = strtoull(value_of(fd, "drm-engine-gfx"), NULL, 10);
   assert_true(before && after > before && after < 10000000000ull);
   amdgpu_cs_ctx_free(context);
   amdgpu_device_deinitialize(device);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_full),
                                      cmocka_unit_test(test_engines)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
