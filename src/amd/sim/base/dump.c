#include "amd/sim/base/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/pm4.h"
#include "util/log.h"

enum written {
   NEVER_WRITTEN,
   WRITTEN,
   DEFAULT, /* by CLEAR_STATE */
};

struct amd_dump {
   FILE *out;
   unsigned launches;
   uint8_t written[AMD_RING_SLOTS][AMD_UCONFIG_REG_END / 4]; /* enum written, by ring and register */
};

struct amd_dump *
amd_dump_create(FILE *out)
{
   struct amd_dump *dump = calloc(1, sizeof(*dump));

   if (dump)
      dump->out = out;
   return dump;
}

void
amd_dump_destroy(struct amd_dump *dump)
{
   free(dump);
}

static void
print_registers(struct amd_dump *dump, const struct amd_gpu *gpu)
{
   const struct amd_reg *reg;

   fprintf(dump->out, "registers %s %u\n", amd_sim_ring_names[gpu->ring], dump->launches++);
   for (unsigned n = 0; (reg = amd_reg_at(gpu->model->gen, n)); n++) {
      const struct amd_reg_layout *layout = &reg->gen[gpu->model->gen];
      for (unsigned i = 0; i < reg->count; i++) {
         uint32_t offset_B = layout->offset_B + i * layout->step_B;
         const uint32_t *slot = amd_regs_slot(gpu->regs, offset_B);
         uint8_t written = slot ? dump->written[gpu->slot][offset_B / 4] : NEVER_WRITTEN;
         char name[64];

         if (written == NEVER_WRITTEN || (written == DEFAULT && !*slot))
            continue;
         amd_reg_name(reg, i, name, sizeof(name));
         fprintf(dump->out, "%s 0x%08x%s\n", name, *slot, written == DEFAULT ? " default" : "");
      }
   }
}

void
amd_dump_packet(struct amd_dump *dump, const struct amd_gpu *gpu, const char *name, uint32_t header,
                const uint32_t *payload, uint32_t count)
{
   if (ferror(dump->out))
      return;
   const unsigned opcode = G_PKT3_OPCODE(header);
   if (opcode == PKT3_NOP || opcode == PKT3_CONTEXT_REG_RMW || amd_pm4_registers(opcode).start_B)
      return;
   if (amd_pm4_initiator(opcode).reg_B)
      print_registers(dump, gpu);
   fprintf(dump->out, "packet %s", name);
   for (uint32_t i = 0; i < count; i++)
      fprintf(dump->out, " 0x%08x", payload[i]);
   fputc('\n', dump->out);
   if (fflush(dump->out)) /* whatever the program's end is */
      log_error("the dump of states ends here, its file cannot be written: %s", strerror(errno));
}

void
amd_dump_written(struct amd_dump *dump, const struct amd_gpu *gpu, uint32_t offset_B)
{
   dump->written[gpu->slot][offset_B / 4] = WRITTEN;
}

void
amd_dump_cleared(struct amd_dump *dump, const struct amd_gpu *gpu)
{
   for (uint32_t offset_B = AMD_CONTEXT_REG_START; offset_B < AMD_CONTEXT_REG_END; offset_B += 4)
      dump->written[gpu->slot][offset_B / 4] = DEFAULT;
}
