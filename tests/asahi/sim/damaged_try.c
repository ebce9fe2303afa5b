#include "damaged_try.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/records.h"
#include "asahi/sim/recorded.h"
#include "sim/record/replay.h"
#include "util/macros.h"

enum { MAX_CHANGES = 4, MAX_RUN = 16 };

const char *const damaged_names[DAMAGED_RECORDINGS] = {"triangle-submit0.txt", "gles-submit0.txt",
                                                       "scene-submit0.txt", "compute-spill-submit0.txt"};

struct damage {
   const struct sim_recording *recording;
   struct random_source *source;
};

static uint32_t
below(const struct damage *d, size_t limit)
{
   return limit ? random_source_next(d->source) % (uint32_t)limit : 0;
}

/* A record of words that has some, or NULL. */
static const struct sim_record *
some_write(const struct damage *d)
{
   const struct dynarray *all = &d->recording->records;
   const size_t count = dynarray_count(all, struct sim_record);
   size_t words = 0;
   dynarray_for_each(const struct sim_record, record, all)
      words += record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
   size_t index = below(d, words);
   for (size_t i = 0; i < count; i++) {
      const struct sim_record *record = dynarray_at(all, struct sim_record, i);
      const size_t has = record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
      if (index < has)
         return record;
      index -= has;
   }
   return NULL;
}

/* An address that is mapped, unless nothing is. */
static uint64_t
some_address(const struct damage *d)
{
   const struct dynarray *all = &d->recording->records;
   const size_t count = dynarray_count(all, struct sim_record), first = below(d, count);
   for (size_t i = 0; i < count; i++) {
      const struct sim_record *record = dynarray_at(all, struct sim_record, (first + i) % count);
      if (record->kind == SIM_RECORD_MAP)
         return record->va.va + (below(d, (size_t)MIN2(record->size_B, 0x10000)) & ~3u);
   }
   return 0;
}

static uint64_t
address_of(const struct damage *d, const struct sim_record *write, size_t word)
{
   const uint64_t offset_B = write->offset_B + 4 * word;
   dynarray_for_each(const struct sim_record, map, &d->recording->records) {
      if (map->kind == SIM_RECORD_MAP && map->memory == write->memory && offset_B >= map->offset_B &&
          offset_B - map->offset_B < map->size_B)
         return map->va.va + (offset_B - map->offset_B);
   }
   return 0;
}

/* A link, often to near where it stands, of a stream of either kind. */
static void
put_link(const struct damage *d, const struct sim_record *write, size_t at, uint32_t words[2])
{
   const uint32_t how = below(d, 8);
   const uint64_t target = how & 1 ? some_address(d) : address_of(d, write, at) - 4 * below(d, MAX_RUN);
   if (how & 2)
      agx_vdm_stream_link_pack(words, &(struct agx_vdm_stream_link){.target_hi = (uint32_t)(target >> 32),
                                                                    .target_lo = (uint32_t)target,
                                                                    .with_return = how & 4});
   else
      agx_cdm_stream_link_pack(words, &(struct agx_cdm_stream_link){.target_hi = (uint32_t)(target >> 32),
                                                                    .target_lo = (uint32_t)target,
                                                                    .with_return = how & 4});
}

static void
change_word(const struct damage *d, uint32_t *word)
{
   const uint32_t random = random_source_next(d->source);
   switch (below(d, 4)) {
   case 0:
      *word ^= 1u << random % 32;
      break;
   case 1:
      *word ^= (random >> 8 & 0xff) << random % 4 * 8;
      break;
   case 2:
      *word = random & 15;
      break;
   default:
      *word = random;
      break;
   }
}

/* Up to MAX_RUN words: gone, those of another place, or in each other's place. */
static void
change_run(const struct damage *d, const struct sim_record *write, size_t at, size_t count)
{
   uint32_t *words = dynarray_at(&write->words, uint32_t, 0);
   const size_t run = 1 + below(d, MIN2(count - at, MAX_RUN)), from = below(d, count - run + 1);
   const uint32_t how = below(d, 3);
   for (size_t i = 0; i < MIN2(run, count - at); i++) {
      const uint32_t before = words[at + i];
      words[at + i] = how ? words[from + i] : 0;
      if (how == 2)
         words[from + i] = before;
   }
}

static void
change_memory(const struct damage *d)
{
   const struct sim_record *write = some_write(d);
   if (!write)
      return;
   const size_t count = dynarray_count(&write->words, uint32_t), at = below(d, count);
   uint32_t *words = dynarray_at(&write->words, uint32_t, at);
   const uint32_t how = below(d, 8);
   const uint64_t address = some_address(d);
   if (how < 5)
      change_word(d, words);
   else if (how == 5)
      change_run(d, write, at, count);
   else if (at + 1 == count)
      words[0] = (uint32_t)address;
   else if (how == 6)
      put_link(d, write, at, words);
   else
      memcpy(words, &address, sizeof(address));
}

/* A digit of a word of the commands. */
static void
change_command(const struct damage *d)
{
   dynarray_for_each(const struct sim_record, record, &d->recording->records) {
      const size_t count = dynarray_count(&record->lines, struct sim_record_line);
      if (record->kind != SIM_RECORD_SUBMIT || !count)
         continue;
      char *text = dynarray_at(&record->lines, struct sim_record_line, below(d, count))->text;
      char *digit = text + below(d, strlen(text));
      if (!strncmp(text, "words ", 6) && digit >= text + 6 && isxdigit((unsigned char)*digit))
         *digit = "0123456789abcdef"[below(d, 16)];
   }
}

static bool
run_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   (void)player;
   return agx_sim_run_recorded(data, vm, submit, fault, error);
}

static void
replay_damaged(const char *path, const struct sim_recording *recording, uint32_t how)
{
   static const enum sim_schedule_kind kinds[] = {SIM_SCHEDULE_IN_ORDER, SIM_SCHEDULE_SEED, SIM_SCHEDULE_WORST,
                                                  SIM_SCHEDULE_ROUND_ROBIN};
   struct sim_record_error error = {0};
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name(how & 1 ? "m1" : "m2"), 1);
   if (!sim)
      abort();
   agx_sim_set_budget(sim, 5000);
   agx_sim_set_limit(sim, strstr(path, "compute") ? 200 : 12000); /* whole renders, the start of millions of sums */
   agx_sim_set_schedule(sim, &(struct sim_schedule){kinds[how >> 1 & 3], how});
   const struct sim_replay replay = {.path = path, .recording = recording, .data = sim, .submit = run_submit};
   if (sim_replay_run(&replay, &error) == SIM_REPLAY_BAD && !error.message[0])
      abort();
   agx_sim_destroy(sim);
}

void
damaged_try(const char *path, struct random_source *source)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   const struct damage damage = {&recording, source};
   size_t size_B;
   char *text = sim_recording_load(path, &size_B);
   if (!text || !sim_recording_read(&recording, text, size_B, no_languages, &error))
      abort();
   const uint32_t how = random_source_next(source);
   for (uint32_t i = 0; i <= (how >> 8) % MAX_CHANGES; i++) {
      if (below(&damage, 8))
         change_memory(&damage);
      else
         change_command(&damage);
   }
   replay_damaged(path, &recording, how);
   sim_recording_free(&recording);
   free(text);
}
