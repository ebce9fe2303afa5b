/* Memory of shader code: many programs share buffers of a few hundred KiB. */
#ifndef INDIUM_SI_CODE_H
#define INDIUM_SI_CODE_H

#include <pthread.h>
#include <stdint.h>

struct amdgpu_ws;
struct amdgpu_ws_bo;

struct si_code_block {
   struct amdgpu_ws_bo *bo;
   uint32_t used_B;
   uint32_t users; /* programs that live in it */
   struct si_code_block *next;
};

struct si_code_heap {
   struct amdgpu_ws *ws;
   pthread_mutex_t lock;
   struct si_code_block *blocks; /* the first is the one being filled */
};

struct si_code {
   struct si_code_block *block;
   uint64_t va; /* multiple of 256 */
};

void si_code_heap_init(struct si_code_heap *heap, struct amdgpu_ws *ws);
void si_code_heap_finish(struct si_code_heap *heap);

/* Uploads words; code->block is NULL when out of memory. */
struct si_code si_code_upload(struct si_code_heap *heap, const uint32_t *words, uint32_t num_dw);
void si_code_free(struct si_code_heap *heap, struct si_code code);

#endif
