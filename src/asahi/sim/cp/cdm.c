#include "asahi/sim/cp/cdm.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/sim/cache/tex_cache.h"
#include "asahi/sim/cp/dispatch.h"
#include "asahi/sim/usc/read.h"
#include "asahi/sim/cp/stream.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

/* Bits of a barrier that every driver sets after a dispatch (observed). What fewer of them do is not known: such a
 * barrier puts nothing into an order. */
#define BARRIER_ORDERS 0xfffffu

#define MAX_PENDING 64 /* the hardware has an end somewhere, too */

struct cdm {
   const struct agx_gpu *gpu;
   struct agx_helper helper;
   struct agx_dispatch dispatch;    /* being read */
   struct agx_stream_turn turn;     /* of the block that is being read */
   bool barrier;                    /* it is one, and orders */
   unsigned dispatch_count, orders; /* orders: how often launches were put into one */
   struct dynarray pending;         /* struct agx_dispatch, which no barrier separates */
   struct agx_program *program;     /* room for one */
};

static bool
read_part(void *data, enum agx_record_id id, uint64_t va, const void *bytes)
{
   struct cdm *cdm = data;
   struct agx_dispatch *dispatch = &cdm->dispatch;
   if (id == AGX_RECORD_CDM_LAUNCH) {
      *dispatch = (struct agx_dispatch){.number = cdm->dispatch_count++, .va = va, .helper = cdm->helper};
      agx_cdm_launch_unpack(&dispatch->launch, bytes);
   } else if (id == AGX_RECORD_CDM_INDIRECT) {
      struct agx_cdm_indirect indirect;
      agx_cdm_indirect_unpack(&indirect, bytes);
      dispatch->indirect_va = agx_join_va(indirect.address_hi, indirect.address_lo);
   } else if (id == AGX_RECORD_CDM_GLOBAL_SIZE) {
      struct agx_cdm_global_size size;
      agx_cdm_global_size_unpack(&size, bytes);
      dispatch->threads[0] = size.x, dispatch->threads[1] = size.y, dispatch->threads[2] = size.z;
   } else if (id == AGX_RECORD_CDM_LOCAL_SIZE) {
      struct agx_cdm_local_size size;
      agx_cdm_local_size_unpack(&size, bytes);
      dispatch->group_threads[0] = size.x, dispatch->group_threads[1] = size.y, dispatch->group_threads[2] = size.z;
   } else if (id == AGX_RECORD_CDM_BARRIER) {
      struct agx_cdm_barrier barrier;
      uint32_t word;
      agx_cdm_barrier_unpack(&barrier, bytes);
      memcpy(&word, bytes, sizeof(word));
      cdm->barrier = (word & BARRIER_ORDERS) == BARRIER_ORDERS;
      cdm->turn.kind = barrier.returns ? AGX_TURN_RETURN : AGX_TURN_NONE;
   } else if (id == AGX_RECORD_CDM_STREAM_LINK) {
      struct agx_cdm_stream_link link;
      agx_cdm_stream_link_unpack(&link, bytes);
      cdm->turn.kind = link.with_return ? AGX_TURN_CALL : AGX_TURN_LINK;
      cdm->turn.target = agx_join_va(link.target_hi, link.target_lo);
   } else if (id == AGX_RECORD_CDM_STREAM_RETURN) {
      cdm->turn.kind = AGX_TURN_RETURN;
   } else if (id == AGX_RECORD_CDM_STREAM_TERMINATE) {
      cdm->turn.kind = AGX_TURN_END;
   }
   return true;
}

/* Which of the `count` launches that are left, the first of them being of the stream's order, runs next. */
static unsigned
choose(struct cdm *cdm, unsigned count)
{
   switch (cdm->gpu->schedule.kind) {
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      return 0;
   case SIM_SCHEDULE_SEED:
      return (unsigned)(sim_schedule_random(cdm->gpu->schedule.seed, cdm->dispatch_count, cdm->orders++) % count);
   case SIM_SCHEDULE_WORST:
      return count - 1;
   }
   return 0;
}

static bool
run_pending(struct cdm *cdm)
{
   struct agx_dispatch *all = cdm->pending.data;
   unsigned count = (unsigned)dynarray_count(&cdm->pending, struct agx_dispatch);
   bool ok = true;
   for (; ok && count; count--) {
      unsigned next = choose(cdm, count);
      ok = agx_dispatch_run(cdm->gpu, &all[next], cdm->program);
      for (unsigned i = next; i + 1 < count; i++)
         all[i] = all[i + 1];
   }
   cdm->pending.size_B = 0;
   return ok;
}

static bool
end_block(void *data, enum agx_record_id head, struct agx_stream_turn *turn)
{
   struct cdm *cdm = data;
   bool barrier = cdm->barrier, separates = barrier || cdm->turn.kind == AGX_TURN_END;
   *turn = cdm->turn;
   cdm->turn = (struct agx_stream_turn){AGX_TURN_NONE, 0};
   cdm->barrier = false;
   if (head == AGX_RECORD_CDM_LAUNCH)
      dynarray_append(&cdm->pending, struct agx_dispatch, cdm->dispatch);
   separates |= dynarray_count(&cdm->pending, struct agx_dispatch) == MAX_PENDING;
   if (separates && !run_pending(cdm))
      return false;
   if (barrier)
      agx_tex_cache_invalidate(cdm->gpu->textures);
   return true;
}

bool
agx_cdm_run(const struct agx_gpu *gpu, const struct agx_compute_command *command)
{
   struct cdm cdm = {
      .gpu = gpu,
      .helper = {command->helper_binary, command->helper_cfg, command->helper_data},
      .program = need_malloc("a program", sizeof(*cdm.program)),
   };
   const struct agx_stream_walk walk = {gpu, &agx_stream_cdm, &cdm, read_part, end_block};
   struct owned program, pending;
   own(&program, free, cdm.program);
   own(&pending, dynarray_release, &cdm.pending);
   bool ok = agx_stream_walk(&walk, command->cdm_ctrl_stream_base);
   disown(&pending);
   disown(&program);
   return ok;
}
