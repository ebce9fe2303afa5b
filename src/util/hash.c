#include "util/hash.h"
#include "util/within_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t
hash_bytes(const void *data, size_t size_B)
{
   return XXH3_64bits(data, size_B);
}

struct hash_128
hash_more(struct hash_128 before, const void *data, size_t size_B)
{
   const XXH128_hash_t own = XXH3_128bits(data, size_B);
   const uint64_t all[5] = {before.low, before.high, own.low64, own.high64, size_B};
   const XXH128_hash_t both = XXH3_128bits(all, sizeof(all));
   return (struct hash_128){both.low64, both.high64};
}

static struct hash_entry *
find_slot(const struct hash_table *table, uint64_t hash, const void *key, size_t key_size_B)
{
   for (uint32_t i = (uint32_t)hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
      struct hash_entry *entry = &table->entries[i];
      if (!entry->key ||
          (entry->hash == hash && entry->key_size_B == key_size_B && !memcmp(entry->key, key, key_size_B)))
         return entry;
   }
}

void *
hash_find(const struct hash_table *table, const void *key, size_t key_size_B)
{
   if (!table->count)
      return NULL;
   struct hash_entry *entry = find_slot(table, hash_bytes(key, key_size_B), key, key_size_B);
   return entry->key ? entry->value : NULL;
}

static void
grow(struct hash_table *table)
{
   struct hash_table bigger = {.capacity = table->capacity ? table->capacity * 2 : 32, .count = table->count};
   bigger.entries = need_calloc("a hash table", bigger.capacity, sizeof(*bigger.entries));
   hash_for_each(entry, table)
      *find_slot(&bigger, entry->hash, entry->key, entry->key_size_B) = *entry;
   free(table->entries);
   *table = bigger;
}

void
hash_add(struct hash_table *table, const void *key, size_t key_size_B, void *value)
{
   if (table->count * 2 >= table->capacity)
      grow(table);
   uint64_t hash = hash_bytes(key, key_size_B);
   *find_slot(table, hash, key, key_size_B) = (struct hash_entry){hash, key, key_size_B, value};
   table->count++;
}

void
hash_free(struct hash_table *table)
{
   free(table->entries);
   *table = (struct hash_table){0};
}
