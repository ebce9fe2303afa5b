/* What the numbers stand for that a kernel has given out. */
#ifndef INDIUM_ASAHI_WRAP_IDS_H
#define INDIUM_ASAHI_WRAP_IDS_H

#include <stdint.h>

#include "util/dynarray.h"

struct agx_wrap_id {
   uint64_t number;
   void *object;
};

/* A zeroed one is empty; dynarray_free() of the array ends it. */
struct agx_wrap_ids {
   struct dynarray array; /* struct agx_wrap_id, rising numbers */
};

/* NULL: the number stands for nothing. */
void *agx_wrap_ids_find(const struct agx_wrap_ids *ids, uint64_t number);

/* The number stands for object from here on. Returns what it stood for before, or NULL. */
void *agx_wrap_ids_set(struct agx_wrap_ids *ids, uint64_t number, void *object);

/* The number stands for nothing from here on. Returns what it stood for, or NULL. */
void *agx_wrap_ids_remove(struct agx_wrap_ids *ids, uint64_t number);

#endif
