#include "gallium/drivers/radeonsi/cs/si_mutant.h"

#include "gallium/drivers/radeonsi/cs/si_cs.h"
#include "util/mutant_row.h"

static void
mutate_registers(uint32_t *payload, unsigned size_dw, uint32_t first, enum amd_gen gen)
{
   const uint32_t reg = first + 4 * G_SET_CONTEXT_REG_OFFSET_REG_OFFSET(payload[0]);
   for (unsigned i = 1; i < size_dw; i++) {
      const struct mutant_object object = {.number = reg + 4 * (i - 1), .gen = gen, .data = &payload[i]};
      mutate(si_register_rows, num_si_register_rows, &object);
   }
}

/* What is left out becomes a NOP. */
void
si_mutate_packets(uint32_t *dw, unsigned count, enum amd_gen gen)
{
   for (unsigned at = 0; at < count;) {
      uint32_t *packet = dw + at;
      if (*packet == PKT3_NOP_PAD) {
         at++;
         continue;
      }
      const unsigned opcode = G_PKT3_OPCODE(*packet), size_dw = G_PKT3_COUNT(*packet) + 1;
      const struct mutant_object object = {opcode, gen, 0, size_dw, packet + 1};
      const struct amd_pm4_registers registers = amd_pm4_registers(opcode);
      if (registers.start_B)
         mutate_registers(packet + 1, size_dw, registers.start_B, gen);
      if (mutate(si_packet_rows, num_si_packet_rows, &object))
         *packet = PKT3(PKT3_NOP, size_dw);
      at += 1 + size_dw;
   }
}

void
si_mutate_stream(const struct si_cs *cs, enum amd_gen gen)
{
   for (const struct aux_chunk *chunk = cs->first; chunk; chunk = chunk->next)
      si_mutate_packets((uint32_t *)chunk->map, chunk->used_B / 4, gen);
}

void
si_mutate_struct(enum si_mutant_struct number, uint32_t context, void *data)
{
   const struct mutant_object object = {.number = number, .context = context, .data = data};
   mutate(si_struct_rows, num_si_struct_rows, &object);
}

uint32_t
si_mutate_atoms(enum si_mutant_atoms why, uint32_t atoms)
{
   const struct mutant_object object = {.number = why, .data = &atoms};
   mutate(si_atom_rows, num_si_atom_rows, &object);
   return atoms;
}
