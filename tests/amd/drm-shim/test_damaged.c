/* Damaged submissions of other people's drivers: whatever is wrong in packets, descriptors, programs and data comes
 * to a fault that says where, or to nothing, and never to a crash or to no end. Each runs in a process of its own.
 *
 * test_damaged COUNT FIRST RECORDING...: each recording as it is, which must run without a fault and write what its
 * hashes say, and damaged by COUNT seeds, from FIRST on, at least 1. DAMAGED_LOG: a file for what they say. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../fuzz/random_source.h"
#include "amd/drm-shim/code_text.h"
#include "amd/drm-shim/decode.h"
#include "amd/drm-shim/packet_text.h"
#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/sim/amd_sim.h"
#include "sim/record/replay.h"
#include "util/macros.h"

enum { MAX_CHANGES = 4, MAX_RUN = 16, LIMIT_S = 60 };

struct damage {
   struct sim_recording recording;
   struct random_source source;
};

static uint32_t
below(struct damage *d, size_t limit)
{
   return limit ? random_source_next(&d->source) % (uint32_t)limit : 0;
}

/* A word of some block of memory, and how many follow it there; packets are words like all others. */
static uint32_t *
some_words(struct damage *d, size_t *left)
{
   size_t words = 0;
   dynarray_for_each(const struct sim_record, record, &d->recording.records)
      words += record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
   size_t index = below(d, words);
   dynarray_for_each(const struct sim_record, record, &d->recording.records) {
      const size_t has = record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
      *left = has - index;
      if (index < has)
         return dynarray_at(&record->words, uint32_t, index);
      index -= has;
   }
   return NULL;
}

static uint64_t
some_address(struct damage *d)
{
   const size_t count = dynarray_count(&d->recording.records, struct sim_record), first = below(d, count);
   for (size_t i = 0; i < count; i++) {
      const struct sim_record *record = dynarray_at(&d->recording.records, struct sim_record, (first + i) % count);
      if (record->kind == SIM_RECORD_MAP)
         return record->va.va + (below(d, (size_t)MIN2(record->size_B, 0x10000)) & ~3u);
   }
   return 0;
}

static void
change_memory(struct damage *d)
{
   size_t left = 0;
   uint32_t *at = some_words(d, &left);
   const uint32_t random = random_source_next(&d->source);
   if (!at)
      return;
   const uint64_t address = some_address(d);
   switch (below(d, 8)) {
   case 0:
   case 1:
      *at ^= 1u << random % 32;
      break;
   case 2:
      *at ^= (random >> 8 & 0xff) << random % 4 * 8;
      break;
   case 3:
      *at = random & 15;
      break;
   case 4:
      *at = random;
      break;
   case 5: /* as if it had been cut */
      memset(at, 0, MIN2(left, 1 + random % MAX_RUN) * 4);
      break;
   case 6:
      memmove(at, at + MIN2(left - 1, random % MAX_RUN), (left - MIN2(left - 1, random % MAX_RUN)) * 4);
      break;
   default: /* bits 31:0 and 47:32 of an address, or of 256 bytes */
      *at = (uint32_t)(random & 1 ? address : address >> 8);
      if (left > 1)
         at[1] = (uint32_t)(random & 1 ? address >> 32 : (at[1] & ~0xffu) | (address >> 40 & 0xff));
      break;
   }
}

/* A digit of the address or size of a buffer that is submitted. */
static void
change_submit(struct damage *d)
{
   dynarray_for_each(const struct sim_record, record, &d->recording.records) {
      const size_t count = dynarray_count(&record->lines, struct sim_record_line);
      if (record->kind != SIM_RECORD_SUBMIT || !count)
         continue;
      char *text = dynarray_at(&record->lines, struct sim_record_line, below(d, count))->text;
      char *digit = text + below(d, strlen(text));
      if (isdigit((unsigned char)*digit) && digit > text && digit[-1] != ' ')
         *digit = "0123456789"[below(d, 10)];
   }
}

static bool
run_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   struct dynarray ibs = {0};
   uint64_t clock;
   bool ok = amd_submit_read(submit, &ibs, &clock, error);
   amd_sim_set_clock(data, ok ? clock : 0);
   if (ok && !amd_sim_run(data, vm, ibs.data, dynarray_count(&ibs, struct amd_sim_ib), fault)) {
      if (!strstr(fault->message, "; packet ") || !strstr(fault->message, " at dword ")) {
         fprintf(stderr, "no place: %s\n", fault->message);
         abort();
      }
      fprintf(stderr, "fault: %s\n", fault->message);
   }
   dynarray_free(&ibs);
   return ok;
}

/* Seed 0 damages nothing. */
static void
damage_and_run(const char *path, uint32_t seed)
{
   static const struct sim_record_language languages[] = {{"packets", PKT3_NOP_PAD, amd_packet_parse},
                                                          {"code32", 0, amd_code_parse_32},
                                                          {"code64", 0, amd_code_parse_64},
                                                          {0}};
   static const enum sim_schedule_kind kinds[] = {SIM_SCHEDULE_IN_ORDER, SIM_SCHEDULE_SEED, SIM_SCHEDULE_WORST,
                                                  SIM_SCHEDULE_ROUND_ROBIN};
   struct damage d = {.source = {.seed = seed * 2654435761u}};
   struct sim_record_error error = {0};
   size_t size_B;
   char *text = sim_recording_load(path, &size_B);
   if (!text || !sim_recording_read(&d.recording, text, size_B, languages, &error))
      abort();
   const uint32_t changes = 1 + below(&d, MAX_CHANGES), kind = below(&d, 4), order = random_source_next(&d.source);
   for (uint32_t i = 0; seed && i < changes; i++) {
      if (below(&d, 12))
         change_memory(&d);
      else
         change_submit(&d);
   }
   struct amd_sim *sim = amd_sim_create(amd_chip_by_name(d.recording.chip), 1);
   if (!sim)
      abort();
   amd_sim_set_budget(sim, 20000);
   amd_sim_set_limit(sim, 20000);
   amd_sim_set_wait(sim, 100); /* nobody else writes */
   amd_sim_set_schedule(sim, &(struct sim_schedule){seed ? kinds[kind] : SIM_SCHEDULE_IN_ORDER, order});
   const struct sim_replay replay = {
      .path = path, .recording = &d.recording, .compares = !seed, .data = sim, .submit = run_submit};
   const enum sim_replay_end end = sim_replay_run(&replay, &error);
   if (seed ? end == SIM_REPLAY_BAD && !error.message[0] : end != SIM_REPLAY_SAME)
      abort();
   amd_sim_destroy(sim);
   sim_recording_free(&d.recording);
   free(text);
}

/* False if it crashed, or took a minute. */
static bool
try_seed(const char *path, uint32_t seed)
{
   const char *log = getenv("DAMAGED_LOG");
   int status;
   fflush(NULL);
   pid_t child = fork();
   if (!child) {
      if (!freopen("/dev/null", "w", stdout) || ((log || seed) && !freopen(log ? log : "/dev/null", "a", stderr)))
         _exit(3);
      setrlimit(RLIMIT_CPU, &(struct rlimit){LIMIT_S, LIMIT_S});
      alarm(2 * LIMIT_S);
      damage_and_run(path, seed);
      exit(0);
   }
   if (child < 0 || waitpid(child, &status, 0) != child)
      return false;
   if (WIFEXITED(status) && !WEXITSTATUS(status))
      return true;
   printf("%s, seed %u: %s %d\n", path, seed, WIFSIGNALED(status) ? "signal" : "status",
          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
   return false;
}

int
main(int argc, char **argv)
{
   unsigned count = argc > 3 ? (unsigned)atoi(argv[1]) : 0, first = count ? (unsigned)atoi(argv[2]) : 0, crashed = 0;
   for (int i = 3; i < argc; i++) {
      crashed += !try_seed(argv[i], 0);
      for (unsigned seed = first; seed < first + count; seed++)
         crashed += !try_seed(argv[i], seed);
   }
   printf("%u seeds of each recording: %u crashed\n", count, crashed);
   return crashed || !count;
}
