/* VK_INTEL_shader_integer_functions2: each instruction against 64-bit arithmetic. */
#include "vkt.h"

static const uint32_t code[] = {
#include "integer_functions.inc"
};

enum { LANES = 64, OPS = 14, WORDS = 28 };
static const char *const names[OPS] = {
   "leading zeros",  "trailing zeros", "signed distance",     "distance",     "signed sum",        "sum",
   "signed average", "average",        "signed rounded mean", "rounded mean", "signed difference", "difference",
   "signed product", "product"};

static int64_t
sign_extend(uint32_t x, uint32_t bits)
{
   return (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
}

static int64_t
clamp(int64_t x, int64_t min, int64_t max)
{
   return x < min ? min : x > max ? max : x;
}

static uint32_t
zeros(uint32_t x, uint32_t bits, bool leading)
{
   uint32_t count = 0;
   while (count < bits && !(x >> (leading ? bits - 1 - count : count) & 1))
      count++;
   return count;
}

/* x, y: of that many bits. */
static uint32_t
compute(uint32_t op, uint32_t x, uint32_t y, uint32_t bits)
{
   const uint64_t mask = (UINT64_C(1) << bits) - 1;
   const int64_t max = (int64_t)(mask >> 1), min = -max - 1;
   const int64_t a = sign_extend(x, bits), b = sign_extend(y, bits), u = x, v = y;
   const int64_t results[OPS] = {zeros(x, bits, true),
                                 zeros(x, bits, false),
                                 a > b ? a - b : b - a,
                                 u > v ? u - v : v - u,
                                 clamp(a + b, min, max),
                                 clamp(u + v, 0, (int64_t)mask),
                                 (a + b) >> 1,
                                 (u + v) >> 1,
                                 (a + b + 1) >> 1,
                                 (u + v + 1) >> 1,
                                 clamp(a - b, min, max),
                                 clamp(u - v, 0, (int64_t)mask),
                                 a * sign_extend(y & 0xffff, 16),
                                 u * (v & 0xffff)};
   return (uint32_t)((uint64_t)results[op] & mask);
}

/* Numbers near limits are as many as others. */
static uint32_t
random_word(void)
{
   static const uint32_t odd[] = {0, 1, UINT32_MAX, 0x7fffffff, 0x80000000, 0x7fff, 0x8000, 0xffff8000, 0x7fff7fff};
   const uint32_t choice = vkt_random_below(18);
   return choice < 9 ? odd[choice] : vkt_random() >> vkt_random_below(32);
}

int
main(void)
{
   VkPhysicalDeviceShaderIntegerFunctions2FeaturesINTEL feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL,
      .shaderIntegerFunctions2 = VK_TRUE};
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct vkx vkx = vkx_create_with("integer_functions", "VK_INTEL_shader_integer_functions2", &feature);
   struct vkx_buffer in = vkt_buffer_create(&vkx, 8 * LANES, 0), out = vkt_buffer_create(&vkx, 4 * WORDS * LANES, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0);
   VkPipeline pipeline = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, code, sizeof(code)));
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set = vkt_bindings_create(
      &vkx, &pool, set_layout, 2,
      (struct vkt_descriptor[]){{.type = types[0], .buffer = in.buffer}, {.type = types[1], .buffer = out.buffer}});
   uint32_t *words = in.map;
   for (uint32_t i = 0; i < 2 * LANES; i++)
      words[i] = random_word();
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   for (uint32_t i = 0; i < LANES * WORDS; i++) {
      const uint32_t lane = i / WORDS, small = i % WORDS >= OPS, op = i % WORDS % OPS, bits = small ? 16 : 32;
      const uint32_t x = words[2 * lane] & (small ? 0xffff : UINT32_MAX),
                     y = words[2 * lane + 1] & (small ? 0xffff : UINT32_MAX), got = ((const uint32_t *)out.map)[i];
      if (!small || (op >= 2 && op < 12))
         vkt_expect(got == compute(op, x, y, bits), "%s of %x, %x of %u bits: %x, not %x", names[op], x, y, bits, got,
                    compute(op, x, y, bits));
   }
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkx_buffer_destroy(&vkx, &in);
   vkx_buffer_destroy(&vkx, &out);
   return vkt_finish(&vkx);
}
