/* Copies instructions and control flow inside one shader, and whole shaders. */
#ifndef INDIUM_NIR_CLONE_H
#define INDIUM_NIR_CLONE_H

#include "compiler/nir/nir.h"

/* What values and blocks became. Values from outside stand for themselves. Before use: nir_index_defs,
 * nir_index_blocks; the maps are zeroed arrays of num_defs and num_blocks entries. */
struct nir_cloner {
   struct nir_shader *shader;
   struct nir_def **defs;
   struct nir_block **blocks; /* where the copy of the block's end is */
   uint32_t num_defs, num_blocks;
   struct nir_variable **variables; /* by their indices; NULL: they stay */
};

struct nir_def *nir_clone_def(const struct nir_cloner *cloner, struct nir_def *def);
/* Copies the instructions of the block to the end of `to`. A phi of one source becomes that source,
 * but in a copy of a whole shader. */
void nir_clone_instrs(struct nir_cloner *cloner, const struct nir_block *block, struct nir_block *to);
/* Copies the nodes from `node` to the end of its list after *at (a block that ends the copy so far); *at becomes the
 * last block of the copy. Phis with several sources must stand in blocks after ifs and loops of the copied part. */
void nir_clone_nodes(struct nir_cloner *cloner, const struct nir_cf_node *node, struct nir_block **at);

/* The whole shader once more, in the same arena; types, names and initializers are shared. */
struct nir_shader *nir_clone_shader(struct nir_shader *shader);

#endif
