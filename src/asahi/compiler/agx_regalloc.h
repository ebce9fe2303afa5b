/* The registers while they are handed out: what agx_regalloc.c and agx_ra_file.c share. */
#ifndef INDIUM_AGX_REGALLOC_H
#define INDIUM_AGX_REGALLOC_H

#include "asahi/compiler/agx_ir.h"

#define AGX_RA_NONE 0xffff

/* Values that are the same by definition (a vector and its parts) may hold a half together. */
struct agx_ra_file {
   const struct agx_ir *ir;
   unsigned limit_h, used_h;
   uint16_t *reg;                   /* by value: where it is now, or AGX_RA_NONE */
   uint16_t holders[AGX_REGISTERS]; /* by half: how many, and one where nothing may be */
   uint32_t held[AGX_REGISTERS * 4];
   unsigned num_held;
};

/* A value and where it goes. */
struct agx_ra_place {
   uint32_t value;
   uint16_t reg;
};

/* Nothing is held but what is reserved. */
void agx_ra_clear(struct agx_ra_file *file);
void agx_ra_hold(struct agx_ra_file *file, uint32_t value, unsigned reg);
void agx_ra_release(struct agx_ra_file *file, uint32_t value);
bool agx_ra_is_free(const struct agx_ra_file *file, unsigned reg, unsigned halves);
/* The best free place, or AGX_RA_NONE. */
unsigned agx_ra_find(const struct agx_ra_file *file, unsigned halves, unsigned alignment);
/* Places one after another from half `first` on, those of the largest alignment first, without gaps between those of
 * one size. Returns the end. */
unsigned agx_ra_pack(const struct agx_ra_file *file, unsigned first, struct agx_ra_place *places, unsigned count);

#endif
