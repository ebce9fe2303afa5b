#include "gallium/drivers/asahi/agx_record_mutant.h"

#include "asahi/hw/bits.h"
#include "util/mutant_row.h"

static void
mutate_record(unsigned record, uint32_t *words)
{
   const struct mutant_object object = {.number = record, .data = words};
   mutate(agx_record_rows, num_agx_record_rows, &object);
}

void
agx_mutate_struct(enum agx_mutant_struct number, uint32_t context, void *data)
{
   const struct mutant_object object = {.number = number, .context = context, .data = data};
   mutate(agx_struct_rows, num_agx_struct_rows, &object);
}

void
agx_mutate_records(void)
{
   agx_packed = mutate_record;
}
