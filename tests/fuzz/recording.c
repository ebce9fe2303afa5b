/* The text of recordings, without a vendor's own blocks: an error with a line, or memory that is mapped and written
 * as it says. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sim/record/replay.h"

static bool
run_nothing(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
            struct sim_fault *fault, struct sim_record_error *error)
{
   struct dynarray words = {0};
   uint64_t number = 0;
   (void)data, (void)player, (void)vm, (void)fault;
   bool ok = sim_record_read_words(submit, "usc", &number, &words, error);
   dynarray_free(&words);
   return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   char *text = malloc(size_B + 1);
   memcpy(text, data, size_B);
   text[size_B] = 0;
   bool ok = sim_recording_read(&recording, text, size_B, no_languages, &error);
   const struct sim_replay replay = {
      .path = "text", .recording = &recording, .only_walks = true, .submit = run_nothing};
   ok = ok && sim_replay_run(&replay, &error) != SIM_REPLAY_BAD;
   if (!ok && !error.message[0])
      abort();
   sim_recording_free(&recording);
   free(text);
   return 0;
}
