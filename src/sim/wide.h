/* Files of loops over many lanes are built twice: portable, and for AVX2, with F16C and FMA. WIDE(name) is what such
 * a file's function is called outside: name_base or name_avx2. Only vectors of 256 bits make it worth while. */
#ifndef INDIUM_SIM_WIDE_H
#define INDIUM_SIM_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifdef WIDE_BUILD
#define WIDE_JOIN(name, build) name##_##build
#define WIDE_EXPAND(name, build) WIDE_JOIN(name, build)
#define WIDE(name) WIDE_EXPAND(name, WIDE_BUILD)
#endif

typedef uint32_t v8u __attribute__((vector_size(32)));
typedef float v8f __attribute__((vector_size(32)));

/* Ahead of a loop whose rounds do not depend on each other. */
#ifdef __clang__
#define WIDE_LOOP
#else
#define WIDE_LOOP _Pragma("GCC ivdep")
#endif

/* Of 16 words those that index names, each below 16. */
static inline v8u
wide_pick(v8u low, v8u high, v8u index)
{
#ifdef __clang__
   v8u picked;
   for (int i = 0; i < 8; i++)
      picked[i] = index[i] < 8 ? low[index[i]] : high[index[i] - 8];
   return picked;
#else
   return __builtin_shuffle(low, high, index);
#endif
}

/* Bit i: the highest bit of word i. */
static inline unsigned
wide_signs(v8u words)
{
#if defined(__AVX2__)
   __m256 all;
   memcpy(&all, &words, sizeof(all));
   return (unsigned)_mm256_movemask_ps(all);
#elif defined(__SSE2__)
   __m128 half[2];
   memcpy(half, &words, sizeof(half));
   return (unsigned)_mm_movemask_ps(half[0]) | (unsigned)_mm_movemask_ps(half[1]) << 4;
#else
   unsigned mask = 0;
   for (unsigned i = 0; i < 8; i++)
      mask |= words[i] >> 31 << i;
   return mask;
#endif
}

/* Words of a table of numbers of 32 bits. */
static inline v8u
wide_look_up(const void *table, v8u index)
{
   v8u found;
#if defined(__AVX2__)
   __m256i at, words;
   memcpy(&at, &index, sizeof(at));
   words = _mm256_i32gather_epi32((const int *)table, at, 4);
   memcpy(&found, &words, sizeof(found));
#else
   for (int i = 0; i < 8; i++)
      memcpy((char *)&found + 4 * i, (const char *)table + 4 * (uint64_t)index[i], 4);
#endif
   return found;
}

/* Words that lie anywhere: at each offset (B) from a place. count: a multiple of 8. */
static inline void
wide_gather(const uint8_t *from, const uint32_t *offset_B, int count, uint32_t *to)
{
#if defined(__AVX2__)
   const __m256i middle = _mm256_set1_epi32(INT32_MIN); /* the processor's offsets are signed */
   for (int i = 0; i < count; i += 8) {
      const __m256i at = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(offset_B + i)), middle);
      _mm256_storeu_si256((__m256i *)(to + i),
                          _mm256_i32gather_epi32((const int *)(from + (UINT32_C(1) << 31)), at, 1));
   }
#else
   for (int i = 0; i < count; i++)
      memcpy(to + i, from + offset_B[i], 4);
#endif
}

/* Whether the build for AVX2 is there and runs on this processor. */
static inline bool
sim_has_avx2(void)
{
#if defined(__x86_64__)
   return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#else
   return false;
#endif
}

#endif
