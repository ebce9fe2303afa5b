#include "tools/launch/parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/command.h"
#include "tools/install_paths.h"

static const struct {
   const char *built;     /* from the build folder */
   const char *installed; /* from the folder of the command */
} parts[] = {
   [PART_DRIVER] = {"src/gallium/frontends/vulkan/" DRIVER_MANIFEST, INSTALLED_DRIVER},
   [PART_AMDGPU_SHIM] = {"src/amd/drm-shim/libindium_amdgpu_shim.so", INSTALLED_SHIMS "/libindium_amdgpu_shim.so"},
   [PART_ASAHI_SHIM] = {"src/asahi/drm-shim/libindium_asahi_shim.so", INSTALLED_SHIMS "/libindium_asahi_shim.so"},
   [PART_ASAHI_WRAP] = {"src/asahi/wrap/libindium_asahi_wrap.so", INSTALLED_SHIMS "/libindium_asahi_wrap.so"},
   [PART_I915_SHIM] = {"src/intel/drm-shim/libindium_i915_shim.so", INSTALLED_SHIMS "/libindium_i915_shim.so"},
   [PART_AMDGPU_WAVE] = {"src/amd/wave/indium-wave", INSTALLED_SHIMS "/indium-wave"},
   [PART_AMDGPU_REPLAY] = {"src/amd/drm-shim/indium-replay", INSTALLED_SHIMS "/indium-replay"},
   [PART_AGX_REPLAY] = {"src/asahi/drm-shim/indium-agx-replay", INSTALLED_SHIMS "/indium-agx-replay"},
   [PART_AGX_DECODE] = {"src/asahi/decode/indium-agx-decode", INSTALLED_SHIMS "/indium-agx-decode"},
   [PART_ORDER_LAYER] = {"src/tools/order_layer/VkLayer_indium_order.json",
                         INSTALLED_SHIMS "/VkLayer_indium_order.json"},
};

/* The folder of the command without links, dots and an ending slash. */
static bool
own_folder(char folder[PATH_MAX])
{
   ssize_t size_B = readlink("/proc/self/exe", folder, PATH_MAX);
   if (size_B < 0 || size_B == PATH_MAX)
      return false;
   folder[size_B] = 0;
   char *slash = strrchr(folder, '/');
   if (slash)
      *slash = 0;
   return slash;
}

/* Cuts the last name off a folder for each ".." that the file begins with, and appends the rest. */
static bool
join(char path[PATH_MAX], const char *file)
{
   for (; !strncmp(file, "../", 3); file += 3) {
      char *slash = strrchr(path, '/');
      if (slash)
         *slash = 0;
   }
   size_t used_B = strlen(path);
   return snprintf(path + used_B, PATH_MAX - used_B, "/%s", file) < (int)(PATH_MAX - used_B);
}

bool
build_path(const char *file, char path[PATH_MAX])
{
   static const char home[] = "/src/tools";
   if (!own_folder(path))
      return false;
   size_t size_B = strlen(path), home_B = strlen(home);
   if (size_B < home_B || strcmp(path + size_B - home_B, home))
      return false;
   path[size_B - home_B] = 0;
   return join(path, file);
}

bool
part_path(enum part part, char path[PATH_MAX])
{
   return build_path(parts[part].built, path) || (own_folder(path) && join(path, parts[part].installed));
}

int
exec_part(const struct command *command, enum part part, const char **arguments)
{
   char path[PATH_MAX];
   if (!part_path(part, path))
      return usage_error(command->name, "the path of this command is not known, or too long");
   arguments[0] = path;
   execv(path, (char **)arguments);
   return usage_error(command->name, "cannot run %s: %s", path, strerror(errno));
}
