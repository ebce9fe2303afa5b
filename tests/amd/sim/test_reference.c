/* The model with its fast paths, on three threads, against the model without them, on one: random programs of loads,
 * stores and atomics of all widths, whose waves meet in few lines, with and without the bits and invalidates that
 * make them coherent, with waits and barriers of packets that are sometimes missing. Memory, registers, numbers of
 * instructions, faults and timelines must be the same under every schedule. And transcendental operations on many
 * lanes at once, against libm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_float.h"
#include "amd/sim/wave/wave_state.h"
#include "sim/waves/pool.h"
#include "sim/waves/trace.h"
#include "chance.h"
#include "choices.h"
#include "text_program.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull
#define DATA_VA 0x200000000ull

enum {
   GROUPS = 24,
   WAVES = 2,
   LAUNCHES = 4,
   VGPRS = 24,
   LENGTH = 24,
   LDS_B = 8192,
   PATTERNS = 8,
   USED_B = 11 * 4096,
   DATA_B = 12 * 4096,
   TRACE_B = 1 << 20
};

/* What a program is run with. */
struct setup {
   const struct amd_chip *chip;
   uint64_t seed;
   uint32_t buffer[4];
   bool wave64, wgp, anywhere, traced;
   unsigned pattern;
   struct sim_schedule schedule;
};

struct outcome {
   uint8_t memory[DATA_B];
   uint64_t instructions[LAUNCHES][GROUPS][WAVES], hash[LAUNCHES][GROUPS][WAVES];
   struct sim_fault fault;
   size_t trace_B;
   char trace[TRACE_B];
};

/* Of a launch. */
struct run {
   const struct setup *setup;
   struct outcome *outcome;
   unsigned launch;
};

/* ---- waves ---- */

static uint32_t
offset_of(const struct setup *setup, uint32_t group, uint32_t lane)
{
   const uint32_t random = (uint32_t)sim_schedule_random(setup->seed, group, lane);
   switch (setup->pattern) {
   case 0:
      return 4 * lane + 256 * group;
   case 1:
      return 16 * lane + 1024 * (group & 3);
   case 2:
      return random % (5 * 4096 / 4) * 4;
   case 3:
      return random % 32 * 4 + (random >> 8) % 3 * 4096;
   case 4:
      return random % 512; /* across dwords and lines */
   case 5:
      return 4 + 20 * lane + 64 * (group & 7); /* apart, some across lines */
   case 6:
      return random % (USED_B / 4096) * 4096 + (random >> 8) % 24 * 8; /* in many pages */
   default:
      return random % 2000 == 0 ? DATA_B - 8 + random % 16 : random % 64 * 16;
   }
}

/* s[0:1]: memory, s2: the group, s3: the wave, s[4:7]: the buffer, v0: offsets, v1: indices, v2 on: numbers, but
 * v[4:5]: v[0:1] in whole dwords, v[6:7]: addresses. */
static void
start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   const struct setup *setup = ((const struct run *)user)->setup;
   const uint64_t random = sim_schedule_random(setup->seed, group, 1000 + wave);
   s->exec = group % 3 ? UINT64_MAX : random | 1;
   s->sgpr[0] = (uint32_t)DATA_VA;
   s->sgpr[1] = (uint32_t)(DATA_VA >> 32);
   s->sgpr[2] = group;
   s->sgpr[3] = wave;
   memcpy(&s->sgpr[4], setup->buffer, sizeof(setup->buffer));
   s->sgpr_count = 8;
   s->vgpr_count = VGPRS;
   for (unsigned l = 0; l < 64; l++) {
      s->vgpr[0][l] = offset_of(setup, group * WAVES + wave, l);
      s->vgpr[1][l] = (uint32_t)(random >> 8) % 7 * (l & 15);
      for (unsigned v = 2; v < VGPRS; v++)
         s->vgpr[v][l] = (uint32_t)sim_schedule_random(setup->seed, group * 64 + l, v);
      s->vgpr[6][l] = (uint32_t)DATA_VA + s->vgpr[0][l];
      s->vgpr[7][l] = (uint32_t)(DATA_VA >> 32);
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   const struct run *run = user;
   run->outcome->instructions[run->launch][group][wave] = result->instructions;
   if (!run->setup->anywhere)
      run->outcome->hash[run->launch][group][wave] = state_hash(result->state);
}

/* ---- programs ---- */

struct text {
   char words[4096];
   size_t used;
};

static void __attribute__((format(printf, 2, 3)))
line(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   t->used += (size_t)vsnprintf(t->words + t->used, sizeof(t->words) - t->used, format, args);
   va_end(args);
}

/* Names up to GFX10.3 and from GFX11 on; registers of data. */
static const struct operation {
   const char *names[2];
   unsigned dw;
   bool flat; /* there is a global_ of it, too */
} loads[] =
   {
      {{"load_dword", "load_b32"}, 1, true},
      {{"load_dwordx2", "load_b64"}, 2, true},
      {{"load_dwordx3", "load_b96"}, 3, true},
      {{"load_dwordx4", "load_b128"}, 4, true},
      {{"load_ubyte", "load_u8"}, 1, true},
      {{"load_sshort", "load_i16"}, 1, true},
      {{"load_short_d16", "load_d16_b16"}, 1, true},
      {{"load_format_xyzw", "load_format_xyzw"}, 4, false},
      {{"load_format_xy", "load_format_xy"}, 2, false},
},
  stores[] =
     {
        {{"store_dword", "store_b32"}, 1, true},
        {{"store_dwordx2", "store_b64"}, 2, true},
        {{"store_dwordx3", "store_b96"}, 3, true},
        {{"store_dwordx4", "store_b128"}, 4, true},
        {{"store_byte", "store_b8"}, 1, true},
        {{"store_short", "store_b16"}, 1, true},
        {{"store_format_xyzw", "store_format_xyzw"}, 4, false},
},
  atomics[] = {
     {{"atomic_add", "atomic_add_u32"}, 1, true},
     {{"atomic_umax", "atomic_max_u32"}, 1, true},
     {{"atomic_swap_x2", "atomic_swap_b64"}, 2, true},
};

/* v[8:..] is what it loads or stores. */
static void
add_access(struct text *t, enum amd_gen gen, const struct operation *op, bool loads_or_atomic)
{
   const bool is_new = gen >= AMD_GFX11, flat = op->flat && chance(2);
   const unsigned data = 8 + chance(12), last = data + op->dw - 1;
   char operand[24], bits[24] = "";
   snprintf(operand, sizeof(operand), op->dw > 1 ? "v[%u:%u]" : "v%u", data, last);
   if (!chance(3) || (loads_or_atomic && op >= atomics && op < atomics + ARRAY_SIZE(atomics)))
      strcpy(bits, !chance(2) && gen >= AMD_GFX10 && op < atomics ? " glc dlc" : " glc");
   if (flat && (op < loads || op >= loads + ARRAY_SIZE(loads))) {
      if (op >= atomics && op < atomics + ARRAY_SIZE(atomics))
         line(t, "global_%s %s, v0, %s, s[0:1] offset:%u glc\n", op->names[is_new], operand, operand, 4 * chance(9));
      else
         line(t, "global_%s v0, %s, s[0:1] offset:%u%s\n", op->names[is_new], operand, 4 * chance(9), bits);
   } else if (flat) {
      line(t, "global_%s %s, v0, s[0:1] offset:%u%s\n", op->names[is_new], operand, 4 * chance(9), bits);
   } else {
      /* Formatted accesses want aligned addresses. */
      const unsigned address = strstr(op->names[0], "format") ? 4 : 0;
      if (address)
         line(t, "v_and_b32 v4, -4, v0\nv_and_b32 v5, -4, v1\n");
      if (chance(2))
         line(t, "buffer_%s %s, v%u, s[4:7], 0 offen offset:%u%s\n", op->names[is_new], operand, address,
              4 * chance(9), bits);
      else
         line(t, "buffer_%s %s, v[%u:%u], s[4:7], 0 idxen offen offset:%u%s\n", op->names[is_new], operand, address,
              address + 1, 4 * chance(9), bits);
   }
}

static void
add_lds(struct text *t, enum amd_gen gen)
{
   static const char *const names[][2] = {
      {"ds_read_b32 v%u, v0 offset:%u", "ds_load_b32 v%u, v0 offset:%u"},
      {"ds_read_b64 v[%u:%u], v0 offset:%u", "ds_load_b64 v[%u:%u], v0 offset:%u"},
      {"ds_read_b128 v[%u:%u], v0 offset:%u", "ds_load_b128 v[%u:%u], v0 offset:%u"},
      {"ds_read2_b32 v[%u:%u], v0 offset0:%u offset1:5", "ds_load_2addr_b32 v[%u:%u], v0 offset0:%u offset1:5"},
      {"ds_read2_b64 v[%u:%u], v0 offset0:%u offset1:5", "ds_load_2addr_b64 v[%u:%u], v0 offset0:%u offset1:5"},
      {"ds_read_i16 v%u, v0 offset:%u", "ds_load_i16 v%u, v0 offset:%u"},
      {"ds_write_b32 v0, v%u offset:%u", "ds_store_b32 v0, v%u offset:%u"},
      {"ds_write_b64 v0, v[%u:%u] offset:%u", "ds_store_b64 v0, v[%u:%u] offset:%u"},
      {"ds_add_u32 v0, v%u offset:%u", "ds_add_u32 v0, v%u offset:%u"},
   };
   static const unsigned sizes_dw[] = {1, 2, 4, 2, 4, 1, 1, 2, 1};
   const unsigned i = chance(ARRAY_SIZE(names)), first = 8 + chance(12), offset = 4 * chance(9);
   const char *name = names[i][gen >= AMD_GFX11];
   char text[80];
   if (sizes_dw[i] == 1)
      snprintf(text, sizeof(text), name, first, offset); /* NOLINT */
   else
      snprintf(text, sizeof(text), name, first, first + sizes_dw[i] - 1, offset);
   line(t, "%s\n", text);
}

static void
await(struct text *t, enum amd_gen gen)
{
   line(t, "s_waitcnt vmcnt(0) lgkmcnt(0)\n");
   if (gen >= AMD_GFX10 && chance(2))
      line(t, "s_waitcnt_vscnt null, 0x0\n");
}

static void
add_random(struct text *t, enum amd_gen gen)
{
   const bool is_new = gen >= AMD_GFX11;
   switch (chance(14)) {
   case 12:
   case 13:
      add_lds(t, gen);
      break;
   case 0:
   case 1:
   case 2:
   case 3:
      add_access(t, gen, &loads[chance(ARRAY_SIZE(loads))], true);
      break;
   case 4:
   case 5:
   case 6:
      add_access(t, gen, &stores[chance(ARRAY_SIZE(stores))], false);
      break;
   case 7:
      add_access(t, gen, &atomics[chance(ARRAY_SIZE(atomics))], true);
      break;
   case 8:
      line(t, is_new ? "s_load_b64 s[8:9], s[0:1], 0x%x\n" : "s_load_dwordx2 s[8:9], s[0:1], 0x%x\n", 4 * chance(64));
      break;
   case 9:
      line(t,
           is_new ? "s_buffer_load_b128 s[12:15], s[4:7], 0x%x\n" : "s_buffer_load_dwordx4 s[12:15], s[4:7], 0x%x\n",
           4 * chance(64));
      break;
   case 10:
      line(t, gen < AMD_GFX10 ? "buffer_wbinvl1_vol\n" : chance(2) ? "buffer_gl0_inv\n" : "buffer_gl1_inv\n");
      break;
   default:
      await(t, gen);
      line(t, "v_xor_b32 v%u, v%u, v%u\n", 8 + chance(12), 2 + chance(18), 2 + chance(18));
   }
   if (chance(12))
      await(t, gen);
}

static void
make_program(struct text *t, enum amd_gen gen)
{
   t->used = 0;
   for (unsigned i = 0, count = 4 + chance(LENGTH); i < count; i++)
      add_random(t, gen);
   await(t, gen);
   line(t, "v_mov_b32 v2, v8\nv_mov_b32 v3, s8\ns_endpgm\n");
}

static void
make_buffer(enum amd_gen gen, uint32_t words[4])
{
   static const uint32_t formats[] = {22, 20, 14, 56}; /* GFX10: all of 32 bits or less */
   struct amd_sq_buf_rsrc buffer = {.base_address = DATA_VA,
                                    .stride = chance(2) ? 0 : 16,
                                    .num_records = chance(2) ? USED_B : 64 + chance(2048),
                                    .dst_sel_x = 4,
                                    .dst_sel_y = 5,
                                    .dst_sel_z = 6,
                                    .dst_sel_w = 7,
                                    .index_stride = chance(4),
                                    .swizzle_enable = !chance(4)};
   if (gen < AMD_GFX10) {
      buffer.num_format = 4;
      buffer.data_format = chance(2) ? 4 : 10;
   } else {
      buffer.format = formats[chance(ARRAY_SIZE(formats))];
      buffer.oob_select = chance(4);
      buffer.resource_level = gen < AMD_GFX11;
   }
   amd_sq_buf_rsrc_pack(gen, &buffer, words);
}

/* ---- runs ---- */

static struct sim_vm *vm;
static struct sim_pool *pools[2];
static uint8_t *code, *data;

static struct amd_wave_launch
describe(const struct setup *setup, struct run *run)
{
   return (struct amd_wave_launch){.stage = AMD_STAGE_CS,
                                   .vm = vm,
                                   .program = sim_va(CODE_VA),
                                   .wave_size = setup->wave64 ? 64 : 32,
                                   .float_mode = 0xf0,
                                   .vgpr_count = VGPRS,
                                   .lds_size_B = LDS_B,
                                   .waves_per_group = WAVES,
                                   .group_count = GROUPS,
                                   .wgp_mode = setup->wgp,
                                   .chip = setup->chip,
                                   .user = run,
                                   .start = start,
                                   .retires_anywhere = setup->anywhere,
                                   .retire = retire};
}

/* Dispatches, with what is between them chosen by the seed. */
static void
run_launches(const struct setup *setup, struct amd_wave_engine *engine, struct amd_caches *caches,
             struct outcome *outcome)
{
   for (unsigned i = 0; i < LAUNCHES && !outcome->fault.kind; i++) {
      const uint64_t between = sim_schedule_random(setup->seed, i, 5000);
      struct run run = {setup, outcome, i};
      struct amd_wave_launch launch = describe(setup, &run);
      launch.caches = caches;
      amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(CODE_VA + i), false);
      amd_caches_launch(caches);
      amd_wave_run(engine, &launch, &outcome->fault);
      if (between & 7)
         amd_order_wait(caches, 0, AMD_WRITERS_SHADERS);
      if (between >> 3 & 3)
         amd_caches_invalidate(caches, AMD_CACHE_ALL);
      if (between >> 5 & 1)
         amd_caches_write(caches, sim_va(DATA_VA + 512), 3000);
      if (between >> 5 & 1)
         memset(data + 512, (int)(between >> 8), 3000);
   }
}

static void
read_trace(const char *path, struct outcome *outcome)
{
   FILE *file = fopen(path, "r");
   outcome->trace_B = fread(outcome->trace, 1, TRACE_B, file);
   fclose(file);
}

static void
run_all(const struct setup *setup, bool reference, struct outcome *outcome)
{
   char path[] = "/tmp/test_reference.XXXXXX";
   struct sim_trace *trace = setup->traced && close(mkstemp(path)) == 0 ? sim_trace_open(path) : NULL;
   struct amd_wave_engine *engine = amd_wave_engine_create(pools[!reference]);
   struct amd_caches *caches = amd_caches_create(setup->chip);
   memset(outcome, 0, sizeof(*outcome));
   for (unsigned i = 0; i < DATA_B / 4; i++)
      ((uint32_t *)data)[i] = i * 2654435761u;
   amd_wave_engine_set_schedule(engine, &setup->schedule);
   amd_wave_engine_set_trace(engine, trace);
   amd_wave_engine_set_reference(engine, reference);
   amd_caches_set_reference(caches, reference);
   amd_caches_job_start(caches, vm);
   run_launches(setup, engine, caches, outcome);
   amd_caches_job_end(caches);
   memcpy(outcome->memory, data, DATA_B);
   amd_wave_engine_destroy(engine);
   amd_caches_destroy(caches);
   if (!trace)
      return;
   sim_trace_close(trace);
   read_trace(path, outcome);
   unlink(path);
}

static void
compare(const char *program, const struct setup *setup, const struct outcome *want, const struct outcome *got)
{
   const char *differs = strcmp(want->fault.message, got->fault.message)                             ? "the fault"
                         : want->fault.kind                                                          ? NULL
                         : memcmp(want->memory, got->memory, DATA_B)                                 ? "memory"
                         : memcmp(want->instructions, got->instructions, sizeof(want->instructions)) ? "instructions"
                         : memcmp(want->hash, got->hash, sizeof(want->hash))                         ? "registers"
                         : want->trace_B != got->trace_B || memcmp(want->trace, got->trace, want->trace_B)
                            ? "the timeline"
                            : NULL;
   if (differs)
      fail_msg("seed %#llx, schedule %u: %s differs: \"%s\" instead of \"%s\":\n%s", (unsigned long long)setup->seed,
               setup->schedule.kind, differs, got->fault.message, want->fault.message, program);
}

static int
setup_memory(void **state)
{
   vm = sim_vm_create();
   pools[0] = sim_pool_create(1);
   pools[1] = sim_pool_create(3);
   code = aligned_alloc(4096, 4096);
   data = aligned_alloc(4096, DATA_B);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(DATA_VA), DATA_B, data, SIM_READ | SIM_WRITE));
   return 0;
}

static int
teardown_memory(void **state)
{
   sim_pool_destroy(pools[0]);
   sim_pool_destroy(pools[1]);
   sim_vm_destroy(vm);
   free(data);
   free(code);
   return 0;
}

static unsigned
program_count(void)
{
   const char *text = getenv("TEST_PROGRAMS");
   return text ? (unsigned)strtoul(text, NULL, 10) : 150;
}

enum { WAVE32, WGP, ANYWHERE, TRACED, PATTERN, SCHEDULE, CHOICES };

static struct setup
choose_setup(struct choices *choices, const struct amd_chip *chip, unsigned number)
{
   choices_draw_new(choices, number, 4);
   choices_count(choices);
   return (struct setup){.chip = chip,
                         .seed = (uint64_t)number << 32 | 1,
                         .wave64 = !choices->now[WAVE32],
                         .wgp = choices->now[WGP],
                         .anywhere = choices->now[ANYWHERE],
                         .traced = choices->now[TRACED],
                         .pattern = choices->now[PATTERN],
                         .schedule.kind = (enum sim_schedule_kind)choices->now[SCHEDULE]};
}

static void
random_programs(void **state)
{
   static struct outcome want, got;
   static struct text program;
   static struct choices choices;
   const struct amd_chip *chip = amd_chip_by_name(*state);
   const unsigned of_gfx10 = chip->gen < AMD_GFX10 ? 1 : 2;
   const struct choice table[CHOICES] = {
      {"wave32", of_gfx10, 0, false}, {"wgp", of_gfx10, 0, false},     {"anywhere", 2, 0, false},
      {"traced", 2, 3, false},        {"pattern", PATTERNS, 0, false}, {"schedule", 4, 0, false},
   };
   unsigned faults = 0, hazards = 0, count = program_count();
   memset(&choices, 0, sizeof(choices));
   choices.table = table, choices.count = CHOICES;
   for (unsigned i = 0; i < count; i++) {
      struct setup setup = choose_setup(&choices, chip, i);
      seed = setup.seed;
      setup.schedule.seed = chance(1000);
      make_buffer(setup.chip->gen, setup.buffer);
      make_program(&program, setup.chip->gen);
      write_text_program(memset(code, 0, 4096), setup.chip->gen, setup.wave64, program.words);
      run_all(&setup, true, &want);
      run_all(&setup, false, &got);
      compare(program.words, &setup, &want, &got);
      faults += want.fault.kind != 0;
      hazards += want.fault.kind == SIM_FAULT_HAZARD;
   }
   printf("%s: %u programs, %u faults, %u of them hazards\n", (const char *)*state, count, faults, hazards);
   assert_true(count < 100 || (faults < count * 2 / 3 && hazards > 0 && hazards < faults));
   assert_true(count < 100 || !choices_missing(&choices, stderr));
}

/* Loads of each size by all patterns, of a buffer that ends within what lanes load. */
static void
ends_of_buffers(void **state)
{
   static struct outcome want, got;
   for (unsigned i = 0; i < 4 * 4 * PATTERNS * 2; i++) {
      static const char *const suffixes[] = {"dword v8", "dwordx2 v[8:9]", "dwordx3 v[8:10]", "dwordx4 v[8:11]"};
      static const char *const places[] = {"v0, s[4:7], 0 offen offset:4", "v1, s[4:7], 0 idxen",
                                           "v0, s[0:1] offset:8", "v[6:7], off offset:8"};
      const bool global = i / 4 % 4 > 1;
      char text[128];
      struct setup setup = {
         .chip = amd_chip_by_name("navi21"), .seed = i, .pattern = i / 16 % PATTERNS, .wave64 = i / (16 * PATTERNS)};
      struct amd_sq_buf_rsrc buffer = {.base_address = DATA_VA, .num_records = 303, .oob_select = 3, .format = 20};
      if (i / 4 % 4 == 1) {
         buffer.oob_select = 0;
         buffer.stride = 16;
         buffer.num_records = 40;
      }
      buffer.resource_level = 1;
      amd_sq_buf_rsrc_pack(setup.chip->gen, &buffer, setup.buffer);
      snprintf(text, sizeof(text), "%s_load_%s, %s\ns_waitcnt vmcnt(0)\ns_endpgm\n", global ? "global" : "buffer",
               suffixes[i % 4], places[i / 4 % 4]);
      write_text_program(memset(code, 0, 4096), setup.chip->gen, setup.wave64, text);
      run_all(&setup, true, &want);
      run_all(&setup, false, &got);
      compare(text, &setup, &want, &got);
   }
}

/* ---- transcendental operations ---- */

static float
flushed(float a)
{
   return fabsf(a) < 0x1p-126f ? copysignf(0, a) : a;
}

static double
angle(float a)
{
   return ((double)a - floor((double)a)) * 6.283185307179586;
}

static float
by_libm(enum amd_op op, float a)
{
   switch ((int)op) {
   case AMD_OP_v_exp_f32:
      return flushed(exp2f(flushed(a)));
   case AMD_OP_v_log_f32:
      return log2f(flushed(a));
   case AMD_OP_v_sin_f32:
      return (float)sin(angle(a));
   default: /* others: v_cos_f32 is all that is left */
      return (float)cos(angle(a));
   }
}

/* A lane in so many floats, from all of their range; its bytes are libm's, whether or not libm was asked. */
static void
transcendentals(void **state)
{
   enum { STEP = 37123 };
   static const enum amd_op ops[] = {AMD_OP_v_exp_f32, AMD_OP_v_log_f32, AMD_OP_v_sin_f32, AMD_OP_v_cos_f32};
   static const uint32_t modes[] = {0xf0, 0xc0, 0xf2};
   for (unsigned i = 0; i < ARRAY_SIZE(ops) * ARRAY_SIZE(modes); i++) {
      const enum amd_op op = ops[i % ARRAY_SIZE(ops)];
      uint32_t from[HALF], to[HALF];
      wave_float_mode(modes[i / ARRAY_SIZE(ops)]);
      for (uint64_t first = i; first < 1ull << 32; first += HALF * STEP) {
         for (unsigned l = 0; l < HALF; l++)
            from[l] = (uint32_t)(first + l * STEP);
         struct lanes x = {.a = from, .b = from, .c = from, .old = from, .d = to};
         exec_wide()->kernel(op)(&x);
         for (unsigned l = 0; l < HALF; l++) {
            const uint32_t want = float_bits(by_libm(op, bits_float(from[l])));
            if (to[l] != want)
               fail_msg("%s of 0x%08x is 0x%08x instead of 0x%08x", amd_isa_op_name(op), from[l], to[l], want);
         }
      }
   }
   wave_float_mode(0xf0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(random_programs, (void *)"navi21"),
      cmocka_unit_test_prestate(random_programs, (void *)"vega10"),
      cmocka_unit_test_prestate(random_programs, (void *)"navi31"),
      cmocka_unit_test_prestate(random_programs, (void *)"navi10"),
      cmocka_unit_test(ends_of_buffers),
      cmocka_unit_test(transcendentals),
   };
   return cmocka_run_group_tests(tests, setup_memory, teardown_memory);
}
