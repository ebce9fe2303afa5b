/* Binaries of pipelines whose numbers are wrong and whose checksum is right: what the front end passes on of them
 * lies within them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gallium/frontends/vulkan/vk_pipeline_binary.h"
#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "null_screen.h"
#include "util/hash.h"
#include "util/macros.h"

enum { PROGRAM_B = 52, CODE_B = 36, ROUNDS = 30000, CHECKSUM_AT = 8 /* 64 bits, of what follows */ };

static struct vk_device *device;
static const char *from, *to; /* of the binary that is read */
static unsigned passed_programs, passed_stages;
static uint32_t seed = 1;

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)seed * limit >> 32);
}

static void
expect_inside(const void *bytes, size_t size_B)
{
   assert_true((const char *)bytes >= from && (const char *)bytes <= to &&
               size_B <= (size_t)(to - (const char *)bytes));
}

/* ---- what the files of the front end call ---- */

static enum pipe_result
program_load(struct pipe_screen *screen, const void *bytes, size_t size_B, struct pipe_program **program)
{
   expect_inside(bytes, size_B);
   passed_programs++;
   return PIPE_UNSUPPORTED;
}

struct vk_stage_copy *
vk_shader_binary_read(struct vk_device *of, const VkShaderCreateInfoEXT *info, VkResult *result)
{
   expect_inside(info->pCode, info->codeSize);
   passed_stages++;
   return calloc(1, sizeof(struct vk_stage_copy));
}

struct vk_stage_copy *
vk_stage_copy(struct vk_device *of, const VkPipelineShaderStageCreateInfo *stage)
{
   return calloc(1, sizeof(struct vk_stage_copy));
}

void
vk_stage_copy_unref(struct vk_device *of, struct vk_stage_copy *copy)
{
   free(copy);
}

size_t
vk_shader_binary_size(const struct vk_shader_object *shader)
{
   return CODE_B;
}

void
vk_shader_binary_write(const struct vk_device *of, const struct vk_shader_object *shader, void *data)
{
   memset(data, 0x5a, CODE_B);
}

struct vk_cache_uuid
vk_cache_uuid(const struct pipe_caps *caps)
{
   return (struct vk_cache_uuid){{1, 2, 3}};
}

struct hash_128
vk_cache_base(const struct vk_device *of)
{
   return (struct hash_128){0};
}

struct vk_saved *
vk_cache_find_on_disk(struct vk_device *of, const struct vk_cache_key *key)
{
   return NULL;
}

struct vk_saved *
vk_saved(const struct vk_cache_key *key, const void *bytes, size_t size_B)
{
   struct vk_saved *saved = malloc(sizeof(*saved) + size_B);
   saved->references = 1;
   saved->key = *key;
   saved->size_B = size_B;
   memcpy(saved->bytes, bytes, size_B);
   return saved;
}

struct vk_saved *
vk_saved_ref(struct vk_saved *saved)
{
   saved->references++;
   return saved;
}

void
vk_saved_unref(struct vk_saved *saved)
{
   if (saved && !--saved->references)
      free(saved);
}

bool
vk_graphics_pipeline_key(struct vk_device *of, const VkGraphicsPipelineCreateInfo *info, struct vk_cache_key *key,
                         bool *simple)
{
   return false;
}

bool
vk_compute_pipeline_key(struct vk_device *of, const VkComputePipelineCreateInfo *info, struct vk_cache_key *key)
{
   return false;
}

/* ---- the test ---- */

static struct vk_saved *
capture(bool whole)
{
   static const uint8_t code[PROGRAM_B];
   struct vk_pipeline pipeline = {.point = PIPE_BIND_GRAPHICS,
                                  .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT};
   const VkPipelineShaderStageCreateInfo vertex = {.stage = VK_SHADER_STAGE_VERTEX_BIT},
                                         fragment = {.stage = VK_SHADER_STAGE_FRAGMENT_BIT};
   const VkPipelineShaderStageCreateInfo *stages[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = &vertex, [NIR_STAGE_FRAGMENT] = &fragment};
   struct vk_saved *program = vk_saved(&(struct vk_cache_key){{0}}, code, sizeof(code));
   assert_int_equal(
      vk_pipeline_binary_capture(device, &pipeline, NULL, whole ? program : NULL, whole ? NULL : stages), PIPE_OK);
   vk_saved_unref(program);
   return pipeline.captured;
}

/* The binary's use by whoever creates a pipeline. */
static void
use(VkPipelineBinaryKHR binary)
{
   const VkPipelineBinaryInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, NULL, 1, &binary};
   const struct vk_saved *saved = vk_pipeline_binary_of(&info);
   struct vk_pipeline pipeline = {.point = PIPE_BIND_GRAPHICS};
   struct vk_stage_copy *stages[NIR_STAGES] = {NULL};
   from = (const char *)saved->bytes;
   to = from + saved->size_B;
   if (vk_pipeline_binary_has_program(saved))
      vk_pipeline_binary_load(device, saved, &pipeline);
   else
      vk_pipeline_binary_stages(device, saved, stages);
   for (unsigned i = 0; i < NIR_STAGES; i++)
      vk_stage_copy_unref(device, stages[i]);
   indium_DestroyPipelineBinaryKHR(VK_TO(VkDevice, device), binary, NULL);
}

static VkPipelineBinaryKHR
create(const void *bytes, size_t size_B)
{
   const VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
   const VkPipelineBinaryDataKHR data = {size_B, (void *)bytes};
   const VkPipelineBinaryKeysAndDataKHR keys = {1, &key, &data};
   const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                               .pKeysAndDataInfo = &keys};
   VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
   VkPipelineBinaryHandlesInfoKHR handles = {.pipelineBinaryCount = 1, .pPipelineBinaries = &binary};
   const VkResult result = indium_CreatePipelineBinariesKHR(VK_TO(VkDevice, device), &info, NULL, &handles);
   assert_true((result == VK_SUCCESS) == (binary != VK_NULL_HANDLE));
   return binary;
}

/* A number at an end of what it may be, or of anything. */
static uint64_t
some_number(size_t size_B)
{
   const uint64_t ends[] = {0,          1,          2,          7,          size_B,    size_B - 1,
                            size_B + 1, size_B / 2, UINT32_MAX, UINT64_MAX, INT32_MAX, UINT64_MAX - size_B,
                            0xfffffff8};
   return random_below(4) ? ends[random_below(ARRAY_SIZE(ends))] : random_below((uint32_t)size_B);
}

/* A few words of it change, or its end goes; bytes has its size. */
static void
damage(char *bytes, size_t *size_B)
{
   for (unsigned i = 1 + random_below(2); i; i--) {
      const size_t width = random_below(2) ? 4 : 8,
                   at = CHECKSUM_AT + 8 + random_below((uint32_t)(*size_B - 24)) / 4 * 4;
      const uint64_t number = some_number(*size_B);
      memcpy(bytes + at, &number, MIN2(width, *size_B - at));
   }
   if (!random_below(4))
      *size_B = CHECKSUM_AT + 8 + random_below((uint32_t)(*size_B - CHECKSUM_AT - 8));
   const struct hash_128 hash = hash_more((struct hash_128){0}, bytes + CHECKSUM_AT + 8, *size_B - CHECKSUM_AT - 8);
   memcpy(bytes + CHECKSUM_AT, &hash.low, 8);
}

static void
damaged_ones(void **state)
{
   unsigned taken = 0;
   for (unsigned i = 0; i < ROUNDS; i++) {
      struct vk_saved *whole = capture(random_below(2));
      size_t size_B = whole->size_B;
      if (i > 1)
         damage((char *)whole->bytes, &size_B);
      char *bytes = malloc(size_B); /* of just this size */
      memcpy(bytes, whole->bytes, size_B);
      const VkPipelineBinaryKHR binary = create(bytes, size_B);
      assert_true(binary || i > 1);
      if (binary)
         use(binary);
      taken += binary != VK_NULL_HANDLE;
      free(bytes);
      vk_saved_unref(whole);
   }
   assert_true(taken > ROUNDS / 8 && taken < ROUNDS && passed_programs > 100 && passed_stages > 100);
}

static int
open_device(void **state)
{
   device = calloc(1, sizeof(*device));
   device->alloc = vk_default_allocator;
   device->screen = null_screen_open(-1);
   device->screen->program_load = program_load;
   return 0;
}

static int
close_device(void **state)
{
   device->screen->destroy(device->screen);
   free(device);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_ones)};
   return cmocka_run_group_tests(tests, open_device, close_device);
}
