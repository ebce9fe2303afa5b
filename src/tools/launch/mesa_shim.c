#include "tools/launch/mesa_shim.h"

#include <stddef.h>
#include <string.h>

#define AMDGPU "libamdgpu_noop_drm_shim.so"
#define ASAHI "libasahi_noop_drm_shim.so"

const struct mesa_shim mesa_shims[] = {
   {"vega10", AMDGPU, {"AMDGPU_GPU_ID", "vega10"}},
   {"raven", AMDGPU, {"AMDGPU_GPU_ID", "raven"}},
   {"renoir", AMDGPU, {"AMDGPU_GPU_ID", "renoir"}},
   {"navi10", AMDGPU, {"AMDGPU_GPU_ID", "navi10"}},
   {"navi21", AMDGPU, {"AMDGPU_GPU_ID", "navi21"}},
   {"vangogh", AMDGPU, {"AMDGPU_GPU_ID", "vangogh"}},
   {"navi31", AMDGPU, {"AMDGPU_GPU_ID", "navi31"}},
   {"gfx1150", AMDGPU, {"AMDGPU_GPU_ID", "strix1"}},
   {"m1", ASAHI, {NULL, NULL}}, /* G13G */
   {0},
};

const struct mesa_shim *
mesa_shim_of_chip(const char *chip)
{
   const struct mesa_shim *row = mesa_shims;
   while (row->chip && strcmp(row->chip, chip))
      row++;
   return row->chip ? row : NULL;
}
