/* Of builds with deliberate mistakes. */
#include "asahi/hw/bits.h"

void (*agx_packed)(unsigned record, uint32_t *words);
