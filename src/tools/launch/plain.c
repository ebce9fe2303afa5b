#include "tools/launch/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/launch/driver_table.h"

/* Whether a list has the word. */
static bool
lists(const char *list, char separator, const char *word, size_t size_B)
{
   const char parts[] = {separator, 0};
   for (size_t length; length = strcspn(list, parts), *list; list += length + (list[length] == separator)) {
      if (length == size_B && !memcmp(list, word, length))
         return true;
   }
   return false;
}

bool
is_plain(const char *groups)
{
   bool known = true, more = *groups;
   while (known && more) {
      size_t length = strcspn(groups, ",");
      known = lists(PLAIN_GROUPS, '|', groups, length);
      more = groups[length];
      groups += length + more;
   }
   return known;
}

/* All words for the variable of row `first`. */
static void
set_variable(const struct plain *rows, const struct plain *first, const char *groups)
{
   const char *name = first->setting.name;
   char words[256] = "";
   size_t used_B = 0;
   for (const struct plain *row = rows; row->group; row++) {
      if (strcmp(row->setting.name, name) || (*groups && !lists(groups, ',', row->group, strlen(row->group))))
         continue;
      if (row < first)
         return; /* is set */
      used_B +=
         (size_t)snprintf(words + used_B, sizeof(words) - used_B, "%s%s", used_B ? "," : "", row->setting.value);
   }
   if (used_B)
      setenv(name, words, 0);
}

void
set_plain(const struct driver *driver, const char *groups)
{
   for (const struct plain *row = driver->plain; row->group; row++)
      set_variable(driver->plain, row, groups);
}
