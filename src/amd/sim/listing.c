#include "amd/sim/listing.h"

#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "amd/sim/sdma/sdma.h"
#include "util/macros.h"

enum {
   MAX_CALL_DEPTH = 3,
   MAX_BUFFERS = 4096, /* of one job's; more are a loop */
};

struct listing {
   FILE *out;
   enum amd_gen gen;
   const struct sim_vm *vm;
   unsigned depth, buffers;
   struct sim_va chain_va;
   uint32_t chain_dw; /* 0: the buffer does not chain */
};

static bool
read_dwords(struct listing *listing, struct sim_va va, uint32_t *dwords, uint32_t count)
{
   struct sim_va bad;
   if (sim_vm_read(listing->vm, va, dwords, count * 4ull, &bad))
      return true;
   fprintf(listing->out, "unknown: nothing is mapped at 0x%012lx\n", (long)bad.va);
   return false;
}

/* Bits without an owner, and values that a field's list does not have. */
static void
list_unknown(struct listing *listing, const struct amd_reg *word, const char *name, uint32_t value)
{
   const struct amd_reg_layout *layout = &word->gen[listing->gen];
   uint32_t bits = value & amd_reg_unknown_bits(listing->gen, word);
   if (bits)
      fprintf(listing->out, "unknown: bits 0x%08x of %s\n", bits, name);
   for (unsigned i = 0; i < layout->field_count; i++) {
      const struct amd_field *field = &layout->fields[i];
      uint32_t part = (uint32_t)(value >> field->low & ((UINT64_C(2) << (field->high - field->low)) - 1));
      if (field->value_count && !amd_field_value_name(field, part))
         fprintf(listing->out, "unknown: value %u of %s.%s\n", part, name, field->name);
   }
}

static void
list_register(struct listing *listing, uint32_t offset_B, uint32_t value)
{
   unsigned index;
   const struct amd_reg *reg = amd_reg_find(listing->gen, offset_B, &index);
   char name[64];
   if (!reg) {
      fprintf(listing->out, "unknown: register 0x%05x 0x%08x\n", offset_B, value);
      return;
   }
   amd_reg_name(reg, index, name, sizeof(name));
   fprintf(listing->out, "%s 0x%08x\n", name, value);
   list_unknown(listing, reg, name, value);
}

static void
list_written(struct listing *listing, unsigned opcode, const uint32_t *payload, uint32_t count)
{
   const uint32_t start_B = amd_pm4_registers(opcode).start_B;
   uint32_t offset_B = start_B ? start_B + amd_pm4_set_reg_unpack(payload).reg_offset * 4 : 0;
   for (uint32_t n = AMD_PM4_SET_REG_DW; start_B && n < count; n++, offset_B += 4)
      list_register(listing, offset_B, payload[n]);
   if (opcode == PKT3_CONTEXT_REG_RMW) {
      const struct amd_pm4_context_reg_rmw packet = amd_pm4_context_reg_rmw_unpack(payload);
      list_register(listing, AMD_CONTEXT_REG_START + packet.reg_offset * 4, packet.mask & packet.data);
   }
}

static void list_chain(struct listing *listing, struct sim_va va, uint32_t size_dw);

static void
list_packet(struct listing *listing, uint32_t header, const uint32_t *payload, uint32_t count)
{
   unsigned opcode = G_PKT3_OPCODE(header);
   const struct amd_pm4_packet *packet = amd_pm4_find(listing->gen, (uint8_t)opcode);
   const struct amd_pm4_form *form = packet ? amd_pm4_form(listing->gen, packet, count) : NULL;
   fprintf(listing->out, "packet %s", packet ? packet->name : "?");
   for (uint32_t i = 0; i < count; i++)
      fprintf(listing->out, " 0x%08x", payload[i]);
   fputc('\n', listing->out);
   if (header & 0xfc)
      fprintf(listing->out, "unknown: bits 0x%02x of the header\n", header & 0xfc);
   if (!form) {
      fprintf(listing->out, "unknown: opcode 0x%02x with %u dwords\n", opcode, count);
      return;
   }
   for (uint32_t i = 0; i < count; i++)
      list_unknown(listing, amd_pm4_word(form, i), amd_pm4_word(form, i)->name, payload[i]);
   list_written(listing, opcode, payload, count);
   if (opcode != PKT3_INDIRECT_BUFFER)
      return;
   const struct amd_pm4_indirect_buffer buffer = amd_pm4_indirect_buffer_unpack(payload);
   if (buffer.chain) {
      listing->chain_va = sim_va(buffer.base);
      listing->chain_dw = buffer.ib_size;
   } else {
      list_chain(listing, sim_va(buffer.base), buffer.ib_size);
      listing->chain_dw = 0;
   }
}

static void
list_one(struct listing *listing, struct sim_va va, uint32_t size_dw)
{
   uint32_t payload[0x4000];
   listing->chain_dw = 0;
   for (uint32_t at = 0, header; at < size_dw && !listing->chain_dw; at++) {
      if (!read_dwords(listing, sim_va_add(va, at * 4ll), &header, 1))
         return;
      if (header == PKT3_NOP_PAD || header == 0x80000000u)
         continue;
      uint32_t count = G_PKT3_COUNT(header) + 1;
      if (header >> 30 != 3 || count >= size_dw - at) {
         fprintf(listing->out, "unknown: header 0x%08x, %u dwords before the end\n", header, size_dw - at);
         return;
      }
      if (!read_dwords(listing, sim_va_add(va, at * 4ll + 4), payload, count))
         return;
      list_packet(listing, header, payload, count);
      at += count;
   }
}

static void
list_chain(struct listing *listing, struct sim_va va, uint32_t size_dw)
{
   if (listing->depth == MAX_CALL_DEPTH) {
      fprintf(listing->out, "unknown: buffers nested deeper than %d\n", MAX_CALL_DEPTH);
      return;
   }
   listing->depth++;
   for (; size_dw && listing->buffers < MAX_BUFFERS; va = listing->chain_va, size_dw = listing->chain_dw) {
      listing->buffers++;
      list_one(listing, va, size_dw);
   }
   if (size_dw)
      fprintf(listing->out, "unknown: more than %d buffers\n", MAX_BUFFERS);
   listing->depth--;
}

static void
list_sdma(struct listing *listing, struct sim_va va, uint32_t size_dw)
{
   uint32_t words[AMD_PM4_MAX_WORDS];
   for (uint32_t at = 0; at < size_dw;) {
      if (!read_dwords(listing, sim_va_add(va, at * 4ll), words, 1))
         return;
      const struct amd_pm4_packet *packet = amd_sdma_find(listing->gen, words[0]);
      uint32_t count = packet ? packet->forms[0].word_count : 1;
      if (!packet || count > size_dw - at) {
         fprintf(listing->out, "unknown: header 0x%08x, %u dwords before the end\n", words[0], size_dw - at);
         return;
      }
      if (!read_dwords(listing, sim_va_add(va, at * 4ll), words, count))
         return;
      fprintf(listing->out, "packet SDMA_%s", packet->name);
      for (uint32_t i = 0; i < count; i++)
         fprintf(listing->out, " 0x%08x", words[i]);
      fputc('\n', listing->out);
      for (uint32_t i = 0; i < count; i++)
         list_unknown(listing, packet->forms[0].words[i], packet->forms[0].words[i]->name, words[i]);
      at += amd_sdma_size(packet, words);
   }
}

void
amd_list_buffer(FILE *out, enum amd_gen gen, const struct sim_vm *vm, const struct amd_sim_ib *ib)
{
   struct listing listing = {.out = out, .gen = gen, .vm = vm};
   fprintf(out, "buffer %s\n", amd_sim_ring_names[ib->ring]);
   if (ib->ring == AMD_SIM_RING_SDMA)
      list_sdma(&listing, ib->va, ib->size_dw);
   else
      list_chain(&listing, ib->va, ib->size_dw);
}
