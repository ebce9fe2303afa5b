/* USC lists: what a program is and what is bound to it, as records in memory. */
#ifndef INDIUM_ASAHI_SIM_USC_USC_H
#define INDIUM_ASAHI_SIM_USC_USC_H

#include "asahi/sim/base/gpu.h"
#include "asahi/sim/base/program.h"

/* Where a list lies and how much of the shader core its program takes: from CDM_LAUNCH, VDM_VERTEX_SHADER_0 and _1,
 * FRAGMENT_SHADER, or a command's *_usc with its *_rsrc_spec. */
struct agx_usc_request {
   enum agx_stage stage;
   uint32_t offset_B; /* of the list, from gpu->usc_base on */
   uint32_t uniforms; /* halves */
   uint32_t textures;
   enum agx_sampler_states samplers;
   uint32_t preshader_registers;
   struct agx_helper helper;
};

/* Reads the list into *program, whatever was in that, and runs its preamble. False after a guest fault. */
bool agx_usc_read(const struct agx_gpu *gpu, const struct agx_usc_request *request, struct agx_program *program);

#endif
