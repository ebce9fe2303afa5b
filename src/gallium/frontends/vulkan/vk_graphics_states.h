/* What is generated from graphics_state.txt for this front end, besides the vkCmdSet* of its rows. */
#ifndef INDIUM_VK_GRAPHICS_STATES_H
#define INDIUM_VK_GRAPHICS_STATES_H

#include "gallium/frontends/vulkan/vk_graphics_state.h"

struct pipe_caps;

/* Of a pipeline that describes nothing. */
extern const struct pipe_graphics_state vk_default_states;

/* States that a pipeline's create infos describe even where the states are dynamic, for what draws may set. */
extern const uint64_t vk_class_states;

/* Sets of states, as bits of enum pipe_state: those that parts of a pipeline library describe; those that a
 * VkDynamicState makes dynamic, 0 for one that is not known; those that the programs of a screen depend on. */
uint64_t vk_states_of_parts(VkGraphicsPipelineLibraryFlagsEXT parts);
uint64_t vk_states_of_dynamic(VkDynamicState dynamic);
uint64_t vk_states_of_programs(const struct pipe_caps *caps);

/* Sets these states to what the create infos say, where they are there; returns those. */
uint64_t vk_fill_states(struct pipe_graphics_state *to, uint64_t states, const struct vk_graphics_infos *infos);

/* Copies these states; returns those that differed. */
uint64_t vk_copy_states(struct pipe_graphics_state *to, const struct pipe_graphics_state *from, uint64_t states);

#endif
