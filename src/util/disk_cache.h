/* Bytes by their key in a folder of the user's, which processes share: a file an entry. Nothing in it is trusted or
 * needed: what is damaged, cut off or of another form is as if it were not there. */
#ifndef INDIUM_UTIL_DISK_CACHE_H
#define INDIUM_UTIL_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_CACHE_KEY_B 16

struct disk_cache;

/* The folder of that name where Mesa has its own: below MESA_SHADER_CACHE_DIR, else XDG_CACHE_HOME, else
 * ~/.cache. *max_B: by MESA_SHADER_CACHE_MAX_SIZE, a number and K, M or G (default), else 1 GiB. From malloc(); NULL
 * where there is none: by MESA_SHADER_CACHE_DISABLE, in programs that run with another user's rights, without a home,
 * or without memory. What a variable says that cannot be is logged. */
char *disk_cache_folder(const char *name, uint64_t *max_B);

/* The folder is made where it is not there. NULL: after a line in the log, it cannot be used. */
struct disk_cache *disk_cache_open(const char *folder, uint64_t max_B);
void disk_cache_close(struct disk_cache *cache); /* NULL is fine */

/* From malloc(), aligned for any type; NULL: not there. By any thread. */
void *disk_cache_get(struct disk_cache *cache, const uint8_t key[DISK_CACHE_KEY_B], size_t *size_B);

/* All or nothing of it is there afterwards; older entries go where there are more than max_B. By any thread. */
void disk_cache_put(struct disk_cache *cache, const uint8_t key[DISK_CACHE_KEY_B], const void *bytes, size_t size_B);

#endif
