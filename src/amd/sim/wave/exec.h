/* The interpreter, as the engine uses it: a program's instructions are bound to handlers, and waves run through
 * these. What programs are compiled to (jit.h) stands behind the same calls. */
#ifndef INDIUM_AMD_SIM_EXEC_H
#define INDIUM_AMD_SIM_EXEC_H

#include <stdbool.h>

struct code;
struct sim_wave;
struct wave;

/* Handlers by encoding; false if the operation is not modelled. */
bool exec_salu_bind(struct code *code);
bool exec_smem_bind(struct code *code);
bool exec_valu_bind(struct code *code);
bool exec_interp_bind(struct code *code); /* parameters of pixels */
bool exec_salu_float_bind(struct code *code);
bool exec_dual_bind(struct code *code, unsigned lanes);
bool exec_ds_bind(struct code *code);
bool exec_gds_bind(struct code *code);
bool exec_ordered_bind(struct code *code);
bool exec_memory_bind(struct code *code);
bool exec_cache_bind(struct code *code); /* invalidates */
bool exec_index_bind(struct code *code); /* VGPR index mode */
bool exec_image_bind(struct code *code);
bool exec_export_bind(struct code *code);

/* Runs a wave until it stops: of struct sim_wave_model. */
void exec_run(struct sim_wave *wave);
/* A load that was queued lands. False after a fault. */
bool exec_memory_late_load(struct wave *wave, const struct code *code, const void *access);

#endif
