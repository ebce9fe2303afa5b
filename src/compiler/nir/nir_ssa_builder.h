/* Builds SSA form for numbered slots: values are written and read block by block in source order, and phis appear
 * where they are needed. Method: Braun et al., "Simple and Efficient Construction of Static Single Assignment Form",
 * 2013. Where all writes are is said before: a read passes loops and selections that do not write the slot, which
 * would get phis of one value otherwise, as many as loops times slots. */
#ifndef INDIUM_NIR_SSA_BUILDER_H
#define INDIUM_NIR_SSA_BUILDER_H

#include "compiler/nir/nir.h"

struct nir_ssa_builder {
   struct nir_shader *shader;
   uint32_t *announced; /* pairs of slot and block, as they came */
   uint32_t num_announced, max_announced;
   uint32_t num_slots;
   uint32_t *first, *blocks;      /* the blocks that write slot s: blocks[first[s] .. first[s + 1]), ascending */
   struct nir_ssa_entry *entries; /* open addressing: (block, slot) -> value */
   uint32_t count, capacity;
   struct nir_ssa_pending *pending; /* phis of loop headers whose sources come last */
   struct nir_ssa_frame *frames;    /* reads under way */
   uint32_t depth, max_depth;
};

/* Predecessors and block indices must be valid and control flow may not change until the end. */
void nir_ssa_begin(struct nir_ssa_builder *ssa, struct nir_shader *shader);
/* That nir_ssa_write() will come for it; of all writes, in the order of blocks, before the first read. */
void nir_ssa_announce(struct nir_ssa_builder *ssa, const struct nir_block *block, uint32_t slot);
/* The value at the end of what was written to the slot in the block so far. */
void nir_ssa_write(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot, struct nir_def *def);
/* The value of the slot at this place; undef of the shape if there is none. */
struct nir_def *nir_ssa_read(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot,
                             unsigned num_components, unsigned bit_size);
/* Fills the phis that wait. */
void nir_ssa_finish(struct nir_ssa_builder *ssa);

#endif
