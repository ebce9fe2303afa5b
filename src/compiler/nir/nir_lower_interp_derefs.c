#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

struct lower {
   struct nir_builder b;
   struct nir_intrinsic_instr *instr;
   struct nir_deref_path path;
};

static bool
is_indirect(const struct nir_deref_instr *deref)
{
   return deref->deref_type == NIR_DEREF_ARRAY && !nir_src_is_const(deref->index);
}

/* The interpolation of one element: the same instruction on another path. */
static struct nir_def *
interpolate(struct lower *l, struct nir_deref_instr *deref)
{
   struct nir_intrinsic_instr *old = l->instr;
   struct nir_intrinsic_instr *instr = nir_intrinsic_create(l->b.shader, old->op);
   instr->num_components = old->num_components;
   nir_src_init(&instr->src[0], &deref->def);
   if (old->op != NIR_INTRINSIC_interp_deref_at_centroid)
      nir_src_init(&instr->src[1], old->src[1].def);
   nir_def_init(l->b.shader, &instr->instr, &instr->def, old->def.num_components, old->def.bit_size);
   nir_builder_insert(&l->b, &instr->instr);
   return &instr->def;
}

static struct nir_def *rebuild(struct lower *l, struct nir_deref_instr *parent, unsigned step);

/* Elements [first, first + count) of the array, chosen by halves. */
static struct nir_def *
choose(struct lower *l, struct nir_deref_instr *parent, unsigned step, unsigned first, unsigned count)
{
   if (count == 1)
      return rebuild(l, nir_build_deref_array_imm(&l->b, parent, first), step + 1);
   struct nir_def *low = choose(l, parent, step, first, count / 2);
   struct nir_def *high = choose(l, parent, step, first + count / 2, count - count / 2);
   return nir_bcsel(&l->b, nir_ult_imm(&l->b, l->path.path[step]->index.def, first + count / 2), low, high);
}

static unsigned
length_of(const struct nir_type *type)
{
   return type->base == NIR_TYPE_ARRAY         ? type->length
          : nir_type_is_vector_or_scalar(type) ? type->components
                                               : type->columns;
}

static struct nir_def *
rebuild(struct lower *l, struct nir_deref_instr *parent, unsigned step)
{
   for (; step < l->path.length; step++) {
      struct nir_deref_instr *at = l->path.path[step];
      if (is_indirect(at))
         return choose(l, parent, step, 0, length_of(parent->type));
      parent = at->deref_type == NIR_DEREF_STRUCT ? nir_build_deref_struct(&l->b, parent, at->field)
                                                  : nir_build_deref_array(&l->b, parent, at->index.def);
   }
   return interpolate(l, parent);
}

/* Run-time indices into the variable: by this path, or by any other. */
static bool
has_run_time_index(struct nir_shader *shader, const struct nir_variable *variable)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_DEREF && nir_as_deref(instr)->mode == NIR_VAR_SHADER_IN &&
             is_indirect(nir_as_deref(instr)) && nir_deref_variable(nir_as_deref(instr)) == variable)
            return true;
      }
   }
   return false;
}

/* A second variable of the same place, which no run-time index reaches. */
static struct nir_variable *
twin_of(struct nir_shader *shader, const struct nir_variable *variable)
{
   struct nir_variable *twin = nir_variable_create(shader, variable->mode, variable->type, variable->name);
   const struct list_head link = twin->link;
   const uint32_t index = twin->index;
   *twin = *variable;
   twin->link = link;
   twin->index = index;
   return twin;
}

bool
nir_lower_interp_derefs(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct lower l = {.instr = nir_as_intrinsic(instr)};
         if (l.instr->op != NIR_INTRINSIC_interp_deref_at_centroid &&
             l.instr->op != NIR_INTRINSIC_interp_deref_at_sample &&
             l.instr->op != NIR_INTRINSIC_interp_deref_at_offset &&
             l.instr->op != NIR_INTRINSIC_interp_deref_at_vertex)
            continue;
         struct nir_deref_instr *deref = nir_src_as_deref(l.instr->src[0]);
         struct nir_variable *variable = nir_deref_variable(deref);
         if (!has_run_time_index(shader, variable))
            continue;
         l.b = nir_builder_at(shader, nir_before_instr(instr));
         nir_deref_path_of(deref, &l.path);
         struct nir_def *result = rebuild(&l, nir_build_deref_var(&l.b, twin_of(shader, variable)), 1);
         nir_def_replace(&l.instr->def, result);
         nir_instr_remove(instr);
         progress = true;
      }
   }
   return progress;
}
