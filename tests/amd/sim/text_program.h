/* Programs written as text in a stream's memory: one instruction or `label:` a line. */
#ifndef INDIUM_TESTS_TEXT_PROGRAM_H
#define INDIUM_TESTS_TEXT_PROGRAM_H

#include <string.h>

#include "amd/wave/assemble.h"

struct text_label {
   char name[32];
   unsigned at_dw;
};

static inline unsigned
text_label_of(const struct text_label *labels, unsigned count, const char *name)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcmp(labels[i].name, name))
         return labels[i].at_dw;
   }
   fail_msg("no label %s", name);
   return 0;
}

/* Assembles `text` to `at`. */
static inline void
write_text_program(uint8_t *at, enum amd_gen gen, bool wave64, const char *text)
{
   struct assembler a = {.gen = gen, .wave64 = wave64};
   struct text_label labels[16], branches[16];
   unsigned label_count = 0, branch_count = 0, size_dw = 0;
   for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
      char buffer[128];
      unsigned length = (unsigned)strcspn(line, "\n");
      assert_true(length < sizeof(buffer) && label_count < 16 && branch_count < 16);
      memcpy(buffer, line, length);
      buffer[length] = 0;
      if (length && buffer[length - 1] == ':') {
         buffer[length - 1] = 0;
         strcpy(labels[label_count].name, buffer);
         labels[label_count++].at_dw = size_dw;
         continue;
      }
      struct amd_inst inst;
      uint32_t words[AMD_INST_MAX_DW];
      unsigned inst_dw = 0;
      if (!length)
         continue;
      if (!assemble(&a, buffer, &inst) || !amd_isa_encode(gen, &inst, words, &inst_dw))
         fail_msg("%s: %s", buffer, a.error);
      if (*a.label) {
         strcpy(branches[branch_count].name, a.label);
         branches[branch_count++].at_dw = size_dw;
      }
      memcpy(at + size_dw * 4, words, inst_dw * 4);
      size_dw += inst_dw;
   }
   for (unsigned i = 0; i < branch_count; i++) {
      int16_t offset = (int16_t)(text_label_of(labels, label_count, branches[i].name) - branches[i].at_dw - 1);
      memcpy(at + branches[i].at_dw * 4, &offset, 2);
   }
}

#endif
