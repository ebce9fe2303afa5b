#include "pm4_text.h"

#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"

static void
print_fields(FILE *out, const struct amd_reg *word, uint32_t value)
{
   const struct amd_reg_layout *layout = &word->gen[AMD_GFX10_3];

   if (layout->field_count == 1) {
      fprintf(out, " 0x%x\n", value);
      return;
   }
   for (unsigned i = 0; i < layout->field_count; i++) {
      const struct amd_field *field = &layout->fields[i];
      uint32_t bits = (value >> field->low) & (uint32_t)((UINT64_C(2) << (field->high - field->low)) - 1);
      const char *name = amd_field_value_name(field, bits);

      if (!bits)
         continue;
      if (name)
         fprintf(out, " %s=%s", field->name ? field->name : "?", name);
      else
         fprintf(out, " %s=0x%x", field->name ? field->name : "?", bits);
   }
   fputc('\n', out);
}

static void
print_registers(FILE *out, uint32_t base_B, const uint32_t *payload, uint32_t count)
{
   for (uint32_t i = 1; i < count; i++) {
      unsigned index;
      uint32_t offset_B = base_B + ((payload[0] & 0xffff) + i - 1) * 4;
      const struct amd_reg *reg = amd_reg_find(AMD_GFX10_3, offset_B, &index);
      char name[64] = "?";

      if (reg)
         amd_reg_name(reg, index, name, sizeof(name));
      fprintf(out, "   %s", name);
      if (reg)
         print_fields(out, reg, payload[i]);
      else
         fprintf(out, " 0x%x\n", payload[i]);
   }
}

static void
print_packet(FILE *out, uint32_t opcode, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_packet *packet = amd_pm4_find(AMD_GFX10_3, (uint8_t)opcode);
   const struct amd_pm4_form *form = packet ? amd_pm4_form(AMD_GFX10_3, packet, count) : NULL;

   fprintf(out, "%s\n", packet ? packet->name : "?");
   switch (opcode) {
   case PKT3_SET_CONTEXT_REG:
      print_registers(out, AMD_CONTEXT_REG_START, payload, count);
      return;
   case PKT3_SET_SH_REG:
      print_registers(out, AMD_SH_REG_START, payload, count);
      return;
   case PKT3_SET_UCONFIG_REG:
   case PKT3_SET_UCONFIG_REG_INDEX:
      print_registers(out, AMD_UCONFIG_REG_START, payload, count);
      return;
   default: /* others: print as they are */
      break;
   }
   for (uint32_t i = 0; i < count && form; i++) {
      const struct amd_reg *word = amd_pm4_word(form, i);

      fprintf(out, "   %s", word->name);
      print_fields(out, word, payload[i]);
   }
}

void
pm4_text(FILE *out, const uint32_t *ib, uint32_t size_dw)
{
   for (uint32_t at = 0; at < size_dw; at++) {
      uint32_t count = G_PKT3_COUNT(ib[at]) + 1;

      if (ib[at] == PKT3_NOP_PAD)
         continue;
      if (at + count >= size_dw) {
         fprintf(out, "a packet that is cut off\n");
         return;
      }
      print_packet(out, G_PKT3_OPCODE(ib[at]), ib + at + 1, count);
      at += count;
   }
}
