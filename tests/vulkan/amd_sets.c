/* Smallest, largest and middle of three, faces of cubes, and a clock: AMD's instruction sets, against C. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "amd_sets.inc"
};
static const uint32_t small_code[] = {
#include "amd_sets_small.inc"
};

enum { COUNT = 512, LIMITS = 9, FACE = LIMITS, ROWS = 13 };

struct three {
   double x[3];
};

static double
limit(const double *x, unsigned which)
{
   const double low = fmin(fmin(x[0], x[1]), x[2]), high = fmax(fmax(x[0], x[1]), x[2]);
   /* The middle one is left when the others go; its sum is exact for these numbers. */
   return which == 0 ? low : which == 1 ? high : x[0] + x[1] + x[2] - low - high;
}

/* Face, and coordinates from 0 to 1 (Vulkan specification, "Cube Map Face Selection"). */
static void
cube(const double *d, double *out)
{
   const double ax = fabs(d[0]), ay = fabs(d[1]), az = fabs(d[2]);
   double s, t, axis;
   if (az >= ax && az >= ay) {
      out[0] = d[2] < 0 ? 5 : 4;
      s = d[2] < 0 ? -d[0] : d[0];
      t = -d[1];
      axis = az;
   } else if (ay >= ax) {
      out[0] = d[1] < 0 ? 3 : 2;
      s = d[0];
      t = d[1] < 0 ? -d[2] : d[2];
      axis = ay;
   } else {
      out[0] = d[0] < 0 ? 1 : 0;
      s = d[0] < 0 ? d[2] : -d[2];
      t = -d[1];
      axis = ax;
   }
   out[1] = s / axis / 2 + 0.5;
   out[2] = t / axis / 2 + 0.5;
}

static double
as_number(uint32_t word, unsigned kind)
{
   float f;
   memcpy(&f, &word, 4);
   return kind == 0 ? (double)f : kind == 1 ? (double)(int32_t)word : (double)word;
}

/* The operand of a row of 16-bit numbers. */
static double
small_number(uint32_t word, unsigned kind)
{
   return kind == 0 ? (double)(word >> 4 & 1023) - 512 : kind == 1 ? (double)(int16_t)word : (double)(uint16_t)word;
}

/* Limits of three numbers of 16 bits. */
static void
check_small(struct vkx *vkx, const struct vkx_buffer buffers[2])
{
   const uint32_t *input = buffers[0].map, *results = buffers[1].map;
   unsigned wrong[LIMITS] = {0};
   if (!vkt_has("VK_AMD_gpu_shader_half_float") || !vkt_has("VK_AMD_gpu_shader_int16")) {
      vkt_skip("AMD's numbers of 16 bits");
      return;
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(small_code), 2, buffers, .groups = COUNT / 64});
   for (unsigned i = 0; i < COUNT; i++) {
      for (unsigned row = 0; row < LIMITS; row++) {
         double x[3];
         for (unsigned c = 0; c < 3; c++)
            x[c] = small_number(input[4 * i + c], row / 3);
         wrong[row] += as_number(results[row * COUNT + i], row / 3) != limit(x, row % 3);
      }
   }
   for (unsigned row = 0; row < LIMITS; row++)
      vkt_expect(!wrong[row], "16 bits, row %u: %u wrong", row, wrong[row]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("amd_sets");
   if (!vkt_has("VK_AMD_shader_trinary_minmax") || !vkt_has("VK_AMD_gcn_shader")) {
      vkt_skip("AMD's instruction sets");
      vkt_expect(true, "nothing to do");
      return vkt_finish(&vkx);
   }
   struct vkx_buffer buffers[2] = {vkt_buffer_create(&vkx, COUNT * 16, 0),
                                   vkt_buffer_create(&vkx, ROWS * COUNT * 4, 0)};
   uint32_t *input = buffers[0].map;
   for (unsigned i = 0; i < COUNT * 4; i++)
      input[i] = vkt_random();
   vkt_dispatch(&vkx, &(struct vkt_dispatch){VKT_CODE(code), 2, buffers, .groups = COUNT / 64});
   const uint32_t *results = buffers[1].map;
   unsigned wrong[ROWS] = {0}, clock = 0;
   for (unsigned i = 0; i < COUNT; i++) {
      double faces[3], direction[3] = {0};
      for (unsigned row = 0; row < LIMITS; row++) {
         double x[3];
         for (unsigned c = 0; c < 3; c++) {
            const uint32_t word = input[4 * i + c];
            x[c] = row / 3 ? as_number(word, row / 3) : (double)((int32_t)word >> 8) / 65536;
            direction[c] = row / 3 ? direction[c] : x[c];
         }
         wrong[row] += as_number(results[row * COUNT + i], row / 3) != limit(x, row % 3);
      }
      cube(direction, faces);
      for (unsigned c = 0; c < 3; c++)
         wrong[FACE + c] += fabs(as_number(results[(FACE + c) * COUNT + i], 0) - faces[c]) > 1e-5;
      clock += results[(ROWS - 1) * COUNT + i] > 0;
   }
   for (unsigned row = 0; row < ROWS - 1; row++)
      vkt_expect(!wrong[row], "row %u: %u wrong", row, wrong[row]);
   vkt_expect(clock == COUNT, "the clock of %u invocations stands still", COUNT - clock);
   check_small(&vkx, buffers);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(&vkx, &buffers[i]);
   return vkt_finish(&vkx);
}
