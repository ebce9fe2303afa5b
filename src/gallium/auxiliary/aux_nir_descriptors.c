#include "gallium/auxiliary/aux_nir_descriptors.h"

#include "util/arena.h"
#include "util/macros.h"

void
aux_nir_descriptors_init(struct aux_nir_descriptors *l, struct nir_shader *shader)
{
   l->b.shader = shader;
   l->top = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
}

static const struct pipe_set_binding *
find_binding(struct aux_nir_descriptors *l, uint32_t set, uint32_t binding)
{
   const struct pipe_set_layout *s = set < l->layout->num_sets ? l->layout->sets[set] : NULL;

   if (!s || binding >= s->num_bindings || !s->bindings[binding].count) {
      *l->error = arena_printf(l->b.shader->arena, "the pipeline layout has no binding %u in set %u", binding, set);
      return NULL;
   }
   if (l->used_sets)
      *l->used_sets |= 1u << set;
   return &s->bindings[binding];
}

static bool
is_early(struct aux_nir_descriptors *l, uint32_t set, uint32_t offset_B)
{
   for (unsigned i = 0; i < l->num_early; i++) {
      if (l->early[i].set == set && l->early[i].offset_B == offset_B)
         return true;
   }
   if (l->num_early == AUX_EARLY_DESCRIPTORS)
      return false;
   l->early[l->num_early].set = set;
   l->early[l->num_early++].offset_B = offset_B;
   return true;
}

static bool
find(struct aux_nir_descriptors *l, uint32_t set, uint32_t number, struct nir_def *element,
     struct aux_descriptor *found)
{
   const struct pipe_set_binding *binding = find_binding(l, set, number);

   if (!binding)
      return false;
   /* Elements that a set may lack are read only where the shader uses them. */
   bool is_const = element->parent->type == NIR_INSTR_LOAD_CONST && !binding->variable_count;
   bool is_dynamic = binding->kind == PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC ||
                     binding->kind == PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
   uint32_t first_B = binding->offset_B, stride_B = binding->stride_B;

   if (is_dynamic) {
      stride_B = l->dynamic_stride_B;
      first_B = stride_B * (l->layout->dynamic_base[set] + binding->dynamic_index);
   }
   *found = (struct aux_descriptor){binding, set, is_dynamic, &l->b, NULL};
   if (is_const) {
      const uint32_t offset_B = nir_as_load_const(element->parent)->value[0].u32 * stride_B + first_B;
      if (is_dynamic || is_early(l, set, offset_B))
         found->b = &l->top;
      found->offset_B = nir_imm_int(found->b, (int32_t)offset_B);
   } else
      found->offset_B = nir_iadd_imm(found->b, nir_imul_imm(found->b, element, stride_B), first_B);
   return true;
}

bool
aux_find_buffer(struct aux_nir_descriptors *l, struct nir_def *resource, struct aux_descriptor *found)
{
   struct nir_instr *parent = resource->parent;

   if (parent->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(parent)->op != NIR_INTRINSIC_vulkan_resource_index) {
      *l->error = "a buffer that is not chosen by a constant binding is not supported";
      return false;
   }
   struct nir_intrinsic_instr *index = nir_as_intrinsic(parent);
   return find(l, nir_intrinsic_set(index), nir_intrinsic_binding(index), index->src[0].def, found);
}

/* The variable and the flattened index into its arrays: an index of constants is one, once it is folded. */
bool
aux_find_deref(struct aux_nir_descriptors *l, struct nir_def *def, struct aux_descriptor *found)
{
   struct nir_deref_instr *deref = nir_as_deref(def->parent);
   struct nir_def *index = NULL;
   uint32_t stride = 1;

   for (; deref->deref_type == NIR_DEREF_ARRAY; deref = nir_as_deref(deref->parent.def->parent)) {
      const struct nir_type *array = nir_as_deref(deref->parent.def->parent)->type;
      struct nir_def *term = nir_imul_imm(&l->b, deref->index.def, stride);

      index = index ? nir_iadd(&l->b, index, term) : term;
      stride *= MAX2(array->length, 1u);
   }
   return find(l, deref->var->set, deref->var->binding, index ? index : nir_imm_int(&l->b, 0), found);
}

bool
aux_is_lone_sampler(const struct aux_descriptor *descriptor, struct nir_def *deref)
{
   const enum pipe_descriptor kind = descriptor->binding->kind;

   return kind == PIPE_DESCRIPTOR_SAMPLER ||
          (kind == PIPE_DESCRIPTOR_MUTABLE && nir_as_deref(deref->parent)->type->base == NIR_TYPE_SAMPLER);
}

struct nir_def *
aux_descriptor_offset(const struct aux_descriptor *descriptor, uint32_t inside_B)
{
   struct nir_instr *parent = descriptor->offset_B->parent;

   if (parent->type == NIR_INSTR_LOAD_CONST)
      return nir_imm_int(descriptor->b, (int32_t)(nir_as_load_const(parent)->value[0].u32 + inside_B));
   return nir_iadd_imm(descriptor->b, descriptor->offset_B, inside_B);
}
