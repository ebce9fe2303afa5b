/* Which commands a driver gives, asked without the loader: for all extensions together, for none, and for each device
 * one extension. What they ought to be comes from vk.xml.
 *
 * entrypoints [--foreign]: the driver of VK_DRIVER_FILES. --foreign: it is another's, for which less is looked at. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#define MAX_EXTENSIONS 512

enum kind { GLOBAL, INSTANCE, PHYSICAL, DEVICE };

/* Of one command several rows may stand together, one for each that has it. */
static const struct command {
   const char *name;
   enum kind kind;
   int version; /* 1.x; -1: of an extension */
   const char *extension;
   const char *besides; /* what else it depends on, an expression of vk.xml; NULL: nothing */
} commands[] = {
#include "all_commands.inc"
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static PFN_vkGetInstanceProcAddr get_proc;
static PFN_GetPhysicalDeviceProcAddr get_physical_proc;
static bool foreign;
static unsigned passed, failed;

#define PROC(instance, name) ((PFN_##name)get_proc(instance, #name))

static void
expect(bool ok, const char *what, const char *name, const char *with)
{
   *(ok ? &passed : &failed) += 1;
   if (!ok)
      printf("FAILED: %s, %s: %s\n", what, with, name);
}

static void
check(VkResult result, const char *what)
{
   if (result != VK_SUCCESS) {
      printf("%s: %d\n", what, result);
      exit(1);
   }
}

/* ---- the driver's library ---- */

/* The manifest's library_path; the manifest is small. */
static const char *
library_of_manifest(void)
{
   static char text[4096], *end;
   const char *files = getenv("VK_DRIVER_FILES");
   FILE *file = files ? fopen(files, "r") : NULL;
   if (!file)
      return NULL;
   text[fread(text, 1, sizeof(text) - 1, file)] = 0;
   fclose(file);
   char *at = strstr(text, "\"library_path\"");
   at = at ? strchr(at, ':') : NULL;
   at = at ? strchr(at, '"') : NULL;
   end = at ? strchr(at + 1, '"') : NULL;
   if (!end)
      return NULL;
   *end = 0;
   return at + 1;
}

static void
open_library(void)
{
   const char *path = library_of_manifest();
   void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
   uint32_t version = 5;
   if (!library) {
      printf("%s\n", path ? dlerror() : "VK_DRIVER_FILES names no driver");
      exit(1);
   }
   PFN_vkNegotiateLoaderICDInterfaceVersion negotiate =
      (PFN_vkNegotiateLoaderICDInterfaceVersion)dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion");
   check(negotiate(&version), "vk_icdNegotiateLoaderICDInterfaceVersion");
   get_proc = (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
   get_physical_proc = (PFN_GetPhysicalDeviceProcAddr)dlsym(library, "vk_icdGetPhysicalDeviceProcAddr");
}

/* ---- instances and devices ---- */

struct extensions {
   uint32_t count;
   VkExtensionProperties list[MAX_EXTENSIONS];
   const char *names[MAX_EXTENSIONS];
};

static struct {
   VkInstance instance, bare_instance;
   VkPhysicalDevice physical;
   struct extensions of_instance, of_device;
   uint32_t version; /* minor */
} gpu;

static void
name_all(struct extensions *extensions)
{
   for (uint32_t i = 0; i < extensions->count; i++)
      extensions->names[i] = extensions->list[i].extensionName;
}

static VkInstance
create_instance(uint32_t count, const char *const *extensions)
{
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_4};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &app,
                                      .enabledExtensionCount = count,
                                      .ppEnabledExtensionNames = extensions};
   VkInstance instance;
   check(PROC(NULL, vkCreateInstance)(&info, NULL, &instance), "vkCreateInstance");
   return instance;
}

static void
open_gpu(void)
{
   uint32_t one = 1;
   VkPhysicalDeviceProperties properties;
   gpu.of_instance.count = gpu.of_device.count = MAX_EXTENSIONS;
   PROC(NULL, vkEnumerateInstanceExtensionProperties)(NULL, &gpu.of_instance.count, gpu.of_instance.list);
   name_all(&gpu.of_instance);
   gpu.instance = create_instance(gpu.of_instance.count, gpu.of_instance.names);
   gpu.bare_instance = create_instance(0, NULL);
   PROC(gpu.instance, vkEnumeratePhysicalDevices)(gpu.instance, &one, &gpu.physical);
   if (!one) {
      printf("no device\n");
      exit(1);
   }
   PROC(gpu.instance, vkEnumerateDeviceExtensionProperties)
   (gpu.physical, NULL, &gpu.of_device.count, gpu.of_device.list);
   name_all(&gpu.of_device);
   PROC(gpu.instance, vkGetPhysicalDeviceProperties)(gpu.physical, &properties);
   gpu.version = VK_API_VERSION_MINOR(properties.apiVersion);
}

static VkDevice
create_device(uint32_t count, const char *const *extensions)
{
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = count,
                                    .ppEnabledExtensionNames = extensions};
   VkDevice device;
   check(PROC(gpu.instance, vkCreateDevice)(gpu.physical, &info, NULL, &device), "vkCreateDevice");
   return device;
}

/* ---- what is wanted ---- */

/* Extensions of the instance count with each set. */
struct set {
   uint32_t count;
   const char *const *names;
   bool with_instance;
};

static bool
has(const struct set *set, const char *name)
{
   unsigned minor;
   if (sscanf(name, "VK_VERSION_1_%u", &minor) == 1)
      return minor <= gpu.version;
   for (uint32_t i = 0; i < set->count; i++) {
      if (!strcmp(set->names[i], name))
         return true;
   }
   for (uint32_t i = 0; set->with_instance && i < gpu.of_instance.count; i++) {
      if (!strcmp(gpu.of_instance.names[i], name))
         return true;
   }
   return false;
}

/* Names with + (and) and , (or), from the left; parentheses. A feature, STRUCT::NAME, counts as there. */
static bool
depends(const struct set *set, const char **at)
{
   bool met = false;
   for (char op = ',';; op = *(*at)++) {
      bool term;
      if (**at == '(') {
         ++*at;
         term = depends(set, at);
         ++*at; /* the closing one */
      } else {
         char name[128];
         const size_t length = strcspn(*at, "+,()");
         snprintf(name, sizeof(name), "%.*s", (int)length, *at);
         term = strstr(name, "::") || has(set, name);
         *at += length;
      }
      met = op == '+' ? met && term : met || term;
      if (**at != '+' && **at != ',')
         return met;
   }
}

/* MAY: the extension is there, and not what must be there besides. */
enum answer { MUST_NOT, MAY, MUST };

static enum answer
answer_of(const struct command *c, unsigned rows, const struct set *set)
{
   enum answer answer = MUST_NOT;
   for (unsigned i = 0; i < rows; i++) {
      const bool offered = c[i].extension ? has(set, c[i].extension) : (uint32_t)c[i].version <= gpu.version;
      const char *besides = c[i].besides;
      if (offered && (!besides || depends(set, &besides)))
         return MUST;
      if (offered)
         answer = MAY;
   }
   return answer;
}

/* What the loader answers itself, what only a newer revision gives to the extension, and commands of Vulkan 1.4 that
 * a driver without hostImageCopy lacks. */
static bool
may_differ(const char *name)
{
   static const char *const names[] = {"vkEnumerateInstanceLayerProperties",
                                       "vkCmdWriteBufferMarker2AMD",
                                       "vkCmdSetDiscardRectangleEnableEXT",
                                       "vkCmdSetDiscardRectangleModeEXT",
                                       "vkCopyMemoryToImage",
                                       "vkCopyImageToMemory",
                                       "vkCopyImageToImage",
                                       "vkTransitionImageLayout"};
   bool found = false;
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      found |= !strcmp(name, names[i]);
   return foreign && found;
}

static void
compare(enum answer wanted, PFN_vkVoidFunction is, const char *what, const char *name, const char *with)
{
   if (wanted != MAY && !may_differ(name))
      expect((is != NULL) == (wanted == MUST), what, name, with);
}

static unsigned
rows_of(unsigned first)
{
   unsigned rows = 1;
   while (first + rows < COMMANDS && !strcmp(commands[first].name, commands[first + rows].name))
      rows++;
   return rows;
}

/* ---- tests ---- */

/* Another chip of the driver has the extension: an instance gives its commands. */
static bool
differs_by_device(const struct command *c, unsigned rows)
{
   static const char *const names[] = {
      VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,     VK_EXT_DEPTH_BIAS_CONTROL_EXTENSION_NAME,
      VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME, VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME,
      VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,         VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
      VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,      VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
      VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME,        VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
      VK_EXT_PRIMITIVE_RESTART_INDEX_EXTENSION_NAME,   VK_EXT_MESH_SHADER_EXTENSION_NAME,
      VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, VK_EXT_BLEND_OPERATION_ADVANCED_EXTENSION_NAME,
      VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME};
   for (unsigned i = 0; i < rows; i++) {
      for (unsigned j = 0; c[i].extension && j < sizeof(names) / sizeof(names[0]); j++) {
         if (!strcmp(c[i].extension, names[j]))
            return true;
      }
   }
   return false;
}

static void
test_instance(void)
{
   const struct set all = {gpu.of_device.count, gpu.of_device.names, true};
   const struct set devices = {gpu.of_device.count, gpu.of_device.names, false};
   for (unsigned i = 0, rows; i < COMMANDS; i += rows) {
      const struct command *c = &commands[i];
      rows = rows_of(i);
      compare(c->kind == GLOBAL ? MUST : MUST_NOT, get_proc(NULL, c->name), "vkGetInstanceProcAddr", c->name,
              "no instance");
      if (c->kind == GLOBAL)
         continue;
      enum answer wanted = answer_of(c, rows, &all), bare = answer_of(c, rows, &devices);
      if (wanted == MUST_NOT && (foreign || differs_by_device(c, rows)))
         wanted = MAY; /* another's instance gives commands of extensions that the device lacks */
      compare(wanted, get_proc(gpu.instance, c->name), "vkGetInstanceProcAddr", c->name, "all extensions");
      if (wanted == MUST && bare == MUST_NOT)
         compare(bare, get_proc(gpu.bare_instance, c->name), "vkGetInstanceProcAddr", c->name, "no extension");
      compare(c->kind == PHYSICAL ? wanted : MUST_NOT, get_physical_proc(gpu.instance, c->name),
              "vk_icdGetPhysicalDeviceProcAddr", c->name, "all extensions");
   }
   expect(!get_proc(gpu.instance, "vkNothing") && !get_proc(NULL, "vkNothing"), "vkGetInstanceProcAddr", "vkNothing",
          "all extensions");
}

static void
test_device(uint32_t count, const char *const *extensions, const char *with)
{
   const struct set set = {count, extensions, true};
   PFN_vkGetDeviceProcAddr get_device_proc = PROC(gpu.instance, vkGetDeviceProcAddr);
   VkDevice device = create_device(count, extensions);
   for (unsigned i = 0, rows; i < COMMANDS; i += rows) {
      const struct command *c = &commands[i];
      rows = rows_of(i);
      compare(c->kind == DEVICE ? answer_of(c, rows, &set) : MUST_NOT, get_device_proc(device, c->name),
              "vkGetDeviceProcAddr", c->name, with);
   }
   ((PFN_vkDestroyDevice)get_device_proc(device, "vkDestroyDevice"))(device, NULL);
}

int
main(int argc, char **argv)
{
   foreign = argc > 1 && !strcmp(argv[1], "--foreign");
   open_library();
   open_gpu();
   test_instance();
   test_device(gpu.of_device.count, gpu.of_device.names, "all extensions");
   test_device(0, NULL, "no extension");
   for (uint32_t i = 0; i < gpu.of_device.count; i++)
      test_device(1, &gpu.of_device.names[i], gpu.of_device.names[i]);
   PROC(gpu.instance, vkDestroyInstance)(gpu.instance, NULL);
   PROC(gpu.bare_instance, vkDestroyInstance)(gpu.bare_instance, NULL);
   printf("%u extensions of the device: %u passed, %u failed\n", gpu.of_device.count, passed, failed);
   return failed != 0;
}
