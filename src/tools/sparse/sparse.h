/* The parts of `indium sparse`. */
#ifndef INDIUM_TOOLS_SPARSE_H
#define INDIUM_TOOLS_SPARSE_H

#include <stdbool.h>

#include <ail/ail.h>

/* What a page of a layer holds. */
struct sparse_page {
   uint32_t level;          /* of the first byte that an element has */
   uint32_t tile_x, tile_y; /* of large levels: place in pages */
   bool in_tail;            /* may hold several levels */
   bool unused;             /* no level that the image shows */
};

uint32_t sparse_pages_per_layer(const struct ail_layout *layout);

/* Fills `pages` (sparse_pages_per_layer). */
void sparse_find_pages(const struct ail_layout *layout, struct sparse_page *pages);

/* The words of a table from a file of hex words, "WORD*COUNT" for several. NULL, with a line on stderr: no file, no
 * words, too few or too many. To be freed. */
uint32_t *sparse_read_table(const struct ail_layout *layout, const char *path);

/* Prints what is wrong in a table, a line each; their number. */
uint64_t sparse_check_table(const struct ail_layout *layout, const uint32_t *words);

/* Folios and levels as a picture; words: NULL without a table. False with a line on stderr. */
bool sparse_plot(const struct ail_layout *layout, const uint32_t *words, const char *path);

#endif
