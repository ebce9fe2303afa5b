/* Runs a file's waves on the model, then prints and compares. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/report.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_state.h"
#include "amd/wave/wave_file.h"
#include "sim/waves/pool.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

#define CODE_VA 0x600000000000u
#define CODE_B 0x20000u /* with zeros after the code: no instruction */
#define MAX_SAID 10     /* values that differ, of one expectation */

/* What a wave left, for as long as somebody asks for it. */
struct left {
   uint32_t *values; /* by operand number and lane; NULL: it did not end */
   uint8_t *pending; /* by operand number: no wait has brought the result */
   uint8_t *lds;
};

struct run {
   struct arena *arena;
   const struct wave_file *file;
   struct sim_vm *vm;
   struct sim_fault fault;
   struct left *left; /* by group and wave */
   unsigned held;     /* expectations that are met */
   bool ok;
};

static void say(struct run *r, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Something is not as expected. */
static void
say(struct run *r, unsigned line, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fprintf(stderr, "%s:%u: ", r->file->name, line);
   vfprintf(stderr, format, args);
   fprintf(stderr, "\n");
   va_end(args);
   r->ok = false;
}

static uint32_t
value_of(const struct wave_file *file, const struct wave_values *v, uint32_t group, uint32_t wave, unsigned i)
{
   switch (v->kind) {
   case WAVE_VALUES_LANE:
      return i;
   case WAVE_VALUES_THREAD:
      return wave * file->wave_size + i;
   case WAVE_VALUES_WAVE:
      return wave;
   case WAVE_VALUES_GROUP:
      return group;
   case WAVE_VALUES_NUMBERS:
      break;
   }
   return v->numbers[MIN2(i, v->count - 1)]; /* of VGPRs, the last one for all later lanes */
}

/* ---- the waves ---- */

static void
start_wave(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *start)
{
   const struct run *r = user;
   const struct wave_file *file = r->file;
   start->exec = file->wave_size == 64 ? file->exec : (uint32_t)file->exec;
   for (unsigned i = 0; i < file->num_starts; i++) {
      const struct wave_place *place = &file->starts[i];
      bool vector = wave_place_is_vgpr(place);
      unsigned first = (unsigned)place->at - (vector ? AMD_VGPR0 : 0);
      if (place->kind != WAVE_PLACE_REGISTER)
         continue;
      unsigned count = vector ? file->wave_size : MAX2(place->values.count, 1);
      for (unsigned k = 0; k < count; k++)
         *(vector ? &start->vgpr[first][k] : &start->sgpr[first + k]) =
            value_of(file, &place->values, group, wave, k);
      uint32_t *used = vector ? &start->vgpr_count : &start->sgpr_count;
      *used = MAX2(*used, first + (vector ? 1 : count));
   }
}

static bool
is_asked_for(const struct wave_place *places, unsigned count, uint32_t group, uint32_t wave)
{
   for (unsigned i = 0; i < count; i++) {
      if (places[i].group == group && places[i].wave == wave)
         return true;
   }
   return false;
}

static bool
has_register(const struct wave_file *file, unsigned operand)
{
   return operand < AMD_INT_0 || operand == AMD_SCC ||
          (amd_is_vgpr((uint16_t)operand) && operand < AMD_VGPR0 + file->vgprs);
}

static void
retire_wave(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct run *r = user;
   const struct wave_file *file = r->file;
   struct left *left = &r->left[group * file->waves + wave];
   const uint32_t lanes = file->wave_size;
   if (!result->state || !(is_asked_for(file->expected, file->num_expected, group, wave) ||
                           is_asked_for(file->printed, file->num_printed, group, wave)))
      return;
   left->values = arena_array(r->arena, uint32_t, SIM_PENDING_REGISTERS *lanes);
   for (unsigned i = 0; i < SIM_PENDING_REGISTERS * lanes; i++) {
      if (has_register(file, i / lanes))
         left->values[i] = state_read(result->state, i / lanes, i % lanes);
   }
   left->pending = arena_dup(r->arena, result->state->pending.written, SIM_PENDING_REGISTERS);
   left->lds = file->lds_B ? arena_dup(r->arena, result->lds, file->lds_B) : NULL;
}

/* ---- memory ---- */

static bool
map(struct run *r, unsigned line, uint64_t address, uint64_t size_B, unsigned access, void **host)
{
   bool hole = access == SIM_PRT;
   *host = hole ? NULL : aligned_alloc(4096, size_B);
   if (*host)
      memset(*host, 0, size_B);
   bool ok = (*host || hole) && sim_vm_map(r->vm, sim_va(address), size_B, *host, access);
   if (!ok)
      say(r, line, "no memory can be there: not an address, or there is some already");
   return ok;
}

/* Dword i after the place; NULL: not in memory. */
static uint32_t *
memory(struct run *r, const struct wave_place *place, unsigned i)
{
   for (unsigned access = SIM_READ; access <= SIM_EXECUTE; access *= 2) {
      uint32_t *host = sim_vm_lookup(r->vm, sim_va(place->at + 4 * (uint64_t)i), access, NULL, NULL);
      if (host)
         return host;
   }
   return NULL;
}

static void
fill_memory(struct run *r)
{
   for (unsigned i = 0; i < r->file->num_starts && r->ok; i++) {
      const struct wave_place *place = &r->file->starts[i];
      for (unsigned k = 0; place->kind == WAVE_PLACE_MEMORY && k < place->values.count && r->ok; k++) {
         uint32_t *host = memory(r, place, k);
         if (host)
            *host = place->values.numbers[k];
         else
            say(r, place->line, "no memory at 0x%" PRIx64, place->at + 4 * (uint64_t)k);
      }
   }
}

/* ---- what it left ---- */

/* Value i of a place at the end; false with the reason why there is none. */
static bool
end_value(struct run *r, const struct wave_place *place, unsigned i, uint32_t *value, const char **why)
{
   const struct left *left = &r->left[place->group * r->file->waves + place->wave];
   bool vector = wave_place_is_vgpr(place);
   unsigned reg = (unsigned)place->at + (vector ? 0 : i);
   *why = "the wave did not end";
   if (place->kind == WAVE_PLACE_MEMORY) {
      const uint32_t *host = memory(r, place, i);
      *why = "there is no memory";
      *value = host ? *host : 0;
      return host;
   }
   if (!left->values)
      return false;
   if (place->kind == WAVE_PLACE_LDS) {
      *why = "there is no LDS";
      if (place->at + 4 * (uint64_t)i >= r->file->lds_B)
         return false;
      memcpy(value, left->lds + place->at + 4 * i, 4);
   } else {
      bool there = has_register(r->file, reg) && (!vector || i < r->file->wave_size);
      *why = there ? "its result is still under way" : "the wave has no such register or lane";
      if (!there || left->pending[reg])
         return false;
      *value = left->values[reg * r->file->wave_size + (vector ? i : 0)];
   }
   return true;
}

static void
name_place(const struct wave_place *place, char name[64])
{
   char reg[16];
   if (place->kind == WAVE_PLACE_MEMORY)
      snprintf(name, 64, "at 0x%" PRIx64, place->at);
   else if (place->kind == WAVE_PLACE_LDS)
      snprintf(name, 64, "lds %" PRIu64, place->at);
   else
      wave_register_name((unsigned)place->at, reg), snprintf(name, 64, "%s", reg);
}

/* Values of a VGPR are of all lanes, where one is expected too. */
static unsigned
count_of(const struct wave_file *file, const struct wave_place *place)
{
   return wave_place_is_vgpr(place) && place->values.count <= 1 ? file->wave_size : MAX2(place->values.count, 1);
}

/* Whether it is met. */
static bool
compare(struct run *r, const struct wave_place *expected)
{
   char name[64];
   unsigned wrong = 0;
   name_place(expected, name);
   for (unsigned i = 0; i < count_of(r->file, expected) && wrong < MAX_SAID; i++) {
      uint32_t value, wanted = value_of(r->file, &expected->values, expected->group, expected->wave, i);
      const char *why;
      bool there = end_value(r, expected, i, &value, &why);
      if (there && value == wanted)
         continue;
      wrong++;
      if (there)
         say(r, expected->line, "%s: value %u is 0x%x, not 0x%x", name, i, value, wanted);
      else
         say(r, expected->line, "%s: value %u: %s", name, i, why);
   }
   return !wrong;
}

/* As the line that would expect it. */
static void
print(struct run *r, const struct wave_place *printed)
{
   char name[64];
   name_place(printed, name);
   printf("expect %s =", name);
   for (unsigned i = 0; i < count_of(r->file, printed); i++) {
      uint32_t value;
      const char *why;
      if (end_value(r, printed, i, &value, &why)) {
         printf(" 0x%x", value);
      } else {
         printf(" # %s", why);
         break;
      }
   }
   printf("\n");
}

/* The instruction's, or that of "code:". */
static unsigned
fault_line(const struct run *r)
{
   const uint64_t at_dw = (r->fault.pc.va - CODE_VA) / 4;
   return r->fault.pc.va >= CODE_VA && at_dw < r->file->code_dw ? r->file->code_lines[at_dw] : r->file->code_line;
}

/* A comment of such files, so that what is printed stays one. */
static void
print_summary(const struct run *r, bool ended)
{
   const struct wave_file *file = r->file;
   const unsigned waves = file->groups * file->waves, expected = file->num_expected + !!file->fault;
   printf("# %s: %u wave%s on %s %s; ", file->name, waves, waves == 1 ? "" : "s", file->chip->name,
          ended ? "ended" : "stopped at a fault");
   if (expected)
      printf("%u of %u expectations met\n", r->held, expected);
   else
      printf("the file expects nothing\n");
}

static void
check_fault(struct run *r, bool ended)
{
   const struct wave_file *file = r->file;
   if (ended && file->fault)
      say(r, file->fault_line, "no fault");
   else if (!ended && !file->fault)
      say(r, fault_line(r), "%s", r->fault.message);
   else if (!ended && !strstr(r->fault.message, file->fault))
      say(r, file->fault_line, "another fault: %s", r->fault.message);
   else
      r->held += !!file->fault;
}

static void
check_end(struct run *r, bool ended)
{
   const struct wave_file *file = r->file;
   check_fault(r, ended);
   for (unsigned i = 0; i < file->num_printed; i++)
      print(r, &file->printed[i]);
   for (unsigned i = 0; i < file->num_expected; i++)
      r->held += compare(r, &file->expected[i]);
   print_summary(r, ended);
}

static bool
launch(struct run *r, const struct sim_schedule *schedule, FILE *out)
{
   const struct wave_file *file = r->file;
   struct amd_report *report = out ? arena_array(r->arena, struct amd_report, 1) : NULL;
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   const struct amd_wave_launch waves = {.stage = AMD_STAGE_CS,
                                         .name = file->name,
                                         .vm = r->vm,
                                         .wgp_mode = file->wgp,
                                         .program = sim_va(CODE_VA),
                                         .wave_size = (uint8_t)file->wave_size,
                                         .float_mode = (uint8_t)file->float_mode,
                                         .dx10_clamp = true,
                                         .ieee = true,
                                         .vgpr_count = (uint16_t)file->vgprs,
                                         .lds_size_B = file->lds_B,
                                         .waves_per_group = file->waves,
                                         .group_count = file->groups,
                                         .chip = file->chip,
                                         .user = r,
                                         .start = start_wave,
                                         .retire = retire_wave};
   amd_wave_engine_set_budget(engine, file->budget);
   amd_wave_engine_set_schedule(engine, schedule ? schedule : &file->schedule);
   amd_wave_engine_set_report(engine, report);
   bool ended = amd_wave_run(engine, &waves, &r->fault);
   if (report)
      amd_report_write(report, file->chip, out);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   return ended;
}

bool
wave_file_run(const struct wave_file *file, const struct sim_schedule *schedule, FILE *report)
{
   struct arena arena = {0};
   struct run r = {.arena = &arena, .file = file, .vm = sim_vm_create(), .ok = true};
   void **hosts = arena_array(&arena, void *, file->num_regions + 1);
   r.left = arena_array(&arena, struct left, (size_t)file->groups * file->waves);
   for (unsigned i = 0; i < file->num_regions && r.ok; i++) {
      const struct wave_region *region = &file->regions[i];
      map(&r, region->line, region->address, region->size_B, region->access, &hosts[i]);
   }
   fill_memory(&r);
   if (r.ok && map(&r, file->code_line, CODE_VA, CODE_B, SIM_READ | SIM_EXECUTE, &hosts[file->num_regions])) {
      memcpy(hosts[file->num_regions], file->code, file->code_dw * 4);
      check_end(&r, launch(&r, schedule, report));
   }
   sim_vm_destroy(r.vm);
   for (unsigned i = 0; i <= file->num_regions; i++)
      free(hosts[i]);
   arena_free(&arena);
   return r.ok;
}
