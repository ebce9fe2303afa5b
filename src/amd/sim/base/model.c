/* Which registers the model has. Every register that a stream may write stands in one of two lists: those that a
 * block reads, and those that it ignores, with the reason. */
#include "amd/sim/base/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/base/reg_lists.h"
#include "util/macros.h"

static void
mark(struct amd_model *model, const char *name, enum amd_reg_class class)
{
   const struct amd_reg *reg = amd_reg_by_name(name, NULL);
   assert(reg && "the model's lists name registers of the tables");
   const struct amd_reg_layout *layout = &reg->gen[model->gen];
   for (unsigned i = 0; layout->exists && i < reg->count; i++) {
      uint32_t at = (layout->offset_B + i * layout->step_B) / 4;
      model->reg_class[at] = (uint8_t)class;
      model->unknown_bits[at] = amd_reg_unknown_bits(model->gen, reg);
   }
}

static void
take_all_bits(struct amd_model *model, const char *name)
{
   const struct amd_reg *reg = amd_reg_by_name(name, NULL);
   const struct amd_reg_layout *layout = &reg->gen[model->gen];
   for (unsigned i = 0; layout->exists && i < reg->count; i++)
      model->unknown_bits[(layout->offset_B + i * layout->step_B) / 4] = 0;
}

/* Sources: "Vega", "RDNA 1", "RDNA 2" and "RDNA 3" ISA documents (registers, LDS, exports); public drivers (scratch;
 * radeonsi's comment where it begins a buffer: GFX10 and later invalidate by themselves). */
#define TARGETS(first, last) (((UINT64_C(2) << ((last) - (first))) - 1) << (first))
#define MRTS TARGETS(0, 8) /* and MRTZ */
#define GFX10_EXPORTS .export_targets = MRTS | TARGETS(9, 9) | TARGETS(12, 16) | TARGETS(20, 20) | TARGETS(32, 63)
#define GFX10_AND_LATER .ib_invalidates = true, .tail_meta_is_first = true, .iterates_256 = true,                    \
                        .scalar_holes_fault = true, .vgpr_granule = 8, .shared_vgpr_granule = 8, .lds_granule_B = 512
#define RDNA3 .min_lod_in_two_words = true, .gives_vgprs_back = true, .packed_thread_ids = true,                     \
              .ordered_by_exports = true, .halves_by_format = true, .one_scope_bit = true, .fewer_formats = true,    \
              .export_targets = MRTS | TARGETS(12, 16) | TARGETS(20, 22),                                            \
              .attribute_ring = true, .scratch_in_registers = true, .coarse_shading = true, .coarse_8x_hangs = true, \
              .scan_overrides_rate = true, .tess_rings_by_engine = true, .factors_by_message = true,                 \
              .numbers_hull_waves = true, .addr_in_program_regs = true, .has_forwards = true,                        \
              .payload_layer_first = true, .ngg_counts_prims = true,              \
              .alpha_beside_depth = true
const struct amd_traits amd_traits[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.sdma_levels_in_header = true,
                 .levels_beside = true,
                 .meta_by_rule = true,
                 .xors_lose_planes = true,
                 .vgpr_granule = 8,
                 .lds_granule_B = 512,
                 .scratch_granule_B = 1024,
                 .has_wait_states = true,
                 .stores_in_vmcnt = true,
                 .permutes_all_lanes = true,
                 .clears_high_half = true,
                 .flat_scratch_is_sgpr = true,
                 .records_by_index = true,
                 .pitch_of_every_mode = true,
                 .two_part_formats = true,
                 .es_user_data = true,
                 .instance_id_second = true,
                 .common_user_data = true,
                 .pops_in_mode = true,
                 .packers_unsaid = true,
                 .punches_out = true,
                 .alpha_stays_fourth = true,
                 .cache_actions = true,
                 .adjacency_by_first = true,
                 .first_indices = true,
                 .descriptor_dims = true,
                 .export_targets = MRTS | TARGETS(9, 9) | TARGETS(12, 15) | TARGETS(32, 63)},
   [AMD_GFX10] = {.holes = {0x0b88c, 0x28848},
                  GFX10_AND_LATER,
                  GFX10_EXPORTS,
                  .has_hazards = true,
                  .empty_index_buffer_hangs = true,
                  .ngg_empty_hangs = true,
                  .vertex_groups_hang = true,
                  .ngg_early_alloc_hangs = true,
                  .draining_stalls = true,
                  .punches_out = true,
                  .two_planes_hang = true,
                  .scratch_granule_B = 1024},
   [AMD_GFX10_3] = {.holes = {0x0b88c, 0x0b0c4, 0x0b1c4},
                    GFX10_AND_LATER,
                    GFX10_EXPORTS,
                    .coarse_shading = true,
                    .fine_depth_export = true,
                    .coarse_depth_left = true,
                    .msaa_load_of_x = true,
                    .scratch_granule_B = 1024},
   [AMD_GFX11] = {.holes = {0x308a8},
                  GFX10_AND_LATER,
                  RDNA3,
                  .forwards_trans_late = true,
                  .msaa_load_unselected = true,
                  .fdcc = true,
                  .db_meta_by_full_flush = true,
                  .scratch_granule_B = 256,
                  .ngg_limits_in_ge_cntl = true,
                  .mesh_size_is_optional = true},
   [AMD_GFX11_5] = {.holes = {0x308a8},
                    GFX10_AND_LATER,
                    RDNA3,
                    .fdcc = true,
                    .scratch_granule_B = 256,
                    .ngg_limits_in_ge_cntl = true,
                    .mesh_size_is_optional = true},
};

struct amd_model *
amd_model_create(enum amd_gen gen)
{
   struct amd_model *model = calloc(1, sizeof(*model));
   if (!model)
      return NULL;
   model->gen = gen;
   model->traits = &amd_traits[gen];
   for (unsigned i = 0; i < ARRAY_SIZE(amd_used_regs); i++)
      mark(model, amd_used_regs[i], AMD_REG_USED);
   for (unsigned i = 0; i < ARRAY_SIZE(amd_first_used_regs) && model->traits->first_indices; i++)
      mark(model, amd_first_used_regs[i], AMD_REG_USED);
   for (unsigned i = 0; i < ARRAY_SIZE(amd_ignored_regs); i++)
      mark(model, amd_ignored_regs[i].name, AMD_REG_IGNORED);
   for (unsigned i = 0; i < ARRAY_SIZE(amd_address_regs) && model->traits->addr_in_program_regs; i++)
      mark(model, amd_address_regs[i], AMD_REG_USED);
   for (unsigned i = 0; i < ARRAY_SIZE(model->traits->holes) && model->traits->holes[i]; i++)
      model->reg_class[model->traits->holes[i] / 4] = AMD_REG_HOLE;
   for (unsigned i = 0; i < ARRAY_SIZE(amd_narrow_regs); i++)
      take_all_bits(model, amd_narrow_regs[i]);
   amd_model_add_missing(model);
   for (unsigned i = 0; i < ARRAY_SIZE(model->packets); i++)
      model->packets[i] = amd_pm4_find(gen, (uint8_t)i);
   return model;
}

bool
amd_chip_misses_overlap(const struct amd_chip *chip)
{
   return !strcmp(chip->gfx_target, "gfx900") || !strcmp(chip->gfx_target, "gfx902");
}

const char *
amd_model_why_ignored(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(amd_ignored_regs); i++) {
      if (!strcmp(amd_ignored_regs[i].name, name))
         return amd_ignored_regs[i].reason;
   }
   return NULL;
}
