/* Shader stages on the hardware: which of its stages run the shaders of a program, their registers and user SGPRs. */
#ifndef INDIUM_SI_STAGE_H
#define INDIUM_SI_STAGE_H

#include "amd/compiler/aco.h"
#include "amd/hw/stages.h"

struct si_screen;

/* Where the stage is set up (amd/hw/stages.txt). */
const struct amd_stage_regs *si_stage_regs(enum amd_gen gen, enum aco_hw_stage hw);

/* Whether the driver has the stage. */
bool si_has_stage(const struct si_screen *screen, enum nir_stage stage);

/* The hardware stage that runs a shader that is not merged with another one. */
struct aco_stage si_stage(const struct si_screen *screen, struct nir_shader *nir);

/* The hardware stages of a graphics program in the order of the pipeline; their number. shaders: NULL for stages that
 * are not there. A copy shader has a stage without a shader, behind that of its geometry shader. */
unsigned si_stage_list(const struct si_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
                       struct aco_stage list[NIR_STAGES]);

#endif
