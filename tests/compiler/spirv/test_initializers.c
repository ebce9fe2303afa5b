/* Variables with an initial value: every storage class and type that may have one, read with run-time indices from a
 * function that is called in a loop, written, and read again; in each stage. What comes out is computed here, from
 * the constants that the module was made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "spirv_test.h"
#include "util/half.h"
#include "util/macros.h"

#define PROGRAMS 90
#define MAX_VARIABLES 6
#define MAX_LEAVES 256
#define MAX_NAMES 4096
#define MAX_LENGTH 40 /* of an array: more than there are selections among */
#define CALLS 5

enum kind { SCALAR, VECTOR, MATRIX, ARRAY, STRUCT };

struct type {
   enum kind kind;
   char base; /* of a scalar: b, u, i, f */
   unsigned bits, count;
   const struct type *element, *members[4];
   char name[32];
};

struct variable {
   const struct type *type;
   char storage; /* p: Private, f: Function, o: Output */
   uint64_t leaves[MAX_LEAVES];
   char pointer[40], constant[40];
};

struct program {
   enum nir_stage stage;
   struct arena arena;
   uint64_t seed;
   const char *names[MAX_NAMES];
   unsigned num_names, num_structs, num_ids, num_variables, num_outputs;
   char *declarations, *decorations;
   size_t declarations_B, decorations_B;
   FILE *declare, *decorate;
   struct variable variables[MAX_VARIABLES];
   bool specialised;
};

static unsigned
pick(struct program *p, unsigned count)
{
   return spirv_test_random(&p->seed) % count;
}

/* True the first time that the name comes. */
static bool
is_new(struct program *p, const char *name)
{
   for (unsigned i = 0; i < p->num_names; i++) {
      if (!strcmp(p->names[i], name))
         return false;
   }
   assert_true(p->num_names < MAX_NAMES);
   p->names[p->num_names++] = arena_strdup(&p->arena, name);
   return true;
}

/* ---- types ---- */

static const struct type *
scalar_type(struct program *p, char base, unsigned bits)
{
   struct type *type = arena_new(&p->arena, struct type);
   *type = (struct type){.kind = SCALAR, .base = base, .bits = bits, .count = 1};
   snprintf(type->name, sizeof(type->name), "%c%u", base, bits);
   if (is_new(p, type->name)) {
      if (base == 'b')
         fprintf(p->declare, "%%%s = OpTypeBool\n", type->name);
      else if (base == 'f')
         fprintf(p->declare, "%%%s = OpTypeFloat %u\n", type->name, bits);
      else
         fprintf(p->declare, "%%%s = OpTypeInt %u %u\n", type->name, bits, base == 'i');
   }
   return type;
}

static const char *
number(struct program *p, unsigned value)
{
   const char *name = arena_printf(&p->arena, "n%u", value);
   scalar_type(p, 'u', 32);
   if (is_new(p, name))
      fprintf(p->declare, "%%%s = OpConstant %%u32 %u\n", name, value);
   return name;
}

static const struct type *
repeated(struct program *p, enum kind kind, const struct type *element, unsigned count)
{
   struct type *type = arena_new(&p->arena, struct type);
   *type = (struct type){.kind = kind, .element = element, .count = count};
   snprintf(type->name, sizeof(type->name), "%c%u_%.20s", "?vma"[kind], count, element -> name);
   if (!is_new(p, type->name))
      return type;
   if (kind == ARRAY)
      fprintf(p->declare, "%%%s = OpTypeArray %%%s %%%s\n", type->name, element->name, number(p, count));
   else
      fprintf(p->declare, "%%%s = OpType%s %%%s %u\n", type->name, kind == VECTOR ? "Vector" : "Matrix",
              element->name, count);
   return type;
}

static const struct type *
random_leaf(struct program *p, bool interface)
{
   static const struct {
      char base;
      unsigned bits;
   } bases[] = {{'u', 32}, {'i', 32}, {'f', 32}, {'b', 1},  {'u', 8},  {'i', 16},
                {'f', 16}, {'u', 64}, {'f', 64}, {'i', 64}, {'u', 16}, {'i', 8}};
   unsigned n = pick(p, interface ? 3 : ARRAY_SIZE(bases));
   return scalar_type(p, bases[n].base, bases[n].bits);
}

static const struct type *
random_type(struct program *p, unsigned depth, bool interface)
{
   unsigned kind = pick(p, depth ? interface ? 4 : 6 : 2);
   if (kind == 0)
      return random_leaf(p, interface);
   if (kind == 1)
      return repeated(p, VECTOR, random_leaf(p, interface), 2 + pick(p, 3));
   if (kind <= 3)
      return repeated(p, ARRAY, random_type(p, interface ? 0 : depth - 1, interface),
                      1 + pick(p, interface    ? 3
                                  : pick(p, 4) ? 6
                                               : MAX_LENGTH));
   if (kind == 4) {
      const struct type *scalar = scalar_type(p, 'f', (const unsigned[]){32, 16, 64}[pick(p, 3)]);
      return repeated(p, MATRIX, repeated(p, VECTOR, scalar, 2 + pick(p, 3)), 2 + pick(p, 3));
   }
   struct type *type = arena_new(&p->arena, struct type);
   *type = (struct type){.kind = STRUCT, .count = 1 + pick(p, 4)};
   for (unsigned i = 0; i < type->count; i++)
      type->members[i] = random_type(p, depth - 1, false);
   snprintf(type->name, sizeof(type->name), "s%u", p->num_structs++);
   fprintf(p->declare, "%%%s = OpTypeStruct", type->name);
   for (unsigned i = 0; i < type->count; i++)
      fprintf(p->declare, " %%%s", type->members[i]->name);
   fputc('\n', p->declare);
   return type;
}

static const struct type *
child(const struct type *type, unsigned i)
{
   return type->kind == STRUCT ? type->members[i] : type->element;
}

static unsigned
count_leaves(const struct type *type)
{
   unsigned count = type->kind == SCALAR;
   for (unsigned i = 0; type->kind != SCALAR && i < type->count; i++)
      count += count_leaves(child(type, i));
   return count;
}

/* ---- constants ---- */

static uint64_t
float_of_bits(double value, unsigned bits)
{
   return bits == 64 ? double_bits(value) : bits == 32 ? float_bits((float)value) : half_from_float((float)value);
}

/* Declares a scalar constant; its bits come back. */
static uint64_t
scalar_constant(struct program *p, const struct type *type, char *name)
{
   int value = (int)pick(p, 100) - (type->base == 'u' ? 0 : 50);
   const char *spec = p->specialised ? "Spec" : "";
   snprintf(name, 40, "c%u", p->num_ids++);
   if (type->base == 'b') {
      fprintf(p->declare, "%%%s = Op%sConstant%s %%b1\n", name, spec, value & 1 ? "True" : "False");
      return value & 1;
   }
   fprintf(p->declare, "%%%s = Op%sConstant %%%s %d\n", name, spec, type->name, value);
   return type->base == 'f' ? float_of_bits(value, type->bits) : (uint64_t)(int64_t)value & bit_mask(type->bits);
}

/* Declares a constant of the type, and appends the bits of its scalars. */
static void
constant(struct program *p, const struct type *type, uint64_t **leaves, char *name)
{
   char names[MAX_LENGTH][40];
   if (type->kind != SCALAR && !pick(p, 8)) {
      snprintf(name, 40, "c%u", p->num_ids++);
      fprintf(p->declare, "%%%s = OpConstantNull %%%s\n", name, type->name);
      for (unsigned i = count_leaves(type); i-- > 0;)
         *(*leaves)++ = 0;
      return;
   }
   if (type->kind == SCALAR) {
      *(*leaves)++ = scalar_constant(p, type, name);
      return;
   }
   for (unsigned i = 0; i < type->count; i++)
      constant(p, child(type, i), leaves, names[i]);
   snprintf(name, 40, "c%u", p->num_ids++);
   fprintf(p->declare, "%%%s = Op%sConstantComposite %%%s", name, p->specialised ? "Spec" : "", type->name);
   for (unsigned i = 0; i < type->count; i++)
      fprintf(p->declare, " %%%s", names[i]);
   fputc('\n', p->declare);
}

/* ---- variables and what reads them ---- */

static const char *
storage_name(char storage)
{
   return storage == 'p' ? "Private" : storage == 'f' ? "Function" : "Output";
}

static const char *
pointer_type(struct program *p, char storage, const char *to)
{
   const char *name = arena_printf(&p->arena, "p%c_%s", storage, to);
   if (is_new(p, name))
      fprintf(p->declare, "%%%s = OpTypePointer %s %%%s\n", name, storage_name(storage), to);
   return name;
}

static void
declare_variable(struct program *p, struct variable *v, unsigned index)
{
   bool output = p->stage != NIR_STAGE_COMPUTE && !pick(p, 4);
   uint64_t *leaves = v->leaves;
   v->storage = output ? 'o' : pick(p, 3) ? 'p' : 'f';
   do {
      v->type = random_type(p, 3, output);
   } while (count_leaves(v->type) > MAX_LEAVES / 2);
   p->specialised = !pick(p, 4);
   constant(p, v->type, &leaves, v->constant);
   snprintf(v->pointer, sizeof(v->pointer), "variable%u", index);
   const char *pointer = pointer_type(p, v->storage, v->type->name);
   if (v->storage != 'f')
      fprintf(p->declare, "%%%s = OpVariable %%%s %s %%%s\n", v->pointer, pointer, storage_name(v->storage),
              v->constant);
   if (output) {
      fprintf(p->decorate, "OpDecorate %%%s Location %u\n", v->pointer, p->num_outputs);
      p->num_outputs += v->type->kind == ARRAY ? v->type->count : 1;
   }
}

/* A function of an index that reads a scalar of the variable, found by the index where that is possible, and then
 * may write the scalar of index 0 there: the text, and leaf[index] that is read. */
struct reader {
   char text[2048];
   const struct type *scalar;
   unsigned read[CALLS]; /* leaf by argument */
   unsigned first;
   bool writes; /* else it only reads, and what nobody writes may become a table */
};

static void
make_path(struct program *p, const struct variable *v, struct reader *r, char *chain, char *first, char *code)
{
   const struct type *type = v->type;
   unsigned level = 0;
   memset(r->read, 0, sizeof(r->read));
   r->first = 0;
   *chain = *first = *code = 0;
   for (; type->kind != SCALAR; level++) {
      bool dynamic = type->kind != STRUCT && pick(p, 4);
      unsigned fixed = pick(p, type->count), before = 0;
      for (unsigned i = 0; i < fixed; i++)
         before += count_leaves(child(type, i));
      if (dynamic) {
         unsigned each = count_leaves(type->element);
         sprintf(code + strlen(code), "%%i%u = OpUMod %%u32 %%index %%%s\n", level, number(p, type->count));
         sprintf(chain + strlen(chain), " %%i%u", level);
         sprintf(first + strlen(first), " %%%s", number(p, 0));
         for (unsigned i = 0; i < CALLS; i++)
            r->read[i] += i % type->count * each;
         type = type->element;
         continue;
      }
      for (unsigned i = 0; i < CALLS; i++)
         r->read[i] += before;
      r->first += before;
      sprintf(chain + strlen(chain), " %%%s", number(p, fixed));
      sprintf(first + strlen(first), " %%%s", number(p, fixed));
      type = child(type, fixed);
   }
   r->scalar = type;
}

static void
make_reader(struct program *p, struct variable *v, unsigned index, struct reader *r)
{
   char chain[200], first[200], code[400], *to = r->text;
   make_path(p, v, r, chain, first, code);
   const char *scalar = r->scalar->name, *pointer = pointer_type(p, v->storage, scalar);
   unsigned bits = r->scalar->bits;
   to += sprintf(to,
                 "%%reader%u = OpFunction %%u64 None %%reader_type\n%%index = OpFunctionParameter %%u32\n"
                 "%%label%u = OpLabel\n",
                 index, index);
   if (v->storage == 'f')
      to += sprintf(to, "%%%s = OpVariable %%%s Function %%%s\n", v->pointer, pointer_type(p, 'f', v->type->name),
                    v->constant);
   to += sprintf(to, "%s", code);
   if (v->type->kind == SCALAR)
      to += sprintf(to, "%%at = OpCopyObject %%%s %%%s\n%%zeroth = OpCopyObject %%%s %%%s\n", pointer, v->pointer,
                    pointer, v->pointer);
   else
      to += sprintf(to, "%%at = OpAccessChain %%%s %%%s%s\n%%zeroth = OpAccessChain %%%s %%%s%s\n", pointer,
                    v->pointer, chain, pointer, v->pointer, first);
   to += sprintf(to, "%%value = OpLoad %%%s %%at\n%%other = OpLoad %%%s %%zeroth\n", scalar, scalar);
   r->writes = pick(p, 2);
   to += sprintf(to, "%s", r->writes ? "OpStore %at %other\n" : "");
   if (r->scalar->base == 'b') {
      to += sprintf(to, "%%wide = OpSelect %%u64 %%value %%one64 %%zero64\n");
   } else {
      const char *from = "value";
      if (r->scalar->base != 'u') {
         to += sprintf(to, "%%bits = OpBitcast %%%s %%value\n", scalar_type(p, 'u', bits)->name);
         from = "bits";
      }
      to += sprintf(to, bits == 64 ? "%%wide = OpCopyObject %%u64 %%%s\n" : "%%wide = OpUConvert %%u64 %%%s\n", from);
   }
   sprintf(to, "OpReturnValue %%wide\nOpFunctionEnd\n");
}

/* Names of one function, so that each has its own. */
static const char *
numbered(struct program *p, const char *text, unsigned index)
{
   static const char *const locals[] = {"%index",  "%i0",    "%i1",    "%i2",   "%i3",  "%at",
                                        "%zeroth", "%value", "%other", "%bits", "%wide"};
   char *out = arena_alloc(&p->arena, 4096), *to = out;
   while (*text) {
      size_t length = 1;
      while (*text == '%' && (text[length] == '_' || strchr("0123456789abcdefghijklmnopqrstuvwxyz", text[length])) &&
             text[length])
         length++;
      to += sprintf(to, "%.*s", (int)length, text);
      for (unsigned i = 0; i < ARRAY_SIZE(locals); i++) {
         if (strlen(locals[i]) == length && !strncmp(locals[i], text, length))
            to += sprintf(to, "_%u", index);
      }
      text += length;
   }
   return out;
}

/* ---- the module ---- */

/* The loop of main calls the reader of a variable, and folds what it gives into one number. */
static void
print_loop(FILE *out, unsigned v)
{
   fprintf(out,
           "OpBranch %%head%u\n%%head%u = OpLabel\n%%i_%u = OpPhi %%u32 %%n0 %%%s%u %%step_%u %%next%u\n"
           "%%sum_%u = OpPhi %%u64 %%zero64 %%%s%u %%more_%u %%next%u\nOpLoopMerge %%merge%u %%next%u None\n"
           "OpBranch %%test%u\n%%test%u = OpLabel\n%%go_%u = OpULessThan %%b1 %%i_%u %%calls\n"
           "OpBranchConditional %%go_%u %%body%u %%merge%u\n%%body%u = OpLabel\n"
           "%%got_%u = OpFunctionCall %%u64 %%reader%u %%i_%u\n%%times_%u = OpIMul %%u64 %%sum_%u %%factor\n"
           "%%more_%u = OpIAdd %%u64 %%times_%u %%got_%u\nOpBranch %%next%u\n%%next%u = OpLabel\n"
           "%%step_%u = OpIAdd %%u32 %%i_%u %%n1\nOpBranch %%head%u\n%%merge%u = OpLabel\n"
           "%%place_%u = OpAccessChain %%p_u64 %%buffer %%n0 %%k%u\nOpStore %%place_%u %%sum_%u\n",
           v, v, v, v ? "merge" : "entry", v ? v - 1 : 0, v, v, v, v ? "merge" : "entry", v ? v - 1 : 0, v, v, v, v,
           v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
}

static const char *
print_module(struct program *p, const struct reader *readers)
{
   static const char *const models[] = {
      [NIR_STAGE_VERTEX] = "Vertex", [NIR_STAGE_FRAGMENT] = "Fragment", [NIR_STAGE_COMPUTE] = "GLCompute"};
   char *text;
   size_t size_B;
   FILE *out = open_memstream(&text, &size_B);
   fprintf(out, "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
                "OpCapability Float16\nOpCapability Float64\n");
   fprintf(out, "OpMemoryModel Logical GLSL450\nOpEntryPoint %s %%main \"main\"", models[p->stage]);
   for (unsigned v = 0; v < p->num_variables; v++) {
      if (p->variables[v].storage == 'o')
         fprintf(out, " %%%s", p->variables[v].pointer);
   }
   fprintf(out, "\n%s",
           p->stage == NIR_STAGE_FRAGMENT  ? "OpExecutionMode %main OriginUpperLeft\n"
           : p->stage == NIR_STAGE_COMPUTE ? "OpExecutionMode %main LocalSize 1 1 1\n"
                                           : "");
   fprintf(out,
           "%sOpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\nOpDecorate %%words ArrayStride 8\n"
           "OpDecorate %%buffer DescriptorSet 0\nOpDecorate %%buffer Binding 0\n%s",
           p->decorations, p->declarations);
   fprintf(out,
           "%%words = OpTypeRuntimeArray %%u64\n%%block = OpTypeStruct %%words\n"
           "%%p_block = OpTypePointer StorageBuffer %%block\n%%p_u64 = OpTypePointer StorageBuffer %%u64\n"
           "%%buffer = OpVariable %%p_block StorageBuffer\n%%zero64 = OpConstant %%u64 0\n"
           "%%one64 = OpConstant %%u64 1\n%%factor = OpConstant %%u64 31\n%%calls = OpConstant %%u32 %u\n"
           "%%void = OpTypeVoid\n%%main_type = OpTypeFunction %%void\n"
           "%%reader_type = OpTypeFunction %%u64 %%u32\n",
           CALLS);
   for (unsigned v = 0; v < p->num_variables; v++)
      fprintf(out, "%%k%u = OpConstant %%u32 %u\n", v, v);
   fprintf(out, "%%main = OpFunction %%void None %%main_type\n%%entry0 = OpLabel\n");
   for (unsigned v = 0; v < p->num_variables; v++)
      print_loop(out, v);
   fprintf(out, "OpReturn\nOpFunctionEnd\n");
   for (unsigned v = 0; v < p->num_variables; v++)
      fputs(numbered(p, readers[v].text, v), out);
   fclose(out);
   return text;
}

static uint64_t
expected(struct variable *v, const struct reader *r)
{
   uint64_t sum = 0, leaves[MAX_LEAVES];
   memcpy(leaves, v->leaves, sizeof(leaves));
   for (unsigned i = 0; i < CALLS; i++) {
      if (v->storage == 'f') /* a new variable each time */
         memcpy(leaves, v->leaves, sizeof(leaves));
      sum = sum * 31 + leaves[r->read[i]];
      if (r->writes)
         leaves[r->read[i]] = leaves[r->first];
   }
   return sum;
}

static void
try_program(unsigned n)
{
   static const enum nir_stage stages[] = {NIR_STAGE_COMPUTE, NIR_STAGE_VERTEX, NIR_STAGE_FRAGMENT};
   struct program p = {.stage = stages[n % 3], .seed = n * UINT64_C(0x9e3779b97f4a7c15)};
   struct reader readers[MAX_VARIABLES];
   uint64_t data[2][MAX_VARIABLES] = {0};
   p.declare = open_memstream(&p.declarations, &p.declarations_B);
   p.decorate = open_memstream(&p.decorations, &p.decorations_B);
   scalar_type(&p, 'u', 64);
   scalar_type(&p, 'b', 1);
   number(&p, 0);
   number(&p, 1);
   p.num_variables = 1 + pick(&p, MAX_VARIABLES);
   for (unsigned v = 0; v < p.num_variables; v++) {
      declare_variable(&p, &p.variables[v], v);
      make_reader(&p, &p.variables[v], v, &readers[v]);
   }
   fclose(p.declare);
   fclose(p.decorate);
   const char *text = print_module(&p, readers);
   struct spirv_test_module module = spirv_test_assemble(text);
   const struct spirv_options options = {.stage = p.stage, .features = SPIRV_FEATURE_ALL};
   if (!module.words || !spirv_test_is_valid(&module))
      fail_msg("program %u is not valid:\n%s", n, text);
   for (unsigned optimize = 0; optimize < 2; optimize++)
      spirv_test_run(&module, &options, optimize, 1, data[optimize], sizeof(data[optimize]));
   for (unsigned v = 0; v < p.num_variables; v++) {
      uint64_t want = expected(&p.variables[v], &readers[v]);
      for (unsigned optimize = 0; optimize < 2; optimize++) {
         if (data[optimize][v] != want)
            fail_msg("program %u, variable %u: %#lx, not %#lx%s\n%s", n, v, data[optimize][v], want,
                     optimize ? ", optimised" : "", text);
      }
   }
   free(module.words);
   free((char *)text);
   free(p.declarations);
   free(p.decorations);
   arena_free(&p.arena);
}

static void
values_are_there(void **state)
{
   for (unsigned n = 0; n < PROGRAMS; n++)
      try_program(n);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_there)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
