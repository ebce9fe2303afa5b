#include "amd/drm-shim/packet_text.h"

#include <inttypes.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "util/macros.h"

#define MAX_PAYLOAD 0x4000
#define COLUMNS 100

/* Of the header, from its lowest bit. */
static const char *const flags[] = {"PREDICATE", "SHADER_TYPE", "RESET_FILTER_CAM"};

static uint32_t
field_max(const struct amd_field *field)
{
   return (uint32_t)((UINT64_C(2) << (field->high - field->low)) - 1);
}

static const struct amd_field *
field_of(enum amd_gen gen, const struct amd_reg *word, const char *name)
{
   const struct amd_reg_layout *layout = &word->gen[gen];
   for (unsigned i = 0; layout->exists && i < layout->field_count; i++)
      if (layout->fields[i].name && !strcmp(layout->fields[i].name, name))
         return &layout->fields[i];
   return NULL;
}

/* What dword i of a payload may be. It is not known yet how long the payload is: of several forms, the first one that
 * has a field of the name. */
static const struct amd_field *
find_field(enum amd_gen gen, const struct amd_pm4_packet *packet, uint32_t i, const char *name)
{
   for (unsigned n = 0; n < packet->form_count; n++) {
      const struct amd_pm4_form *form = &packet->forms[n];
      const struct amd_reg *word = form->gens >> gen & 1 ? amd_pm4_word(form, i) : NULL;
      const struct amd_field *field = word ? field_of(gen, word, name) : NULL;
      if (field)
         return field;
   }
   return NULL;
}

/* -- to text -- */

/* Fields of the dword, or its number where they do not say all. packet: NULL for a register. Returns the length. */
static int
print_value(char *text, size_t size_B, enum amd_gen gen, const struct amd_pm4_packet *packet, uint32_t i,
            const struct amd_reg *word, uint32_t value)
{
   /* size: a word, where it stands, and the text that gets it */
   const struct amd_reg_layout *layout = &word->gen[gen];
   bool by_fields = value && layout->field_count > 1 && !(value & amd_reg_unknown_bits(gen, word));
   size_t used = 0;
   for (unsigned n = 0; by_fields && n < layout->field_count; n++) {
      const struct amd_field *field = &layout->fields[n];
      uint32_t bits = value >> field->low & field_max(field);
      const struct amd_field *read = packet && bits ? find_field(gen, packet, i, field->name) : field;
      const char *name = bits ? amd_field_value_name(field, bits) : NULL;
      if (read->low != field->low || read->high != field->high || size_B - used < 128)
         by_fields = false;
      else if (name)
         used += (size_t)snprintf(text + used, size_B - used, "%s%s=%s", used ? "," : "", field->name, name);
      else if (bits)
         used += (size_t)snprintf(text + used, size_B - used, "%s%s=0x%x", used ? "," : "", field->name, bits);
   }
   return by_fields ? (int)used : snprintf(text, size_B, "0x%x", value);
}

static void
print_registers(FILE *out, enum amd_gen gen, uint32_t base_B, const uint32_t *payload, uint32_t count)
{
   fputc('\n', out);
   uint32_t offset_B = base_B + amd_pm4_set_reg_unpack(payload).reg_offset * 4;
   for (uint32_t i = AMD_PM4_SET_REG_DW; i < count; i++, offset_B += 4) {
      unsigned index;
      const struct amd_reg *reg = amd_reg_find(gen, offset_B, &index);
      char name[64], text[1024];
      if (reg) {
         amd_reg_name(reg, index, name, sizeof(name));
         print_value(text, sizeof(text), gen, NULL, 0, reg, payload[i]);
         fprintf(out, "     %s %s\n", name, text);
      } else {
         fprintf(out, "     0x%x 0x%x\n", offset_B, payload[i]);
      }
   }
}

static void
print_payload(FILE *out, enum amd_gen gen, const struct amd_pm4_packet *packet, const uint32_t *payload,
              uint32_t count, unsigned column)
{
   const struct amd_pm4_form *form = amd_pm4_form(gen, packet, count);
   for (uint32_t i = 0, same; i < count; i += same) {
      const struct amd_reg *word = amd_pm4_word(form, i);
      char text[1024];
      unsigned size = (unsigned)print_value(text, sizeof(text), gen, packet, i, word, payload[i]);
      for (same = 1; i + same < count && payload[i + same] == payload[i] && amd_pm4_word(form, i + same) == word;)
         same++;
      if (column + size > COLUMNS) {
         fputs("\n    ", out);
         column = 4;
      }
      fprintf(out, same > 1 ? " %s*%" PRIu32 : " %s", text, same);
      column += size + 1;
   }
   fputc('\n', out);
}

/* False: it is no packet of the tables. */
static bool
print_packet(FILE *out, enum amd_gen gen, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_packet *packet = amd_pm4_find(gen, (uint8_t)G_PKT3_OPCODE(header));
   uint32_t base_B = amd_pm4_registers(G_PKT3_OPCODE(header)).start_B;
   uint32_t rest = base_B ? payload[0] & ~0xffffu : 0;
   if (!packet || !amd_pm4_form(gen, packet, count) || (header & 0xff) >= 1u << ARRAY_SIZE(flags) ||
       (base_B && count < 2) || count >= MAX_PAYLOAD)
      return false;
   int column = fprintf(out, "  %s", packet->name);
   for (unsigned i = 0; i < ARRAY_SIZE(flags); i++)
      if (header >> i & 1)
         column += fprintf(out, "/%s", flags[i]);
   if (rest) {
      char text[256];
      print_value(text, sizeof(text), gen, packet, 0, amd_pm4_word(&packet->forms[0], 0), rest);
      fprintf(out, " %s", text);
   }
   if (base_B)
      print_registers(out, gen, base_B, payload, count);
   else
      print_payload(out, gen, packet, payload, count, (unsigned)column);
   return true;
}

static void
print_dwords(FILE *out, const uint32_t *dwords, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      fprintf(out, "%s%08x%s", i % 8 ? " " : "  dwords ", dwords[i], i % 8 == 7 || i == count - 1 ? "\n" : "");
}

void
amd_packet_print(FILE *out, enum amd_gen gen, const uint32_t *dwords, uint32_t count)
{
   for (uint32_t at = 0, size; at < count; at += size) {
      for (size = 0; at + size < count && dwords[at + size] == PKT3_NOP_PAD;)
         size++;
      if (size) {
         fprintf(out, "  pad %" PRIu32 "\n", size);
         continue;
      }
      bool is_packet = dwords[at] >> 30 == 3;
      size = is_packet ? MIN2(G_PKT3_COUNT(dwords[at]) + 2, count - at) : 1;
      is_packet = is_packet && size == G_PKT3_COUNT(dwords[at]) + 2;
      if (!is_packet || !print_packet(out, gen, dwords[at], dwords + at + 1, size - 1))
         print_dwords(out, dwords + at, size);
   }
}

/* -- from text -- */

struct parser {
   enum amd_gen gen;
   unsigned line;
   struct dynarray *words;
   size_t payload; /* index of the payload of the last packet, after its header; 0: what is above is none */
   struct sim_record_error *error;
};

#define FAIL(parser, ...) sim_record_fail((parser)->error, (parser)->line, __VA_ARGS__)

/* Of a field, the value after '='. */
static bool
parse_field(const struct parser *parser, const struct amd_field *field, const char *text, uint32_t *value)
{
   uint64_t number = 0;
   unsigned i = 0;
   while (i < field->value_count && strcmp(field->values[i].name, text))
      i++;
   if (i < field->value_count)
      number = field->values[i].value;
   else if (!sim_record_number(text, field_max(field), &number))
      return FAIL(parser, "%s is no value of %s and no number of at most 0x%x", text, field->name, field_max(field));
   *value |= (uint32_t)number << field->low;
   return true;
}

/* packet NULL: of a register. */
static bool
parse_value(const struct parser *parser, const struct amd_pm4_packet *packet, uint32_t i, const struct amd_reg *reg,
            char *text, uint32_t *value)
{
   uint64_t number;
   *value = 0;
   if (sim_record_number(text, UINT32_MAX, &number)) {
      *value = (uint32_t)number;
      return true;
   }
   for (char *next; text; text = next) {
      next = strchr(text, ',');
      if (next)
         *next++ = 0;
      char *equals = strchr(text, '=');
      if (!equals)
         return FAIL(parser, "neither a number nor FIELD=VALUE: \"%.40s\"", text);
      *equals = 0;
      const struct amd_field *field = packet ? find_field(parser->gen, packet, i, text)
                                      : reg  ? field_of(parser->gen, reg, text)
                                             : NULL;
      if (!field)
         return FAIL(parser, "%s has no field \"%.40s\" here", packet ? packet->name : reg ? reg->name : "it", text);
      if (!parse_field(parser, field, equals + 1, value))
         return false;
   }
   return true;
}

static uint32_t *
header_of(const struct parser *parser)
{
   return dynarray_at(parser->words, uint32_t, parser->payload - 1);
}

static uint32_t
payload_count(const struct parser *parser)
{
   return (uint32_t)(dynarray_count(parser->words, uint32_t) - parser->payload);
}

static bool
append_payload(const struct parser *parser, uint32_t value, uint64_t count)
{
   if (count > MAX_PAYLOAD - 1 - payload_count(parser))
      return FAIL(parser, "a packet has at most %d dwords of payload", MAX_PAYLOAD - 1);
   while (count--)
      dynarray_append(parser->words, uint32_t, value);
   *header_of(parser) &= ~S_PKT3_COUNT(0x3fff);
   *header_of(parser) |= S_PKT3_COUNT(payload_count(parser) - 1);
   return true;
}

static bool
parse_payload(const struct parser *parser, const struct amd_pm4_packet *packet, char *text)
{
   for (char *word; (word = sim_record_word(&text));) {
      uint64_t count = 1;
      uint32_t value;
      char *star = strchr(word, '*');
      if (star)
         *star = 0;
      if (star && (!sim_record_number(star + 1, MAX_PAYLOAD, &count) || !count))
         return FAIL(parser, "not a count of dwords: \"%.40s\"", star + 1);
      if (!parse_value(parser, packet, payload_count(parser), NULL, word, &value) ||
          !append_payload(parser, value, count))
         return false;
   }
   return true;
}

/* "NAME VALUE" below a SET_*_REG packet. */
static bool
parse_register(const struct parser *parser, struct amd_pm4_registers set, char *text)
{
   char *name = sim_record_word(&text), *word = sim_record_word(&text);
   unsigned index = 0;
   uint64_t offset_B;
   uint32_t value, *header = header_of(parser);
   const struct amd_reg *reg = amd_reg_by_name(name, &index);
   if (reg && reg->gen[parser->gen].exists)
      offset_B = reg->gen[parser->gen].offset_B + index * reg->gen[parser->gen].step_B;
   else if (reg || !sim_record_number(name, UINT32_MAX, &offset_B))
      return FAIL(parser, "there is no packet or register \"%.40s\"%s", name, reg ? " in this generation" : "");
   if (!word || sim_record_word(&text))
      return FAIL(parser, "a register has one value");
   uint64_t offset_dw = (offset_B - set.start_B) / 4;
   if (offset_B % 4 || offset_B < set.start_B || offset_B >= set.end_B)
      return FAIL(parser, "%s is not among the registers that this packet sets", name);
   if (payload_count(parser) == 1)
      header[1] |= (uint32_t)offset_dw;
   else if (offset_dw != (header[1] & 0xffff) + payload_count(parser) - 1)
      return FAIL(parser, "%s does not follow the register above and needs a packet of its own", name);
   return parse_value(parser, NULL, 0, reg, word, &value) && append_payload(parser, value, 1);
}

static const struct amd_pm4_packet *
packet_by_name(enum amd_gen gen, const char *name, size_t size_B)
{
   for (unsigned opcode = 0; opcode < 256; opcode++) {
      const struct amd_pm4_packet *packet = amd_pm4_find(gen, (uint8_t)opcode);
      if (packet && !strncmp(packet->name, name, size_B) && !packet->name[size_B])
         return packet;
   }
   return NULL;
}

static bool
parse_packet(struct parser *parser, const struct amd_pm4_packet *packet, char *head, char *text)
{
   uint32_t header = S_PKT3_TYPE(3) | S_PKT3_OPCODE(packet->opcode) | S_PKT3_COUNT(0x3fff);
   for (char *flag = strchr(head, '/'), *next; flag; flag = next) {
      unsigned bit = 0;
      next = strchr(++flag, '/');
      size_t size_B = next ? (size_t)(next - flag) : strlen(flag);
      while (bit < ARRAY_SIZE(flags) && (strncmp(flags[bit], flag, size_B) || flags[bit][size_B]))
         bit++;
      if (bit == ARRAY_SIZE(flags))
         return FAIL(parser, "a packet's header has no flag \"%.40s\"", flag);
      header |= 1u << bit;
   }
   dynarray_append(parser->words, uint32_t, header);
   parser->payload = dynarray_count(parser->words, uint32_t);
   if (!amd_pm4_registers(packet->opcode).start_B)
      return parse_payload(parser, packet, text);
   char *word = sim_record_word(&text);
   uint32_t value = 0;
   if (sim_record_word(&text))
      return FAIL(parser, "registers stand on lines of their own");
   return (!word || parse_value(parser, packet, 0, NULL, word, &value)) && append_payload(parser, value, 1);
}

static bool
parse_dwords(struct parser *parser, char *text)
{
   for (char *word; (word = sim_record_word(&text));) {
      const char *wrong = sim_record_repeat(word, parser->words);
      if (wrong)
         return FAIL(parser, "%s: \"%.40s\"", wrong, word);
   }
   parser->payload = 0;
   return true;
}

static bool
parse_pad(struct parser *parser, char *text)
{
   char *word = sim_record_word(&text);
   uint64_t count;
   if (!word || !sim_record_number(word, 1 << 20, &count) || sim_record_word(&text))
      return FAIL(parser, "pad needs a number of dwords");
   while (count--)
      dynarray_append(parser->words, uint32_t, PKT3_NOP_PAD);
   parser->payload = 0;
   return true;
}

static bool
parse_line(struct parser *parser, char *text)
{
   char *word = text;
   size_t size_B = strcspn(word, " \t/");
   const struct amd_pm4_packet *packet = packet_by_name(parser->gen, word, size_B);
   if (packet) {
      word = sim_record_word(&text);
      return parse_packet(parser, packet, word, text);
   }
   if (!strncmp(word, "dwords ", 7))
      return parse_dwords(parser, text + 7);
   if (!strncmp(word, "pad ", 4))
      return parse_pad(parser, text + 4);
   if (!parser->payload)
      return FAIL(parser, "there is no packet \"%.*s\"", (int)MIN2(size_B, 40), word);
   unsigned opcode = G_PKT3_OPCODE(*header_of(parser));
   const struct amd_pm4_registers set = amd_pm4_registers(opcode);
   return set.start_B ? parse_register(parser, set, text)
                      : parse_payload(parser, amd_pm4_find(parser->gen, (uint8_t)opcode), text);
}

bool
amd_packet_parse(const struct sim_recording *recording, struct sim_record *block, struct sim_record_error *error)
{
   const struct amd_chip *chip = amd_chip_by_name(recording->chip);
   struct parser parser = {.line = block->line, .words = &block->words, .error = error};
   if (!chip)
      return FAIL(&parser, "packets of a device that is not known: \"%.40s\"", recording->chip);
   parser.gen = chip->gen;
   dynarray_for_each(const struct sim_record_line, line, &block->lines) {
      parser.line = line->number;
      if (!parse_line(&parser, line->text))
         return false;
   }
   return true;
}
