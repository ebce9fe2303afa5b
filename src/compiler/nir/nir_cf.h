/* Control flow: walking and editing the tree of blocks, ifs and loops. */
#ifndef INDIUM_NIR_CF_H
#define INDIUM_NIR_CF_H

#include "compiler/nir/nir.h"

struct nir_block *nir_block_create(struct nir_shader *shader);

/* First and last block of a cf list (a body, a branch). */
struct nir_block *nir_cf_list_first(const struct list_head *list);
struct nir_block *nir_cf_list_last(const struct list_head *list);
/* The block before and after an if or loop, or the neighbour of a block; NULL at the end of the list. */
struct nir_cf_node *nir_cf_prev(const struct nir_cf_node *node);
struct nir_cf_node *nir_cf_next(const struct nir_cf_node *node);
struct nir_block *nir_cf_block_after(const struct nir_cf_node *if_or_loop);
struct nir_block *nir_cf_block_before(const struct nir_cf_node *if_or_loop);
/* The innermost loop around, or NULL. */
struct nir_loop *nir_cf_loop_around(const struct nir_cf_node *node);

/* The jump that ends the block, or NULL. */
struct nir_jump_instr *nir_block_jump(const struct nir_block *block);
struct nir_instr *nir_block_first(const struct nir_block *block); /* NULL if empty */
struct nir_instr *nir_block_last(const struct nir_block *block);
/* NULL if none. */
struct nir_phi_src *nir_phi_src_from(const struct nir_phi_instr *phi, const struct nir_block *pred);

/* Successors told by only the structure, valid while the metadata is not. */
void nir_block_successors(const struct nir_shader *shader, const struct nir_block *block, struct nir_block *succ[2]);

/* Splits before the cursor; returns the second block. Phis of successors follow. */
struct nir_block *nir_block_split(struct nir_shader *shader, struct nir_cursor cursor);

/* Joins a block with the block that follows it in the list (the nodes between are gone); the second has no phis. */
void nir_block_merge(struct nir_shader *shader, struct nir_block *first, struct nir_block *second);

/* Puts a node of its own into a list, after `after` (a node of the list's links or the list head). */
void nir_cf_link(struct nir_cf_node *node, struct nir_cf_node *parent, struct list_head *list,
                 struct list_head *after);

/* Removes every instruction after `instr` in the block (all if NULL) and every node after the block in its list:
 * code that is never reached. Phis outside forget the removed blocks; values that are still used become undef. */
void nir_cf_remove_after(struct nir_shader *shader, struct nir_block *block, struct nir_instr *instr);

/* Removes an if or loop with its contents, likewise, and merges the blocks around it. The block after must not have
 * phis. */
void nir_cf_remove(struct nir_shader *shader, struct nir_cf_node *if_or_loop);

/* Puts the nodes of one branch or the body in place of the if or loop; the rest of it is removed. Phis of the block
 * after must be resolved before; a jump at the end of the list makes what follows dead, and it is removed. */
void nir_cf_inline_list(struct nir_shader *shader, struct nir_cf_node *if_or_loop, struct list_head *list);

/* Whether the node lies in the body of the loop. */
bool nir_cf_is_inside(const struct nir_cf_node *node, const struct nir_loop *loop);

#endif
