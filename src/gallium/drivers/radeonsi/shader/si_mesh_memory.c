/* Memory for outputs of mesh shaders that do not fit into LDS. It is the device's, and made for the first program
 * that needs it. */
#include <pthread.h>

#include "amd/hw/registers.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "gallium/drivers/radeonsi/si_abi.h"

enum { SUBGROUP_SGPR = 2 }; /* 11:0 its number, with NGG_WAVE_ID_EN */

struct nir_def *
si_nir_mesh_memory(struct nir_builder *b, const struct si_nir_options *options)
{
   struct nir_def *number = nir_iand_imm(b, nir_load_system_sgpr_amd(b, .base = SUBGROUP_SGPR), 0xfff);
   struct nir_def *halves[2] = {nir_load_scalar_arg(b, 1, .base = SI_SGPR_MS_MEMORY),
                                nir_imm_int(b, (int32_t)options->address32_hi)};

   struct nir_def *offset = nir_imul_imm(b, number, SI_MESH_MEMORY_ENTRY_B);

   return nir_iadd(b, nir_pack_64_2x32(b, nir_vec(b, halves, 2)), nir_u2uN(b, offset, 64));
}

void
si_program_mesh_memory_argument(struct si_program *program)
{
   si_pm4_reg(&program->regs, program->user_data[ACO_HW_GS] + 4 * SI_SGPR_MS_MEMORY, 0);
   program->mesh_memory_dw = (uint8_t)(program->regs.count_dw - 1);
}

bool
si_program_place_mesh_memory(struct si_program *program, struct si_screen *screen)
{
   if (!program->mesh_memory_dw)
      return true;
   pthread_mutex_lock(&screen->scratch_lock);
   if (!screen->mesh_memory)
      screen->mesh_memory = amdgpu_ws_bo_create(screen->ws, SI_MESH_MEMORY_ENTRIES * SI_MESH_MEMORY_ENTRY_B, 65536,
                                                AMDGPU_WS_VRAM, AMDGPU_WS_BO_VA_32BIT);
   const bool made = screen->mesh_memory != NULL;

   pthread_mutex_unlock(&screen->scratch_lock);
   if (made)
      program->regs.dw[program->mesh_memory_dw] = (uint32_t)screen->mesh_memory->va;
   return made;
}
