#include "amd/drm-shim/code_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "amd/wave/assemble.h"

#define NAME_B 32

/* -- to text -- */

/* The dword that a branch leads to, or -1: it is none. at: of the branch. */
static int64_t
branch_target(enum amd_gen gen, const struct amd_inst *inst, uint32_t at, uint32_t size)
{
   bool is_branch = amd_isa_op_info(gen, inst->op)->flags & AMD_FLAG_BRANCH && inst->enc == AMD_ENC_SOPP;
   return is_branch ? (int64_t)at + size + (int16_t)inst->simm16 : -1;
}

/* Whether the text means these words. */
static bool
reads_back(enum amd_gen gen, bool wave64, const char *text, const uint32_t *words, unsigned size)
{
   struct assembler assembler = {.gen = gen, .wave64 = wave64};
   struct amd_inst inst;
   uint32_t read[AMD_INST_MAX_DW];
   unsigned read_dw;
   return assemble(&assembler, text, &inst) && !*assembler.label && amd_isa_encode(gen, &inst, read, &read_dw) &&
          read_dw == size && !memcmp(read, words, size * 4);
}

/* Which dwords are where an instruction starts (1) that a branch leads to (3). NULL: out of memory. */
static uint8_t *
find_labels(enum amd_gen gen, const uint32_t *words, uint32_t count)
{
   uint8_t *labels = calloc(count + 1, 1);
   struct amd_inst inst;
   for (uint32_t at = 0, size; labels && at < count; at += size ? size : 1) {
      size = amd_isa_decode_loosely(gen, words + at, count - at, &inst);
      labels[at] |= 1;
      int64_t target = size ? branch_target(gen, &inst, at, size) : -1;
      if (target >= 0 && target < count)
         labels[target] |= 2;
   }
   return labels;
}

void
amd_code_print(FILE *out, enum amd_gen gen, bool wave64, const uint32_t *words, uint32_t count)
{
   uint8_t *labels = find_labels(gen, words, count);
   struct amd_inst inst;
   for (uint32_t at = 0, size; at < count; at += size) {
      char text[256] = "?";
      size = amd_isa_decode_loosely(gen, words + at, count - at, &inst);
      if (size)
         amd_isa_print(gen, &inst, wave64, text, sizeof(text));
      int64_t target = size ? branch_target(gen, &inst, at, size) : -1;
      bool known = size && reads_back(gen, wave64, text, words + at, size);
      size = size ? size : 1;
      if (labels && labels[at] == 3)
         fprintf(out, "  L%" PRIu32 ":\n", at);
      if (known && labels && target >= 0 && target < count && labels[target] == 3)
         fprintf(out, "    %.*s L%" PRId64 "\n", (int)strcspn(text, " "), text, target);
      else if (known)
         fprintf(out, "    %s\n", text);
      for (uint32_t i = 0; !known && i < size; i++)
         fprintf(out, "%s 0x%08x%s", i ? "" : "    .long", words[at + i], i + 1 < size ? "" : " # ");
      if (!known)
         fprintf(out, "%s\n", text);
   }
   free(labels);
}

/* -- from text -- */

struct label {
   char name[NAME_B];
   unsigned line;
   size_t at_dw;
};

struct parser {
   enum amd_gen gen;
   bool wave64;
   unsigned line;
   struct dynarray *words;
   struct dynarray labels, branches; /* struct label */
   struct sim_record_error *error;
};

#define FAIL(parser, ...) sim_record_fail((parser)->error, (parser)->line, __VA_ARGS__)

static bool
add_label(const struct parser *parser, struct dynarray *labels, const char *name, size_t size_B, size_t at_dw)
{
   if (size_B >= NAME_B)
      return FAIL(parser, "a label has less than %d characters", NAME_B);
   struct label *label = dynarray_grow(labels, sizeof(*label));
   *label = (struct label){.line = parser->line, .at_dw = at_dw};
   memcpy(label->name, name, size_B);
   return true;
}

static const struct label *
find_label(const struct parser *parser, const char *name)
{
   dynarray_for_each(const struct label, label, &parser->labels)
      if (!strcmp(label->name, name))
         return label;
   return NULL;
}

static bool
parse_long(const struct parser *parser, char *text)
{
   for (char *word; (word = sim_record_word(&text));) {
      uint64_t number;
      if (!sim_record_number(word, UINT32_MAX, &number))
         return FAIL(parser, "not a number of 32 bits: \"%.40s\"", word);
      dynarray_append(parser->words, uint32_t, (uint32_t)number);
   }
   return true;
}

static bool
parse_line(struct parser *parser, char *text)
{
   size_t size_B = strlen(text), at_dw = dynarray_count(parser->words, uint32_t);
   if (text[size_B - 1] == ':') {
      text[size_B - 1] = 0;
      return find_label(parser, text) ? FAIL(parser, "there is a label \"%.40s\" already", text)
                                      : add_label(parser, &parser->labels, text, size_B - 1, at_dw);
   }
   if (!strncmp(text, ".long ", 6))
      return parse_long(parser, text + 6);
   struct assembler assembler = {.gen = parser->gen, .wave64 = parser->wave64};
   struct amd_inst inst;
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size;
   if (!assemble(&assembler, text, &inst))
      return FAIL(parser, "%s", assembler.error);
   if (!amd_isa_encode(parser->gen, &inst, words, &size))
      return FAIL(parser, "the instruction has no such encoding");
   memcpy(dynarray_grow(parser->words, size * 4), words, size * 4);
   return !*assembler.label || add_label(parser, &parser->branches, assembler.label, strlen(assembler.label), at_dw);
}

static bool
link_branches(struct parser *parser)
{
   dynarray_for_each(const struct label, branch, &parser->branches) {
      const struct label *label = find_label(parser, branch->name);
      parser->line = branch->line;
      if (!label)
         return FAIL(parser, "there is no label \"%s\"", branch->name);
      int64_t distance = (int64_t)label->at_dw - (int64_t)branch->at_dw - 1;
      if (distance != (int16_t)distance)
         return FAIL(parser, "the label \"%s\" is too far away", branch->name);
      *dynarray_at(parser->words, uint32_t, branch->at_dw) |= (uint16_t)distance;
   }
   return true;
}

static bool
parse(const struct sim_recording *recording, bool wave64, struct sim_record *block, struct sim_record_error *error)
{
   const struct amd_chip *chip = amd_chip_by_name(recording->chip);
   struct parser parser = {.wave64 = wave64, .line = block->line, .words = &block->words, .error = error};
   if (!chip)
      return FAIL(&parser, "code of a device that is not known: \"%.40s\"", recording->chip);
   parser.gen = chip->gen;
   bool ok = true;
   dynarray_for_each(const struct sim_record_line, line, &block->lines) {
      parser.line = line->number;
      ok = ok && parse_line(&parser, line->text);
   }
   ok = ok && link_branches(&parser);
   dynarray_free(&parser.labels);
   dynarray_free(&parser.branches);
   return ok;
}

bool
amd_code_parse_32(const struct sim_recording *recording, struct sim_record *block, struct sim_record_error *error)
{
   return parse(recording, false, block, error);
}

bool
amd_code_parse_64(const struct sim_recording *recording, struct sim_record *block, struct sim_record_error *error)
{
   return parse(recording, true, block, error);
}
