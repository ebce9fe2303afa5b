/* What `indium run --plain` tells other people's drivers not to do. */
#ifndef INDIUM_TOOLS_PLAIN_H
#define INDIUM_TOOLS_PLAIN_H

#include <stdbool.h>

struct driver;

/* Groups, parted by commas; none stands for all. */
bool is_plain(const char *groups);

/* Sets the variables that the user has not set. */
void set_plain(const struct driver *driver, const char *groups);

#endif
