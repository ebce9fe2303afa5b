#include "gallium/auxiliary/aux_upload.h"

bool
aux_upload_start(struct aux_upload *upload)
{
   upload->used_B = 0;
   upload->chunks = aux_chunk_get(upload->pool);
   return upload->chunks;
}

void
aux_upload_reset(struct aux_upload *upload)
{
   aux_chunk_put(upload->pool, upload->chunks);
   upload->chunks = NULL;
   upload->used_B = 0;
}

void
aux_upload_grow(struct aux_upload *upload, bool *failed)
{
   struct aux_chunk *chunk = aux_chunk_get(upload->pool);

   if (!chunk) {
      *failed = true;
      return;
   }
   chunk->next = upload->chunks;
   upload->chunks = chunk;
}
