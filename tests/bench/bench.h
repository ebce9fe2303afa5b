/* Time and medians for the benchmarks. */
#ifndef TEST_BENCH_H
#define TEST_BENCH_H

#include <stdlib.h>
#include <time.h>

/* Seconds of CLOCK_MONOTONIC. */
static inline double
bench_now_s(void)
{
   struct timespec time;
   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline int
bench_compare(const void *a, const void *b)
{
   double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

/* Sorts the values; count > 0. */
static inline double
bench_median(double *values, unsigned count)
{
   qsort(values, count, sizeof(*values), bench_compare);
   return values[count / 2];
}

#endif
