#include "gallium/auxiliary/aux_shader_standalone.h"

#include "compiler/nir/nir.h"
#include "util/macros.h"

static const struct nir_type *
element_of(const struct nir_type *type, uint32_t *count)
{
   for (*count = 1; type->base == NIR_TYPE_ARRAY; type = type->element)
      *count *= MAX2(type->length, 1u);
   return type;
}

static enum pipe_descriptor
kind_of(const struct nir_variable *var, const struct nir_type *type)
{
   if (var->mode == NIR_VAR_UBO)
      return PIPE_DESCRIPTOR_UNIFORM_BUFFER;
   if (var->mode == NIR_VAR_SSBO)
      return PIPE_DESCRIPTOR_STORAGE_BUFFER;
   if (type->base == NIR_TYPE_SAMPLER)
      return PIPE_DESCRIPTOR_SAMPLER;
   if (type->dim == NIR_DIM_BUF)
      return PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER;
   if (type->base == NIR_TYPE_SAMPLED_IMAGE)
      return PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER;
   return PIPE_DESCRIPTOR_SAMPLED_IMAGE;
}

static bool
is_resource(const struct nir_variable *var)
{
   return var->mode == NIR_VAR_UBO || var->mode == NIR_VAR_SSBO || var->mode == NIR_VAR_UNIFORM;
}

/* A set's bindings one after another, in their order; NULL if the shader has none there. */
static struct pipe_set_layout *
set_layout(struct nir_shader *nir, const struct pipe_caps *caps, uint32_t set)
{
   struct pipe_set_layout *layout = NULL;
   uint32_t num_bindings = 0;

   nir_foreach_variable(var, nir) {
      if (is_resource(var) && var->set == set)
         num_bindings = MAX2(num_bindings, var->binding + 1);
   }
   if (!num_bindings)
      return NULL;
   layout = arena_alloc(nir->arena, sizeof(*layout) + num_bindings * sizeof(layout->bindings[0]));
   layout->num_bindings = num_bindings;
   nir_foreach_variable(var, nir) {
      if (is_resource(var) && var->set == set) {
         struct pipe_set_binding *binding = &layout->bindings[var->binding];
         uint32_t count;

         binding->kind = kind_of(var, element_of(var->type, &count));
         binding->count = MAX2(binding->count, count);
      }
   }
   for (uint32_t i = 0; i < num_bindings; i++) {
      struct pipe_set_binding *binding = &layout->bindings[i];

      binding->stride_B = caps->descriptor_size_B[binding->kind];
      binding->offset_B = layout->size_B;
      layout->size_B += binding->stride_B * binding->count;
   }
   return layout;
}

struct pipe_pipeline_layout *
aux_shader_standalone_layout(struct nir_shader *nir, const struct pipe_caps *caps)
{
   struct pipe_pipeline_layout *layout = arena_new(nir->arena, struct pipe_pipeline_layout);

   layout->num_sets = caps->max_sets;
   for (uint32_t i = 0; i < layout->num_sets; i++)
      layout->sets[i] = set_layout(nir, caps, i);
   return layout;
}
