#include "tools/shader/shader_features.h"

#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "asahi/hw/chips.h"
#include "compiler/spirv/spirv_to_nir.h"

/* Only linked programs are tessellated, or have meshes. */
static const uint64_t compiled = SPIRV_FEATURE_ALL & ~(uint64_t)(SPIRV_FEATURE_TESSELLATION | SPIRV_FEATURE_MESH);

static uint64_t
of_amd(enum amd_gen gen)
{
   const struct aco_target *target = aco_target(gen);
   uint64_t lacks = 0;
   if (!target->compiles)
      return 0;
   if (!target->rate_width_bit)
      lacks |= SPIRV_FEATURE_SHADING_RATE;
   if (!target->has_first_vertex)
      lacks |= SPIRV_FEATURE_BARYCENTRIC;
   if (!amd_isa_op_info(gen, AMD_OP_v_wmma_f32_16x16x16_f16)->encs)
      lacks |= SPIRV_FEATURE_COOPERATIVE_MATRIX;
   return compiled & ~lacks;
}

uint64_t
shader_features(const char *chip)
{
   const struct amd_chip *amd = amd_chip_by_name(chip);
   if (agx_chip_by_name(chip))
      return compiled & ~(uint64_t)(SPIRV_FEATURE_FLOAT64 | SPIRV_FEATURE_INT64_ATOMICS | SPIRV_FEATURE_SHADER_CLOCK |
                                    SPIRV_FEATURE_SHADING_RATE | SPIRV_FEATURE_AMD_EXPLICIT |
                                    SPIRV_FEATURE_IMAGE_INT64 | SPIRV_FEATURE_COOPERATIVE_MATRIX);
   return amd ? of_amd(amd->gen) : 0;
}
