/* The register file of the allocator: who holds which half, and where there is room. */
#include "asahi/compiler/agx_regalloc.h"

void
agx_ra_clear(struct agx_ra_file *file)
{
   for (unsigned h = 0; h < AGX_REGISTERS; h++) {
      const uint32_t value = file->owner[h];
      if (value && value != AGX_RA_RESERVED)
         file->reg[value] = AGX_RA_NONE;
      file->owner[h] = h >= file->limit_h ? AGX_RA_RESERVED : 0;
   }
   if (file->ir->has_flow)
      file->owner[0] = AGX_RA_RESERVED;
}

void
agx_ra_hold(struct agx_ra_file *file, uint32_t value, unsigned reg)
{
   const unsigned halves = agx_value_halves(file->ir, value);
   for (unsigned h = reg; h < reg + halves; h++)
      file->owner[h] = value;
   file->reg[value] = (uint16_t)reg;
   file->used_h = MAX2(file->used_h, reg + halves);
}

void
agx_ra_release(struct agx_ra_file *file, uint32_t value)
{
   const unsigned reg = file->reg[value];
   if (reg == AGX_RA_NONE)
      return;
   for (unsigned h = reg; h < reg + agx_value_halves(file->ir, value); h++) {
      if (file->owner[h] == value)
         file->owner[h] = 0;
   }
   file->reg[value] = AGX_RA_NONE;
}

bool
agx_ra_is_free(const struct agx_ra_file *file, unsigned reg, unsigned halves)
{
   if (reg + halves > file->limit_h)
      return false;
   for (unsigned h = reg; h < reg + halves; h++) {
      if (file->owner[h])
         return false;
   }
   return true;
}

unsigned
agx_ra_find(const struct agx_ra_file *file, unsigned halves, unsigned alignment)
{
   /* A single half beside one that is taken keeps pairs whole. */
   for (unsigned h = 0; halves == 1 && h < file->used_h; h++) {
      if (agx_ra_is_free(file, h, 1) && file->owner[h ^ 1])
         return h;
   }
   for (unsigned h = 0; h + halves <= file->limit_h; h += alignment) {
      if (agx_ra_is_free(file, h, halves))
         return h;
   }
   return AGX_RA_NONE;
}

static unsigned
size_of(const struct agx_ra_file *file, const struct agx_ra_place *place)
{
   return file->ir->values[place->value].size;
}

unsigned
agx_ra_pack(const struct agx_ra_file *file, unsigned first, struct agx_ra_place *places, unsigned count)
{
   for (unsigned size = 64; size >= 16; size /= 2) {
      for (unsigned i = 0; i < count; i++) {
         if (size_of(file, &places[i]) != size)
            continue;
         first = (unsigned)align_up(first, agx_alignment(size));
         places[i].reg = (uint16_t)first;
         first += agx_value_halves(file->ir, places[i].value);
      }
   }
   return first;
}
