/* Barycentrics of many pixels, as loops that are built twice: sim/wide.h. Internal to spi_ps*.c. */
#ifndef INDIUM_AMD_SIM_SPI_PS_CENTERS_H
#define INDIUM_AMD_SIM_SPI_PS_CENTERS_H

#include <stdint.h>

/* A primitive's planes: a, b, c. */
struct amd_centers {
   float one_w[3], i_w[3], j_w[3];
};

/* I and J, perspective, of lanes at (x + dx, y + dy) px from the primitive's origin. */
typedef void amd_centers_fn(const struct amd_centers *planes, float x, float y, const float *dx, const float *dy,
                            unsigned count, uint32_t *i, uint32_t *j);
/* size: arrays of a loop over pixels that is built twice */
amd_centers_fn amd_centers_base, amd_centers_avx2;
/* spi_ps_start.c: the one for this processor. */
amd_centers_fn *amd_spi_ps_centers(void);

#endif
