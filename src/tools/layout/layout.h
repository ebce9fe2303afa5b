/* The parts of `indium layout`, and what `indium sparse` has of them. */
#ifndef INDIUM_TOOLS_LAYOUT_H
#define INDIUM_TOOLS_LAYOUT_H

#include <stdbool.h>

#include <ail/ail.h>

/* An element, as --at names it. */
struct layout_at {
   uint32_t x_el, y_el, layer, level, sample;
};

/* An image, and an element of it, as arguments describe them. */
struct layout_image {
   struct ail_image image;
   /* As they were given; NULL: not. */
   const char *levels, *layers, *samples, *tiling, *dimension, *stride, *at_text;
   struct layout_at at; /* of at_text */
};
#define LAYOUT_IMAGE                                                                                                 \
   {                                                                                                                 \
      .image = {.dimension = AIL_2D, .depth_px = 1, .layers = 1, .levels = 1, .samples = 1 }                         \
   }

/* Reads the texts and the operands WIDTHxHEIGHT[xDEPTH] FORMAT. 0, or the exit status after a line on stderr. */
int layout_read_image(const char *command, struct layout_image *image, char **argv, int count,
                      struct ail_layout *layout);

/* The table of levels; the steps to an element when at is not NULL. */
void layout_print(const struct ail_layout *layout, const struct layout_at *at);

/* The same as one JSON object. */
void layout_print_json(const struct ail_layout *layout, const struct layout_at *at);

/* The memory map, as SVG or PNG by the end of the path. False with a line on stderr when it cannot be written. */
bool layout_plot(const struct ail_layout *layout, const char *path);

/* Compares CSV files of measured layouts with ours, prints mismatches and a sum; returns the exit status. */
int layout_check(char **paths, int count);

const char *layout_tiling_name(enum ail_tiling tiling);

#endif
