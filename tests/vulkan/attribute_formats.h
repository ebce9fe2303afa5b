/* Formats of vertex attributes, and what shaders see of them. */
#ifndef ATTRIBUTE_FORMATS_H
#define ATTRIBUTE_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* kinds: u unorm, s snorm, U uscaled, S sscaled, i uint, I sint, f float. */
struct attribute_family {
   VkFormat first; /* of the formats of these kinds, in their order */
   const char *kinds;
   uint32_t components, bits[4];
   bool packed, bgra;
};
#define ATTRIBUTE_FAMILIES 17
extern const struct attribute_family attribute_families[ATTRIBUTE_FAMILIES];

uint32_t attribute_size_B(const struct attribute_family *family);

/* What a shader sees of the element at `data`, as bits. Halves are normal and positive. */
void attribute_expected(const struct attribute_family *family, char kind, const uint8_t *data, uint32_t expected[4]);

/* The same, or as close as normalised values come. */
bool attribute_is_close(char kind, uint32_t a, uint32_t b);

#endif
