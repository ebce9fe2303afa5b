#include "amd/sim/wave/wave_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "amd/sim/wave/wave_watch.h"
#include "sim/waves/race.h"
#include "sim/waves/timeline.h"
#include "util/hash.h"

/* A report also names the program by its code, as its compiler can: docs/howto-debug.md. Returns false. */
static bool
name_program(const struct program *program, struct sim_fault *fault)
{
   size_t used = strlen(fault->message);
   snprintf(fault->message + used, sizeof(fault->message) - used, "; shader %016" PRIx64 " at 0x%" PRIx64,
            hash_bytes(program->words, program->dw_count * 4), program->va.va);
   return false;
}

struct wave_run *
wave_run_begin(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, uint32_t first,
               struct sim_fault *fault)
{
   const bool sole = !engine->run_count;
   if (sole)
      wave_programs_forget(engine);
   struct wave_run *run = &engine->runs[(engine->first_run + engine->run_count) % AMD_WAVE_MAX_ADDED];
   *run = (struct wave_run){.launch = launch, .first = first, .end = first + launch->group_count};
   run->program = wave_program(engine, launch, launch->program);
   if (!run->program) {
      sim_fault_set(fault, SIM_FAULT_ADDRESS, launch->program, "no executable memory at 0x%llx",
                    (unsigned long long)launch->program.va);
      return NULL;
   }
   if (launch->caches) {
      run->packet = amd_caches_packet(launch->caches);
      run->packet.crowded = engine->rounds.schedule.kind == SIM_SCHEDULE_WORST;
   }
   run->traced = engine->trace ? engine->trace->launch++ : 0;
   wave_pops_begin(&engine->pops, &run->pops, launch->pops, run->program, sole);
   engine->run_count++;
   return run;
}

void
wave_run_tell_races(struct wave_run *run)
{
   if (run->launch->races && !run->raced)
      sim_races_begin_launch(run->launch->races, run->launch->program, wave_race_print, run->program);
   run->raced = true;
}

bool
wave_run_end(struct amd_wave_engine *engine, bool ok, struct sim_fault *fault)
{
   const struct wave_run *run = wave_first_run(engine);
   engine->first_run = (engine->first_run + 1) % AMD_WAVE_MAX_ADDED;
   engine->run_count--;
   if (engine->trace)
      wave_trace_end_launch(engine->trace, &engine->rounds, ok);
   return (ok && wave_pops_finish(&engine->pops, &run->pops, fault)) || name_program(run->program, fault);
}
