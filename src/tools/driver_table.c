#include "tools/driver_table.h"

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

/* A release's Vulkan driver and its OpenGL driver are two rows that differ only in what must be there. */
const struct driver drivers[] = {
   {"indium", NULL, NULL, NULL, NULL, none},
   {"radv", NULL, "radeon_icd.x86_64.json", NULL, "navi21", amd_plain},
   {"radeonsi", NULL, "radeon_icd.x86_64.json", "radeonsi_dri.so", "navi21", amd_plain},
   {"radv-25", "mesa25", "radeon_icd.json", NULL, "navi21", amd_plain},
   {"radeonsi-25", "mesa25", "radeon_icd.json", "radeonsi_dri.so", "navi21", amd_plain},
   {"radv-26", "mesa26", "radeon_icd.json", NULL, "navi21", amd_plain},
   {"radeonsi-26", "mesa26", "radeon_icd.json", "radeonsi_dri.so", "navi21", amd_plain},
   {"honeykrisp", "mesa26", "asahi_icd.json", NULL, "m1", none},
   {"asahi-gl", "mesa26", "asahi_icd.json", "asahi_dri.so", "m1", none},
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
