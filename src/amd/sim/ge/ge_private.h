/* The assembler of primitives: ge.c feeds it with indices by batch, ge_assemble.c makes primitives of them. */
#ifndef INDIUM_AMD_SIM_GE_PRIVATE_H
#define INDIUM_AMD_SIM_GE_PRIVATE_H

#include "amd/sim/ge/ge.h"

enum { REUSE_SLOTS = 4096, INDICES = 4096 };

struct amd_assembler {
   struct amd_pipeline *p;
   struct dynarray *vertices, *prims, *corners; /* of the batch: memory->vertices_in, or patch_vertices_in, ... */
   uint32_t prim_vertices;                      /* of a primitive of the batch */
   size_t batch_B;                              /* of primitives that fill a batch */
   uint32_t instance, prim_id;
   uint32_t next; /* index of the instance that is read next */
   /* Direct-mapped: which batch vertex an index of an instance became, of the batch with that number. */
   struct {
      uint64_t batch;
      uint32_t index, instance, vertex;
   } reuse[REUSE_SLOTS];
   uint64_t batch; /* never 0 */
   /* The running strip, fan, loop, quad, polygon or patch. */
   uint32_t history[AMD_PRIM_IN_VERTICES];
   unsigned seen;
   bool flipped, starts; /* the next primitive: turned around; the first of its strip */
   /* Those of the draw's indices that were read last, as 32 bits. */
   uint32_t indices[INDICES];
   uint32_t first, count;
};

/* The next index of the instance: a vertex of the batch, which may complete a primitive. */
void ge_add_vertex(struct amd_assembler *a, uint32_t index);

/* A strip, loop or polygon ends, by the restart index or with its instance. */
void ge_end_primitive(struct amd_assembler *a);

#endif
