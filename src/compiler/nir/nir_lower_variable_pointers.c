/* Buffers that are chosen at run time: what vulkan_resource_index makes becomes a number of the binding and the index
 * in its array, and an access through such numbers becomes one for each binding of the shader, in a tree of
 * conditions. Most pointers turn out to be into one buffer: then nothing is left to choose. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

struct binding {
   uint32_t set, binding;
   bool is_array; /* some index is not 0 */
};

struct pass {
   struct nir_shader *shader;
   struct dynarray bindings; /* struct binding */
   struct dynarray accesses; /* struct nir_intrinsic_instr *: through numbers */
   bool has_values;          /* a buffer is more than the source of an access: it is compared, for one */
};

/* Which source names a buffer; -1: none. */
static int
buffer_source(const struct nir_intrinsic_instr *instr)
{
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_get_ssbo_size:
      return 0;
   case NIR_INTRINSIC_store_ssbo:
      return 1;
   default: /* others: not of storage buffers */
      return -1;
   }
}

static struct nir_intrinsic_instr *
as_resource(const struct nir_def *def)
{
   struct nir_intrinsic_instr *instr =
      def->parent->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(def->parent) : NULL;
   return instr && instr->op == NIR_INTRINSIC_vulkan_resource_index ? instr : NULL;
}

/* A vector of the components of one resource is that resource. */
static struct nir_def *
whole_resource(struct nir_def *def)
{
   if (def->parent->type != NIR_INSTR_ALU || nir_as_alu(def->parent)->op != NIR_OP_vec2)
      return def;
   const struct nir_alu_instr *vec = nir_as_alu(def->parent);
   const bool in_order = vec->src[0].swizzle[0] == 0 && vec->src[1].swizzle[0] == 1;
   struct nir_def *from = vec->src[0].src.def;
   return from == vec->src[1].src.def && in_order && as_resource(from) ? from : def;
}

static bool
names_buffer(const struct nir_src *use)
{
   const struct nir_instr *instr = use->parent_instr;
   const struct nir_intrinsic_instr *intrinsic =
      instr && instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
   const int source = intrinsic ? buffer_source(intrinsic) : -1;
   return source >= 0 && use == &intrinsic->src[source];
}

static bool
is_value(const struct nir_def *def)
{
   const struct nir_intrinsic_instr *resource = def ? as_resource(def) : NULL;
   if (!resource || nir_intrinsic_descriptor_kind(resource) != NIR_DESCRIPTOR_STORAGE_BUFFER)
      return false;
   nir_foreach_use(use, def) {
      if (!names_buffer(use))
         return true;
   }
   return false;
}

static void
find_accesses(struct pass *p)
{
   p->accesses.size_B = 0;
   p->has_values = false;
   nir_foreach_block(block, p->shader) {
      nir_foreach_instr(instr, block) {
         p->has_values |= is_value(nir_instr_def(instr));
         struct nir_intrinsic_instr *intrinsic = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         const int source = intrinsic ? buffer_source(intrinsic) : -1;
         if (source < 0 || intrinsic->src[source].def->num_components != 2)
            continue;
         nir_src_rewrite(&intrinsic->src[source], whole_resource(intrinsic->src[source].def));
         if (!as_resource(intrinsic->src[source].def))
            dynarray_append(&p->accesses, struct nir_intrinsic_instr *, intrinsic);
      }
   }
}

/* Pointers into one buffer differ in their offsets only. */
static void
simplify(struct nir_shader *shader)
{
   NIR_PASS(shader, nir_lower_alu_to_scalar);
   NIR_PASS(shader, nir_lower_phis_to_scalar);
   for (struct nir_rounds r = {.shader = shader, .most = 10}; nir_next_round(&r);) {
      NIR_ROUND_PASS(&r, nir_opt_copy_prop);
      NIR_ROUND_PASS(&r, nir_remove_phis);
      NIR_ROUND_PASS(&r, nir_opt_algebraic);
      NIR_ROUND_PASS(&r, nir_opt_constant_folding);
      NIR_ROUND_PASS(&r, nir_opt_cse);
      NIR_ROUND_PASS(&r, nir_opt_dead_cf);
      NIR_PASS(r.shader, nir_opt_dce);
   }
}

/* ---- numbers ---- */

/* The number of the binding, from 1 on: a null pointer has 0. */
static uint32_t
number_of(struct pass *p, const struct nir_intrinsic_instr *resource)
{
   const bool is_array = !nir_src_is_const(resource->src[0]) || nir_src_comp_as_uint(resource->src[0], 0);
   for (size_t i = 0; i < dynarray_count(&p->bindings, struct binding); i++) {
      struct binding *known = dynarray_at(&p->bindings, struct binding, i);
      if (known->set == nir_intrinsic_set(resource) && known->binding == nir_intrinsic_binding(resource)) {
         known->is_array |= is_array;
         return (uint32_t)i + 1;
      }
   }
   dynarray_append(&p->bindings, struct binding,
                   ((struct binding){nir_intrinsic_set(resource), nir_intrinsic_binding(resource), is_array}));
   return (uint32_t)dynarray_count(&p->bindings, struct binding);
}

static void
number_resource(struct pass *p, struct nir_intrinsic_instr *resource)
{
   struct nir_builder b = nir_builder_at(p->shader, nir_after_instr(&resource->instr));
   struct nir_def *parts[2] = {nir_imm_int(&b, (int32_t)number_of(p, resource)), resource->src[0].def};
   struct nir_def *number = nir_vec(&b, parts, 2);
   nir_foreach_use_safe(use, &resource->def) {
      if (!names_buffer(use))
         nir_src_rewrite(use, number);
   }
}

static void
number_resources(struct pass *p)
{
   nir_foreach_block(block, p->shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *resource = nir_instr_def(instr) ? as_resource(nir_instr_def(instr)) : NULL;
         if (!resource || nir_intrinsic_descriptor_kind(resource) != NIR_DESCRIPTOR_STORAGE_BUFFER)
            continue;
         number_resource(p, resource);
      }
   }
}

/* ---- accesses ---- */

static struct nir_def *
access_binding(struct nir_builder *b, const struct nir_intrinsic_instr *access, const struct binding *binding)
{
   const int source = buffer_source(access);
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[access->op];
   struct nir_def *srcs[NIR_INTRINSIC_MAX_SRCS] = {0}, *number = access->src[source].def;
   for (unsigned i = 0; i < info->num_srcs; i++)
      srcs[i] = access->src[i].def;
   struct nir_def *index = binding->is_array ? nir_channel(b, number, 1) : nir_imm_int(b, 0);
   srcs[source] = nir_vulkan_resource_index(b, index, .set = binding->set, .binding = binding->binding,
                                            .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
   struct nir_intrinsic_instr *made = nir_build_intrinsic(b, access->op, access->num_components,
                                                          info->has_dest ? access->def.bit_size : 0, srcs, NULL);
   for (unsigned i = 0; i < NIR_INTRINSIC_MAX_INDICES; i++)
      made->index[i] = access->index[i];
   if (binding->is_array)
      nir_intrinsic_set_access(made, nir_intrinsic_access(made) | NIR_ACCESS_NON_UNIFORM);
   return info->has_dest ? &made->def : NULL;
}

/* The bindings from `first` to before `end`, by halves. */
static struct nir_def *
access_one_of(struct pass *p, struct nir_builder *b, const struct nir_intrinsic_instr *access, size_t first,
              size_t end)
{
   if (first + 1 == end)
      return access_binding(b, access, dynarray_at(&p->bindings, const struct binding, first));
   const size_t middle = (first + end) / 2;
   struct nir_def *number = nir_channel(b, access->src[buffer_source(access)].def, 0);
   struct nir_if *below = nir_push_if(b, nir_ult(b, number, nir_imm_int(b, (int32_t)middle + 1)));
   struct nir_def *value = access_one_of(p, b, access, first, middle);
   nir_push_else(b, below);
   struct nir_def *other = access_one_of(p, b, access, middle, end);
   nir_pop_if(b, below);
   return value ? nir_if_phi(b, value, other) : NULL;
}

static void
lower_accesses(struct pass *p)
{
   for (size_t i = 0; i < dynarray_count(&p->accesses, struct nir_intrinsic_instr *); i++) {
      struct nir_intrinsic_instr *access = *dynarray_at(&p->accesses, struct nir_intrinsic_instr *, i);
      struct nir_builder b = nir_builder_at(p->shader, nir_before_instr(&access->instr));
      struct nir_def *value = access_one_of(p, &b, access, 0, dynarray_count(&p->bindings, struct binding));
      if (value)
         nir_def_replace(&access->def, value);
      nir_instr_remove(&access->instr);
   }
}

bool
nir_lower_variable_pointers(struct nir_shader *shader)
{
   struct pass p = {.shader = shader};
   struct owned bindings, accesses;
   own(&bindings, dynarray_release, &p.bindings);
   own(&accesses, dynarray_release, &p.accesses);
   find_accesses(&p);
   const bool progress = p.has_values || dynarray_count(&p.accesses, struct nir_intrinsic_instr *);
   if (progress) {
      simplify(shader);
      find_accesses(&p);
      number_resources(&p);
      if (dynarray_count(&p.bindings, struct binding))
         lower_accesses(&p);
   }
   disown(&accesses);
   disown(&bindings);
   return progress;
}
