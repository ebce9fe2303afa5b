#include "gallium/drivers/asahi/program/agx_counter.h"

#include <assert.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "gallium/drivers/asahi/agx_screen.h"

/* Each invocation adds one; helpers change no memory. Of programs that shade samples in a loop the samples count. */
static const char *const per_pixel[] = {"mov r2, u254", "mov r3, u255", "ldimm r4, 1", NULL};
static const char *const per_each_sample[] = {"mov r2, u254", "mov r3, u255", "mov r4, internal_coverage_mask",
                                              "popcnt r4, r4", NULL};

static unsigned
put(const char *text, uint8_t *bytes)
{
   struct agx_inst inst;
   uint8_t encoded[AGX_INST_MAX_B];
   bool known = agx_isa_parse(text, &inst);
   unsigned size_B = known ? agx_isa_encode(&inst, encoded) : 0;

   assert(size_B && "an instruction of ours");
   memcpy(bytes, encoded, size_B);
   return size_B;
}

void
agx_counters_init(struct agx_screen *screen)
{
   for (unsigned per_sample = 0; per_sample < 2; per_sample++) {
      struct agx_counter *counter = &screen->counters[per_sample];
      unsigned size_B = 0;

      for (const char *const *line = per_sample ? per_each_sample : per_pixel; *line; line++)
         size_B += put(*line, counter->code + size_B);
      size_B += put(screen->cluster_coherency ? "atomic _, r4, dr2, 0, add, coherent, a"
                                              : "atomic _, r4, dr2, 0, add, coherent1, a",
                    counter->code + size_B);
      counter->jump_B = size_B;
      size_B += put("jmp_any 0", counter->code + size_B);
      /* This never runs, but the GPU fetches ahead: instructions must follow, as after every program. */
      size_B += put("stop", counter->code + size_B);
      while (size_B < AGX_COUNTER_B)
         size_B += put("trap", counter->code + size_B);
   }
}

void
agx_counter_code(const struct agx_screen *screen, uint32_t at_B, uint32_t program_B, bool per_sample,
                 uint8_t code[AGX_COUNTER_B])
{
   const struct agx_counter *counter = &screen->counters[per_sample];
   uint8_t encoded[AGX_INST_MAX_B];
   struct agx_inst jump;

   memcpy(code, counter->code, AGX_COUNTER_B);
   agx_isa_decode(code + counter->jump_B, AGX_COUNTER_B - counter->jump_B, &jump);
   jump.mod.offset = program_B - at_B - counter->jump_B;
   memcpy(code + counter->jump_B, encoded, agx_isa_encode(&jump, encoded));
}
