/* Memory of shader code and of what programs keep next to it: many programs share buffers of a few hundred KiB. */
#ifndef INDIUM_AUX_CODE_H
#define INDIUM_AUX_CODE_H

#include <pthread.h>
#include <stdint.h>

#include "gallium/winsys/common/ws_buffer.h"

struct aux_code_block {
   struct ws_buffer buffer;
   uint32_t used_B;
   uint32_t users; /* programs that live in it */
   struct aux_code_block *next;
};

/* How programs lie in memory. */
struct aux_code_rules {
   uint32_t alignment_B;
   uint32_t tail_B;  /* what the hardware reads after a program and never executes; the next one may begin there */
   uint32_t padding; /* the dword that fills the room up to the next program, and the tail */
   uint64_t base_va; /* what base_offset_B counts from */
};

struct aux_code_heap {
   struct ws_buffer_source source;
   struct aux_code_rules rules;
   pthread_mutex_t lock;
   struct aux_code_block *blocks; /* the first is the one being filled */
};

struct aux_code {
   struct aux_code_block *block; /* NULL: out of memory */
   uint64_t va;                  /* multiple of alignment_B */
   uint32_t base_offset_B;       /* the same from base_va on, where it is nearer than 4 GiB */
   char *map;
};

void aux_code_heap_init(struct aux_code_heap *heap, struct ws_buffer_source source,
                        const struct aux_code_rules *rules);
void aux_code_heap_finish(struct aux_code_heap *heap);

/* Room for size_B bytes: code, and for some hardware constants and lists next to it. */
struct aux_code aux_code_alloc(struct aux_code_heap *heap, uint32_t size_B);

/* The same, filled. */
struct aux_code aux_code_upload(struct aux_code_heap *heap, const void *bytes, uint32_t size_B);
void aux_code_free(struct aux_code_heap *heap, struct aux_code code);

#endif
