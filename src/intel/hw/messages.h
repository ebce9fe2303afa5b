/* Messages of the execution units' kernels to the data ports and the render cache, as far as `indium uav` looks at
 * them. Source: the PRMs of Haswell, Broadwell and Skylake, volume 7 (3D Media GPGPU), Data Port Messages [doc], as
 * Mesa's compiler has them. */
#ifndef INDIUM_INTEL_HW_MESSAGES_H
#define INDIUM_INTEL_HW_MESSAGES_H

#include <stdint.h>

#include "intel/hw/uav_state.h"

enum {
   INTEL_EU_SEND = 0x31, /* opcodes; the split ones: gen9 */
   INTEL_EU_SENDC = 0x32,
   INTEL_EU_SENDS = 0x33,
   INTEL_EU_SENDSC = 0x34,
   INTEL_SFID_RENDER_CACHE = 5, /* shared functions */
   INTEL_SFID_DATA_CACHE_0 = 10,
   INTEL_SFID_DATA_CACHE_1 = 12,
   INTEL_RENDER_TARGET_WRITE = 12, /* message type of the render cache */
   INTEL_BTI_STATELESS_NONCOHERENT = 253,
   INTEL_BTI_STATELESS = 255,
};

/* Types (descriptor 18:14) that write memory, 1 << type. Of port 0: OWord block, OWord dual block, dword and byte
 * scattered writes; from 16 on it has scratch, which is the thread's own. */
#define INTEL_PORT_0_WRITES (1u << 8 | 1u << 10 | 1u << 11 | 1u << 12)
/* Of port 1: atomics (untyped, typed, counters, SIMD4x2; 64-bit addresses and floats), untyped, typed, media block
 * and 64-bit scattered and block writes. */
#define INTEL_PORT_1_WRITES                                                                                          \
   (1u << 2 | 1u << 3 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13 | 1u << 0x12 |       \
    1u << 0x13 | 1u << 0x15 | 1u << 0x19 | 1u << 0x1a | 1u << 0x1b | 1u << 0x1d | 1u << 0x1e)

/* Of an instruction's 128: the lower of two bits that say in which register file the second source is. */
static const uint8_t intel_source_1_file_bit[INTEL_GENS] = {
   [INTEL_GEN7_5] = 42, [INTEL_GEN8] = 89, [INTEL_GEN9] = 89};

#endif
