/* What the compiler knows of a generation beside the instruction table. */
#ifndef INDIUM_ACO_TARGET_H
#define INDIUM_ACO_TARGET_H

#include <stdbool.h>

#include "amd/hw/gen.h"

/* Distances that an instruction can add to an address, both ends included. */
struct aco_offsets {
   int min_B, max_B;
};

struct aco_target {
   bool compiles; /* instructions, selection and hazards are all there */

   /* Waves and registers of a SIMD. VGPRs for one lane of wave32; granule: given out in blocks of so many (wave64:
    * half). sgprs: that a program can name; special_sgprs: VCC and the like, which are given out with them;
    * simd_sgprs is 0 where every wave has all. */
   bool has_wave32;
   unsigned max_waves;
   unsigned vgprs, vgpr_granule;
   unsigned sgprs, special_sgprs, simd_sgprs, sgpr_granule;

   /* Operands */
   unsigned constant_bus;        /* SGPRs and literals that one vector instruction reads; 64-bit shifts: one */
   bool vop3_literals;           /* VOP3 and VOP3P take a literal */
   unsigned max_image_addresses; /* registers of an address that need not stand in a row (NSA); 1: none of several */

   /* Memory; a workgroup has lds_B. */
   struct aco_offsets smem, smem_buffer, mubuf, flat, global, scratch, ds;
   unsigned lds_B;
   bool resource_level; /* V# has that bit, and it is 1 */
   unsigned vscnt_max;  /* of s_waitcnt_vscnt; 0: stores count as loads do */
   bool has_clauses;
   bool has_gl1;        /* a cache between those of CUs and L2: buffer_gl0_inv, buffer_gl1_inv */
   bool dlc_passes_gl1; /* loads want that bit beside GLC, which does not pass it */
   bool whole_bpermute; /* ds_bpermute reaches all lanes of wave64, not those of its half alone */
   bool says_dims;      /* image instructions name their dimensions; else whether there are layers or faces (DA) */
   bool split_formats;  /* a V# has a layout and a kind of number in place of one format */
   bool flat_1d;        /* images of one dimension lie in memory as those of two, and their T# says so */
   bool nsa_in_clauses; /* erratum nsa-clause if not */
   bool scratch_instrs; /* scratch by instructions of its own at FLAT_SCRATCH, not by a V# and an SGPR */

   unsigned instance_vgpr; /* where the instance's number arrives */
   bool packed_ids;        /* compute: a local id is one VGPR of three times 10 bits */

   bool pops_in_mode;    /* ordered sections: packers in MODE, numbers off by one, exits that wake nobody */
   bool pops_by_exports; /* ordered sections: end with the last export, and an event says when to begin */
   bool has_param_loads; /* inputs of fragments by lds_param_load, not by v_interp alone */

   /* Exports */
   bool alpha_beside_depth;   /* alpha to coverage reads that of MRTZ wherever it is exported */
   bool exports_halves;       /* COMPR: two values of 16 bits a register */
   bool alpha_second;         /* in exports of red and alpha; else the fourth */
   bool has_null_target;      /* else a program without results exports nothing to MRT0 */
   bool swizzles_dual_source; /* two sources of blending: pixels beside each other share exports of their own */
   bool pos0_vm;              /* erratum pos0-vm: the bit must be set */
   unsigned max_params;       /* exports that are attributes of pixels; 0: these are stored to a ring in memory */
   bool has_ngg, ngg_only;    /* vertices have the next-generation pipeline; and no other */
   bool ngg_asks;             /* there the first wave of a subgroup asks for room: GS_ALLOC_REQ */
   bool ngg_launch_barrier;   /* erratum ngg-early-alloc: not before all waves of the subgroup run */

   /* Where the logarithms of a vertex's shading rate are in what it exports; 0: there are none. */
   unsigned rate_width_bit, rate_height_bit;

   unsigned fetch_line_B; /* instructions are fetched up to three such lines ahead; 0: not past the end */
   bool has_hazards;      /* aco_avoid_hazards.c applies */
   bool has_wait_states;  /* aco_insert_wait_states.c applies */

   bool has_forward_hazards; /* aco_avoid_forwards.c applies */
   bool trans_use_hazard;    /* erratum valu-trans-use */
};

const struct aco_target *aco_target(enum amd_gen gen);

/* The most that constant_bus allows for one instruction (enum amd_op). */
unsigned aco_constant_bus(const struct aco_target *target, unsigned op);

/* Waves that a SIMD holds of a program with so many registers. */
unsigned aco_waves(const struct aco_target *target, unsigned wave_size, unsigned vgprs, unsigned sgprs);

#endif
