/* The host's float unit follows a wave's MODE register for single precision, and for double while these operations
 * run. Its conversions of half precision keep denormals: these are flushed here. */
#ifndef INDIUM_AMD_SIM_WAVE_FLOAT_H
#define INDIUM_AMD_SIM_WAVE_FLOAT_H

#include <math.h>
#include <string.h>

#include "sim/waves/host_float.h"

/* NaN clamps to 0. */
enum { WAVE_DX10_CLAMP = 1 << 8 };

/* MODE: round of f32 1:0 (as enum sim_round), denormals of f32 5:4 (bit 0 inputs kept, bit 1 results kept). */
static inline void
wave_float_mode(uint32_t mode)
{
   sim_host_float_set((enum sim_round)(mode & 3), mode & 0x10, mode & 0x20);
}

/* MODE as wave_float_mode() takes it, for half and double precision. */
static inline uint32_t
wave_float_other_mode(uint32_t mode)
{
   return (mode >> 2 & 3) | (mode >> 6 & 3) << 4;
}

/* Denormals of half precision that MODE flushes. */
enum { WAVE_FLUSH_SOURCES = 1, WAVE_FLUSH_RESULTS = 2 };

static inline unsigned
wave_float_flushed(uint32_t mode)
{
   return ~mode >> 6 & 3;
}

/* Of two halves, or of one in the low bits. */
static inline uint32_t
wave_flush_halves(uint32_t bits)
{
   return bits & ~((bits & 0x7c00 ? 0 : 0x3ffu) | (bits & 0x7c000000 ? 0 : 0x3ff0000u));
}

/* The OMOD that has an effect: none where results keep denormals or in IEEE mode ("RDNA 3" ISA, 7.2.3.1). */
static inline unsigned
wave_float_omod(unsigned omod, uint32_t mode, bool is_single)
{
   return mode & (is_single ? 0x220 : 0x280) ? 0 : omod;
}

/* A source as the host's float unit takes it: for functions that look at its bits. */
static inline float
wave_float_source(float a)
{
   return a == 0 ? copysignf(0.0f, a) : a;
}

static inline double
wave_double_source(double a)
{
   return a == 0 ? copysign(0.0, a) : a;
}

/* 1, as a number that the compiler does not know: it must not drop a multiplication, which flushes the result. */
static inline float
wave_float_one(void)
{
   uint32_t bits = 0x3f800000;
   float one;
   __asm__("" : "+r"(bits));
   memcpy(&one, &bits, sizeof(one));
   return one;
}

#endif
