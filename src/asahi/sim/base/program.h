/* A program with all that is bound to it: what a USC list says (cp/usc.h reads one), and what the program's preamble
 * has made of the uniforms. The struct is plain data, and nobody but a preamble changes it once it is made: launches
 * on any number of host threads read it. */
#ifndef INDIUM_ASAHI_SIM_PROGRAM_H
#define INDIUM_ASAHI_SIM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/hw_limits.h"
#include "asahi/hw/records.h"
#include "asahi/sim/base/stage.h"
#include "sim/vm/fault.h"

enum {
   AGX_TEXTURE_STATES = 256,
   AGX_SAMPLER_STATES_COUNT = 16,
};

/* The 24 bytes of a TEXTURE or a PBE record: only the instruction that uses it says which. */
struct agx_texture_state {
   uint32_t words[AGX_TEXTURE_SIZE_B / 4];
};

/* The 8 bytes of a SAMPLER record, and of a BORDER in the extended form. */
struct agx_sampler_state {
   uint32_t words[AGX_SAMPLER_SIZE_B / 4];
   uint32_t border[AGX_BORDER_SIZE_B / 4]; /* zeros unless extended_samplers */
};

/* Who gives waves their private memory: helper_* of a command. Binary 0: nobody. */
struct agx_helper {
   uint32_t binary, cfg;
   uint64_t data;
};

struct agx_program {
   enum agx_stage stage;
   struct sim_va usc_base; /* what code and lists count from */
   struct sim_va list;     /* of the USC list, for reports */
   struct sim_va code;
   struct sim_va preamble; /* .va 0: none */

   /* Halves as 16-bit registers count: what is used above them is a fault. */
   uint16_t registers, preamble_registers;
   uint32_t threadgroup_B; /* threadgroup memory; 0 unless the list says that it is used */

   /* What nobody wrote is garbage. Halves from uniform_halves on do not exist for the program. */
   uint16_t uniform_halves; /* a multiple of 64 */
   uint16_t uniforms[AGX_UNIFORMS];

   uint16_t texture_count; /* how many the program may use; others do not exist */
   uint64_t textures_bound[AGX_TEXTURE_STATES / 64];
   struct agx_texture_state textures[AGX_TEXTURE_STATES];

   uint16_t sampler_count;
   bool extended_samplers;
   uint32_t samplers_bound;
   struct agx_sampler_state samplers[AGX_SAMPLER_STATES_COUNT];

   /* Samplers by number: SAMPLER records in an array (of the command). */
   struct sim_va sampler_heap;
   uint32_t sampler_heap_count;

   bool loads_varyings;
   /* Of the tile: in pixel programs and those of a tile. */
   struct agx_usc_shared shared;
   bool has_fragment_properties;
   struct agx_usc_fragment_properties fragment_properties;

   uint8_t spill_size; /* as in the list: 0 for programs without private memory */
   struct agx_helper helper;
};

static inline bool
agx_program_has_texture(const struct agx_program *program, unsigned index)
{
   return index < AGX_TEXTURE_STATES && program->textures_bound[index / 64] >> index % 64 & 1;
}

static inline bool
agx_program_has_sampler(const struct agx_program *program, unsigned index)
{
   return index < AGX_SAMPLER_STATES_COUNT && program->samplers_bound >> index & 1;
}

#endif
