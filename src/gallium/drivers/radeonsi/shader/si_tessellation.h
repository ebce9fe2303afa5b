/* Tessellation: vertex and control shaders as HS, the memory between them and evaluation shaders, and the registers
 * of the tessellator. */
#ifndef INDIUM_SI_TESSELLATION_H
#define INDIUM_SI_TESSELLATION_H

#include "gallium/drivers/radeonsi/shader/si_program.h"

/* Links the two shaders and fills program->tess, before they are compiled. */
void si_program_tessellates(struct si_program *program, const struct si_screen *screen, struct nir_shader *control,
                            struct nir_shader *evaluation);

/* All registers of the HS stage but for those that si_emit_tessellation() sets: the sizes of patches are of draws. */
void si_hull_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                       const struct aco_output *out);

/* VGT_SHADER_STAGES_EN of the stages in front of the last one. */
uint32_t si_tess_stages(const struct si_program *program, const struct ac_gpu_info *info);

/* The screen's rings, if the program tessellates; false when out of memory. */
bool si_program_make_tess_rings(struct si_program *program, struct si_screen *screen);

/* IA_MULTI_VGT_PARAM of draws with the bound program, which tessellates. */
uint32_t si_tess_primitive_groups(const struct si_context *ctx);

#endif
