#ifndef INDIUM_ASAHI_LIB_AGX_DECODE_PRIVATE_H
#define INDIUM_ASAHI_LIB_AGX_DECODE_PRIVATE_H

#include <stdbool.h>

#include "asahi/hw/records.h"
#include "asahi/lib/agx_decode.h"

/* A submission being looked at. */
struct walk {
   struct agx_decode *decode;
   unsigned record_count; /* until now */
   unsigned depth;        /* of the print */
   /* Of the render command: where the arrays lie that PPP records have places in. */
   uint64_t scissors_va, depth_biases_va;
   enum agx_sampler_states vertex_samplers; /* of the vertex program that the next word leads to */
};

void problem(struct walk *walk, uint64_t va, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads all of it, or says so. */
bool read_memory(struct walk *walk, uint64_t va, void *out, size_t size_B, const char *what);

/* Prints and checks. False: there were enough records. */
bool show_record(struct walk *walk, const struct agx_record *record, uint64_t va, const void *bytes);
bool show_record_at(struct walk *walk, enum agx_record_id id, uint64_t va);

/* A USC list. `kind` is of which program; those of a tile's end, and no others, write images only by their texture
 * states. */
enum usc_kind {
   USC_VERTEX,
   USC_FRAGMENT,
   USC_COMPUTE,
   USC_BACKGROUND,
   USC_END_OF_TILE,
};
void show_usc_list(struct walk *walk, enum usc_kind kind, uint32_t offset_B, enum agx_sampler_states samplers);
void show_cf_bindings(struct walk *walk, uint32_t offset_B, unsigned count);

/* Up to its end, an instruction a line. */
void show_program(struct walk *walk, uint64_t va);

/* Streams, from their first record on. */
void show_vdm_stream(struct walk *walk, uint64_t va);
void show_cdm_stream(struct walk *walk, uint64_t va);

#endif
