#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

struct access {
   struct nir_builder *b;
   struct nir_deref_path path;
   struct nir_intrinsic_instr *instr;
};

static bool
is_indirect(const struct nir_deref_instr *deref)
{
   return deref->deref_type == NIR_DEREF_ARRAY && !nir_src_is_const(deref->index) &&
          !nir_type_is_vector_or_scalar(nir_as_deref(deref->parent.def->parent)->type);
}

static unsigned
array_length(const struct nir_type *type)
{
   return type->base == NIR_TYPE_ARRAY ? type->length : type->columns;
}

/* The same step of the path from another parent; index NULL: the step's own. */
static struct nir_deref_instr *
rebuild(struct nir_builder *b, struct nir_deref_instr *parent, const struct nir_deref_instr *step)
{
   return step->deref_type == NIR_DEREF_STRUCT ? nir_build_deref_struct(b, parent, step->field)
                                               : nir_build_deref_array(b, parent, step->index.def);
}

static struct nir_def *load_from(struct access *a, struct nir_deref_instr *parent, unsigned step);

/* Elements [first, first + count) of the array, chosen by halves. */
static struct nir_def *
load_range(struct access *a, struct nir_deref_instr *parent, unsigned step, unsigned first, unsigned count)
{
   if (count == 1)
      return load_from(a, nir_build_deref_array_imm(a->b, parent, first), step + 1);
   unsigned half = count / 2;
   struct nir_def *low = load_range(a, parent, step, first, half);
   struct nir_def *high = load_range(a, parent, step, first + half, count - half);
   return nir_bcsel(a->b, nir_ult_imm(a->b, a->path.path[step]->index.def, first + half), low, high);
}

static struct nir_def *
load_from(struct access *a, struct nir_deref_instr *parent, unsigned step)
{
   for (; step < a->path.length; step++) {
      if (is_indirect(a->path.path[step]))
         return load_range(a, parent, step, 0, array_length(parent->type));
      parent = rebuild(a->b, parent, a->path.path[step]);
   }
   return nir_build_load_deref_of(a->b, parent, nir_intrinsic_access(a->instr));
}

/* condition NULL: always. Every element is stored: its new value or what it held. */
static void
store_to(struct access *a, struct nir_deref_instr *parent, unsigned step, struct nir_def *condition)
{
   for (; step < a->path.length; step++) {
      struct nir_deref_instr *at = a->path.path[step];
      if (is_indirect(at)) {
         for (unsigned i = 0; i < array_length(parent->type); i++) {
            struct nir_def *here = nir_ieq_imm(a->b, at->index.def, i);
            store_to(a, nir_build_deref_array_imm(a->b, parent, i), step + 1,
                     condition ? nir_iand(a->b, condition, here) : here);
         }
         return;
      }
      parent = rebuild(a->b, parent, at);
   }
   uint32_t access = nir_intrinsic_access(a->instr);
   struct nir_def *value = a->instr->src[1].def;
   value = nir_bcsel(a->b, condition, value, nir_build_load_deref_of(a->b, parent, access));
   nir_build_store_deref_of(a->b, parent, value, nir_intrinsic_write_mask(a->instr), access);
}

/* How many elements the run-time indices of the path can reach, 1 if there is none. */
static uint64_t
reach(const struct nir_deref_path *path)
{
   uint64_t count = 1;
   for (unsigned i = 1; i < path->length && count < UINT32_MAX; i++) {
      if (is_indirect(path->path[i]))
         count *= array_length(path->path[i - 1]->type);
   }
   return count;
}

static bool
lower(struct nir_shader *shader, struct nir_intrinsic_instr *instr, unsigned max_elements)
{
   bool load = instr->op == NIR_INTRINSIC_load_deref;
   if (!load && instr->op != NIR_INTRINSIC_store_deref)
      return false;
   struct nir_deref_instr *deref = nir_src_as_deref(instr->src[0]);
   if (deref->mode != NIR_VAR_FUNCTION_TEMP)
      return false;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&instr->instr));
   struct access a = {.b = &b, .instr = instr};
   nir_deref_path_of(deref, &a.path);
   uint64_t elements = reach(&a.path);
   if (elements <= 1 || elements > max_elements)
      return false;
   if (load)
      nir_def_replace(&instr->def, load_from(&a, a.path.path[0], 1));
   else
      store_to(&a, a.path.path[0], 1, NULL);
   nir_instr_remove(&instr->instr);
   return true;
}

bool
nir_lower_indirect_derefs(struct nir_shader *shader, unsigned max_elements)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= lower(shader, nir_as_intrinsic(instr), max_elements);
      }
   }
   return progress;
}
