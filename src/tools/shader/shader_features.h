/* What shaders may use on a chip. */
#ifndef INDIUM_TOOLS_SHADER_FEATURES_H
#define INDIUM_TOOLS_SHADER_FEATURES_H

#include <stdint.h>

/* enum spirv_feature bits that the compiler has for the chip: what the driver offers, and what only the command
 * reaches. 0: there is no such chip, or no compiler for it. */
uint64_t shader_features(const char *chip);

#endif
