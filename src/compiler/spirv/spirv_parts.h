/* The parts of a composite value, as pointers, in a tree whose nodes have up to SPIRV_NODE_PARTS children. A copy
 * with one part changed has new nodes on the way to that part, and shares all others. */
#ifndef INDIUM_SPIRV_PARTS_H
#define INDIUM_SPIRV_PARTS_H

#include <stdint.h>

struct arena;

#define SPIRV_NODE_PARTS 8

/* A node is an array of them. */
struct spirv_parts {
   void *child; /* a part in a leaf, else a node; NULL: it is not there */
};

/* parts: the root, NULL: no part is there. count: of all parts, always the same for a tree. */
void *spirv_part(const struct spirv_parts *parts, uint32_t count, uint32_t index); /* NULL: it is not there */
/* Changes the tree itself: only while it is built. Returns its root. */
struct spirv_parts *spirv_parts_put(struct arena *arena, struct spirv_parts *parts, uint32_t count, uint32_t index,
                                    void *part);
/* A copy with one part changed. *work grows by the pointers that it copies. */
struct spirv_parts *spirv_parts_with(struct arena *arena, const struct spirv_parts *parts, uint32_t count,
                                     uint32_t index, void *part, uint32_t *work);

#endif
