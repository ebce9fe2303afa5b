/* Numbers, of which the first that is large enough is found without looking at all. */
#ifndef INDIUM_UTIL_MAX_TREE_H
#define INDIUM_UTIL_MAX_TREE_H

#include <stdint.h>
#include <string.h>

#define MAX_TREE_NONE UINT32_MAX

/* nodes[1] is the greatest of all; nodes[i] of nodes[2 * i] and nodes[2 * i + 1]; the numbers are the last half. */
struct max_tree {
   uint32_t leaves; /* a power of two */
   uint64_t *nodes;
};

static inline uint32_t
max_tree_leaves(uint32_t count)
{
   uint32_t leaves = 1;
   while (leaves < count)
      leaves *= 2;
   return leaves;
}

/* For so many numbers; memory: zeros, this many. */
static inline size_t
max_tree_nodes(uint32_t count)
{
   return (size_t)2 * max_tree_leaves(count);
}

static inline struct max_tree
max_tree(uint64_t *memory, uint32_t count)
{
   return (struct max_tree){max_tree_leaves(count), memory};
}

static inline void
max_tree_set(struct max_tree *tree, uint32_t index, uint64_t value)
{
   uint32_t i = tree->leaves + index;
   tree->nodes[i] = value;
   while ((i /= 2)) {
      const uint64_t *pair = &tree->nodes[(size_t)2 * i], max = pair[0] > pair[1] ? pair[0] : pair[1];
      if (tree->nodes[i] == max)
         break;
      tree->nodes[i] = max;
   }
}

/* The first `count` numbers become 0; all others are 0. */
static inline void
max_tree_clear(struct max_tree *tree, uint32_t count)
{
   for (uint32_t first = tree->leaves; first; first /= 2, count = count / 2 + count % 2)
      memset(&tree->nodes[first], 0, count * sizeof(*tree->nodes));
}

/* The first number that is at least so large; MAX_TREE_NONE: none is. value: not 0. */
static inline uint32_t
max_tree_find(const struct max_tree *tree, uint64_t value)
{
   uint32_t i = 1;
   if (tree->nodes[1] < value)
      return MAX_TREE_NONE;
   while (i < tree->leaves)
      i = 2 * i + (tree->nodes[(size_t)2 * i] < value);
   return i - tree->leaves;
}

#endif
