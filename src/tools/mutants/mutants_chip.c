#include "tools/mutants/mutants_chip.h"

#include <stddef.h>
#include <string.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "gallium/drivers/radeonsi/si_shader_standalone.h"

const char *const mutants_chips[] = {"vega10", "raven",   "navi10", "navi21", "vangogh",
                                     "navi31", "gfx1150", "m1",     NULL};

bool
mutants_chip_init(struct mutants_chip *chip, const char *name)
{
   const struct amd_chip *amd = amd_chip_by_name(name);
   const struct ac_pops_caps *pops = amd ? ac_pops_caps(amd->gfx_target) : NULL;
   *chip = (struct mutants_chip){.name = name};
   if (!strcmp(name, "m1")) {
      chip->has[MUTANTS_AGX] = chip->has[MUTANTS_HARD_FAULTS] = true;
      return true;
   }
   if (!pops || !si_shader_standalone_has(amd))
      return false;
   const struct aco_target *target = aco_target(amd->gen);
   chip->has[MUTANTS_AMD] = true;
   chip->has[MUTANTS_WAVE_IDS] = pops->wave_ids;
   chip->has[MUTANTS_PACKER_IN_MODE] = pops->wave_ids && target->pops_in_mode;
   chip->has[MUTANTS_PACKER_ALONE] = pops->wave_ids && !target->pops_in_mode;
   chip->has[MUTANTS_INTRAWAVE] = pops->intrawave;
   chip->has[MUTANTS_EXPORT_READY] = !pops->wave_ids;
   chip->has[MUTANTS_VSCNT] = target->vscnt_max > 0;
   chip->has[MUTANTS_GL1] = target->dlc_passes_gl1 && amd->num_se * amd->num_sa_per_se > 1; /* one a shader array */
   chip->has[MUTANTS_MISSED_OVERLAP] = pops->pops_missed_overlap;
   chip->has[MUTANTS_STALLED] = pops->pops_stalled;
   chip->has[MUTANTS_METADATA] = target->vscnt_max > 0;
   chip->has[MUTANTS_PLANES_LOST] = !target->vscnt_max;
   chip->has[MUTANTS_DCC_LOADS] = amd->bad_dcc_loads;
   chip->has[MUTANTS_DFSM] = pops->has_dfsm && amd->gen != AMD_GFX10_3; /* which has only the register */
   chip->has[MUTANTS_REORDERS] = amd->out_of_order;
   chip->has[MUTANTS_GSVS_RING] = !target->ngg_only;
   chip->has[MUTANTS_NGG_GEOMETRY] = target->ngg_only;
   chip->has[MUTANTS_VRS] = pops->has_vrs;
   chip->has[MUTANTS_MESH] = pops->has_vrs; /* the same chips */
   chip->has[MUTANTS_VRS_8X] = pops->vrs_8x_hang;
   chip->has[MUTANTS_PAIRS] = amd_isa_op_info(amd->gen, AMD_OP_v_mov_b32)->encs & 1u << AMD_ENC_VOPD;
   chip->has[MUTANTS_RATES_IN_HTILE] = pops->has_vrs && pops->vrs_forced_fine;
   chip->has[MUTANTS_RATE_IMAGES] = pops->has_vrs_fine_pops;
   chip->has[MUTANTS_SCALAR_HOLES] = target->scalar_holes_fault;
   return true;
}
