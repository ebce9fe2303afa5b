/* The generated tables behind format.h; only format.c and the generator know them. */
#ifndef INDIUM_UTIL_FORMAT_TABLE_H
#define INDIUM_UTIL_FORMAT_TABLE_H

#include "util/format.h"

struct format_name {
   const char *name;
   unsigned index; /* into format_table */
};

/* Sorted by value; entry i has value i + 1 for i < format_dense_count. */
extern const struct format_info format_table[];
/* Sorted by name in strcmp order, aliases included. */
extern const struct format_name format_names[];
extern const unsigned format_count, format_dense_count, format_name_count;

#endif
