/* The host's float unit follows the modes of a wave for single precision. */
#ifndef INDIUM_SIM_HOST_FLOAT_H
#define INDIUM_SIM_HOST_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum sim_round {
   SIM_ROUND_EVEN,
   SIM_ROUND_UP,
   SIM_ROUND_DOWN,
   SIM_ROUND_ZERO,
};

#if defined(__x86_64__)
#include <immintrin.h>

/* keep_inputs, keep_results: denormals, which are flushed else. */
static inline void
sim_host_float_set(enum sim_round round, bool keep_inputs, bool keep_results)
{
   static const uint32_t rounds[4] = {0x0000, 0x4000, 0x2000, 0x6000};
   uint32_t flush = (keep_inputs ? 0 : 0x0040u) | (keep_results ? 0 : 0x8000u);
   _mm_setcsr(0x1f80u | rounds[round] | flush);
}

static inline uint32_t
sim_host_float_save(void)
{
   return _mm_getcsr();
}

static inline void
sim_host_float_restore(uint32_t saved)
{
   _mm_setcsr(saved);
}
#else
/* Elsewhere: nearest even, denormals kept. */
static inline void
sim_host_float_set(enum sim_round round, bool keep_inputs, bool keep_results)
{
}
static inline uint32_t
sim_host_float_save(void)
{
   return 0;
}
static inline void
sim_host_float_restore(uint32_t saved)
{
}
#endif

#endif
