#ifndef INDIUM_UTIL_READ_FILE_H
#define INDIUM_UTIL_READ_FILE_H

#include <stddef.h>

/* All bytes of a file, a pipe too, and a NUL after them, which *size_B does not count; for the caller to free.
 * NULL with errno set: the file cannot be read, is a folder, there is no memory; EFBIG: it has more than limit_B. */
char *read_file(const char *path, size_t limit_B, size_t *size_B);

#endif
