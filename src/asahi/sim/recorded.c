#include "asahi/sim/recorded.h"

#include <string.h>

#include "asahi/sim/iogpu.h"

#define COMMAND_B AGX_RENDER_COMMAND_SIZE_B /* of the longer one */

/* A payload that is shorter than the command ends in zeros, and a longer one should. */
static bool
run_command(struct agx_sim *sim, struct sim_vm *vm, uint64_t usc_base, const struct agx_command_header *header,
            const char *payload, struct sim_fault *fault)
{
   struct agx_sim_command command;
   char bytes[COMMAND_B] = {0};
   memcpy(bytes, payload, header->size_B < COMMAND_B ? header->size_B : COMMAND_B);
   if (header->type != AGX_COMMAND_TYPE_RENDER && header->type != AGX_COMMAND_TYPE_COMPUTE)
      return true; /* attachments are hints */
   return agx_sim_command_read(&command, header->type == AGX_COMMAND_TYPE_RENDER, bytes, fault) &&
          agx_sim_run(sim, vm, usc_base, &command, fault);
}

static bool
run_commands(struct agx_sim *sim, struct sim_vm *vm, uint64_t usc_base, const struct sim_record *submit,
             const struct dynarray *words, struct sim_fault *fault, struct sim_record_error *error)
{
   /* size: the words of a submission, and two kinds of errors */
   const char *at = words->data, *end = at + words->size_B;
   while (at < end) {
      struct agx_command_header header;
      if ((size_t)(end - at) < AGX_COMMAND_HEADER_SIZE_B)
         return sim_record_fail(error, submit->line, "the words end inside of a command's header");
      agx_command_header_unpack(&header, at);
      at += AGX_COMMAND_HEADER_SIZE_B;
      if (header.size_B > (size_t)(end - at))
         return sim_record_fail(error, submit->line, "the words end inside of a command");
      if (!run_command(sim, vm, usc_base, &header, at, fault))
         return true;
      at += header.size_B;
   }
   return true;
}

static void
run_iogpu(struct agx_sim *sim, struct sim_vm *vm, uint64_t usc_base, const struct dynarray *words,
          struct sim_fault *fault)
{
   struct agx_sim_command command;
   if (agx_sim_read_iogpu(vm, usc_base, words->data, words->size_B, &command, fault))
      agx_sim_run(sim, vm, usc_base, &command, fault);
}

bool
agx_sim_run_recorded(struct agx_sim *sim, struct sim_vm *vm, const struct sim_record *submit, struct sim_fault *fault,
                     struct sim_record_error *error)
{
   struct dynarray words = {0};
   uint64_t usc_base = 0;
   bool is_iogpu = !strcmp(submit->text, "iogpu");
   if (!is_iogpu && strcmp(submit->text, "queue"))
      return sim_record_fail(error, submit->line, "a submission of AGX is to a queue or of iogpu");
   bool ok = sim_record_read_words(submit, "usc", &usc_base, &words, error);
   if (ok && is_iogpu)
      run_iogpu(sim, vm, usc_base, &words, fault);
   else
      ok = ok && run_commands(sim, vm, usc_base, submit, &words, fault, error);
   dynarray_free(&words);
   return ok;
}
