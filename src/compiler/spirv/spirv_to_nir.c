#include "compiler/spirv/spirv_to_nir.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/within_memory.h"

void
spirv_fail(struct spirv_module *m, const char *format, ...)
{
   va_list args;
   char text[400];
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const struct spirv_op_info *info = m->at >= 5 && m->at < m->count ? spirv_op_info(m->words[m->at] & 0xffff) : NULL;
   if (m->at >= 5)
      m->error = arena_printf(m->arena, "SPIR-V: %s at word %u: %s", info ? info->name : "instruction", m->at, text);
   else
      m->error = arena_printf(m->arena, "SPIR-V: %s", text);
   longjmp(m->fail, 1);
}

static void
release(struct spirv_module *m)
{
   dynarray_free(&m->decorations);
   dynarray_free(&m->group_words);
   dynarray_free(&m->entries);
   dynarray_free(&m->modes);
   dynarray_free(&m->functions);
   dynarray_free(&m->blocks);
   dynarray_free(&m->param_ids);
   dynarray_free(&m->pending);
   dynarray_free(&m->variables);
   arena_free(&m->temp);
}

/* Of struct spirv_entry *: by stage, by name, in the module's order. */
static int
compare_entries(const void *left, const void *right)
{
   const struct spirv_entry *a = *(struct spirv_entry *const *)left, *b = *(struct spirv_entry *const *)right;
   const int by_name = a->model == b->model ? strcmp(a->name, b->name) : a->model < b->model ? -1 : 1;
   return by_name ? by_name : a->word < b->word ? -1 : 1;
}

static void
check_names(struct spirv_module *m)
{
   const size_t count = dynarray_count(&m->entries, struct spirv_entry);
   const struct spirv_entry **sorted = arena_array(&m->temp, const struct spirv_entry *, count);
   for (size_t i = 0; i < count; i++)
      sorted[i] = dynarray_at(&m->entries, const struct spirv_entry, i);
   qsort(sorted, count, sizeof(const struct spirv_entry *), compare_entries);
   for (size_t i = 1; i < count; i++) {
      m->at = sorted[i]->word;
      spirv_require(m, sorted[i - 1]->model != sorted[i]->model || strcmp(sorted[i - 1]->name, sorted[i]->name),
                    "a second entry point of this name and stage");
   }
}

static void
check_entries(struct spirv_module *m)
{
   for (size_t i = 0; i < dynarray_count(&m->entries, struct spirv_entry); i++) {
      const struct spirv_entry *entry = dynarray_at(&m->entries, const struct spirv_entry, i);
      m->at = entry->word;
      spirv_require(m, m->ids[entry->function].opcode == SpvOpFunction, "%%%u is no function", entry->function);
      for (uint32_t n = 0; n < entry->num_interface; n++)
         spirv_require(m, m->ids[entry->interface[n]].kind == SPIRV_ID_VARIABLE, "%%%u is no variable of the module",
                       entry->interface[n]);
   }
   check_names(m);
   m->at = 0;
}

static void
read_module(struct spirv_module *m)
{
   spirv_parse(m);
   spirv_check_features(m);
   spirv_decorations(m);
   spirv_types_and_constants(m);
   check_entries(m);
}

static void
init(struct spirv_module *m, struct arena *arena, const uint32_t *words, size_t count)
{
   memset(m, 0, sizeof(*m));
   m->arena = arena;
   m->words = words;
   m->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static void
check_module(void *data)
{
   struct spirv_module *m = data;
   if (setjmp(m->fail))
      return;
   read_module(m);
   for (size_t i = 0; i < dynarray_count(&m->functions, struct spirv_function); i++)
      spirv_analyze_function(m, spirv_function(m, (uint32_t)i));
}

bool
spirv_check(struct arena *arena, const uint32_t *words, size_t count, const char **error)
{
   struct spirv_module m;
   struct arena scratch = {0}; /* of the types that the check builds */
   init(&m, &scratch, words, count);
   bool in_memory = within_memory(check_module, &m), ok = in_memory && !m.error;
   if (in_memory && m.error)
      *error = arena_strdup(arena, m.error);
   release(&m);
   arena_free(&scratch);
   if (!in_memory)
      out_of_memory("a SPIR-V module", count * 4);
   return ok;
}

#define SHALLOW 64 /* levels of nesting that take no more stack than the rest of a compilation */

size_t
spirv_stack_B(const uint32_t *words, size_t count)
{
   size_t may_nest = 0;
   for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16) {
      uint32_t opcode = words[at] & 0xffff;
      may_nest += opcode == SpvOpSelectionMerge || opcode == SpvOpLoopMerge || opcode == SpvOpFunctionCall ||
                  opcode == SpvOpTypeArray || opcode == SpvOpTypeStruct;
   }
   return may_nest > SHALLOW ? SPIRV_DEEP_STACK_B : 0;
}

/* ---- the entry point ---- */

const struct spirv_entry *
spirv_find_entry(const struct spirv_module *m)
{
   const char *name = m->options && m->options->entry_point ? m->options->entry_point : "main";
   for (size_t i = 0; m->options && i < dynarray_count(&m->entries, struct spirv_entry); i++) {
      const struct spirv_entry *entry = dynarray_at(&m->entries, const struct spirv_entry, i);
      if (entry->model == spirv_stages[m->options->stage].model && !strcmp(entry->name, name))
         return entry;
   }
   return NULL;
}

static void
find_entry(struct spirv_module *m)
{
   const char *name = m->options->entry_point ? m->options->entry_point : "main";
   m->entry = spirv_find_entry(m);
   spirv_require(m, m->entry, "no entry point \"%.100s\" for the stage %s", name, nir_stage_names[m->options->stage]);
   m->at = m->entry->word;
   spirv_require(m, spirv_stages[m->options->stage].is_supported, "%s shaders are not supported",
                 nir_stage_names[m->options->stage]);
   m->at = 0;
   for (uint32_t i = 0; i < m->entry->num_interface; i++)
      m->ids[m->entry->interface[i]].flags |= SPIRV_ID_INTERFACE;
}

static struct spirv_function *
entry_function(struct spirv_module *m)
{
   return spirv_function(m, m->ids[m->entry->function].function_index); /* check_entries() saw it */
}

/* Outputs with an initializer have a value even if the code never touches them. */
static void
initialize_outputs(struct spirv_emit *e)
{
   const struct spirv_entry *entry = e->m->entry;
   for (uint32_t i = 0; i < entry->num_interface; i++) {
      struct spirv_variable *variable = e->m->ids[entry->interface[i]].variable;
      if (variable->initializer && variable->storage == SpvStorageClassOutput)
         spirv_variable_pointer(e, variable);
   }
}

/* SampleId and SamplePosition in the interface ask for an invocation a sample, even if the code never reads them
 * (Vulkan, the built-ins' descriptions). */
static void
gather_sample_shading(struct spirv_emit *e)
{
   const struct spirv_entry *entry = e->m->entry;
   for (uint32_t i = 0; i < entry->num_interface; i++) {
      const struct spirv_variable *variable = e->m->ids[entry->interface[i]].variable;
      const int32_t builtin = variable->storage == SpvStorageClassInput ? variable->io.builtin : -1;
      if (builtin == SpvBuiltInSampleId || builtin == SpvBuiltInSamplePosition)
         e->shader->info.uses_sample_shading = true;
   }
}

static struct nir_shader *
emit_entry(struct spirv_module *m)
{
   struct nir_shader *shader = nir_shader_create(m->arena, m->options->stage);
   struct spirv_function *function = entry_function(m);
   shader->name = arena_strdup(m->arena, m->entry->name);
   if (spirv_has(m, SpvCapabilityCooperativeMatrixKHR)) {
      spirv_require(m, m->options->stage == NIR_STAGE_COMPUTE, "cooperative matrices in another stage than compute");
      shader->info.subgroup_size = (uint8_t)m->options->matrix_subgroup_size;
   }
   spirv_execution_modes(m, shader);
   spirv_analyze_function(m, function);
   m->at = function->word;
   spirv_require(m, function->type->element->kind == SPIRV_TYPE_VOID && !function->num_params,
                 "the entry point has parameters or a result");
   struct spirv_emit *e = arena_new(&m->temp, struct spirv_emit);
   *e = (struct spirv_emit){.m = m, .shader = shader, .b = nir_builder_create(shader)};
   e->start = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   function->active = true;
   initialize_outputs(e);
   gather_sample_shading(e);
   spirv_gather_xfb(e);
   spirv_emit_tree(e, function);
   if (e->needs_repair)
      spirv_repair(shader);
   const char *fault = shader->info.interlock ? nir_check_interlock(shader) : NULL;
   m->at = function->word;
   spirv_require(m, !fault, "%s", fault);
   return shader;
}

struct translation {
   struct spirv_module m;
   struct nir_shader *shader;
};

static void
translate(void *data)
{
   struct translation *t = data;
   if (setjmp(t->m.fail))
      return;
   read_module(&t->m);
   find_entry(&t->m);
   t->shader = emit_entry(&t->m);
}

struct nir_shader *
spirv_to_nir(struct arena *arena, const uint32_t *words, size_t count, const struct spirv_options *options,
             const char **error)
{
   struct translation t = {.shader = NULL};
   init(&t.m, arena, words, count);
   t.m.options = options;
   bool in_memory = within_memory(translate, &t);
   if (t.m.error)
      *error = t.m.error;
   release(&t.m);
   if (!in_memory)
      out_of_memory("a SPIR-V module", count * 4);
   return t.m.error ? NULL : t.shader;
}
