/* Copies between surfaces and rows of elements, both in the processor's memory. Surfaces have one sample. */
#ifndef INDIUM_AC_SURFACE_COPY_H
#define INDIUM_AC_SURFACE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ac_surface;

struct ac_surface_box {
   unsigned level;
   uint32_t x_el, y_el, slice;
   uint32_t width_el, height_el, slices;
};

struct ac_rows {
   char *start;
   size_t row_B, slice_B;
};

/* False when out of memory. */
bool ac_surface_copy(const struct ac_surface *surface, char *image, const struct ac_surface_box *box,
                     const struct ac_rows *rows, bool to_image);

#endif
