/* What numbers formats hold, and texels for them. */
#ifndef FORMAT_NUMBERS_H
#define FORMAT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan.h>

enum number_kind { NUMBER_FLOAT, NUMBER_SINT, NUMBER_UINT, NUMBER_KINDS };

/* What a shader gets. */
enum number_kind number_kind(VkFormat format);

bool number_is_srgb(VkFormat format); /* of those that are not compressed */

/* Of a texel, or of a block; 0: of 64 bits a component, or not known here. */
uint32_t number_size_B(VkFormat format);

/* How far results may differ: about the format's step. */
float number_step(VkFormat format);

/* Random texels, whose floats are finite and below 2. */
void number_fill(VkFormat format, void *texels, size_t size_B);

/* Random values for count texels of four components, that the format can hold or clamps. */
void number_values(VkFormat format, void *values, unsigned count);

#endif
