/* Programs of one set of shaders for states that the application sets while it records, and that the driver's
 * programs are made for. */
#ifndef INDIUM_VK_VARIANTS_H
#define INDIUM_VK_VARIANTS_H

#include <pthread.h>

#include "gallium/frontends/vulkan/vk_graphics_program.h"

struct vk_variants {
   pthread_mutex_t lock;
   struct vk_device *device;
   struct vk_variant *first;
   bool capture_text;
   uint32_t view_mask; /* that the compiled stages are for */
   /* What programs are made of; kept here: */
   struct pipe_pipeline_layout layout; /* with a reference of each set's */
   struct vk_stage_copy *stages[NIR_STAGES];
   struct vk_compiled *compiled[NIR_STAGES]; /* apart, without what states give to programs; or NULL */
};

/* Takes copies and references; NULL when out of memory. */
struct vk_variants *vk_variants_create(const struct vk_graphics_program *from);
/* Compiles the stages apart, so that programs of later states are put together from parts if the driver can. What
 * states give to programs is not looked at. */
enum pipe_result vk_variants_compile(struct vk_variants *variants, const struct vk_graphics_state *state);
void vk_variants_destroy(struct vk_variants *variants); /* NULL is fine */

/* The program for draws with the state, whatever the pipeline says of that; made at the first call. By any thread. */
enum pipe_result vk_variants_program(struct vk_variants *variants, const struct vk_graphics_state *pipeline,
                                     const struct pipe_graphics_state *state, struct pipe_program **program);

#endif
