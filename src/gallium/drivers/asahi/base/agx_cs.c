#include "gallium/drivers/asahi/base/agx_cs.h"

#include <assert.h>

#include "asahi/hw/records.h"
#include "util/macros.h"

#define STREAM_ALIGNMENT_B 64

void
agx_cs_init(struct agx_cs *cs, struct aux_chunk_pool *pool, enum agx_cs_kind kind)
{
   *cs = (struct agx_cs){.pool = pool, .kind = kind};
}

void
agx_cs_reset(struct agx_cs *cs)
{
   aux_chunk_put(cs->pool, cs->chunks);
   agx_cs_init(cs, cs->pool, cs->kind);
}

static bool
take_chunk(struct agx_cs *cs)
{
   struct aux_chunk *chunk = aux_chunk_get(cs->pool);

   if (!chunk) {
      cs->out_of_memory = true;
      cs->cur = cs->spare;
      cs->end = cs->spare + sizeof(cs->spare) - AGX_CS_TAIL_B;
      return false;
   }
   chunk->next = cs->chunks;
   cs->chunks = chunk;
   cs->cur = chunk->map;
   cs->end = chunk->map + AUX_CHUNK_B - AGX_CS_TAIL_B;
   return true;
}

/* The address of cs->cur. */
static uint64_t
address(const struct agx_cs *cs)
{
   return cs->out_of_memory ? 0 : cs->chunks->va + (uint64_t)(cs->cur - cs->chunks->map);
}

void
agx_cs_begin(struct agx_cs *cs)
{
   if (cs->out_of_memory)
      return;
   if (cs->chunks)
      cs->cur = cs->chunks->map + align_up((uint64_t)(cs->cur - cs->chunks->map), STREAM_ALIGNMENT_B);
   if ((!cs->chunks || cs->end < cs->cur) && !take_chunk(cs))
      return;
   cs->start_va = address(cs);
   cs->in_first = true;
}

static void
end_piece(struct agx_cs *cs)
{
   if (cs->in_first)
      cs->first_end_va = address(cs);
   cs->in_first = false;
}

void
agx_cs_grow(struct agx_cs *cs)
{
   struct aux_chunk *full = cs->chunks;
   char *tail = cs->cur;

   if (cs->out_of_memory) {
      cs->cur = cs->spare;
      return;
   }
   if (!take_chunk(cs))
      return;
   if (cs->kind == AGX_CS_CDM)
      agx_cdm_stream_link_pack(tail, &(struct agx_cdm_stream_link){.target_hi = (uint32_t)(cs->chunks->va >> 32),
                                                                   .target_lo = (uint32_t)cs->chunks->va});
   else
      agx_vdm_stream_link_pack(tail, &(struct agx_vdm_stream_link){.target_hi = (uint32_t)(cs->chunks->va >> 32),
                                                                   .target_lo = (uint32_t)cs->chunks->va});
   if (cs->in_first)
      cs->first_end_va = full->va + (uint64_t)(tail - full->map) + 8;
   cs->in_first = false;
}

void
agx_cs_end(struct agx_cs *cs)
{
   if (cs->kind == AGX_CS_CDM) {
      agx_cdm_stream_terminate_pack(cs->cur, &(struct agx_cdm_stream_terminate){0});
      cs->cur += AGX_CDM_STREAM_TERMINATE_SIZE_B;
   } else {
      agx_vdm_stream_terminate_pack(cs->cur, &(struct agx_vdm_stream_terminate){0});
      cs->cur += AGX_VDM_STREAM_TERMINATE_SIZE_B;
   }
   end_piece(cs);
}
