/* Temporaries that hold the same constants wherever they are read become tables of constants, one of each content.
 * What is read before it is written is undefined, so when and how often a table is written does not matter: each of
 * its scalars has one value, or none. */
#include <string.h>

#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/bitset.h"
#include "util/macros.h"

#define LARGE 256 /* scalars: a table whatever its indices are; loads at constant places are folded */

struct table {
   struct nir_variable *variable;
   uint32_t scalars;
   union nir_const_value *values;
   bitset_word *known; /* scalars that something was written to */
   bool refused, wanted;
   struct table *same; /* an earlier one of the same content, or itself */
};

struct tables {
   struct nir_shader *shader;
   struct table *at;
   uint32_t count;
   unsigned max_selected;
};

/* Of temporaries that are candidates; the variable's offset, which it has no other use for yet, is the number + 1. */
static struct table *
table_of(const struct tables *tables, struct nir_deref_instr *deref)
{
   struct nir_variable *variable = nir_deref_variable(deref);
   bool candidate = variable && variable->mode == NIR_VAR_FUNCTION_TEMP && variable->offset_B;
   return candidate ? &tables->at[variable->offset_B - 1] : NULL;
}

static bool
is_candidate(const struct nir_variable *variable, unsigned max_selected)
{
   return variable->mode == NIR_VAR_FUNCTION_TEMP && nir_type_scalars(variable->type) > max_selected &&
          nir_type_scalars(variable->type) <= NIR_MAX_INITIALIZER;
}

static void
find_candidates(struct tables *tables)
{
   struct nir_shader *shader = tables->shader;
   uint32_t capacity = 0;
   nir_foreach_variable(variable, shader)
      capacity += is_candidate(variable, tables->max_selected);
   if (!capacity)
      return;
   tables->at = arena_array(shader->arena, struct table, capacity);
   nir_foreach_variable(variable, shader) {
      if (!is_candidate(variable, tables->max_selected))
         continue;
      struct table *table = &tables->at[tables->count++];
      *table = (struct table){.variable = variable, .scalars = nir_type_scalars(variable->type)};
      variable->offset_B = tables->count;
   }
}

/* ---- what is read and written ---- */

/* Elements that run-time indices choose among. */
static uint64_t
reach(struct nir_deref_instr *deref)
{
   uint64_t count = 1;
   for (struct nir_deref_instr *parent; (parent = nir_deref_parent(deref)) && count < UINT32_MAX; deref = parent) {
      if (deref->deref_type != NIR_DEREF_ARRAY || nir_type_is_vector_or_scalar(parent->type) ||
          nir_src_is_const(deref->index))
         continue;
      count *= parent->type->base == NIR_TYPE_ARRAY ? parent->type->length : parent->type->columns;
   }
   return count;
}

/* Scalars of the variable ahead of what the path leads to; false if an index is no constant or leads outside. */
static bool
first_scalar(struct nir_deref_instr *deref, uint64_t *first)
{
   *first = 0;
   for (struct nir_deref_instr *parent; (parent = nir_deref_parent(deref)); deref = parent) {
      if (deref->deref_type == NIR_DEREF_STRUCT) {
         for (uint32_t i = 0; i < deref->field; i++)
            *first += nir_type_scalars(parent->type->fields[i].type);
         continue;
      }
      uint64_t scalars = nir_type_scalars(deref->type);
      if (!nir_src_is_const(deref->index) ||
          nir_src_comp_as_uint(deref->index, 0) * scalars >= nir_type_scalars(parent->type))
         return false;
      *first += nir_src_comp_as_uint(deref->index, 0) * scalars;
   }
   return true;
}

static void
make_values(struct nir_shader *shader, struct table *table)
{
   const union nir_const_value *initial = table->variable->initializer;
   if (table->values)
      return;
   table->values = arena_array(shader->arena, union nir_const_value, table->scalars);
   table->known = arena_array(shader->arena, bitset_word, BITSET_WORDS(table->scalars));
   if (initial)
      memcpy(table->values, initial, table->scalars * sizeof(*initial));
   for (uint32_t i = 0; initial && i < table->scalars; i++)
      bitset_set(table->known, i);
}

static void
note_store(struct nir_shader *shader, struct table *table, const struct nir_intrinsic_instr *store)
{
   const struct nir_instr *value = store->src[1].def->parent;
   uint64_t first;
   if (value->type == NIR_INSTR_UNDEF || table->refused)
      return;
   if (value->type != NIR_INSTR_LOAD_CONST || !first_scalar(nir_src_as_deref(store->src[0]), &first)) {
      table->refused = true;
      return;
   }
   make_values(shader, table);
   for (uint32_t mask = nir_intrinsic_write_mask(store); mask; mask &= mask - 1) {
      uint32_t component = (uint32_t)__builtin_ctz(mask), at = (uint32_t)first + component;
      union nir_const_value written = nir_as_load_const(value)->value[component];
      table->refused |= bitset_test(table->known, at) && table->values[at].u64 != written.u64;
      table->values[at] = written;
      bitset_set(table->known, at);
   }
}

/* Of a deref into a candidate. */
static void
note_uses(struct tables *tables, struct table *table, struct nir_deref_instr *deref)
{
   nir_foreach_use(use, &deref->def) {
      const struct nir_instr *user = use->parent_instr;
      const struct nir_intrinsic_instr *intr =
         user && user->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(user) : NULL;
      if (user && user->type == NIR_INSTR_DEREF)
         continue;
      bool plain = intr && !(nir_intrinsic_has_access(intr) && nir_intrinsic_access(intr) & NIR_ACCESS_VOLATILE);
      if (plain && intr->op == NIR_INTRINSIC_load_deref)
         table->wanted |= table->scalars > LARGE || reach(deref) > tables->max_selected;
      else if (plain && intr->op == NIR_INTRINSIC_store_deref && use == &intr->src[0])
         note_store(tables->shader, table, intr);
      else
         table->refused = true;
   }
}

/* ---- what becomes of it ---- */

static bool
same_content(const struct table *a, const struct table *b)
{
   return a->scalars == b->scalars && nir_type_equal(a->variable->type, b->variable->type) &&
          !memcmp(a->values, b->values, a->scalars * sizeof(*a->values));
}

static void
place_table(struct nir_shader *shader, struct table *table)
{
   struct nir_variable *variable = table->variable;
   uint32_t *size_B = &shader->info.constant_B;
   variable->type = nir_type_with_layout(shader->arena, variable->type);
   uint32_t begin_B = (uint32_t)align_up(*size_B, MAX2(nir_type_align_B(variable->type), 4u));
   variable->mode = NIR_VAR_CONSTANT;
   variable->initializer = table->values;
   variable->offset_B = begin_B;
   *size_B = (uint32_t)align_up((uint64_t)begin_B + nir_type_explicit_size_B(variable->type), 4);
}

/* Tables are few; those of one content stand near each other, as one source makes them. */
static bool
choose(struct tables *tables)
{
   bool any = false;
   for (uint32_t i = 0; i < tables->count; i++) {
      struct table *table = &tables->at[i];
      uint64_t size_B = nir_type_explicit_size_B(nir_type_with_layout(tables->shader->arena, table->variable->type));
      table->refused |= !table->wanted || tables->shader->info.constant_B + size_B + 64 > NIR_MAX_CONSTANT_B;
      if (table->refused)
         continue;
      make_values(tables->shader, table);
      for (uint32_t k = 0; k < i && !table->same; k++) {
         if (!tables->at[k].refused && tables->at[k].same == &tables->at[k] && same_content(&tables->at[k], table))
            table->same = &tables->at[k];
      }
      table->same = table->same ? table->same : table;
      any = true;
   }
   return any;
}

static void
redirect(struct tables *tables)
{
   nir_foreach_block(block, tables->shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_deref_instr *deref = instr->type == NIR_INSTR_DEREF ? nir_as_deref(instr) : NULL;
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_deref) {
            struct table *stored = table_of(tables, nir_src_as_deref(nir_as_intrinsic(instr)->src[0]));
            if (stored && stored->same)
               nir_instr_remove(instr);
            continue;
         }
         struct table *table = deref ? table_of(tables, deref) : NULL;
         if (table && table->same)
            deref->mode = NIR_VAR_CONSTANT;
      }
   }
   nir_foreach_block(block, tables->shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_DEREF || nir_as_deref(instr)->deref_type != NIR_DEREF_VAR)
            continue;
         struct table *table = table_of(tables, nir_as_deref(instr));
         if (table && table->same)
            nir_as_deref(instr)->var = table->same->variable;
      }
   }
}

bool
nir_lower_constant_tables(struct nir_shader *shader, unsigned max_selected)
{
   struct tables tables = {.shader = shader, .max_selected = max_selected};
   find_candidates(&tables);
   if (!tables.count)
      return false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         struct table *table = instr->type == NIR_INSTR_DEREF ? table_of(&tables, nir_as_deref(instr)) : NULL;
         if (table)
            note_uses(&tables, table, nir_as_deref(instr));
      }
   }
   bool progress = choose(&tables);
   if (progress)
      redirect(&tables);
   for (uint32_t i = 0; i < tables.count; i++) {
      tables.at[i].variable->offset_B = 0;
      if (tables.at[i].same == &tables.at[i])
         place_table(shader, &tables.at[i]);
   }
   if (progress) {
      nir_retype_derefs(shader, NIR_VAR_CONSTANT);
      nir_remove_dead_variables(shader, NIR_VAR_FUNCTION_TEMP);
   }
   return progress;
}
