/* Which registers the model has. Every register that a stream may write stands in one of two lists: those that a
 * block reads, and those that it ignores, with the reason. */
#include "amd/sim/base/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/stages.h"
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

const struct amd_traits amd_traits[AMD_GEN_COUNT] = {AMD_TRAITS_ROWS};

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
   for (unsigned i = 0; i < AMD_HW_STAGES; i++) {
      const uint32_t user_addr_lo = amd_stage_regs[gen][i].user_addr_lo;
      if (user_addr_lo)
         model->reg_class[user_addr_lo / 4] = model->reg_class[user_addr_lo / 4 + 1] = AMD_REG_USED;
   }
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
