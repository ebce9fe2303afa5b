/* The parts of `indium layout`. */
#ifndef INDIUM_TOOLS_LAYOUT_H
#define INDIUM_TOOLS_LAYOUT_H

#include <stdbool.h>

#include <ail/ail.h>

/* An element, as --at names it. */
struct layout_at {
   uint32_t x_el, y_el, layer, level, sample;
};

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
