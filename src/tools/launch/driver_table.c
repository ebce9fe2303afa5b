#include "tools/launch/driver_table.h"

#include <stddef.h>
#include <string.h>

static const struct plain none[] = {{0}};

static const struct plain amd_plain[] = {
   {"geometry", {"RADV_DEBUG", "nongg,nonggc"}},
   {"geometry", {"AMD_DEBUG", "nongg,nonggc"}},
   {"surfaces", {"RADV_DEBUG", "nohiz,nodcc,nofastclears,nofmask"}},
   {"surfaces", {"AMD_DEBUG", "nohyperz,nodcc,nofmask"}},
   {"binning", {"RADV_DEBUG", "nobinning"}},
   {"binning", {"AMD_DEBUG", "nodpbb"}},
   {"compute", {"RADV_DEBUG", "nocompute"}}, /* no queues of their own */
   {"submits", {"RADV_DEBUG", "noibs"}},     /* one buffer each */
   {"order", {"RADV_DEBUG", "nooutoforder"}},
   {"order", {"AMD_DEBUG", "nooutoforder"}},
   {"shading", {"RADV_DEBUG", "novrsflatshading"}},
   {0},
};

static const struct setting nothing[] = {{0}};

/* Two of these drivers are for Broadwell: the loader takes iris, and crocus takes it only when told so. */
static const struct setting crocus_needs[] = {{"MESA_LOADER_DRIVER_OVERRIDE", "crocus"}, {"CROCUS_GEN8", "1"}, {0}};
static const struct setting iris_needs[] = {{"MESA_LOADER_DRIVER_OVERRIDE", "iris"}, {0}};

/* A release's Vulkan driver and its OpenGL driver are two rows that differ only in what must be there. */
const struct driver drivers[] = {
   {"indium", NULL, NULL, NULL, NULL, NULL, none, nothing},
   {"radv", NULL, "radeon_icd", NULL, "navi21", NULL, amd_plain, nothing},
   {"radeonsi", NULL, "radeon_icd", "radeonsi_dri.so", "navi21", NULL, amd_plain, nothing},
   {"radv-25", "mesa25", "radeon_icd", NULL, "navi21", NULL, amd_plain, nothing},
   {"radeonsi-25", "mesa25", "radeon_icd", "radeonsi_dri.so", "navi21", NULL, amd_plain, nothing},
   {"radv-26", "mesa26", "radeon_icd", NULL, "navi21", NULL, amd_plain, nothing},
   {"radeonsi-26", "mesa26", "radeon_icd", "radeonsi_dri.so", "navi21", NULL, amd_plain, nothing},
   {"radv-sid", "mesa-sid", "radeon_icd", NULL, "navi21", NULL, amd_plain, nothing},
   {"radeonsi-sid", "mesa-sid", "radeon_icd", "radeonsi_dri.so", "navi21", NULL, amd_plain, nothing},
   {"honeykrisp", "mesa26", "asahi_icd", NULL, "m1", NULL, none, nothing},
   {"asahi-gl", "mesa26", "asahi_icd", "asahi_dri.so", "m1", NULL, none, nothing},
   {"honeykrisp-sid", "mesa-sid", "asahi_icd", NULL, "m1", NULL, none, nothing},
   {"asahi-gl-sid", "mesa-sid", "asahi_icd", "asahi_dri.so", "m1", NULL, none, nothing},
   {"lavapipe-26", "mesa26", "lvp_icd", NULL, NULL, NULL, none, nothing}, /* on the CPU, next to any chip */
   {"crocus", NULL, "intel_hasvk_icd", "crocus_dri.so", "hsw", "hsw bdw", none, crocus_needs},
   {"crocus-25", "mesa25", "intel_hasvk_icd", "crocus_dri.so", "hsw", "hsw bdw", none, crocus_needs},
   {"crocus-26", "mesa26", "intel_hasvk_icd", "crocus_dri.so", "hsw", "hsw bdw", none, crocus_needs},
   {"iris", NULL, "intel_icd", "iris_dri.so", "skl", "bdw skl", none, iris_needs},
   {"iris-25", "mesa25", "intel_icd", "iris_dri.so", "skl", "bdw skl", none, iris_needs},
   {"iris-26", "mesa26", "intel_icd", "iris_dri.so", "skl", "bdw skl", none, iris_needs},
   {"hasvk", NULL, "intel_hasvk_icd", NULL, "bdw", "hsw bdw", none, nothing},
   {"hasvk-25", "mesa25", "intel_hasvk_icd", NULL, "bdw", "hsw bdw", none, nothing},
   {"hasvk-26", "mesa26", "intel_hasvk_icd", NULL, "bdw", "hsw bdw", none, nothing},
   {0},
};

const struct driver *
driver_by_name(const char *name)
{
   const struct driver *row = drivers;
   while (row->name && strcmp(row->name, name))
      row++;
   return row->name ? row : NULL;
}
