/* Where a shader's names of resources lead, by its pipeline layout: what the lowering of descriptors starts with. */
#ifndef INDIUM_AUX_NIR_DESCRIPTORS_H
#define INDIUM_AUX_NIR_DESCRIPTORS_H

#include "compiler/nir/nir_builder.h"
#include "gallium/include/pipe/p_state.h"

enum { AUX_EARLY_DESCRIPTORS = 16 };

/* A lowering under way. */
struct aux_nir_descriptors {
   struct nir_builder b;
   /* The start of the shader: what does not depend on the place of use is loaded there, once and not in loops, up to
    * as many descriptors as fit into registers. Others are loaded where they are used. */
   struct nir_builder top;
   struct {
      uint32_t set, offset_B;
   } early[AUX_EARLY_DESCRIPTORS]; /* of what is loaded at the top */
   unsigned num_early;
   const struct pipe_pipeline_layout *layout;
   uint32_t dynamic_stride_B; /* of the driver's table of dynamic buffers */
   uint32_t *used_sets;       /* bit per set that is read; NULL: nobody asks */
   const char **error;
};

/* A descriptor: where it lies in its set, or in the table of dynamic buffers. */
struct aux_descriptor {
   const struct pipe_set_binding *binding;
   uint32_t set;
   bool is_dynamic;
   struct nir_builder *b; /* where its words are loaded */
   struct nir_def *offset_B;
};

void aux_nir_descriptors_init(struct aux_nir_descriptors *l, struct nir_shader *shader);

/* Of a buffer, by its vulkan_resource_index, or of an image or sampler, by its deref; new instructions go to l->b.
 * False with *l->error: the layout has no such binding, or no constant says which. */
bool aux_find_buffer(struct aux_nir_descriptors *l, struct nir_def *resource, struct aux_descriptor *found);
bool aux_find_deref(struct aux_nir_descriptors *l, struct nir_def *deref, struct aux_descriptor *found);

/* Whether the descriptor of a sampler's deref is that of a sampler, without an image. */
bool aux_is_lone_sampler(const struct aux_descriptor *descriptor, struct nir_def *deref);

/* The place of something inside of it. */
struct nir_def *aux_descriptor_offset(const struct aux_descriptor *descriptor, uint32_t inside_B);

#endif
