/* The functions of GLSL.std.450 that take several nir operations: angles, exponentials, hyperbolic and inverse
 * functions. Precision: what Vulkan derives from the formulas it names (appendix "Precision of GLSL.std.450"). */
#ifndef INDIUM_SPIRV_GLSL_MATH_H
#define INDIUM_SPIRV_GLSL_MATH_H

#include "compiler/nir/nir_builder.h"

bool spirv_glsl_is_math(uint32_t instruction); /* enum GLSLstd450 */
/* x, y: floats of 16 or 32 bits; y NULL but for Atan2. */
struct nir_def *spirv_glsl_math(struct nir_builder *b, uint32_t instruction, struct nir_def *x, struct nir_def *y);

#endif
