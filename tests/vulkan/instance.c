/* The driver's library without the loader: what it refuses, and what it does when the application or the kernel has
 * no memory.
 *
 * instance LIBRARY; with the driver linked in: exhaustion [STEP], where its own allocations fail, each STEPth. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <amdgpu_drm.h>
#include <asahi_drm.h>
#include <drm.h>
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#ifdef WITH_DRIVER
#include "../util/fail_alloc.h"
#endif

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

static PFN_vkGetInstanceProcAddr get_proc;
static unsigned passed, failed;

static void
expect(bool ok, const char *what, const char *name)
{
   *(ok ? &passed : &failed) += 1;
   if (!ok)
      printf("FAILED: %s: %s\n", what, name);
}

/* ---- allocators: counts what lives; the call number `fail_at` gives NULL ---- */

static struct {
   long live, calls, fail_at;
} memory;

static void *VKAPI_PTR
allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
   if (++memory.calls == memory.fail_at)
      return NULL;
   memory.live++;
   return aligned_alloc(alignment < 16 ? 16 : alignment, (size + 63) & ~(size_t)63);
}

static void VKAPI_PTR
release(void *user, void *block)
{
   memory.live -= block != NULL;
   free(block);
}

static void *VKAPI_PTR
reallocate(void *user, void *block, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
   void *fresh = allocate(user, size, alignment, scope);
   if (!fresh)
      return NULL;
   if (block)
      memcpy(fresh, block, size);
   release(user, block);
   return fresh;
}

static const VkAllocationCallbacks callbacks = {
   .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};

/* ---- the kernel: counts its objects; the call number `fail_at` that needs memory fails ---- */

static struct {
   long live, calls, fail_at;
} kernel;

static const struct {
   unsigned long request;
   int live;   /* what it makes of the number of objects */
   bool fails; /* needs memory */
} requests[] = {
   {DRM_IOCTL_SYNCOBJ_CREATE, 1, true},        {DRM_IOCTL_SYNCOBJ_DESTROY, -1, false},
   {DRM_IOCTL_GEM_CLOSE, -1, false},           {DRM_IOCTL_AMDGPU_GEM_CREATE, 1, true},
   {DRM_IOCTL_AMDGPU_GEM_MMAP, 0, true},       {DRM_IOCTL_AMDGPU_GEM_VA, 0, true},
   {DRM_IOCTL_ASAHI_GEM_CREATE, 1, true},      {DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, 0, true},
   {DRM_IOCTL_ASAHI_VM_BIND, 0, true},         {DRM_IOCTL_ASAHI_VM_CREATE, 1, true},
   {DRM_IOCTL_ASAHI_VM_DESTROY, -1, false},    {DRM_IOCTL_ASAHI_QUEUE_CREATE, 1, true},
   {DRM_IOCTL_ASAHI_QUEUE_DESTROY, -1, false},
};

/* Taking something off an address space needs none. */
static bool
unmaps(unsigned long request, const void *argument)
{
   if (request == DRM_IOCTL_AMDGPU_GEM_VA)
      return ((const struct drm_amdgpu_gem_va *)argument)->operation != AMDGPU_VA_OP_MAP;
   if (request != DRM_IOCTL_ASAHI_VM_BIND)
      return false;
   const struct drm_asahi_vm_bind *bind = argument;
   return ((const struct drm_asahi_gem_bind_op *)(uintptr_t)bind->userptr)->flags & DRM_ASAHI_BIND_UNBIND;
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...);

/* Stands before those of the preloaded shim and of libc. */
int
ioctl(int fd, unsigned long request, ...)
{
   static int (*next)(int, unsigned long, ...);
   va_list args;
   va_start(args, request);
   void *argument = va_arg(args, void *);
   va_end(args);
   if (!next)
      next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
   unsigned row = 0;
   while (row < ARRAY_SIZE(requests) && requests[row].request != request)
      row++;
   if (row == ARRAY_SIZE(requests))
      return next(fd, request, argument);
   if (requests[row].fails && !unmaps(request, argument) && ++kernel.calls == kernel.fail_at) {
      errno = ENOMEM;
      return -1;
   }
   int result = next(fd, request, argument);
   if (!result)
      kernel.live += requests[row].live;
   return result;
}

/* ---- commands of the library ---- */

#define INSTANCE_PROC(instance, name) ((PFN_##name)get_proc(instance, #name))

static VkResult
create_instance(uint32_t num_extensions, const char *const *extensions, const VkAllocationCallbacks *allocator,
                VkInstance *instance)
{
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &app,
                                      .enabledExtensionCount = num_extensions,
                                      .ppEnabledExtensionNames = extensions};
   return INSTANCE_PROC(NULL, vkCreateInstance)(&info, allocator, instance);
}

static VkResult
create_device(VkInstance instance, VkPhysicalDevice physical, uint32_t num_extensions, const char *const *extensions,
              const void *next, const VkAllocationCallbacks *allocator, VkDevice *device)
{
   /* size: fields of VkDeviceCreateInfo */
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = next,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = num_extensions,
                                    .ppEnabledExtensionNames = extensions};
   return INSTANCE_PROC(instance, vkCreateDevice)(physical, &info, allocator, device);
}

struct extensions {
   uint32_t count;
   VkExtensionProperties list[128];
   const char *names[128];
};

static void
name_all(struct extensions *extensions)
{
   for (uint32_t i = 0; i < extensions->count; i++)
      extensions->names[i] = extensions->list[i].extensionName;
}

struct gpu {
   VkInstance instance;
   VkPhysicalDevice physical;
   struct extensions of_instance, of_device;
   uint32_t version; /* minor */
};

static void
open_gpu(struct gpu *gpu)
{
   gpu->of_instance.count = gpu->of_device.count = 128;
   uint32_t one = 1;
   VkPhysicalDeviceProperties properties;
   INSTANCE_PROC(NULL, vkEnumerateInstanceExtensionProperties)(NULL, &gpu->of_instance.count, gpu->of_instance.list);
   name_all(&gpu->of_instance);
   if (create_instance(gpu->of_instance.count, gpu->of_instance.names, NULL, &gpu->instance) != VK_SUCCESS ||
       INSTANCE_PROC(gpu->instance, vkEnumeratePhysicalDevices)(gpu->instance, &one, &gpu->physical) != VK_SUCCESS ||
       !one) {
      printf("no device\n");
      exit(1);
   }
   INSTANCE_PROC(gpu->instance, vkEnumerateDeviceExtensionProperties)
   (gpu->physical, NULL, &gpu->of_device.count, gpu->of_device.list);
   name_all(&gpu->of_device);
   INSTANCE_PROC(gpu->instance, vkGetPhysicalDeviceProperties)(gpu->physical, &properties);
   gpu->version = VK_API_VERSION_MINOR(properties.apiVersion);
}

static void
close_device(const struct gpu *gpu, VkDevice device)
{
   ((PFN_vkDestroyDevice)INSTANCE_PROC(gpu->instance, vkGetDeviceProcAddr)(device, "vkDestroyDevice"))(device, NULL);
}

/* ---- the conformance version: what the environment says, and nothing that can be no release ---- */

static void
check_conformance_version(const char *text, const VkConformanceVersion *expected)
{
   VkInstance instance;
   VkPhysicalDevice physical;
   uint32_t one = 1;
   if (text)
      setenv("INDIUM_CONFORMANCE_VERSION", text, 1);
   VkResult result = create_instance(0, NULL, NULL, &instance);
   unsetenv("INDIUM_CONFORMANCE_VERSION");
   expect(result == (expected ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED), "vkCreateInstance", text ? text : "");
   if (result != VK_SUCCESS)
      return;
   VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &driver};
   INSTANCE_PROC(instance, vkEnumeratePhysicalDevices)(instance, &one, &physical);
   INSTANCE_PROC(instance, vkGetPhysicalDeviceProperties2)(physical, &properties);
   expect(expected && !memcmp(&driver.conformanceVersion, expected, sizeof(*expected)), "conformanceVersion",
          text ? text : "unset");
   INSTANCE_PROC(instance, vkDestroyInstance)(instance, NULL);
}

static void
test_conformance_version(const struct gpu *gpu)
{
   static const char *const refused[] = {"",        "1",        "1.3.5",    "1.3.5.2.0", "1.3.5.2x",
                                         "a.b.c.d", "0.0.0.0",  "1.3.5.16", "1.3.16.2",  "1.5.0.0",
                                         "2.3.5.2", "1.3.5.-2", "1.03.5.2"};
   unsetenv("INDIUM_CONFORMANCE_VERSION");
   check_conformance_version(NULL, &(VkConformanceVersion){0, 0, 0, 0});
   for (unsigned i = 0; i < ARRAY_SIZE(refused); i++)
      check_conformance_version(refused[i], NULL);
   for (uint8_t minor = 0; minor <= 4; minor++) {
      char text[16];
      snprintf(text, sizeof(text), "1.%u.10.2", minor);
      check_conformance_version(text, minor < gpu->version ? NULL : &(VkConformanceVersion){1, minor, 10, 2});
   }
}

/* ---- what is refused ---- */

static void
test_refusals(const struct gpu *gpu)
{
   const char *unknown = "VK_EXT_that_does_not_exist";
   VkInstance instance;
   VkDevice device;
   expect(create_instance(1, &unknown, NULL, &instance) == VK_ERROR_EXTENSION_NOT_PRESENT, "vkCreateInstance",
          "unknown extension");
   expect(create_device(gpu->instance, gpu->physical, 1, &unknown, NULL, NULL, &device) ==
             VK_ERROR_EXTENSION_NOT_PRESENT,
          "vkCreateDevice", "unknown extension");
   VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   core.features.sparseResidency16Samples = VK_TRUE;
   VkPhysicalDeviceProtectedMemoryFeatures protection = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, .protectedMemory = VK_TRUE};
   VkPhysicalDeviceBufferDeviceAddressFeatures address = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
      .bufferDeviceAddress = VK_TRUE,
      .bufferDeviceAddressMultiDevice = VK_TRUE};
   const void *const chains[] = {&core, &protection, &address};
   static const char *const names[] = {"sparseResidency16Samples", "protectedMemory",
                                       "bufferDeviceAddressMultiDevice"};
   for (unsigned i = 0; i < ARRAY_SIZE(chains); i++)
      expect(create_device(gpu->instance, gpu->physical, 0, NULL, chains[i], NULL, &device) ==
                VK_ERROR_FEATURE_NOT_PRESENT,
             "vkCreateDevice", names[i]);
   address.bufferDeviceAddressMultiDevice = VK_FALSE;
   if (create_device(gpu->instance, gpu->physical, 0, NULL, &address, NULL, &device) == VK_SUCCESS)
      close_device(gpu, device);
   else
      expect(false, "vkCreateDevice", "bufferDeviceAddress");
}

/* ---- structs of versions, also of those that the device does not report ---- */

static void
test_version_features(const struct gpu *gpu)
{
   struct {
      VkBaseOutStructure base;
      VkBool32 features[64];
   } s;
   static const struct {
      VkStructureType s_type;
      const char *name;
      unsigned count; /* of features, by the specification */
      size_t known_B; /* a feature of every device */
   } rows[] = {
#define ROW(number, count, feature)                                                                                  \
   {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_##number##_FEATURES, "VkPhysicalDeviceVulkan1" #number "Features",    \
    count, offsetof(VkPhysicalDeviceVulkan1##number##Features, feature)}
      ROW(1, 12, multiview),
      ROW(2, 47, timelineSemaphore),
      ROW(3, 15, synchronization2),
      ROW(4, 21, indexTypeUint8),
#undef ROW
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      memset(&s, 0xcc, sizeof(s));
      s.base.sType = rows[i].s_type;
      s.base.pNext = NULL;
      VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &s};
      INSTANCE_PROC(gpu->instance, vkGetPhysicalDeviceFeatures2)(gpu->physical, &all);
      unsigned filled = 0;
      while (s.features[filled] <= VK_TRUE)
         filled++;
      expect(filled == rows[i].count, "vkGetPhysicalDeviceFeatures2", rows[i].name);
      expect(*(VkBool32 *)((char *)&s + rows[i].known_B) == VK_TRUE, "a feature of every device", rows[i].name);
   }
}

static void
test_version_properties(const struct gpu *gpu)
{
   VkPhysicalDeviceVulkan12Properties v12;
   VkPhysicalDeviceVulkan13Properties v13;
   VkPhysicalDeviceVulkan14Properties v14;
   memset(&v12, 0xcc, sizeof(v12));
   memset(&v13, 0xcc, sizeof(v13));
   memset(&v14, 0xcc, sizeof(v14));
   v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
   v12.pNext = &v13;
   v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
   v13.pNext = &v14;
   v14.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES;
   v14.pNext = NULL;
   v14.pCopySrcLayouts = v14.pCopyDstLayouts = NULL; /* only the numbers */
   VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v12};
   INSTANCE_PROC(gpu->instance, vkGetPhysicalDeviceProperties2)(gpu->physical, &all);
   expect(!strcmp(v12.driverName, "Indium") && v12.independentResolve <= 1 && v12.shaderDenormPreserveFloat16 <= 1 &&
             v12.framebufferIntegerColorSampleCounts != 0xcccccccc,
          "vkGetPhysicalDeviceProperties2", "VkPhysicalDeviceVulkan12Properties");
   expect(v13.minSubgroupSize <= 64 && v13.maxBufferSize != UINT64_C(0xcccccccccccccccc) &&
             v13.uniformTexelBufferOffsetSingleTexelAlignment <= 1,
          "vkGetPhysicalDeviceProperties2", "VkPhysicalDeviceVulkan13Properties");
   expect(v14.supportsNonZeroFirstInstance <= 1 && v14.maxVertexAttribDivisor == UINT32_MAX &&
             v14.maxCombinedImageSamplerDescriptorCount != 0xcccccccc && v14.copySrcLayoutCount != 0xcccccccc,
          "vkGetPhysicalDeviceProperties2", "VkPhysicalDeviceVulkan14Properties");
}

#include "instance_script.h"

static bool
is_exhaustion(VkResult result)
{
   return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
          result == VK_ERROR_INITIALIZATION_FAILED || result == VK_ERROR_MEMORY_MAP_FAILED ||
          result == VK_ERROR_DEVICE_LOST; /* of a submit that has taken the semaphores which it waits for */
}

/* Fails the n-th allocation for every n, until the script needs no more. */
static void
test_memory(void)
{
   long runs = 0;
   for (memory.fail_at = 1;; memory.fail_at++, runs++) {
      memory.calls = 0;
      VkResult result = run_script();
      char name[48];
      snprintf(name, sizeof(name), "call %ld", memory.fail_at);
      expect(memory.live == 0, "allocations that stay", name);
      memory.live = 0;
      if (memory.calls < memory.fail_at) {
         expect(result == VK_SUCCESS, "the whole script", name);
         break;
      }
      expect(result == VK_ERROR_OUT_OF_HOST_MEMORY, "an allocation that fails", name);
   }
   printf("%ld allocations failed one by one\n", runs);
   expect(runs > 30, "the script allocates", "");
}

/* The same for the kernel's memory. */
static void
test_device_memory(void)
{
   long runs = 0;
   memory.fail_at = 0;
   for (kernel.fail_at = 1;; kernel.fail_at++, runs++) {
      kernel.calls = kernel.live = 0;
      VkResult result = run_script();
      char name[48];
      snprintf(name, sizeof(name), "call %ld", kernel.fail_at);
      expect(memory.live == 0, "allocations that stay", name);
      expect(kernel.live == 0, "kernel objects that stay", name);
      memory.live = 0;
      if (kernel.calls < kernel.fail_at) {
         expect(result == VK_SUCCESS, "the whole script", name);
         break;
      }
      expect(is_exhaustion(result), "a kernel call that fails", name);
   }
   printf("%ld kernel calls failed one by one\n", runs);
   expect(runs > 15, "the script needs the kernel", "");
}

#ifdef WITH_DRIVER
/* The same for what the driver allocates by itself. */
static void
test_host_memory(long step)
{
   long runs = 0;
   memory.fail_at = kernel.fail_at = 0;
   for (;; runs += step) {
      kernel.live = 0;
      fail_countdown = runs;
      VkResult result = run_script();
      bool exhausted = fail_countdown < 0;
      fail_countdown = -1;
      char name[48];
      snprintf(name, sizeof(name), "malloc %ld", runs);
      expect(memory.live == 0, "allocations that stay", name);
      expect(kernel.live == 0, "kernel objects that stay", name);
      memory.live = 0;
      if (!exhausted) {
         expect(result == VK_SUCCESS, "the whole script", name);
         break;
      }
      expect(is_exhaustion(result), "a malloc that fails", name);
   }
   printf("%ld mallocs, each %ld. failed\n", runs, step);
   expect(runs > 100, "the driver allocates", "");
}
#endif

int
main(int argc, char **argv)
{
#ifdef WITH_DRIVER
   get_proc = vk_icdGetInstanceProcAddr;
   test_host_memory(argc > 1 ? atol(argv[1]) : 1);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
#endif
   void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
   if (!library) {
      printf("%s\n", argc > 1 ? dlerror() : "instance LIBRARY");
      return 1;
   }
   uint32_t version = 5;
   get_proc = (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
   PFN_vkNegotiateLoaderICDInterfaceVersion negotiate =
      (PFN_vkNegotiateLoaderICDInterfaceVersion)dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion");
   expect(negotiate(&version) == VK_SUCCESS && version == 5, "vk_icdNegotiateLoaderICDInterfaceVersion", "5");
   struct gpu gpu = {0};
   open_gpu(&gpu);
   test_refusals(&gpu);
   test_version_features(&gpu);
   test_version_properties(&gpu);
   test_conformance_version(&gpu);
   INSTANCE_PROC(gpu.instance, vkDestroyInstance)(gpu.instance, NULL);
   test_memory();
   test_device_memory();
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
