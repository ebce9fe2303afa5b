/* Tables of constants (NIR_VAR_CONSTANT) as the bytes that load_constant reads. */
#ifndef INDIUM_NIR_CONSTANT_DATA_H
#define INDIUM_NIR_CONSTANT_DATA_H

#include "compiler/nir/nir.h"

/* Where whoever compiles the shader may put the data. */
#define NIR_CONSTANT_ALIGN_B 64

/* info.constant_B bytes, in the arena; what no table covers is 0. The shader is valid. */
uint8_t *nir_constant_data(struct arena *arena, const struct nir_shader *shader);

/* The same in whole dwords, or NULL if no load_constant is left; *size_B is 0 then. */
uint8_t *nir_used_constant_data(struct arena *arena, const struct nir_shader *shader, uint32_t *size_B);

/* Whether the variable has values and a layout within the constant data. */
bool nir_is_constant_table(const struct nir_variable *variable, const struct nir_shader_info *info);

#endif
