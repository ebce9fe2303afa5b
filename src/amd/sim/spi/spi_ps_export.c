/* What pixel waves export, kept by target until it becomes depth and colour. */
#include <string.h>

#include "amd/sim/spi/spi_ps.h"

enum { TARGET_MRTZ = 8, TARGET_DUAL_LEFT = 21, TARGET_DUAL_RIGHT = 22 };

typedef uint32_t component_lanes[AMD_WAVE_MAX_LANES];

/* What the slot's values are, if somebody takes them. */
static bool
note_slot(struct amd_launch *l, uint32_t wave, unsigned slot, const struct amd_wave_export *export)
{
   struct amd_wave_out *out = &l->out[wave];
   if (!(l->slot_index[slot] < l->slots))
      return false;
   bool halves = l->halves >> slot & 1;
   out->present |= (uint16_t)(1u << slot);
   out->compr |= (uint16_t)((halves || export->compr) << slot);
   out->en[slot] = halves ? (uint8_t)((export->en & 1) * 3 | (export->en & 2) * 6) : export->en;
   return true;
}

static component_lanes *
slot_values(const struct amd_launch *l, uint32_t wave, unsigned slot)
{
   return (void *)(l->values + ((size_t)wave * l->slots + l->slot_index[slot]) * 4 * AMD_WAVE_MAX_LANES);
}

static void
encode(const struct amd_launch *l, uint32_t wave, unsigned slot, const component_lanes *values, uint64_t which)
{
   const struct amd_wave_out *out = &l->out[wave];
   const struct amd_export_lanes lanes = {.v = values,
                                          .en = out->en[slot],
                                          .compressed = out->compr >> slot & 1,
                                          .alpha_second = !l->p->gpu->model->traits->alpha_stays_fourth,
                                          .format = l->p->state.color.target[l->target[slot]].export_format};
   amd_spi_ps_encode(l, wave, slot, &lanes, which);
}

static void
take_target(struct amd_launch *l, uint32_t wave, const struct amd_wave_export *export)
{
   if (!note_slot(l, wave, export->target, export))
      return;
   if (l->texels)
      encode(l, wave, export->target, export->value, UINT64_MAX);
   else
      memcpy(slot_values(l, wave, export->target), export->value, (export->compr ? 2 : 4) * sizeof(export->value[0]));
}

/* GFX11: the two colours of a pixel lie in two lanes side by side, of the left export those of even pixels, of
 * the right one those of odd pixels; whether the other pixel lives does not matter. Source: AMD's LLPC. */
static void
take_dual_source(struct amd_launch *l, uint32_t wave, const struct amd_wave_export *export)
{
   static const uint64_t even = UINT64_C(0x5555555555555555);
   unsigned odd = export->target == TARGET_DUAL_RIGHT;
   for (unsigned source = 0; source < 2; source++) {
      component_lanes own[4], *values = own;
      if (!note_slot(l, wave, source, export))
         continue;
      if (!l->texels)
         values = slot_values(l, wave, source);
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane += 2)
            values[c][lane + odd] = export->value[c][lane + source];
         for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES && l->texels; lane += 2)
            values[c][lane + !odd] = 0;
      }
      if (l->texels)
         encode(l, wave, source, own, even << odd);
   }
}

void
amd_spi_ps_retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct amd_launch *l = user;
   struct amd_wave_out *out = &l->out[group];
   *out = (struct amd_wave_out){.exec = UINT64_MAX};
   for (uint32_t e = 0; e < result->count; e++) {
      const struct amd_wave_export *export = &result->exports[e];
      if (export->vm)
         out->exec = export->exec;
      if (export->target <= TARGET_MRTZ)
         take_target(l, group, export);
      else if (export->target == TARGET_DUAL_LEFT || export->target == TARGET_DUAL_RIGHT)
         take_dual_source(l, group, export);
   }
}
