/* Programs of one set of shaders for states that the application sets while it records, and that the driver's
 * programs are made for. */
#ifndef INDIUM_VK_VARIANTS_H
#define INDIUM_VK_VARIANTS_H

#include <pthread.h>

#include "gallium/frontends/vulkan/vk_graphics_program.h"

#define VK_VARIANT_TARGET_WORDS (3 * PIPE_MAX_COLOR_TARGETS + 10)
#define VK_VARIANT_ATTRIBUTE_WORDS (5 * PIPE_MAX_VERTEX_ATTRIBUTES + 1)

/* What a program depends on. */
struct vk_variant_key {
   unsigned num_targets, num_attributes; /* words */
   uint32_t targets[VK_VARIANT_TARGET_WORDS], attributes[VK_VARIANT_ATTRIBUTE_WORDS];
};

/* All of it that counts: num_* words. */
void vk_variant_key(struct vk_variant_key *key, const struct vk_device *device,
                    const struct vk_graphics_state *pipeline, const struct pipe_graphics_state *state);

struct vk_variant {
   struct vk_variant *next;
   struct vk_variant_key key;
   uint32_t blend_alphas; /* vk_blend_alphas(), or UINT32_MAX: the program has the equations */
   struct pipe_program *program;
};

struct vk_variants {
   pthread_mutex_t lock;
   struct vk_device *device;
   struct vk_variant *first;
   bool capture_text;
   uint32_t view_mask; /* that the compiled stages are for */
   /* What programs are made of; kept here: */
   struct pipe_pipeline_layout layout; /* with a reference of each set's */
   struct vk_stage_copy *stages[NIR_STAGES];
   struct vk_compiled *compiled[NIR_STAGES]; /* separately, without what states give to programs; or NULL */
   struct vk_cache_use *cache;               /* during the creation of the pipeline */
};

/* Targets whose blending reads a source's alpha, a bit each. */
static inline uint32_t
vk_blend_alphas(const struct pipe_graphics_state *state)
{
   uint32_t alphas = 0;
   for (uint32_t i = 0; i < state->targets.num_colors; i++)
      alphas |= (uint32_t)pipe_equation_reads_alpha(&state->blend[i]) << i;
   return alphas & state->blend_enable;
}

/* Takes copies and references; NULL when out of memory. */
struct vk_variants *vk_variants_create(const struct vk_graphics_program *from);
/* Compiles the stages separately, so that programs of later states are put together from parts if the driver can.
 * What states give to programs is not looked at. */
enum pipe_result vk_variants_compile(struct vk_variants *variants, const struct vk_graphics_state *state);
void vk_variants_destroy(struct vk_variants *variants); /* NULL is fine */

/* The one for draws with the state, whatever the pipeline says of that; made at the first call. By any thread.
 * changed: bits of enum pipe_state in which the state may differ from that of *variant, which may be NULL. */
enum pipe_result vk_variants_find(struct vk_variants *variants, const struct vk_graphics_state *pipeline,
                                  const struct pipe_graphics_state *state, uint64_t changed,
                                  const struct vk_variant **variant);

#endif
