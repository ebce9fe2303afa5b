/* The register file of the allocator: who holds which half, and where there is room. */
#include "asahi/compiler/agx_regalloc.h"

void
agx_ra_clear(struct agx_ra_file *file)
{
   for (unsigned i = 0; i < file->num_held; i++)
      file->reg[file->held[i]] = AGX_RA_NONE;
   file->num_held = 0;
   for (unsigned h = 0; h < AGX_REGISTERS; h++)
      file->holders[h] = h >= file->limit_h || h < file->ir->options->first_register_h;
   file->holders[0] |= file->ir->has_flow;
}

void
agx_ra_hold(struct agx_ra_file *file, uint32_t value, unsigned reg)
{
   const unsigned halves = agx_value_halves(file->ir, value);
   for (unsigned h = reg; h < reg + halves; h++)
      file->holders[h]++;
   file->reg[value] = (uint16_t)reg;
   file->used_h = MAX2(file->used_h, reg + halves);
   assert(file->num_held < ARRAY_SIZE(file->held) && "more values are live than registers hold");
   file->held[file->num_held++] = value;
}

void
agx_ra_release(struct agx_ra_file *file, uint32_t value)
{
   const unsigned reg = file->reg[value];
   if (reg == AGX_RA_NONE)
      return;
   for (unsigned h = reg; h < reg + agx_value_halves(file->ir, value); h++)
      file->holders[h]--;
   file->reg[value] = AGX_RA_NONE;
   unsigned i = 0;
   while (file->held[i] != value)
      i++;
   file->held[i] = file->held[--file->num_held];
}

bool
agx_ra_is_free(const struct agx_ra_file *file, unsigned reg, unsigned halves)
{
   if (reg + halves > file->limit_h)
      return false;
   for (unsigned h = reg; h < reg + halves; h++) {
      if (file->holders[h])
         return false;
   }
   return true;
}

unsigned
agx_ra_find(const struct agx_ra_file *file, unsigned halves, unsigned alignment)
{
   /* A single half next to one that is taken keeps pairs whole. */
   for (unsigned h = 0; halves == 1 && h < file->used_h; h++) {
      if (agx_ra_is_free(file, h, 1) && file->holders[h ^ 1])
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
