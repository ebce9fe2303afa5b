/* What a submission says, in words: the commands, the streams of vertices and dispatches with all that they lead to,
 * and what nobody knows in them. Reads memory by a callback only, and looks at a bounded number of records, so that
 * anything may be given to it. */
#ifndef INDIUM_ASAHI_LIB_AGX_DECODE_H
#define INDIUM_ASAHI_LIB_AGX_DECODE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/gen.h"
#include "asahi/hw/record_table.h"

struct agx_decode {
   enum agx_gen gen;
   uint64_t usc_base;
   unsigned max_records; /* of a submission; 0: 2^20 */

   /* The callbacks' first argument. */
   void *data;
   /* Bytes from va on, as many as can be read. */
   size_t (*read)(void *data, uint64_t va, void *out, size_t size_B);
   /* Each record; va: 0 in the command itself. May be NULL. */
   void (*record)(void *data, const struct agx_record *record, uint64_t va, const void *bytes);

   FILE *out;         /* NULL prints nothing */
   unsigned problems; /* counted: unknown words and bits, memory that cannot be read, streams without an end */
};

/* The command buffer of a submission. What is not right follows '#' and is counted. */
void agx_decode_submit(struct agx_decode *decode, const void *commands, size_t size_B);

#endif
