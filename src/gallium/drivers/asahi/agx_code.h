/* Memory of shader code and of what programs keep beside it, in the 4 GiB from the USC base on: many programs share
 * buffers of a few hundred KiB. */
#ifndef INDIUM_AGX_CODE_H
#define INDIUM_AGX_CODE_H

#include <pthread.h>
#include <stdint.h>

struct asahi_ws;
struct asahi_ws_bo;

struct agx_code_block {
   struct asahi_ws_bo *bo;
   uint32_t used_B;
   uint32_t users; /* programs that live in it */
   struct agx_code_block *next;
};

struct agx_code_heap {
   struct asahi_ws *ws;
   pthread_mutex_t lock;
   struct agx_code_block *blocks; /* the first is the one being filled */
};

struct agx_code {
   struct agx_code_block *block; /* NULL: out of memory */
   uint64_t va;                  /* multiple of 128 */
   uint32_t usc_offset_B;        /* the same from the USC base on, as records name it */
   char *map;
};

void agx_code_heap_init(struct agx_code_heap *heap, struct asahi_ws *ws);
void agx_code_heap_finish(struct agx_code_heap *heap);

/* Room for size_B bytes, for code (whose padding is part of it), constants, USC lists and coefficient bindings. */
struct agx_code agx_code_alloc(struct agx_code_heap *heap, uint32_t size_B);

/* The same, filled. */
struct agx_code agx_code_upload(struct agx_code_heap *heap, const void *bytes, uint32_t size_B);
void agx_code_free(struct agx_code_heap *heap, struct agx_code code);

#endif
