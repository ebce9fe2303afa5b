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
   /* What programs are made of; kept here: */
   struct pipe_pipeline_layout layout; /* with a reference of each set's */
   struct vk_stage_copy *stages[NIR_STAGES];
};

/* The states of vk_graphics_state.dynamic that programs of the device depend on. */
uint64_t vk_dynamic_of_programs(const struct pipe_screen *screen);

/* Takes copies and references; NULL when out of memory. */
struct vk_variants *vk_variants_create(const struct vk_graphics_program *from);
void vk_variants_destroy(struct vk_variants *variants); /* NULL is fine */

/* The program for the state, which is complete; made at the first call. By any thread. */
enum pipe_result vk_variants_program(struct vk_variants *variants, const struct vk_graphics_state *state,
                                     struct pipe_program **program);

#endif
