/* One shader as the driver compiles it, without a device and without the rest of its pipeline. */
#ifndef INDIUM_SI_SHADER_STANDALONE_H
#define INDIUM_SI_SHADER_STANDALONE_H

#include "gallium/drivers/radeonsi/shader/si_shader.h"

struct amd_chip;

/* What the pipeline around is taken to be: sets with just the bindings of the shader; attribute n a vector of 32-bit
 * numbers in binding n; all colour targets R8G8B8A8_UNORM, of one sample; a fragment shader that reads all outputs.
 * *stage: the hardware stage that runs it. The layout lies in the shader's arena. NULL for a chip that the driver
 * does not know. */
struct si_shader_options *si_shader_standalone_options(const struct amd_chip *chip, struct nir_shader *nir,
                                                       struct aco_stage *stage);

bool si_shader_standalone_has(const struct amd_chip *chip);

#endif
