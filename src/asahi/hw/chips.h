/* One row per chip: what the kernel driver reports of it. The rows are in chips.toml. */
#ifndef INDIUM_ASAHI_HW_CHIPS_H
#define INDIUM_ASAHI_HW_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/gen.h"

/* Field names follow the kernel's struct drm_asahi_params_global where it has them. */
struct agx_chip {
   const char *name;          /* m1 */
   const char *core;          /* g13g: generation and variant */
   const char *compatible[2]; /* of the device tree; NULL behind the last */

   uint32_t generation; /* 13 */
   char variant;        /* G, S (Pro), C (Max), D (Ultra) */
   uint32_t revision;   /* BCD: 0x11 is B1 */
   uint32_t chip_id;    /* BCD: 0x8103 is T8103 */
   uint32_t num_dies, num_clusters, num_cores_per_cluster;
   uint32_t max_frequency_kHz;
};

static inline uint32_t
agx_chip_cores(const struct agx_chip *chip)
{
   return chip->num_clusters * chip->num_cores_per_cluster;
}

/* The kind of core that the kernel's numbers mean. False: there is no table of it. */
static inline bool
agx_gen_find(uint32_t generation, uint32_t num_clusters, enum agx_gen *gen)
{
   static const struct {
      uint32_t generation;
      enum agx_gen single, clusters;
   } kinds[] = {{13, AGX_G13, AGX_G13X}, {14, AGX_G14, AGX_G14X}};
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      if (kinds[i].generation == generation) {
         *gen = num_clusters > 1 ? kinds[i].clusters : kinds[i].single;
         return true;
      }
   }
   return false;
}

extern const struct agx_chip agx_chips[];
extern const unsigned agx_chip_count;

/* NULL if no row has the name. */
const struct agx_chip *agx_chip_by_name(const char *name);

#endif
