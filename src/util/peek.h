#ifndef INDIUM_UTIL_PEEK_H
#define INDIUM_UTIL_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/* Copies memory of this process that may not be there. False: not all of it is. */
bool peek_memory(const void *address, void *out, size_t size_B);

#endif
