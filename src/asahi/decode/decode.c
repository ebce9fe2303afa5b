/* indium-agx-decode FILE: a recording of submissions to AGX with all that they say in words. Started by
 * `indium decode`. Runs nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/lib/agx_decode.h"
#include "asahi/lib/agx_decode_iogpu.h"
#include "sim/record/replay.h"
#include "util/macros.h"

struct reader {
   enum agx_gen gen;
   const struct sim_vm *vm;
   unsigned problems;
};

/* Whole mappings: a record does not begin in one and end in none. */
static size_t
read_memory(void *data, uint64_t va, void *out, size_t size_B)
{
   const struct reader *reader = data;
   struct sim_va bad;
   return sim_vm_read(reader->vm, sim_va(va), out, size_B, &bad) ? size_B : 0;
}

static bool
decode_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
              struct sim_fault *fault, struct sim_record_error *error)
{
   (void)player;
   (void)fault;
   struct reader *reader = data;
   struct agx_decode decode = {.gen = reader->gen, .data = reader, .read = read_memory, .out = stdout};
   struct dynarray words = {0};
   bool ok = sim_record_read_words(submit, "usc", &decode.usc_base, &words, error);
   reader->vm = vm;
   if (ok)
      (strcmp(submit->text, "iogpu") ? agx_decode_submit : agx_decode_iogpu)(&decode, words.data, words.size_B);
   reader->problems += decode.problems;
   dynarray_free(&words);
   return ok;
}

static bool
decode(const char *path, char *text, size_t size_B, struct reader *reader, struct sim_record_error *error)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_recording recording = {0};
   bool ok = sim_recording_read(&recording, text, size_B, no_languages, error);
   if (ok && strcmp(recording.driver, "asahi"))
      ok = sim_record_fail(error, 0, "recordings of %.40s are not decoded here", recording.driver);
   if (ok && !agx_gen_by_name_or_core(recording.chip, &reader->gen))
      ok = sim_record_fail(error, 0, "no chip or core is called \"%.40s\"", recording.chip);
   struct sim_replay walk = {
      .path = path, .recording = &recording, .only_walks = true, .data = reader, .submit = decode_submit};
   ok = ok && sim_replay_run(&walk, error) != SIM_REPLAY_BAD;
   sim_recording_free(&recording);
   return ok;
}

int
main(int argc, char **argv)
{
   struct sim_record_error error = {0};
   struct reader reader = {0};
   size_t size_B;
   char *text = argc > 1 ? sim_recording_load(argv[1], &size_B) : NULL;
   if (!text)
      return 2;
   bool ok = decode(argv[1], text, size_B, &reader, &error);
   free(text);
   if (!ok)
      sim_record_report(argv[1], &error);
   if (fflush(stdout) || ferror(stdout)) {
      perror("indium: standard output");
      return 2;
   }
   return !ok ? 2 : reader.problems != 0;
}
