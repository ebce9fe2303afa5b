#include "tools/launch/vendors.h"

#include <stdio.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "asahi/hw/chips.h"
#include "intel/hw/chips.h"

static const char *
amd_name(unsigned i)
{
   return i < amd_chip_count ? amd_chips[i].name : NULL;
}

static const char *const generations[AMD_GEN_COUNT] = {
   [AMD_GFX9] = "GFX9",   [AMD_GFX10] = "GFX10.1",   [AMD_GFX10_3] = "GFX10.3",
   [AMD_GFX11] = "GFX11", [AMD_GFX11_5] = "GFX11.5",
};

static void
amd_print(unsigned i)
{
   const struct amd_chip *chip = &amd_chips[i];
   printf("%-8s %-7s %-8s %04x:%04x %3u CUs %6llu MiB", chip->name, generations[chip->gen], chip->gfx_target,
          AMD_PCI_VENDOR, chip->device_id, chip->num_cu_active, (unsigned long long)(chip->vram_B >> 20));
}

static const char *
asahi_name(unsigned i)
{
   return i < agx_chip_count ? agx_chips[i].name : NULL;
}

static void
asahi_print(unsigned i)
{
   const struct agx_chip *chip = &agx_chips[i];
   printf("%-8s %-8s T%04x     %3u cores", chip->name, chip->core, chip->chip_id, chip->num_cores);
}

static const char *
intel_name(unsigned i)
{
   return i < intel_chip_count ? intel_chips[i].name : NULL;
}

static void
intel_print(unsigned i)
{
   const struct intel_chip *chip = &intel_chips[i];
   printf("%-8s %04x:%04x %3u EUs  %s  no-op mode only", chip->name, INTEL_PCI_VENDOR, chip->device_id,
          chip->slices * chip->subslices * chip->eus, chip->product);
}

const struct vendor vendors[] = {
   {PART_AMDGPU_SHIM, true, false, amd_name, amd_print},
   {PART_ASAHI_SHIM, true, true, asahi_name, asahi_print},
   {PART_I915_SHIM, false, false, intel_name, intel_print},
   {0},
};

const struct vendor *
vendor_of_chip(const struct vendor *rows, const char *chip)
{
   for (; rows->chip_name; rows++) {
      for (unsigned i = 0; rows->chip_name(i); i++) {
         if (!strcmp(rows->chip_name(i), chip))
            return rows;
      }
   }
   return NULL;
}
