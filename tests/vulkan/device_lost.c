/* Faults of the GPU reach the application as VK_ERROR_DEVICE_LOST, and the model's report names the packet, the place
 * in the buffer, the wave and the instruction. Every case has a device of its own. Run on the model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "submit_patch.h"
#include "vkt.h"

/* Ends when the elements it reads are at least 1000. */
static const uint32_t endless_code[] = {
#include "endless.comp.inc"
};

static unsigned failed, passed;

static void
expect(bool condition, const char *name, const char *what)
{
   printf("%s: %s: %s\n", condition ? "ok" : "FAILED", name, what);
   *(condition ? &passed : &failed) += 1;
}

enum vendor { AMD, AGX, VENDORS };
enum wait { WAIT_FENCE, WAIT_IDLE, WAIT_DEVICE };

struct test_case {
   const char *name;
   enum submit_patch patch;
   enum wait wait;
   uint32_t data;                                      /* what the shader reads */
   bool frees_data, unbound, indirect, frees_indirect; /* unbound: what the shader reads is sparse */
   const char *report[VENDORS][7];                     /* parts of the report, in any order */
};

static const struct test_case cases[] = {
   {.name = "the shader as it is", .data = 2000, .wait = WAIT_FENCE},
   {.name = "endless shader",
    .data = 0,
    .wait = WAIT_IDLE,
    .report =
       {{"no wave of the launch can continue: wave 0 waits for memory in which it sees no change at pc 0x",
         "loop of ", " jumps back with `", "[CS, group 0, wave 0, pc 0x", ": s_",
         "; packet DISPATCH_DIRECT at dword "},
        {"no wave of the launch can continue: wave 0 of group 0 waits for memory in which it sees no change at pc 0x",
         "loop of ", " jumps back with `jmp_any", "submit 1, command 0, dispatches: "}}},
   {.name = "freed storage buffer",
    .data = 2000,
    .frees_data = true,
    .wait = WAIT_FENCE,
    /* Soft faults of AGX: what is not mapped reads as 0. */
    .report = {{"unmapped", "[CS, group ", ", wave ", ", pc 0x", ": buffer_load_",
                "; packet DISPATCH_DIRECT at dword "},
               {"no wave of the launch can continue: wave 0 of group 0 waits for memory"}}},
   {.name = "sparse buffer without memory",
    .unbound = true,
    .wait = WAIT_IDLE,
    .report = {{"unmapped", "[CS, group ", ", wave ", ", pc 0x", ": buffer_load_",
                "; packet DISPATCH_DIRECT at dword "},
               {"no wave of the launch can continue: wave 0 of group 0 waits for memory"}}},
   {.name = "freed indirect buffer",
    .data = 2000,
    .indirect = true,
    .frees_indirect = true,
    .wait = WAIT_DEVICE,
    .report = {{"read of unmapped address 0x", "; packet ", " at dword ", " of buffer 0x"},
               {"indirect sizes at 0x", ": nothing is bound at 0x"}}},
   {.name = "unknown packet",
    .patch = SUBMIT_UNKNOWN_PACKET,
    .data = 2000,
    .wait = WAIT_IDLE,
    .report = {{"unknown packet opcode 0xfe", "; packet ", " at dword ", " of buffer 0x"},
               {"CDM stream at 0x", ": 0xe0000000 begins no block"}}},
   {.name = "unknown instruction",
    .patch = SUBMIT_UNKNOWN_OPCODE,
    .data = 2000,
    .wait = WAIT_FENCE,
    .report = {{"0xbfff0000", "[CS, group ", ", wave ", ", pc 0x", "; packet DISPATCH_DIRECT at dword ",
                " of buffer 0x"},
               {"unknown instruction ffffffff", "[CS dispatch 0, group ", ", wave ", ", pc 0x", "; shader "}}},
};

/* ---- stderr ---- */

static int real_stderr;
static FILE *captured;

static void
begin_capture(void)
{
   captured = tmpfile();
   fflush(stderr);
   real_stderr = dup(STDERR_FILENO);
   if (!captured || real_stderr < 0 || dup2(fileno(captured), STDERR_FILENO) < 0)
      exit(1);
}

/* What was written meanwhile, to be freed; it goes to the real stderr too. */
static char *
end_capture(void)
{
   fflush(stderr);
   dup2(real_stderr, STDERR_FILENO);
   close(real_stderr);
   long size_B = lseek(fileno(captured), 0, SEEK_END);
   char *text = calloc(1, (size_t)size_B + 1);
   if (pread(fileno(captured), text, (size_t)size_B, 0) != size_B)
      exit(1);
   fclose(captured);
   fputs(text, stderr);
   return text;
}

/* ---- one case ---- */

static VkDescriptorSet
set_create(struct vkx *vkx, VkDescriptorSetLayout layout, VkBuffer buffer, VkDescriptorPool *pool)
{
   const struct vkt_descriptor descriptor = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = buffer};
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, layout, 1, &descriptor);
}

/* A buffer with only sparse binding, which has to have all its memory before it is used. */
static VkBuffer
unbound_create(const struct vkx *vkx)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                    .size = 65536,
                                    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VkBuffer buffer;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   return buffer;
}

static VkResult
submit_and_wait(struct vkx *vkx, VkCommandBuffer cmd, enum wait wait)
{
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkFence fence;
   vkx_check(vkCreateFence(vkx->device, &fence_info, NULL, &fence), "vkCreateFence");
   VkResult result = vkQueueSubmit(vkx->queue, 1, &submit, fence);
   vkx_check(result, "the first vkQueueSubmit");
   switch (wait) {
   case WAIT_FENCE:
      result = vkWaitForFences(vkx->device, 1, &fence, VK_TRUE, UINT64_MAX);
      break;
   case WAIT_IDLE:
      result = vkQueueWaitIdle(vkx->queue);
      break;
   case WAIT_DEVICE:
      result = vkDeviceWaitIdle(vkx->device);
      break;
   }
   vkDestroyFence(vkx->device, fence, NULL);
   return result;
}

static void
check(struct vkx *vkx, const struct test_case *test, VkResult result, VkCommandBuffer cmd, const char *report)
{
   static const char *const calls[] = {"vkWaitForFences", "vkQueueWaitIdle", "vkDeviceWaitIdle"};
   const VkSubmitInfo again = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkPhysicalDeviceProperties properties;
   vkGetPhysicalDeviceProperties(vkx->physical, &properties);
   const char *const *parts = test->report[properties.vendorID == 0x1002 ? AMD : AGX];
   expect(result == (parts[0] ? VK_ERROR_DEVICE_LOST : VK_SUCCESS), test->name, calls[test->wait]);
   expect(submit_patch_next == SUBMIT_AS_IT_IS, test->name, "the submission was changed as wanted");
   if (!parts[0])
      return;
   expect(vkQueueSubmit(vkx->queue, 1, &again, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST, test->name,
          "a lost device stays lost");
   for (unsigned i = 0; i < sizeof(test->report[0]) / sizeof(*parts) && parts[i]; i++)
      expect(strstr(report, parts[i]), test->name, parts[i]);
   expect(strstr(report, "GPU fault: ") && !strstr(report, "address 0x0)"), test->name, "the report means something");
}

/* A second device, younger than the one that is lost. */
static VkDevice
other_create(const struct vkx *vkx)
{
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = vkx->family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
   VkDevice device;
   vkx_check(vkCreateDevice(vkx->physical, &info, NULL, &device), "vkCreateDevice");
   return device;
}

static void
check_other(const struct vkx *vkx, const struct test_case *test, VkDevice device)
{
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   VkQueue queue;
   vkGetDeviceQueue(device, vkx->family, 0, &queue);
   vkx_check(vkCreateFence(device, &fence_info, NULL, &fence), "vkCreateFence");
   expect(vkQueueSubmit(queue, 0, NULL, fence) == VK_SUCCESS &&
             vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS,
          test->name, "another device is not lost");
   vkDestroyFence(device, fence, NULL);
   vkDestroyDevice(device, NULL);
}

/* --example: ends as examples do, which submit once more where fences do not tell (RADV 25 and 26). */
static bool is_example;

static void
run_case(const struct test_case *test)
{
   struct vkx vkx = vkx_create("device_lost");
   VkDevice other = other_create(&vkx);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, 0, 0);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, endless_code, sizeof(endless_code)));
   struct vkx_buffer data = vkx_buffer_create(&vkx, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   struct vkx_buffer indirect = vkx_buffer_create(&vkx, 4096, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, true);
   for (unsigned i = 0; i < 1024; i++)
      ((uint32_t *)data.map)[i] = test->data;
   memcpy(indirect.map, (uint32_t[]){2, 1, 1}, 12);
   VkDescriptorPool pool;
   VkBuffer unbound = test->unbound ? unbound_create(&vkx) : VK_NULL_HANDLE;
   VkDescriptorSet set = set_create(&vkx, set_layout, unbound ? unbound : data.buffer, &pool);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   if (test->indirect)
      vkCmdDispatchIndirect(cmd, indirect.buffer, 0);
   else
      vkCmdDispatch(cmd, 2, 1, 1);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   /* Against the rules of Vulkan: freed while a command buffer that will run uses it. */
   if (test->frees_data)
      vkx_buffer_destroy(&vkx, &data);
   if (test->frees_indirect)
      vkx_buffer_destroy(&vkx, &indirect);
   if (is_example) {
      submit_and_wait(&vkx, cmd, WAIT_FENCE);
      vkx_expect_device(&vkx);
      exit(0);
   }
   submit_patch_next = test->patch;
   begin_capture();
   VkResult result = submit_and_wait(&vkx, cmd, test->wait);
   char *report = end_capture();
   check(&vkx, test, result, cmd, report);
   check_other(&vkx, test, other);
   free(report);
   vkDestroyBuffer(vkx.device, unbound, NULL);
   if (!test->frees_data)
      vkx_buffer_destroy(&vkx, &data);
   if (!test->frees_indirect)
      vkx_buffer_destroy(&vkx, &indirect);
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkx_destroy(&vkx);
}

int
main(int argc, char **argv)
{
   is_example = argc == 2 && !strcmp(argv[1], "--example");
   if (is_example)
      run_case(&cases[1]); /* an endless shader */
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      run_case(&cases[i]);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
