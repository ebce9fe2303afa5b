/* Atomics of packets (ATOMIC_MEM of the command processor, ATOMIC of SDMA): numbers of the GL2's operations. */
#ifndef INDIUM_AMD_SIM_ATOMIC_H
#define INDIUM_AMD_SIM_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that an operation works on; 0: the model does not have it. */
unsigned amd_atomic_size_B(uint32_t op);

uint64_t amd_atomic_result(uint32_t op, uint64_t old, uint64_t operand, uint64_t compare);

#endif
