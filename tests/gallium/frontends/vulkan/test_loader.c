/* Two drivers in one program, each found for its nodes by the loader's table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <xf86drm.h>
#include <cmocka.h>

#include "../../drivers/radeonsi/fake_gpu.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/frontends/vulkan/pipe_loader.h"
#include "null_screen.h"
#include "util/macros.h"

/* ---- libdrm as the loader sees it: nodes are files that can be opened anywhere ---- */

static const struct {
   char path[16];
   unsigned minor; /* of the file */
   char driver[8];
} nodes[] = {
   {"/dev/full", 7, "i915"}, {"/dev/zero", 5, "amdgpu"}, {"/dev/none", 0, "null"}, {"/dev/null", 3, "null"}};
static char *paths[ARRAY_SIZE(nodes)][DRM_NODE_MAX];
static drmDevice devices[ARRAY_SIZE(nodes)];
static int versions, device_lists; /* not freed */

int
drmGetDevices2(uint32_t flags, drmDevicePtr list[], int max)
{
   for (unsigned i = 0; i < ARRAY_SIZE(nodes); i++) {
      paths[i][DRM_NODE_RENDER] = (char *)nodes[i].path;
      devices[i] =
         (drmDevice){.nodes = paths[i], .available_nodes = 1 << DRM_NODE_RENDER, .bustype = DRM_BUS_PLATFORM};
      list[i] = &devices[i];
   }
   device_lists++;
   return ARRAY_SIZE(nodes);
}

void
drmFreeDevices(drmDevicePtr list[], int count)
{
   device_lists--;
}

drmVersionPtr
drmGetVersion(int fd)
{
   static drmVersion version;
   struct stat file;

   fstat(fd, &file);
   for (unsigned i = 0; i < ARRAY_SIZE(nodes); i++) {
      if (nodes[i].minor == minor(file.st_rdev)) {
         version.name = (char *)nodes[i].driver;
         versions++;
         return &version;
      }
   }
   return NULL;
}

void
drmFreeVersion(drmVersionPtr version)
{
   versions -= version != NULL;
}

/* ---- the tests ---- */

struct one {
   struct pipe_screen *screen;
   struct pipe_memory *memory;
   struct pipe_resource *buffer;
   struct pipe_context *ctx;
};

static const uint32_t data[4] = {1, 2, 3, 5};

static void
create(struct one *one, uint64_t size_B)
{
   struct pipe_screen *screen = one->screen;

   assert_int_equal(screen->buffer_create(screen, size_B, &one->buffer), PIPE_OK);
   assert_true(screen->resource_requirements(one->buffer).size_B >= size_B);
   assert_int_equal(screen->memory_create(screen, PIPE_MEMORY_TYPE_DESCRIPTORS, 4096, -1, &one->memory), PIPE_OK);
   screen->resource_bind(one->buffer, one->memory, 256);
   one->ctx = screen->context_create(screen, 0);
   assert_non_null(one->ctx);
   assert_ptr_equal(one->ctx->screen, screen);
   assert_int_equal(one->ctx->begin(one->ctx, NULL, false), PIPE_OK);
}

static void
destroy(struct one *one)
{
   one->ctx->destroy(one->ctx);
   one->screen->resource_destroy(one->screen, one->buffer);
   one->screen->memory_destroy(one->screen, one->memory);
   one->screen->destroy(one->screen);
}

static const struct loader_driver null_driver = {"null", null_screen_open};

/* Calls of the two take turns; each finds its own objects. */
static void
test_two_drivers(void **state)
{
   const struct loader_driver drivers[] = {null_driver, loader_drivers[0], {0}};
   struct pipe_screen *screens[8];
   static struct replay replay;

   assert_int_equal(pipe_loader_probe(drivers, screens, 8), 2);
   struct one amd = {.screen = screens[0]}, null = {.screen = screens[1]};
   assert_int_equal(amd.screen->caps.vendor_id, 0x1002);
   assert_string_equal(null.screen->caps.device_name, "null");
   create(&amd, 1000);
   create(&null, 2000);
   assert_int_equal(amd.screen->resource_requirements(amd.buffer).alignment_B, 256);
   assert_int_equal(null.screen->resource_requirements(null.buffer).alignment_B, 1);
   amd.ctx->update_buffer(amd.ctx, amd.buffer, 16, sizeof(data), data);
   null.ctx->update_buffer(null.ctx, null.buffer, 32, sizeof(data), data);
   assert_int_equal(amd.ctx->end(amd.ctx), PIPE_OK);
   assert_int_equal(null.ctx->end(null.ctx), PIPE_OK);
   replay_context(&replay, amd.ctx);
   assert_null(replay.error);
   assert_true(replay.num_dma > 0);
   assert_int_equal(si_resource(amd.buffer)->size_B, 1000);
   assert_memory_equal((char *)null.screen->memory_map(null.screen, null.memory) + 256 + 32, data, sizeof(data));
   destroy(&amd);
   destroy(&null);
   assert_int_equal(versions, 0);
   assert_int_equal(device_lists, 0);
}

static struct pipe_screen *
refuse(int fd)
{
   assert_true(fd >= 0);
   return NULL;
}

/* A table with one driver, a driver that refuses its node, and room for fewer screens than there are. */
static void
test_table(void **state)
{
   const struct loader_driver only_null[] = {null_driver, {0}}, refused[] = {{"amdgpu", refuse}, null_driver, {0}};
   const struct loader_driver every[] = {{"i915", null_screen_open}, {"amdgpu", null_screen_open}, null_driver, {0}};
   struct pipe_screen *screens[8] = {NULL};

   assert_int_equal(pipe_loader_probe(only_null, screens, 8), 1);
   screens[0]->destroy(screens[0]);
   assert_int_equal(pipe_loader_probe(refused, screens, 8), 1);
   assert_string_equal(screens[0]->caps.device_name, "null");
   screens[0]->destroy(screens[0]);
   screens[2] = NULL;
   assert_int_equal(pipe_loader_probe(every, screens, 2), 2);
   assert_null(screens[2]);
   screens[0]->destroy(screens[0]);
   screens[1]->destroy(screens[1]);
   assert_int_equal(versions, 0);
   assert_int_equal(device_lists, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_drivers),
      cmocka_unit_test(test_table),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
