#include "compiler/spirv/spirv_parts.h"

#include <stddef.h>

#include "util/arena.h"
#include "util/macros.h"

/* How many parts a child of a node for `count` parts has; 1: the node is a leaf. */
static uint32_t
span_of(uint32_t count)
{
   uint32_t span = 1;
   while ((uint64_t)span * SPIRV_NODE_PARTS < count)
      span *= SPIRV_NODE_PARTS;
   return span;
}

/* NULL: of a node without children. */
static struct spirv_parts *
copy_node(struct arena *arena, const struct spirv_parts *node, uint32_t count, uint32_t *work)
{
   const uint32_t children = (uint32_t)div_round_up(count, span_of(count));
   *work += children;
   return node ? arena_dup(arena, node, children * sizeof(*node)) : arena_array(arena, struct spirv_parts, children);
}

/* Steps from a node for *count parts to its child of that index. */
static struct spirv_parts *
step(struct spirv_parts *node, uint32_t span, uint32_t *count, uint32_t *index)
{
   const uint32_t child = *index / span;
   *count = MIN2(span, *count - child * span);
   *index %= span;
   return &node[child];
}

void *
spirv_part(const struct spirv_parts *parts, uint32_t count, uint32_t index)
{
   struct spirv_parts *node = (struct spirv_parts *)parts;
   for (uint32_t span = span_of(count); span > 1 && node; span = span_of(count))
      node = step(node, span, &count, &index)->child;
   return node ? node[index].child : NULL;
}

struct spirv_parts *
spirv_parts_put(struct arena *arena, struct spirv_parts *parts, uint32_t count, uint32_t index, void *part)
{
   uint32_t work = 0;
   struct spirv_parts *root = parts ? parts : copy_node(arena, NULL, count, &work), *node = root;
   for (uint32_t span = span_of(count); span > 1; span = span_of(count)) {
      struct spirv_parts *child = step(node, span, &count, &index);
      if (!child->child)
         child->child = copy_node(arena, NULL, count, &work);
      node = child->child;
   }
   node[index].child = part;
   return root;
}

struct spirv_parts *
spirv_parts_with(struct arena *arena, const struct spirv_parts *parts, uint32_t count, uint32_t index, void *part,
                 uint32_t *work)
{
   struct spirv_parts *root = copy_node(arena, parts, count, work), *node = root;
   for (uint32_t span = span_of(count); span > 1; span = span_of(count)) {
      struct spirv_parts *child = step(node, span, &count, &index);
      node = child->child = copy_node(arena, child->child, count, work);
   }
   node[index].child = part;
   return root;
}
