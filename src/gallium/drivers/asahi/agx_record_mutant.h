/* The seam of deliberate mistakes (util/mutant.h) in records; builds without mistakes have none. */
#ifndef INDIUM_AGX_RECORD_MUTANT_H
#define INDIUM_AGX_RECORD_MUTANT_H

#ifdef INDIUM_MUTANTS
/* From now on: of all records that this driver packs. */
void agx_mutate_records(void);
#else
static inline void
agx_mutate_records(void)
{
}
#endif

#endif
