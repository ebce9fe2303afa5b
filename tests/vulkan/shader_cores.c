/* VK_AMD_shader_core_properties and 2: what the chips have, as RADV 26.1.6 says. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

enum { WORDS = 14 };

static const struct row {
   uint32_t device_id, units;
   uint32_t words[WORDS]; /* in the order of the struct */
} rows[] = {
   {0x687f, 64, {4, 1, 16, 4, 10, 64, 800, 16, 102, 16, 256, 4, 256, 4}},     /* vega10 */
   {0x15d8, 10, {1, 1, 10, 4, 10, 64, 800, 16, 102, 16, 256, 4, 256, 4}},     /* raven */
   {0x15e7, 7, {1, 1, 7, 4, 10, 64, 800, 16, 102, 16, 256, 4, 256, 4}},       /* renoir */
   {0x731f, 40, {2, 2, 10, 2, 20, 64, 2160, 108, 108, 108, 512, 4, 256, 4}},  /* navi10 */
   {0x73bf, 60, {4, 2, 10, 2, 16, 64, 1728, 108, 108, 108, 512, 8, 256, 8}},  /* navi21 */
   {0x163f, 8, {1, 1, 8, 2, 16, 64, 1728, 108, 108, 108, 512, 8, 256, 8}},    /* vangogh */
   {0x744c, 96, {6, 2, 8, 2, 16, 64, 1728, 108, 108, 108, 768, 12, 256, 12}}, /* navi31 */
   {0x15bf, 12, {1, 2, 6, 2, 16, 64, 1728, 108, 108, 108, 512, 8, 256, 8}},   /* phoenix */
   {0x150e, 16, {1, 2, 8, 2, 16, 64, 1728, 108, 108, 108, 512, 8, 256, 8}},   /* gfx1150 */
};

int
main(void)
{
   struct vkx vkx = vkt_create("shader_cores");
   VkPhysicalDeviceShaderCoreProperties2AMD second = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD};
   VkPhysicalDeviceShaderCorePropertiesAMD first = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, .pNext = &second};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &first};
   const struct row *row = NULL;
   uint32_t words[WORDS];
   vkGetPhysicalDeviceProperties2(vkx.physical, &properties);
   memcpy(words, &first.shaderEngineCount, sizeof(words));
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      row = rows[i].device_id == vkx.properties.deviceID ? &rows[i] : row;
   vkt_expect(row, "device 0x%x has no row", vkx.properties.deviceID);
   for (unsigned i = 0; row && i < WORDS; i++)
      vkt_expect(words[i] == row->words[i], "word %u: %u, not %u", i, words[i], row->words[i]);
   if (row)
      vkt_expect(second.activeComputeUnitCount == row->units && !second.shaderCoreFeatures,
                 "%u compute units, not %u", second.activeComputeUnitCount, row->units);
   return vkt_finish(&vkx);
}
