/* What a module has much of: a construct of SPIR-V, by name, at a size. */
#ifndef INDIUM_CONSTRUCTS_H
#define INDIUM_CONSTRUCTS_H

#include "spv_writer.h"

struct construct {
   const char *name;
   uint32_t sizes[3];                           /* small, typical, the limit of the specification or of a program */
   uint32_t (*emit)(struct spv *s, uint32_t n); /* writes the construct; the value that it computes from x */
   uint32_t (*expect)(uint32_t x, uint32_t n);  /* that value */
};

extern const struct construct constructs_flow[], constructs_types[], constructs_calls[]; /* the last has no name */

/* The module, on the heap: lanes invocations each read word `lane` of the buffer and write word lanes + lane. */
struct spv_words construct_module(const struct construct *construct, uint32_t n, uint32_t lanes);

#endif
