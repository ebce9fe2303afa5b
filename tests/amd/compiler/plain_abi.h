/* The register arguments of shaders that tests compile without a driver:
 *  s[2n:2n+1] address of descriptor set n (n < 4): binding b, element i at 4096 b + 64 i: V# or T#, S# at + 32
 *  s[8:9] push constants; s[10:11] V# of the vertex attributes, 16 bytes each; s12 base vertex, s13 base instance,
 *  s14 draw id, s[16:18] workgroup counts, s[20:21] scratch, s[22:23] sample positions. The point coordinate of a
 *  fragment shader is an input at location 31. */
#ifndef INDIUM_TESTS_PLAIN_ABI_H
#define INDIUM_TESTS_PLAIN_ABI_H

#include "amd/compiler/aco.h"

/* The hardware stage that runs only this shader, with these arguments. */
struct aco_stage plain_abi_stage(struct nir_shader *nir);

/* Descriptors, push constants, vertex attributes and the point coordinate become loads from there. */
void plain_abi_lower(struct nir_shader *nir);

#endif
