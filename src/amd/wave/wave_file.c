/* Reads a file: one statement a line, and the code at its end. */
#include "amd/wave/wave_file.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/reg_table.h"
#include "amd/hw/registers.h"
#include "amd/sim/wave/wave.h"
#include "amd/wave/assemble.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

#define MAX_VALUES (1u << 16)
#define MAX_CODE_DW (1u << 14)
#define MAX_MEMORY_B (64u << 20)
#define MAX_WAVES 4096
#define MAX_LDS_B 65536

struct label {
   char name[32];
   unsigned at_dw, line; /* of a branch: the dword that has its distance */
};

struct parser {
   struct arena *arena;
   struct wave_file *file;
   const struct amd_chip *chip; /* in place of the file's */
   const char *at;              /* the rest of the line */
   unsigned line;
   struct label *labels, *branches;
   unsigned num_labels, labels_capacity, num_branches, branches_capacity;
   const char *error;
   jmp_buf fail;
};

static _Noreturn void fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
fail(struct parser *p, const char *format, ...)
{
   char text[256];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   p->error = arena_printf(p->arena, "%s:%u: %s", p->file->name, p->line, text);
   longjmp(p->fail, 1);
}

/* ---- words of a line ---- */

static void
skip_space(struct parser *p)
{
   p->at += strspn(p->at, " \t\r");
}

static bool
at_end(struct parser *p)
{
   skip_space(p);
   return !*p->at || *p->at == '#';
}

/* The next word, "" at the end of the line; '=' is one by itself. */
static const char *
word(struct parser *p)
{
   if (at_end(p))
      return "";
   size_t length = *p->at == '=' ? 1 : strcspn(p->at, " \t\r=#");
   char *copy = arena_alloc(p->arena, length + 1);
   memcpy(copy, p->at, length);
   p->at += length;
   return copy;
}

static bool
accept(struct parser *p, const char *wanted)
{
   const char *before = p->at;
   if (!strcmp(word(p), wanted))
      return true;
   p->at = before;
   return false;
}

static uint64_t
number_of(struct parser *p, const char *text, uint64_t min, uint64_t max)
{
   char *end;
   uint64_t value = strtoull(text, &end, 0);
   if (!isdigit((unsigned char)*text) || *end)
      fail(p, "a number expected, not \"%s\"", text);
   if (value < min || value > max)
      fail(p, "%s is not from %llu to %llu", text, (unsigned long long)min, (unsigned long long)max);
   return value;
}

static uint64_t
number(struct parser *p, uint64_t min, uint64_t max)
{
   return number_of(p, word(p), min, max);
}

/* ---- values ---- */

/* Integers of 32 bits with or without sign, floats with a point. */
static uint32_t
value(struct parser *p, const char *text, bool *is_float)
{
   char *end;
   *is_float = strchr(text, '.') && strncmp(text, "0x", 2) != 0;
   if (*is_float) {
      float f = strtof(text, &end);
      if (!*end && end != text)
         return float_bits(f);
   } else {
      long long v = strtoll(text, &end, 0);
      if (!*end && end != text && v >= INT32_MIN && v <= UINT32_MAX)
         return (uint32_t)v;
   }
   fail(p, "a value expected, not \"%s\"", text);
}

static void
add_value(struct parser *p, struct wave_values *v, unsigned *capacity, uint32_t number)
{
   if (v->count == MAX_VALUES)
      fail(p, "more than %u values", MAX_VALUES);
   v->numbers = arena_room(p->arena, v->numbers, sizeof(*v->numbers), v->count, capacity);
   v->numbers[v->count++] = number;
}

/* FIRST SECOND ... LAST: with the step of the first two. */
static void
add_range(struct parser *p, struct wave_values *v, unsigned *capacity)
{
   bool is_float;
   const uint32_t last = value(p, word(p), &is_float);
   if (v->count < 2)
      fail(p, "two values stand ahead of \"...\"");
   const uint32_t first = v->numbers[v->count - 2], second = v->numbers[v->count - 1];
   if (first == second)
      fail(p, "the two values ahead of \"...\" are the same");
   for (unsigned n = 2; v->numbers[v->count - 1] != last; n++) {
      uint32_t next = first + n * (second - first);
      if (is_float)
         next = float_bits(bits_float(first) + (float)n * (bits_float(second) - bits_float(first)));
      add_value(p, v, capacity, next);
   }
}

static struct wave_values
values(struct parser *p)
{
   static const char *const kinds[] = {
      [WAVE_VALUES_LANE] = "lane",
      [WAVE_VALUES_THREAD] = "thread",
      [WAVE_VALUES_WAVE] = "wave",
      [WAVE_VALUES_GROUP] = "group",
   };
   struct wave_values v = {.kind = WAVE_VALUES_NUMBERS};
   unsigned capacity = 0;
   bool is_float;
   if (!accept(p, "="))
      fail(p, "= and values expected");
   for (unsigned i = 1; i < ARRAY_SIZE(kinds); i++) {
      if (accept(p, kinds[i])) {
         v.kind = (enum wave_value_kind)i;
         return v;
      }
   }
   while (!at_end(p)) {
      if (accept(p, "..."))
         add_range(p, &v, &capacity);
      else
         add_value(p, &v, &capacity, value(p, word(p), &is_float));
   }
   if (!v.count)
      fail(p, "values expected");
   return v;
}

/* ---- places ---- */

static const struct {
   const char *name;
   uint16_t reg;
} names[] = {{"vcc", AMD_VCC_LO},   {"vcc_hi", AMD_VCC_HI},   {"m0", AMD_M0},
             {"exec", AMD_EXEC_LO}, {"exec_hi", AMD_EXEC_HI}, {"scc", AMD_SCC}};

int
wave_register(const char *name)
{
   char *end;
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(names[i].name, name))
         return names[i].reg;
   }
   if ((*name != 's' && *name != 'v') || !isdigit((unsigned char)name[1]))
      return -1;
   unsigned long number = strtoul(name + 1, &end, 10), limit = *name == 's' ? AMD_VCC_LO : 256;
   return *end || number >= limit ? -1 : (int)(number + (*name == 'v' ? AMD_VGPR0 : 0));
}

void
wave_register_name(unsigned reg, char name[16])
{
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (names[i].reg == reg) {
         snprintf(name, 16, "%s", names[i].name);
         return;
      }
   }
   bool vector = amd_is_vgpr((uint16_t)reg);
   snprintf(name, 16, "%c%u", vector ? 'v' : 's', vector ? reg - AMD_VGPR0 : reg);
}

/* "at ADDRESS", "lds OFFSET" or a register. */
static struct wave_place
place(struct parser *p)
{
   struct wave_place place = {.line = p->line};
   const char *name = word(p);
   int reg = wave_register(name);
   if (!strcmp(name, "at")) {
      place.kind = WAVE_PLACE_MEMORY;
      place.at = number(p, 0, UINT64_MAX);
   } else if (!strcmp(name, "lds")) {
      place.kind = WAVE_PLACE_LDS;
      place.at = number(p, 0, MAX_LDS_B);
   } else if (reg >= 0) {
      place.at = (uint64_t)reg;
   } else {
      fail(p, "no such register or place: \"%s\"", name);
   }
   if (place.kind == WAVE_PLACE_MEMORY || place.kind == WAVE_PLACE_LDS) {
      if (place.at % 4)
         fail(p, "dwords stand at multiples of 4");
   }
   return place;
}

static void
parse_start(struct parser *p)
{
   struct wave_file *f = p->file;
   struct wave_place start = place(p);
   start.values = values(p);
   if (start.kind == WAVE_PLACE_LDS)
      fail(p, "a wave starts with registers and memory");
   if (start.kind == WAVE_PLACE_MEMORY && start.values.kind != WAVE_VALUES_NUMBERS)
      fail(p, "memory holds numbers");
   bool vector = wave_place_is_vgpr(&start);
   unsigned last = (unsigned)start.at + (vector ? 0 : MAX2(start.values.count, 1) - 1);
   if (start.kind == WAVE_PLACE_REGISTER && start.at == AMD_EXEC_LO) {
      if (start.values.kind != WAVE_VALUES_NUMBERS || start.values.count > 2)
         fail(p, "exec takes one number, or two for 64 lanes");
      f->exec = start.values.numbers[0] | (uint64_t)(start.values.count > 1 ? start.values.numbers[1] : 0) << 32;
      return;
   }
   if (start.kind == WAVE_PLACE_REGISTER &&
       (vector ? last >= AMD_VGPR0 + AMD_WAVE_START_VGPRS : last >= AMD_WAVE_START_SGPRS))
      fail(p, "a wave starts with s0 to s%u, v0 to v%u and exec", AMD_WAVE_START_SGPRS - 1, AMD_WAVE_START_VGPRS - 1);
   f->starts = arena_room(p->arena, f->starts, sizeof(*f->starts), f->num_starts, &f->starts_capacity);
   f->starts[f->num_starts++] = start;
}

/* "fault WORDS", or [group N] [wave N] PLACE = VALUES. */
static void
parse_expect(struct parser *p)
{
   struct wave_file *f = p->file;
   if (accept(p, "fault")) {
      skip_space(p);
      size_t length = strcspn(p->at, "\r");
      while (length && isspace((unsigned char)p->at[length - 1]))
         length--;
      if (!length || f->fault)
         fail(p, "one fault, and words of its report");
      char *words = arena_alloc(p->arena, length + 1);
      memcpy(words, p->at, length);
      p->at += strlen(p->at);
      f->fault = words;
      f->fault_line = p->line;
      return;
   }
   uint32_t group = accept(p, "group") ? (uint32_t)number(p, 0, f->groups - 1) : 0;
   uint32_t wave = accept(p, "wave") ? (uint32_t)number(p, 0, f->waves - 1) : 0;
   struct wave_place expected = place(p);
   expected.group = group;
   expected.wave = wave;
   expected.values = values(p);
   if (expected.values.kind != WAVE_VALUES_NUMBERS && !wave_place_is_vgpr(&expected))
      fail(p, "numbers expected: lane and the like are of VGPRs");
   f->expected = arena_room(p->arena, f->expected, sizeof(*f->expected), f->num_expected, &f->expected_capacity);
   f->expected[f->num_expected++] = expected;
}

/* PLACE [COUNT]. */
static void
parse_print(struct parser *p)
{
   struct wave_file *f = p->file;
   uint32_t group = accept(p, "group") ? (uint32_t)number(p, 0, f->groups - 1) : 0;
   uint32_t wave = accept(p, "wave") ? (uint32_t)number(p, 0, f->waves - 1) : 0;
   struct wave_place printed = place(p);
   printed.group = group;
   printed.wave = wave;
   printed.values.count = at_end(p) ? 1 : (unsigned)number(p, 1, MAX_VALUES);
   f->printed = arena_room(p->arena, f->printed, sizeof(*f->printed), f->num_printed, &f->printed_capacity);
   f->printed[f->num_printed++] = printed;
}

/* ADDRESS BYTES [read] [write] [execute] or hole; without words: read and write. */
static void
parse_memory(struct parser *p)
{
   struct wave_file *f = p->file;
   struct wave_region region = {.line = p->line, .address = number(p, 0, UINT64_MAX)};
   region.size_B = number(p, 4096, MAX_MEMORY_B);
   if (region.address % 4096 || region.size_B % 4096)
      fail(p, "memory comes in pages of 4096 bytes");
   while (!at_end(p)) {
      const char *access = word(p);
      unsigned bit = !strcmp(access, "read")      ? SIM_READ
                     : !strcmp(access, "write")   ? SIM_WRITE
                     : !strcmp(access, "execute") ? SIM_EXECUTE
                     : !strcmp(access, "hole")    ? SIM_PRT
                                                  : 0;
      if (!bit || (region.access | bit) > SIM_PRT)
         fail(p, "memory is for read, write or execute, or a hole, not \"%s\"", access);
      region.access |= bit;
   }
   region.access = region.access ? region.access : SIM_READ | SIM_WRITE;
   f->regions = arena_room(p->arena, f->regions, sizeof(*f->regions), f->num_regions, &f->regions_capacity);
   f->regions[f->num_regions++] = region;
}

/* ---- settings ---- */

static void
parse_chip(struct parser *p)
{
   const char *name = word(p);
   p->file->chip = amd_chip_by_name(name);
   if (!p->file->chip)
      fail(p, "no chip is called \"%s\" (see: indium gpus)", name);
}

static void
parse_schedule(struct parser *p)
{
   const char *text = word(p);
   while (accept(p, "=")) /* seed=N is three words here */
      text = arena_printf(p->arena, "%s=%s", text, word(p));
   if (!sim_schedule_parse(text, &p->file->schedule))
      fail(p, "the schedule is " SIM_SCHEDULE_NAMES);
}

static void
parse_wave_size(struct parser *p)
{
   p->file->wave_size = (uint32_t)number(p, 32, 64);
   if (p->file->wave_size != 32 && p->file->wave_size != 64)
      fail(p, "a wave has 32 or 64 lanes");
}

static void
parse_waves(struct parser *p)
{
   p->file->waves = (uint32_t)number(p, 1, AMD_WAVE_MAX_PER_GROUP);
}

static void
parse_groups(struct parser *p)
{
   p->file->groups = (uint32_t)number(p, 1, MAX_WAVES);
}

static void
parse_vgprs(struct parser *p)
{
   p->file->vgprs = (uint32_t)number(p, 1, 256);
}

static void
parse_lds(struct parser *p)
{
   p->file->lds_B = (uint32_t)number(p, 0, MAX_LDS_B);
}

static void
parse_budget(struct parser *p)
{
   p->file->budget = number(p, 1, UINT64_MAX / 2);
}

static void
parse_float_mode(struct parser *p)
{
   p->file->float_mode = (uint32_t)number(p, 0, 0xff);
}

static void
parse_wgp(struct parser *p)
{
   p->file->wgp = true;
}

static const struct {
   const char *name;
   void (*parse)(struct parser *p);
} statements[] = {{"gpu", parse_chip},      {"lanes", parse_wave_size},   {"waves", parse_waves},
                  {"groups", parse_groups}, {"vgprs", parse_vgprs},       {"lds_size", parse_lds},
                  {"budget", parse_budget}, {"schedule", parse_schedule}, {"float_mode", parse_float_mode},
                  {"wgp_mode", parse_wgp},  {"memory", parse_memory},     {"start", parse_start},
                  {"expect", parse_expect}, {"print", parse_print}};

static void
parse_statement(struct parser *p)
{
   const char *name = word(p);
   for (unsigned i = 0; i < ARRAY_SIZE(statements); i++) {
      if (strcmp(statements[i].name, name))
         continue;
      statements[i].parse(p);
      if (!at_end(p))
         fail(p, "\"%s\" is too much", word(p));
      return;
   }
   fail(p, "no such statement: \"%s\"", name);
}

/* ---- code ---- */

static void
put_words(struct parser *p, const uint32_t *words, unsigned count)
{
   struct wave_file *f = p->file;
   for (unsigned i = 0; i < count; i++) {
      if (f->code_dw == MAX_CODE_DW)
         fail(p, "more than %u dwords of code", MAX_CODE_DW);
      f->code = arena_room(p->arena, f->code, sizeof(*f->code), f->code_dw, &f->code_capacity);
      f->code_lines =
         arena_room(p->arena, f->code_lines, sizeof(*f->code_lines), f->code_dw, &f->code_lines_capacity);
      f->code_lines[f->code_dw] = p->line;
      f->code[f->code_dw++] = words[i];
   }
}

static void
add_label(struct parser *p, struct label **labels, unsigned *count, unsigned *capacity, const char *name,
          size_t length)
{
   struct label label = {.at_dw = p->file->code_dw, .line = p->line};
   if (length >= sizeof(label.name))
      fail(p, "a label has up to 31 characters");
   memcpy(label.name, name, length);
   *labels = arena_room(p->arena, *labels, sizeof(**labels), *count, capacity);
   (*labels)[(*count)++] = label;
}

static const struct label *
find_label(const struct parser *p, const char *name)
{
   for (unsigned k = 0; k < p->num_labels; k++) {
      if (!strcmp(p->labels[k].name, name))
         return &p->labels[k];
   }
   return NULL;
}

/* "name:" */
static void
parse_label(struct parser *p, size_t length)
{
   const char *name = arena_printf(p->arena, "%.*s", (int)length, p->at);
   if (find_label(p, name))
      fail(p, "there is a label \"%s\" already", name);
   add_label(p, &p->labels, &p->num_labels, &p->labels_capacity, name, length);
   p->at += length + 1;
   if (!at_end(p))
      fail(p, "\"%s\" is too much", word(p));
}

/* "name:", ".long NUMBER ..." or an instruction. */
static void
parse_code(struct parser *p)
{
   size_t length = strcspn(p->at, " \t\r#");
   if (length && p->at[length - 1] == ':') {
      parse_label(p, length - 1);
      return;
   }
   if (accept(p, ".long")) {
      bool is_float;
      while (!at_end(p))
         put_words(p, (uint32_t[]){value(p, word(p), &is_float)}, 1);
      return;
   }
   struct assembler a = {.gen = p->file->chip->gen, .wave64 = p->file->wave_size == 64};
   struct amd_inst inst;
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size;
   char *text = arena_strdup(p->arena, p->at);
   text[strcspn(text, "#\r")] = 0;
   if (!assemble(&a, text, &inst) || !amd_isa_encode(a.gen, &inst, words, &size))
      fail(p, "%s", a.error);
   if (a.label[0])
      add_label(p, &p->branches, &p->num_branches, &p->branches_capacity, a.label, strlen(a.label));
   put_words(p, words, size);
}

static void
link_branches(struct parser *p)
{
   for (unsigned i = 0; i < p->num_branches; i++) {
      const struct label *branch = &p->branches[i], *label = find_label(p, branch->name);
      p->line = branch->line;
      if (!label)
         fail(p, "there is no label \"%s\"", branch->name);
      p->file->code[branch->at_dw] |= (label->at_dw - branch->at_dw - 1) & 0xffff;
   }
}

/* ---- the whole ---- */

/* A dispatch can ask for waves of 32 lanes. */
static bool
has_wave32(enum amd_gen gen)
{
   const struct amd_reg *initiator = amd_reg_find(gen, R_COMPUTE_DISPATCH_INITIATOR, NULL);
   return !(amd_reg_unknown_bits(gen, initiator) & S_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN(1));
}

static void
begin_code(struct parser *p)
{
   struct wave_file *f = p->file;
   f->code_line = p->line;
   f->chip = p->chip ? p->chip : f->chip;
   if (f->wave_size == 32 && !has_wave32(f->chip->gen))
      fail(p, "%s has only waves of 64 lanes: \"lanes 64\" expected before", f->chip->name);
}

static void
parse_lines(struct parser *p, char *text)
{
   bool code = false;
   while (text) {
      char *end = strchr(text, '\n');
      if (end)
         *end++ = 0;
      p->at = text;
      p->line++;
      text = end;
      if (at_end(p))
         continue;
      if (code) {
         parse_code(p);
      } else if (!(code = accept(p, "code:"))) {
         parse_statement(p);
      } else {
         begin_code(p);
      }
   }
   if (!p->file->code_dw)
      fail(p, "code: and instructions expected");
   link_branches(p);
}

struct wave_file *
wave_file_parse(struct arena *arena, const char *name, const char *text, const struct amd_chip *chip,
                const char **error)
{
   struct parser *p = arena_new(arena, struct parser);
   p->arena = arena;
   p->chip = chip;
   p->file = arena_new(arena, struct wave_file);
   *p->file = (struct wave_file){.name = name,
                                 .chip = amd_chip_by_name("navi21"),
                                 .wave_size = 32,
                                 .groups = 1,
                                 .waves = 1,
                                 .vgprs = 32,
                                 .float_mode = 0xf0,
                                 .exec = UINT64_MAX};
   if (!setjmp(p->fail))
      parse_lines(p, arena_strdup(arena, text));
   *error = p->error;
   return p->error ? NULL : p->file;
}
