/* Which samples a triangle covers, exactly: standard sample locations, top-left rule, vertices in 1/256 pixel. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

struct coverage_edge {
   int64_t a, b, c; /* a * x + b * y + c > 0 inside; = 0 counts as inside if `owned` */
   bool owned;
};

struct coverage {
   struct coverage_edge edges[3];
   int32_t left, top, right, bottom; /* pixels that may be covered, ends excluded; empty without area */
};

/* xy: the vertices in 1/256 pixel, y down, either way round. Nothing outside width x height pixels is covered. */
struct coverage coverage_setup(const int32_t xy[3][2], uint32_t width, uint32_t height);

/* Bit s: sample s of the pixel, one of 1 << samples_log2 (0 to 3), is covered. */
uint32_t coverage_of_pixel(const struct coverage *coverage, unsigned samples_log2, uint32_t x, uint32_t y);

#endif
