#include "aco_random.h"

#include <stdlib.h>

#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "compiler/nir/nir_builder.h"

/* The same program as a fragment shader: the number of the lane comes in v0. */
static void
to_fragment(struct nir_shader *nir)
{
   nir->stage = NIR_STAGE_FRAGMENT;
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC ||
             nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_local_invocation_index)
            continue;
         struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
         nir_def_replace(nir_instr_def(instr), nir_load_vector_arg(&b, 1, .base = 0));
         nir_instr_remove(instr);
      }
   }
}

struct nir_shader *
aco_random_shader(struct arena *arena, const struct nir_random_options *options)
{
   struct nir_random_options own = *options;
   own.descriptors_as_args = true;
   struct nir_shader *nir = nir_random_shader(arena, &own);
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_scalar_arg)
            nir_intrinsic_set_base(nir_as_intrinsic(instr), nir_intrinsic_base(nir_as_intrinsic(instr)) * 4);
      }
   }
   if (options->discards || options->quads)
      to_fragment(nir);
   return nir;
}

struct aco_args
aco_random_args(void)
{
   return (struct aco_args){.num_user_sgprs = 10,
                            .scratch_address = 8,
                            .base_vertex = ACO_NO_REG,
                            .base_instance = ACO_NO_REG,
                            .draw_id = ACO_NO_REG,
                            .view_index = ACO_NO_REG,
                            .num_workgroups = ACO_NO_REG,
                            .sample_positions = ACO_NO_REG};
}

struct aco_stage
aco_random_stage(struct nir_shader *nir)
{
   return (struct aco_stage){
      .hw = nir->stage == NIR_STAGE_FRAGMENT ? ACO_HW_PS : ACO_HW_CS,
      .num_shaders = 1,
      .shaders = {nir},
      .args = aco_random_args(),
   };
}

const struct amd_chip *
aco_test_chip(void)
{
   const char *name = getenv("ACO_TEST_CHIP");
   const struct amd_chip *chip = amd_chip_by_name(name ? name : "navi21");
   if (!chip)
      abort();
   return chip;
}

unsigned
aco_test_wave_size(unsigned wanted)
{
   return aco_target(aco_test_chip()->gen)->has_wave32 ? wanted : 64;
}

struct aco_options
aco_test_options(unsigned wave_size)
{
   return (struct aco_options){
      .gen = aco_test_chip()->gen,
      .wave_size = wave_size,
      .float_mode = ACO_FLOAT_MODE_DEFAULT,
      .validate = true,
      .no_contract = true,
   };
}
