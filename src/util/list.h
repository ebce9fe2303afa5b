/* Intrusive doubly linked ring list. */
#ifndef INDIUM_UTIL_LIST_H
#define INDIUM_UTIL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "util/macros.h"

struct list_head {
   struct list_head *prev, *next;
};

static inline void
list_init(struct list_head *list)
{
   list->prev = list->next = list;
}

static inline bool
list_is_empty(const struct list_head *list)
{
   return list->next == list;
}

/* Inserts item after the given node. */
static inline void
list_add_after(struct list_head *item, struct list_head *node)
{
   item->prev = node;
   item->next = node->next;
   node->next->prev = item;
   node->next = item;
}

static inline void
list_add_tail(struct list_head *item, struct list_head *list)
{
   list_add_after(item, list->prev);
}

static inline void
list_remove(struct list_head *item)
{
   item->prev->next = item->next;
   item->next->prev = item->prev;
   item->prev = item->next = NULL;
}

/* Moves every node of `from` to the end of `list`; `from` is empty afterwards. */
static inline void
list_append_all(struct list_head *list, struct list_head *from)
{
   if (list_is_empty(from))
      return;
   from->next->prev = list->prev;
   from->prev->next = list;
   list->prev->next = from->next;
   list->prev = from->prev;
   list_init(from);
}

#define list_entry(node, type, member) container_of(node, type, member)
#define list_first(list, type, member) list_entry((list)->next, type, member)
#define list_last(list, type, member) list_entry((list)->prev, type, member)

#define list_for_each(type, it, list, member)                                                                        \
   for (type *it = list_entry((list)->next, type, member); &it->member != (list);                                    \
        it = list_entry(it->member.next, type, member))

/* The current item may be removed or freed. */
#define list_for_each_safe(type, it, list, member)                                                                   \
   for (type *it = list_entry((list)->next, type, member), *it##_next = list_entry(it->member.next, type, member);   \
        &it->member != (list); it = it##_next, it##_next = list_entry(it->member.next, type, member))

#endif
