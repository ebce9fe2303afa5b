/* The seams of deliberate mistakes (util/mutant.h) in records and structs; builds without mistakes have none. */
#ifndef INDIUM_AGX_RECORD_MUTANT_H
#define INDIUM_AGX_RECORD_MUTANT_H

#include <stdint.h>

/* Structs that pass between files. */
enum agx_mutant_struct {
   MUTANT_agx_fragment_control_2,
   MUTANT_agx_cf_bindings,
   MUTANT_drm_asahi_helper_program,
};

/* What the struct is about. */
enum agx_mutant_struct_context {
   AGX_MUTANT_STORES = 1 << 0, /* agx_fragment_control_2: the pass is translucent only because the program stores */
};

#ifdef INDIUM_MUTANTS
/* context: bits of enum agx_mutant_struct_context */
void agx_mutate_struct(enum agx_mutant_struct number, uint32_t context, void *data);
/* From now on: of all records that this driver packs. */
void agx_mutate_records(void);
#else
static inline void
agx_mutate_struct(enum agx_mutant_struct number, uint32_t context, void *data)
{
}

static inline void
agx_mutate_records(void)
{
}
#endif

#endif
