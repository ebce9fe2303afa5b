/* Every observed submission (recordings/) is decoded to its end with nothing in it that nobody knows, and every
 * record of it is the same bytes after unpacking and packing. Damaged and random memory ends in problems, and ends.
 *
 * Usage: test_decode FOLDER ITERATIONS */
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/hw/records.h"
#include "asahi/lib/agx_decode.h"
#include "sim/record/replay.h"
#include "util/macros.h"

static const char *folder;
static unsigned iterations;

/* What is submitted, and how what is read of memory is damaged. */
struct state {
   const struct sim_vm *vm;
   struct dynarray words;
   uint64_t usc_base;
   enum agx_gen gen;
   uint64_t random, damage; /* one byte of so many; 0: none, 1: nothing is of the memory */
   unsigned record_count;
   unsigned problems;
};

static uint64_t
next_random(struct state *state)
{
   state->random ^= state->random << 13;
   state->random ^= state->random >> 7;
   state->random ^= state->random << 17;
   return state->random;
}

static size_t
read_memory(void *data, uint64_t va, void *out, size_t size_B)
{
   struct state *state = data;
   struct sim_va bad;
   uint8_t *bytes = out;
   bool ok = state->damage == 1 || sim_vm_read(state->vm, sim_va(va), out, size_B, &bad);
   for (size_t i = 0; ok && state->damage && i < size_B; i++)
      if (next_random(state) % state->damage == 0)
         bytes[i] = (uint8_t)next_random(state);
   return ok ? size_B : 0;
}

/* The record as words again. */
static void
repack(enum agx_record_id id, const void *in, void *out)
{
#define TRY(record, NAME) \
   if (id == AGX_RECORD_##NAME) { \
      struct agx_##record value; \
      agx_##record##_unpack(&value, in); \
      agx_##record##_pack(out, &value); \
      return; \
   }
   AGX_RECORDS(TRY)
#undef TRY
}

static void
check_record(void *data, const struct agx_record *record, uint64_t va, const void *bytes)
{
   struct state *state = data;
   char again[AGX_RECORD_MAX_B], message[128];
   state->record_count++;
   /* What the hardware has no meaning for is not kept. */
   if (agx_record_fault(record, bytes, 0, message, sizeof(message)))
      return;
   repack(record->id, bytes, again);
   if (memcmp(again, bytes, record->size_B))
      fail_msg("%s at %" PRIx64 " is not the same after packing", record->name, va);
}

static void
decode(struct state *state, FILE *out)
{
   struct agx_decode decode = {
      .gen = state->gen,
      .usc_base = state->usc_base,
      .max_records = 20000,
      .data = state,
      .read = read_memory,
      .record = check_record,
      .out = out,
   };
   agx_decode_submit(&decode, state->words.data, state->words.size_B);
   state->problems = decode.problems;
}

static void
read_submit(struct state *state, const struct sim_record *submit)
{
   dynarray_for_each(const struct sim_record_line, line, &submit->lines) {
      char copy[256], *at = copy, *word;
      assert_true(snprintf(copy, sizeof(copy), "%s", line->text) < (int)sizeof(copy));
      bool is_usc = !strcmp(sim_record_word(&at), "usc");
      while ((word = sim_record_word(&at))) {
         if (is_usc)
            assert_true(sim_record_number(word, UINT64_MAX, &state->usc_base));
         else
            assert_null(sim_record_repeat(word, &state->words));
      }
   }
}

/* The same submission with more and more damage, to what is read and to the command. */
static void
damage(struct state *state)
{
   FILE *out = fopen("/dev/null", "we");
   unsigned with_problems = 0;
   assert_non_null(out);
   for (unsigned i = 0; i < iterations; i++) {
      state->random = 0x9e3779b97f4a7c15u * (i + 1);
      state->damage = 1 + i % 4 * (1 + i % 300);
      uint32_t *word = (uint32_t *)state->words.data + next_random(state) % (state->words.size_B / 4), before = *word;
      *word ^= i % 8 ? 0 : (uint32_t)next_random(state);
      decode(state, out);
      with_problems += state->problems != 0;
      *word = before;
   }
   fclose(out);
   assert_true(with_problems > iterations / 4);
}

static bool
try_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   (void)player;
   (void)fault;
   (void)error;
   struct state *state = data;
   state->vm = vm;
   read_submit(state, submit);
   decode(state, NULL);
   assert_int_equal(state->problems, 0);
   assert_true(state->record_count > 10);
   damage(state);
   dynarray_free(&state->words);
   return true;
}

static void
try_file(const char *name)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *file = fopen(path, "re");
   assert_non_null(file);
   char *text = calloc(1, 1 << 20);
   size_t size_B = fread(text, 1, (1 << 20) - 1, file);
   fclose(file);
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   if (!sim_recording_read(&recording, text, size_B, &(const struct sim_record_language){0}, &error))
      fail_msg("%s:%u: %s", name, error.line, error.message);
   struct state state = {.gen = strcmp(recording.chip, "g14c") ? AGX_G13 : AGX_G14X};
   struct sim_replay walk = {
      .path = path, .recording = &recording, .only_walks = true, .data = &state, .submit = try_submit};
   assert_int_equal(sim_replay_run(&walk, &error), SIM_REPLAY_SAME);
   sim_recording_free(&recording);
   free(text);
}

static void
test_recordings(void **unused)
{
   (void)unused;
   struct dirent **names;
   int count = scandir(folder, &names, NULL, alphasort);
   unsigned tried = 0;
   for (int i = 0; i < count; i++) {
      if (names[i]->d_name[0] != '.') {
         try_file(names[i]->d_name);
         tried++;
      }
      free(names[i]);
   }
   free(names);
   assert_true(tried >= 12);
}

/* A stream of memory[0..count) at 0x1000, as the submission of a dispatch. */
struct small {
   uint32_t words[64];
   struct agx_decode decode;
};

static size_t
read_small(void *data, uint64_t va, void *out, size_t size_B)
{
   struct small *small = data;
   if (va < 0x1000 || va + size_B > 0x1000 + sizeof(small->words))
      return 0;
   memcpy(out, (char *)small->words + (va - 0x1000), size_B);
   return size_B;
}

static unsigned
problems_of(struct small *small, enum agx_command_type type, uint64_t stream)
{
   char command[AGX_COMMAND_HEADER_SIZE_B + AGX_RENDER_COMMAND_SIZE_B];
   bool renders = type == AGX_COMMAND_TYPE_RENDER;
   agx_command_header_pack(command, &(struct agx_command_header){.type = type,
                                                                 .size_B = renders ? AGX_RENDER_COMMAND_SIZE_B
                                                                                   : AGX_COMPUTE_COMMAND_SIZE_B});
   if (renders)
      agx_render_command_pack(command + 8, &(struct agx_render_command){.vdm_ctrl_stream_base = stream});
   else
      agx_compute_command_pack(command + 8, &(struct agx_compute_command){.cdm_ctrl_stream_base = stream});
   small->decode.data = small;
   small->decode.read = read_small;
   small->decode.problems = 0;
   agx_decode_submit(&small->decode, command, renders ? sizeof(command) : 8 + AGX_COMPUTE_COMMAND_SIZE_B);
   return small->decode.problems;
}

static void
put_link(uint32_t *words, uint64_t target, bool with_return)
{
   agx_vdm_stream_link_pack(words, &(struct agx_vdm_stream_link){.target_hi = (uint32_t)(target >> 32),
                                                                 .target_lo = (uint32_t)target,
                                                                 .with_return = with_return});
}

/* Calls go sixteen deep and come back after the call; one more, or a return without a call, is a problem. */
static void
test_calls(void **unused)
{
   (void)unused;
   struct small small = {0};
   for (unsigned i = 0; i < 16; i++)
      put_link(small.words + 2 * i, 0x1000 + 8 * (i + 1), true);
   agx_vdm_barrier_pack(small.words + 32, &(struct agx_vdm_barrier){.returns = true});
   /* Each of the sixteen returns comes to the next call's neighbour, and so to the same return, until none is left.
    */
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 1);

   memset(small.words, 0, sizeof(small.words));
   put_link(small.words, 0x1000 + 40 * 4, true);
   agx_vdm_stream_terminate_pack(small.words + 2, &(struct agx_vdm_stream_terminate){0});
   agx_vdm_barrier_pack(small.words + 40, &(struct agx_vdm_barrier){.returns = true});
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 0);
   put_link(small.words, 0x1000, true);
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 1);
   /* A link to itself without return is endless; so many records are looked at. */
   put_link(small.words, 0x1000, false);
   small.decode.max_records = 1000;
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 1);
}

/* The two words of chips of several clusters belong to a launch there, and only there. */
static void
test_generations(void **unused)
{
   (void)unused;
   struct small small = {.decode.gen = AGX_G14X};
   agx_cdm_launch_pack(small.words, &(struct agx_cdm_launch){.mode = AGX_CDM_MODE_DIRECT});
   agx_cdm_clusters_pack(small.words + 2, &(struct agx_cdm_clusters){.unk_62 = true});
   agx_cdm_global_size_pack(small.words + 4, &(struct agx_cdm_global_size){1, 1, 1});
   agx_cdm_local_size_pack(small.words + 7, &(struct agx_cdm_local_size){1, 1, 1});
   agx_cdm_stream_terminate_pack(small.words + 10, &(struct agx_cdm_stream_terminate){0});
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_COMPUTE, 0x1000), 0);
   small.decode.gen = AGX_G14;
   assert_true(problems_of(&small, AGX_COMMAND_TYPE_COMPUTE, 0x1000) > 0);
}

/* A state of the vertex stage takes up whole 8 bytes, unless it has a tessellation scale. */
static void
test_padding(void **unused)
{
   (void)unused;
   struct small small = {0};
   agx_vdm_state_pack(small.words,
                      &(struct agx_vdm_state){.restart_index_present = true, .vertex_outputs_present = true});
   agx_vdm_stream_terminate_pack(small.words + 4, &(struct agx_vdm_stream_terminate){0});
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 0);
   agx_vdm_state_pack(small.words,
                      &(struct agx_vdm_state){.restart_index_present = true, .tessellation_scale_present = true});
   memset(small.words + 3, 0, 16);
   agx_vdm_stream_terminate_pack(small.words + 3, &(struct agx_vdm_stream_terminate){0});
   assert_int_equal(problems_of(&small, AGX_COMMAND_TYPE_RENDER, 0x1000), 0);
}

int
main(int argc, char **argv)
{
   if (argc != 3)
      return 2;
   folder = argv[1];
   iterations = (unsigned)strtoul(argv[2], NULL, 10);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recordings),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_generations),
      cmocka_unit_test(test_padding),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
