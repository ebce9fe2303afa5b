/* All entries of a cache on disk at once. */
#ifndef INDIUM_UTIL_DISK_CACHE_ENTRIES_H
#define INDIUM_UTIL_DISK_CACHE_ENTRIES_H

#include <stdint.h>

/* Names of files that are not entries yet, or never became one. */
#define DISK_CACHE_ASIDE "new-"

/* What a file of so many bytes counts: whole blocks of 4 KiB. */
static inline uint64_t
disk_cache_taken_B(uint64_t size_B)
{
   return (size_B + 4095) / 4096 * 4096;
}

/* Counts the files; if they are more than max_B, those go that were used or written the longest ago, until an eighth
 * is free. What remains, in bytes. Without memory nothing goes. */
uint64_t disk_cache_shrink(int folder, uint64_t max_B);

#endif
