#ifndef INDIUM_NIR_INTERP_INTERNAL_H
#define INDIUM_NIR_INTERP_INTERNAL_H

#include "compiler/nir/nir_eval_modes.h"
#include "compiler/nir/nir_interp.h"
#include "util/dynarray.h"

struct nir_lanes {
   uint64_t words[NIR_INTERP_MAX_LANES / 64];
};

struct nir_interp_loop {
   struct nir_interp_loop *outer;
   struct nir_lanes broken, continued;
};

struct nir_machine {
   struct arena *arena;
   struct nir_shader *shader;
   const struct nir_interp_params *params;
   uint32_t num_lanes;
   struct nir_lanes exec;         /* lanes that execute the current instruction */
   union nir_const_value *values; /* [def][lane][component] */
   const struct nir_block **from; /* per lane: the block it executed last */
   bool *helper;
   uint8_t *constant_data;    /* info.constant_B */
   uint8_t *scratch, *shared; /* scratch: info.scratch_B per lane */
   struct nir_interp_loop *loop;
   struct dynarray phi_values;
   uint16_t *num_emitted; /* per lane */
   uint64_t steps;
   struct nir_interp_result result;
};

static inline bool
nir_lane_active(const struct nir_machine *interp, uint32_t lane)
{
   return interp->exec.words[lane / 64] >> (lane % 64) & 1;
}

/* The components of a value in a lane. */
static inline union nir_const_value *
nir_interp_value(const struct nir_machine *interp, const struct nir_def *def, uint32_t lane)
{
   return &interp->values[((size_t)def->index * interp->num_lanes + lane) * NIR_MAX_COMPONENTS];
}

/* Of a control shader. */
static inline uint32_t
nir_interp_patch_of(const struct nir_machine *interp, uint32_t lane)
{
   const uint32_t vertices = interp->shader->info.tess_vertices;
   return vertices ? lane / vertices : lane;
}

/* Each executes one intrinsic for all active lanes if it is of its group; false if it is not. */
bool nir_interp_memory(struct nir_machine *interp, const struct nir_intrinsic_instr *instr);
bool nir_interp_subgroup(struct nir_machine *interp, const struct nir_intrinsic_instr *instr);
bool nir_interp_matrix(struct nir_machine *interp, const struct nir_intrinsic_instr *instr);
bool nir_interp_system(struct nir_machine *interp, const struct nir_intrinsic_instr *instr);

/* Executes the intrinsic for one lane if task or mesh shaders make something by it; false if not. */
bool nir_interp_mesh(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane);

#endif
