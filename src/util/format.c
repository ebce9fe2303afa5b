/* Look-up of formats by value and by name. */
#include "util/format.h"

#include <stdlib.h>
#include <string.h>

#include "util/format_table.h"

static int
compare_value(const void *key, const void *row)
{
   uint32_t a = *(const uint32_t *)key, b = ((const struct format_info *)row)->format;
   return (a > b) - (a < b);
}

const struct format_info *
format_info(uint32_t format)
{
   if (format - 1 < format_dense_count)
      return &format_table[format - 1];
   return bsearch(&format, format_table, format_count, sizeof(*format_table), compare_value);
}

static int
compare_name(const void *key, const void *row)
{
   return strcmp(key, ((const struct format_name *)row)->name);
}

const struct format_info *
format_by_name(const char *name)
{
   static const char prefix[] = "VK_FORMAT_";
   if (!strncmp(name, prefix, sizeof(prefix) - 1))
      name += sizeof(prefix) - 1;
   const struct format_name *row =
      bsearch(name, format_names, format_name_count, sizeof(*format_names), compare_name);
   return row ? &format_table[row->index] : NULL;
}
