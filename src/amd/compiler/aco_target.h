/* What differs by generation besides the instruction table: struct aco_target of amd/hw/traits.txt. */
#ifndef INDIUM_ACO_TARGET_H
#define INDIUM_ACO_TARGET_H

#include "amd/hw/traits_compiler.h"

const struct aco_target *aco_target(enum amd_gen gen);

/* The most that constant_bus allows for one instruction (enum amd_op). */
unsigned aco_constant_bus(const struct aco_target *target, unsigned op);

/* Waves that a SIMD holds of a program with so many registers. */
unsigned aco_waves(const struct aco_target *target, unsigned wave_size, unsigned vgprs, unsigned sgprs);

#endif
