#ifndef INDIUM_ASAHI_WRAP_WRAP_PRIVATE_H
#define INDIUM_ASAHI_WRAP_WRAP_PRIVATE_H

#include "asahi/wrap/ranges.h"
#include "asahi/wrap/wrap.h"
#include "sim/record/recorder.h"
#include "util/list.h"

struct agx_tracer {
   char chip[16];
   enum agx_gen gen;
   FILE *text;
   FILE *recording;
   struct sim_recorder *recorder; /* NULL: none */
   struct list_head spaces;
   uint64_t space_count; /* so far */
   unsigned reports, max_records;
};

struct agx_wrap_memory {
   struct agx_tracer *wrap;
   const char *host;
   uint64_t size_B;
   bool is_ours;
   struct sim_recorded *recorded; /* since it was bound; NULL: in no recording */
};

struct agx_wrap_space {
   struct agx_tracer *wrap;
   struct list_head link;
   uint64_t id; /* in a recording */
   struct agx_wrap_ranges ranges;
};

#endif
