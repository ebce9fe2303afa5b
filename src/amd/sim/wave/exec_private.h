/* What the handlers of instructions share. */
#ifndef INDIUM_AMD_SIM_EXEC_PRIVATE_H
#define INDIUM_AMD_SIM_EXEC_PRIVATE_H

#include "amd/sim/wave/exec.h"
#include "amd/sim/wave/wave_private.h"

/* ds_permute, ds_bpermute: know shared VGPRs too. */
bool exec_is_permute(const struct code *code);
/* Knows shared VGPRs: runs half by half, so that values get from the low lanes to the high ones. */
bool exec_is_valu(const struct code *code);

/* The value of scalar source i, 64 bits if the operand has two dwords. */
uint64_t exec_scalar(const struct wave *wave, const struct code *code, unsigned i);

/* Kernels by operation: portable and AVX2 builds of the same file. */
kernel_fn exec_kernel_base(enum amd_op op);
kernel_fn exec_kernel_avx2(enum amd_op op);

#endif
