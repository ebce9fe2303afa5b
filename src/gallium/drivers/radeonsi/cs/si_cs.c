#include "gallium/drivers/radeonsi/cs/si_cs.h"

#include <assert.h>

#include "amd/hw/sdma.h"
#include "util/macros.h"

#define BUFFER_DW 8u /* sizes are multiples of it */

void
si_cs_init(struct si_cs *cs, struct aux_chunk_pool *pool)
{
   memset(cs, 0, sizeof(*cs));
   cs->pool = pool;
}

void
si_cs_reset(struct si_cs *cs)
{
   const bool is_sdma = cs->is_sdma;

   aux_chunk_put(cs->pool, cs->first);
   si_cs_init(cs, cs->pool);
   cs->is_sdma = is_sdma;
}

static void
use_chunk(struct si_cs *cs, struct aux_chunk *chunk)
{
   if (cs->last)
      cs->last->next = chunk;
   else
      cs->first = chunk;
   cs->last = chunk;
   cs->start = cs->cur = (uint32_t *)chunk->map;
   cs->end = cs->start + AUX_CHUNK_B / 4 - SI_CS_TAIL_DW;
}

static void
use_spare(struct si_cs *cs)
{
   cs->out_of_memory = true;
   cs->cur = cs->spare;
   cs->end = cs->spare + SI_CS_MAX_RESERVE_DW;
}

bool
si_cs_begin(struct si_cs *cs)
{
   struct aux_chunk *chunk;

   si_cs_reset(cs);
   chunk = aux_chunk_get(cs->pool);
   if (chunk)
      use_chunk(cs, chunk);
   else
      use_spare(cs);
   return chunk != NULL;
}

/* Pads so that `more` further dwords make the size a multiple of 8. */
static void
pad(struct si_cs *cs, unsigned more)
{
   while ((size_t)(cs->cur - cs->start + more) % BUFFER_DW)
      si_cs_emit(cs, cs->is_sdma ? SDMA_NOP : PKT3_NOP_PAD);
}

uint32_t
si_cs_buffer_dw(const struct aux_chunk *chunk)
{
   return MAX2((uint32_t)align_up(chunk->used_B / 4, BUFFER_DW), BUFFER_DW);
}

/* The size of the newest buffer is known: enter it where the jump to it (or the submit) looks. */
static void
set_size(struct si_cs *cs)
{
   uint32_t size_dw = (uint32_t)(cs->cur - cs->start);

   if (cs->jump_control)
      *cs->jump_control |= S_INDIRECT_BUFFER_CONTROL_IB_SIZE(size_dw);
   else
      cs->first_size_dw = size_dw;
   if (cs->back_control)
      *cs->back_control |= S_INDIRECT_BUFFER_CONTROL_IB_SIZE(size_dw);
}

/* A jump to a chunk whose size is not known yet. Returns the dword that will have it. */
static uint32_t *
put_jump(uint32_t *at, const struct aux_chunk *to)
{
   const struct amd_pm4_indirect_buffer packet = {.base = to->va, .chain = true, .valid = true};

   return amd_pm4_indirect_buffer_pack(at, PKT3_INDIRECT_BUFFER, &packet) - 1;
}

static void
grow(struct si_cs *cs, uint32_t *back)
{
   struct aux_chunk *chunk = cs->out_of_memory ? NULL : aux_chunk_get(cs->pool);
   uint32_t *control;

   if (!chunk) {
      use_spare(cs);
      return;
   }
   cs->last->used_B = (uint32_t)(4 * (cs->cur - cs->start));
   if (cs->is_sdma) {
      pad(cs, 0);
      use_chunk(cs, chunk);
      return;
   }
   pad(cs, SI_JUMP_DW);
   control = put_jump(cs->cur, chunk);
   cs->cur = control + 1;
   set_size(cs);
   cs->jump_control = control;
   cs->back_control = back ? put_jump(back, chunk) : NULL;
   cs->last->back_dw = back ? (uint32_t)(back - cs->start) : 0;
   use_chunk(cs, chunk);
}

void
si_cs_grow(struct si_cs *cs)
{
   grow(cs, NULL);
}

void
si_cs_split(struct si_cs *cs, uint32_t *back)
{
   if (!cs->out_of_memory)
      grow(cs, back);
}

bool
si_cs_end(struct si_cs *cs)
{
   if (cs->out_of_memory)
      return false;
   cs->last->used_B = (uint32_t)(4 * (cs->cur - cs->start));
   if (!cs->last->used_B)
      si_cs_emit(cs, cs->is_sdma ? SDMA_NOP : PKT3_NOP_PAD);
   pad(cs, 0);
   set_size(cs);
   return true;
}

uint32_t *
si_cs_append(struct si_cs *cs, const struct aux_chunk *chunk)
{
   unsigned used_dw = chunk->used_B / 4;

   if ((size_t)(cs->end - cs->cur) < used_dw)
      si_cs_grow(cs);
   if (cs->out_of_memory)
      return NULL;
   assert((size_t)(cs->end - cs->cur) >= used_dw && "a chunk's packets fit into an empty chunk");
   si_cs_emit_array(cs, (const uint32_t *)chunk->map, used_dw);
   uint32_t *packets = cs->cur - used_dw;

   if (chunk->back_dw)
      si_cs_split(cs, packets + chunk->back_dw);
   return packets;
}
