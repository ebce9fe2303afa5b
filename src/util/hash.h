/* Hashing of bytes (XXH3) and an open-addressing table from bytes keys to pointers. */
#ifndef INDIUM_UTIL_HASH_H
#define INDIUM_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *data, size_t size_B);

/* For keys of which only the hash is kept: continues the hash of earlier bytes (zeros at first) with these. */
struct hash_128 {
   uint64_t low, high;
};
struct hash_128 hash_more(struct hash_128 before, const void *data, size_t size_B);

/* The hash of what came before and one value more; the order matters. */
static inline uint32_t
hash_mix(uint32_t hash, uint64_t value)
{
   uint64_t mixed = (value ^ hash ^ (uint64_t)hash << 32) * UINT64_C(0x9e3779b97f4a7c15);
   mixed ^= mixed >> 32;
   return (uint32_t)((mixed * UINT64_C(0xd6e8feb86659fd93)) >> 32);
}

struct hash_entry {
   uint64_t hash;
   const void *key; /* NULL: free slot */
   size_t key_size_B;
   void *value;
};

/* A zeroed table is empty. Keys are not copied: they must outlive the table. */
struct hash_table {
   struct hash_entry *entries;
   uint32_t count, capacity;
};

/* The value stored for the key, or NULL. */
void *hash_find(const struct hash_table *table, const void *key, size_t key_size_B);

/* Adds a key that is not in the table. */
void hash_add(struct hash_table *table, const void *key, size_t key_size_B, void *value);
void hash_free(struct hash_table *table);

#define hash_for_each(it, table)                                                                                     \
   for (struct hash_entry *it = (table)->entries, *it##_end = it ? it + (table)->capacity : it; it < it##_end; it++) \
      if (it->key)

#endif
