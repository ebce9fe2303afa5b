/* The host's float unit follows a wave's MODE register for single precision. */
#ifndef INDIUM_AMD_SIM_WAVE_FLOAT_H
#define INDIUM_AMD_SIM_WAVE_FLOAT_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

/* MODE: round of f32 1:0 (even, up, down, zero), denormals of f32 5:4 (bit 0 inputs kept, bit 1 results kept). */
static inline void
wave_float_mode(uint32_t mode)
{
   static const uint32_t rounds[4] = {0x0000, 0x4000, 0x2000, 0x6000};
   uint32_t flush = (mode & 0x10 ? 0 : 0x0040u) | (mode & 0x20 ? 0 : 0x8000u);
   _mm_setcsr(0x1f80u | rounds[mode & 3] | flush);
}

static inline uint32_t
wave_float_save(void)
{
   return _mm_getcsr();
}

static inline void
wave_float_restore(uint32_t saved)
{
   _mm_setcsr(saved);
}
#else
/* Elsewhere: nearest even, denormals kept. */
static inline void wave_float_mode(uint32_t mode) {}
static inline uint32_t wave_float_save(void) { return 0; }
static inline void wave_float_restore(uint32_t saved) {}
#endif

#endif
