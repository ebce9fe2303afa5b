/* indium-agx-replay: runs a recording of AGX on the model. Started by `indium replay`; sim/record/replay_program.h
 * has its arguments. */
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/recorded.h"
#include "sim/record/replay_program.h"
#include "util/within_memory.h"

static const struct sim_record_language no_languages[] = {{0}};

static bool
run_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   return agx_sim_run_recorded(data, vm, submit, fault, error);
}

static void *
create(const struct sim_replay_model *model)
{
   const struct agx_chip *chip = agx_chip_by_name_or_core(model->chip);
   if (!chip)
      return fprintf(stderr, "indium: no chip is called \"%s\" (see: indium gpus)\n", model->chip), NULL;
   if (model->option && strcmp(model->option, AGX_OPTION_NO_SOFT_FAULTS))
      return fprintf(stderr, "indium: no option of %s is called \"%s\"\n", chip->name, model->option), NULL;
   struct agx_sim *sim = agx_sim_create(chip, model->threads);
   if (!sim || !agx_sim_set_dump(sim, model->dump) || !agx_sim_set_trace(sim, model->trace) ||
       !agx_sim_set_races(sim, model->races))
      out_of_memory("the model", 0);
   agx_sim_set_schedule(sim, &model->schedule);
   agx_sim_set_budget(sim, model->budget);
   agx_sim_set_soft_faults(sim, !model->option);
   const char *reference = getenv("INDIUM_REFERENCE");
   agx_sim_set_reference(sim, reference && !strcmp(reference, "1"));
   return sim;
}

static void
destroy(void *sim)
{
   agx_sim_destroy(sim);
}

int
main(int argc, char **argv)
{
   static const struct sim_replay_vendor vendor = {"asahi", no_languages, create, destroy, run_submit, NULL};
   return sim_replay_main(argv, &vendor);
}
