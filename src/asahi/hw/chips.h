/* One row per kind of core, and one per chip: what the kernel driver reports of it. The rows are in chips.toml. */
#ifndef INDIUM_ASAHI_HW_CHIPS_H
#define INDIUM_ASAHI_HW_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/gen.h"

#define AGX_MAX_CLUSTERS 8 /* of a row */

/* A kind of core: the column that its chips have in other tables. */
struct agx_gen_info {
   uint32_t generation;  /* 13 */
   const char *cores[4]; /* g13s: of its chips; NULL after the last */
   bool clusters;        /* several that share memory: atomics and coherent accesses say so */
};

/* Field names follow the kernel's struct drm_asahi_params_global where it has them. */
struct agx_chip {
   const char *name;          /* m1 */
   const char *core;          /* g13g: generation and variant */
   const char *compatible[2]; /* of the device tree; NULL after the last */

   enum agx_gen gen;
   uint32_t generation; /* 13 */
   char variant;        /* G, S (Pro), C (Max), D (Ultra) */
   uint32_t revision;   /* BCD: 0x11 is B1 */
   uint32_t chip_id;    /* BCD: 0x8103 is T8103 */
   uint32_t num_dies, num_clusters;
   uint32_t num_cores_per_cluster;        /* places: some may be empty */
   uint32_t num_cores;                    /* that are there, in all clusters */
   uint64_t core_masks[AGX_MAX_CLUSTERS]; /* of the places of each cluster, those with a core */
   uint32_t max_frequency_kHz;
};

extern const struct agx_gen_info agx_gens[AGX_GEN_COUNT];
extern const struct agx_chip agx_chips[];
extern const unsigned agx_chip_count;

/* The kind of core that the kernel's numbers mean. False: there is no table of it. */
bool agx_gen_find(uint32_t generation, uint32_t num_clusters, enum agx_gen *gen);

/* What the names of a variant's chips end in: Pro; "" of variants without a row, too. */
const char *agx_variant_suffix(char variant);

/* NULL if no row has the name. */
const struct agx_chip *agx_chip_by_name(const char *name);

/* Recordings name a chip or its core (g13g). The kind of core is known of cores whose chips have no row, too. */
const struct agx_chip *agx_chip_by_name_or_core(const char *name);
bool agx_gen_by_name_or_core(const char *name, enum agx_gen *gen);

#endif
