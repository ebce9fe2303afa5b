/* Which registers the model has. Every register that a stream may write stands in one of two lists: those that a
 * block reads, and those that it ignores, with the reason. */
#include "amd/sim/model.h"

#include <assert.h>
#include <stdlib.h>

#include "amd/sim/reg_lists.h"
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

static const struct {
   bool modelled, hazards, empty_index_buffer_hangs;
} generations[AMD_GEN_COUNT] = {
   [AMD_GFX10] = {.modelled = true, .hazards = true, .empty_index_buffer_hangs = true},
   [AMD_GFX10_3] = {.modelled = true},
};

bool
amd_model_has(enum amd_gen gen)
{
   return generations[gen].modelled;
}

bool
amd_model_has_hazards(enum amd_gen gen)
{
   return generations[gen].hazards;
}

bool
amd_model_empty_index_buffer_hangs(enum amd_gen gen)
{
   return generations[gen].empty_index_buffer_hangs;
}

struct amd_model *
amd_model_create(enum amd_gen gen)
{
   struct amd_model *model = calloc(1, sizeof(*model));
   if (!model)
      return NULL;
   model->gen = gen;
   for (unsigned i = 0; i < ARRAY_SIZE(amd_used_regs); i++)
      mark(model, amd_used_regs[i], AMD_REG_USED);
   for (unsigned i = 0; i < ARRAY_SIZE(amd_ignored_regs); i++)
      mark(model, amd_ignored_regs[i].name, AMD_REG_IGNORED);
   amd_model_add_missing(model);
   return model;
}
