/* The interpreter, as the engine uses it: a program's instructions are bound to handlers, and waves run through
 * these. */
#ifndef INDIUM_ASAHI_SIM_EXEC_H
#define INDIUM_ASAHI_SIM_EXEC_H

#include "asahi/sim/wave/wave_private.h"

/* Handlers by class; false: the instruction is not modelled. */
bool exec_alu_bind(struct code *code);
bool exec_flow_bind(struct code *code);
bool exec_group_bind(struct code *code);
bool exec_memory_bind(struct code *code);
bool exec_helper_bind(struct code *code);
bool exec_doorbell_jump_bind(struct code *code); /* of exec_helper_bind() */
bool exec_local_bind(struct code *code);
bool exec_stack_bind(struct code *code);
bool exec_state_bind(struct code *code); /* stores of uniforms, texture and sampler states */
bool exec_sync_bind(struct code *code);
bool exec_tile_bind(struct code *code);
bool exec_varying_bind(struct code *code);
bool exec_texture_bind(struct code *code);

/* Runs a wave until it stops: of struct sim_wave_model. */
void exec_run(struct sim_wave *wave);
/* Queued operations land. False after a fault. */
bool exec_memory_late_load(struct wave *wave, const struct code *code, const void *access);
bool exec_tile_land(struct wave *wave, const struct code *code, const void *access);
bool exec_texture_late_read(struct wave *wave, const struct code *code, const void *request);
bool exec_texture_land(struct wave *wave, const struct code *code, const void *access);

/* Arithmetic over 32 lanes: portable and AVX2 builds of the same file. */
struct exec_kernels {
   kernel_fn (*find)(enum agx_op op); /* NULL: none */
   step_fn run;                       /* of one with a kernel */
   step_fn run_wide;                  /* integers of 64 bits, and saturating ones */
   /* A source's lanes: where they lie, or written to scratch. */
   const uint32_t *(*fetch)(const struct wave *wave, const struct alu_source *source, uint32_t scratch[LANES]);
   /* Lanes where the comparison holds. */
   uint32_t (*compare)(const uint32_t *a, const uint32_t *b, unsigned condition, bool is_float);
   /* Nesting counters, in the low halves of r0, after an instruction; gives the lanes that are active then. */
   uint32_t (*nest)(uint32_t *r0, enum agx_op op, uint32_t nest, uint32_t holds);
};
extern const struct exec_kernels exec_kernels_base, exec_kernels_avx2;
const struct exec_kernels *exec_kernels(void);

/* How the lanes of an operand of arithmetic are fetched. */
void exec_bind_source(struct alu_source *source, const struct agx_operand *operand, enum as as);

/* A uniform's half, and a register of 16, 32 or 64 bits (or a uniform) in a lane. */
static inline uint32_t
exec_uniform(const struct wave *w, unsigned half)
{
   return w->program->uniforms[half % AGX_UNIFORMS];
}

uint64_t exec_value(const struct wave *wave, const struct agx_operand *operand, unsigned lane);

#endif
