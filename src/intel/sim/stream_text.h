/* Submitted batches as text: what INDIUM_DUMP_STATE holds of an Intel chip in noop mode, and `indium uav` reads.
 *
 *    indium intel stream 1
 *    chip hsw
 *    submit N context C ENGINE ADDRESS      a batch; its packets and what they point to stand below, indented
 *      packet ADDRESS NAME WORD...          in the order in which they are read; _ for a name that nobody needed yet
 *      words ADDRESS WORD...                other memory: kernels, states
 *      unknown TEXT                         the batch could not be read further
 *
 * Addresses and words are hexadecimal. # starts a comment. */
#ifndef INDIUM_INTEL_SIM_STREAM_TEXT_H
#define INDIUM_INTEL_SIM_STREAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "intel/hw/chips.h"
#include "intel/sim/walk.h"
#include "util/dynarray.h"

#define INTEL_STREAM_FIRST_LINE "indium intel stream 1"

struct intel_submit {
   unsigned line, number, context;
   bool is_render;
   uint64_t va;
   struct dynarray runs;  /* struct intel_run, rising va once read; they do not overlap */
   struct dynarray words; /* uint32_t, of all runs */
};

struct intel_run {
   uint64_t va;
   uint32_t first, count; /* in ->words */
};

struct intel_stream {
   const struct intel_chip *chip;
   struct dynarray submits; /* struct intel_submit */
};

/* text: size_B bytes and a zero after them; is changed. False with a sentence in error ("line 3: ..."). To be freed
 * even then. */
bool intel_stream_read(struct intel_stream *stream, char *text, size_t size_B, char error[160]);
void intel_stream_free(struct intel_stream *stream);

/* Memory as a submit's lines have it. */
struct intel_memory intel_submit_memory(const struct intel_submit *submit);

/* Writes lines. */
void intel_stream_print_head(FILE *out, const char *chip);
void intel_stream_print_packet(FILE *out, uint64_t va, const struct intel_words *packet);
void intel_stream_print_words(FILE *out, uint64_t va, const uint32_t *words, unsigned count);

#endif
