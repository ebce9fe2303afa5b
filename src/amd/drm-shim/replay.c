/* indium-replay: runs a recording on the model, or prints it so that people can read it. Started by `indium replay`
 * and `indium decode`; sim/record/replay_program.h has its arguments. */
#include <stdlib.h>
#include <string.h>

#include "amd/drm-shim/code_text.h"
#include "amd/drm-shim/decode.h"
#include "amd/drm-shim/packet_text.h"
#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/sim/amd_sim.h"
#include "sim/record/replay_program.h"
#include "util/within_memory.h"

#define S_CODE_END 0xbf9f0000 /* s_code_end */

static const struct sim_record_language languages[] = {
   {"packets", PKT3_NOP_PAD, amd_packet_parse},
   {"code32", S_CODE_END, amd_code_parse_32},
   {"code64", S_CODE_END, amd_code_parse_64},
   {0},
};

struct waiter {
   struct sim_player *player;
   bool failed;
};

static bool
play_wait(void *data)
{
   struct waiter *waiter = data;
   waiter->failed |= !sim_player_wait(waiter->player);
   return !waiter->failed;
}

static bool
run_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   struct dynarray ibs = {0};
   uint64_t clock;
   bool ok = amd_submit_read(submit, &ibs, &clock, error);
   struct waiter waiter = {.player = player};
   amd_sim_set_clock(data, ok ? clock : 0);
   amd_sim_set_waits(data, &(struct amd_sim_waits){.data = &waiter, .waits = play_wait});
   if (ok)
      amd_sim_run(data, vm, ibs.data, dynarray_count(&ibs, struct amd_sim_ib), fault);
   dynarray_free(&ibs);
   return ok && !waiter.failed;
}

/* As of the shim (docs/drm-shim.md): each draw is tried in other orders, too. */
static bool
check_order(struct amd_sim *sim)
{
   const char *seeds = getenv("INDIUM_ORDER_SEEDS");
   const unsigned long count = seeds ? strtoul(seeds, NULL, 10) : 8;
   if (!getenv("INDIUM_ORDER_CHECK"))
      return true;
   if (count < 1 || count > 1000)
      return fprintf(stderr, "indium: INDIUM_ORDER_SEEDS=%s: not a number from 1 to 1000\n", seeds), false;
   if (!amd_sim_check_order(sim, (unsigned)count))
      out_of_memory("draws in other orders", 0);
   return true;
}

static void
write_order(struct amd_sim *sim)
{
   const char *path = getenv("INDIUM_ORDER_CHECK");
   FILE *out = path ? fopen(path, "ae") : NULL;
   if (out)
      amd_sim_write_order(sim, out);
   if (path && (!out || fclose(out)))
      fprintf(stderr, "indium: cannot write %s\n", path);
}

static void *
create(const struct sim_replay_model *model)
{
   const struct amd_chip *chip = amd_chip_by_name(model->chip);
   if (!chip)
      return fprintf(stderr, "indium: no chip is called \"%s\" (see: indium gpus)\n", model->chip), NULL;
   if (model->option)
      return fprintf(stderr, "indium: no option of %s is called \"%s\"\n", chip->name, model->option), NULL;
   const char *reference = getenv("INDIUM_REFERENCE");
   struct amd_sim *sim = amd_sim_create(chip, model->threads);
   if (!sim)
      return fprintf(stderr, "indium: %s has no model\n", chip->name), NULL;
   amd_sim_set_schedule(sim, &model->schedule);
   amd_sim_set_budget(sim, model->budget);
   amd_sim_set_reference(sim, reference && !strcmp(reference, "1"));
   amd_sim_set_trace(sim, model->trace);
   amd_sim_set_races(sim, model->races);
   if (!amd_sim_set_dump(sim, model->dump))
      out_of_memory("the dump of states", 0);
   if (check_order(sim))
      return sim;
   amd_sim_destroy(sim);
   return NULL;
}

static void
destroy(void *sim)
{
   write_order(sim);
   amd_sim_destroy(sim);
}

int
main(int argc, char **argv)
{
   static const struct sim_replay_vendor vendor = {"amdgpu", languages, create, destroy, run_submit, amd_decode};
   return sim_replay_main(argv, &vendor);
}
