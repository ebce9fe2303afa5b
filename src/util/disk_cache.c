/* A file an entry, "ab/cdef...": a header, then the bytes. Files are written under a name of their own and renamed,
 * so that nobody sees half of one. The file "size" has the sum of all; who writes an entry locks it. What goes wrong
 * with it ends when all entries are counted: where it is too short or the sum too large. */
#include "util/disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/disk_cache_entries.h"
#include "util/hash.h"
#include "util/log.h"

#define MAGIC UINT64_C(0x3145484341434449)  /* "IDCACHE1" */
#define MAX_ENTRY_B (UINT64_C(64) << 20)
#define USED_AFTER_S 60 /* entries that are read become young again, but not at each read */

struct header {
   uint64_t magic, size_B, checksum; /* of the bytes and, in this order, the key */
   uint8_t key[DISK_CACHE_KEY_B];
};

struct disk_cache {
   int folder;
   uint64_t max_B;
};

struct name {
   char text[2 * DISK_CACHE_KEY_B + 2];
};

static struct name
name_of(const uint8_t *key)
{
   struct name name;
   int length = sprintf(name.text, "%02x/", key[0]);
   for (unsigned i = 1; i < DISK_CACHE_KEY_B; i++)
      length += sprintf(name.text + length, "%02x", key[i]);
   return name;
}

static uint64_t
checksum(const struct header *header, const void *bytes)
{
   const uint64_t all[3] = {hash_bytes(bytes, header->size_B), header->size_B,
                            hash_bytes(header->key, sizeof(header->key))};
   return hash_bytes(all, sizeof(all));
}

/* ---- their life ---- */

/* With the folders that it is in. */
static bool
make_folder(const char *folder)
{
   char path[4096];
   size_t length = strlen(folder);
   if (length >= sizeof(path)) {
      errno = ENAMETOOLONG;
      return false;
   }
   memcpy(path, folder, length + 1);
   for (char *end = path + 1; end <= path + length; end++) {
      const char at = *end;
      if (at && at != '/')
         continue;
      *end = '\0';
      if (mkdir(path, 0700) && errno != EEXIST)
         return false;
      *end = at;
   }
   return true;
}

struct disk_cache *
disk_cache_open(const char *folder, uint64_t max_B)
{
   struct disk_cache *cache = calloc(1, sizeof(*cache));
   if (!cache)
      return NULL;
   *cache = (struct disk_cache){.folder = -1, .max_B = max_B};
   if (make_folder(folder))
      cache->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   if (cache->folder >= 0 && !faccessat(cache->folder, ".", R_OK | W_OK | X_OK, 0))
      return cache;
   log_error("no shader cache in %s: %s", folder, strerror(errno));
   disk_cache_close(cache);
   return NULL;
}

void
disk_cache_close(struct disk_cache *cache)
{
   if (cache && cache->folder >= 0)
      close(cache->folder);
   free(cache);
}

/* ---- reading ---- */

static bool
read_all(int fd, void *to, size_t size_B)
{
   for (char *at = to; size_B;) {
      ssize_t count = read(fd, at, size_B);
      if (count <= 0 && !(count < 0 && errno == EINTR))
         return false;
      at += count > 0 ? count : 0;
      size_B -= count > 0 ? (size_t)count : 0;
   }
   return true;
}

static void *
read_entry(int fd, const struct stat *status, const uint8_t *key, size_t *size_B)
{
   struct header header;
   if (!S_ISREG(status->st_mode) || !read_all(fd, &header, sizeof(header)) || header.magic != MAGIC ||
       header.size_B > MAX_ENTRY_B || (uint64_t)status->st_size != sizeof(header) + header.size_B ||
       memcmp(header.key, key, sizeof(header.key)) != 0)
      return NULL;
   void *bytes = malloc(header.size_B ? header.size_B : 1);
   if (bytes && read_all(fd, bytes, header.size_B) && checksum(&header, bytes) == header.checksum) {
      *size_B = header.size_B;
      return bytes;
   }
   free(bytes);
   return NULL;
}

void *
disk_cache_get(struct disk_cache *cache, const uint8_t key[DISK_CACHE_KEY_B], size_t *size_B)
{
   const struct name name = name_of(key);
   struct stat status;
   struct timespec now;
   int fd = openat(cache->folder, name.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   void *bytes = NULL;
   if (fd < 0)
      return NULL;
   if (!fstat(fd, &status))
      bytes = read_entry(fd, &status, key, size_B);
   clock_gettime(CLOCK_REALTIME, &now);
   if (bytes && now.tv_sec - status.st_mtim.tv_sec > USED_AFTER_S)
      futimens(fd, NULL);
   close(fd);
   return bytes;
}

/* ---- writing ---- */

static bool
write_all(int fd, const void *from, size_t size_B)
{
   for (const char *at = from; size_B;) {
      ssize_t count = write(fd, at, size_B);
      if (count < 0 && errno != EINTR)
         return false;
      at += count > 0 ? count : 0;
      size_B -= count > 0 ? (size_t)count : 0;
   }
   return true;
}

/* Under a name that nobody else has, in the folder where it will be. */
static bool
write_entry(struct disk_cache *cache, const struct name *name, const struct header *header, const void *bytes)
{
   static unsigned number;
   char aside[sizeof(*name) + 32];
   sprintf(aside, "%.3s" DISK_CACHE_ASIDE "%ld-%u", name->text, (long)getpid(),
           __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
   int fd = openat(cache->folder, aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
   if (fd < 0)
      return false;
   bool written = write_all(fd, header, sizeof(*header)) && write_all(fd, bytes, header->size_B);
   written &= !close(fd);
   if (written && !renameat(cache->folder, aside, cache->folder, name->text))
      return true;
   unlinkat(cache->folder, aside, 0);
   return false;
}

/* Of so many more bytes. Opened each time: locks are of what was opened, and threads lock each other out, too. */
static void
count_entry(struct disk_cache *cache, uint64_t taken_B)
{
   uint64_t sum_B = 0;
   int file = openat(cache->folder, "size", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
   if (file < 0)
      return;
   while (flock(file, LOCK_EX) && errno == EINTR)
      ;
   bool known = pread(file, &sum_B, sizeof(sum_B), 0) == sizeof(sum_B);
   if (!known || taken_B > cache->max_B || sum_B > cache->max_B - taken_B)
      sum_B = disk_cache_shrink(cache->folder, cache->max_B);
   else
      sum_B += taken_B;
   if (pwrite(file, &sum_B, sizeof(sum_B), 0) != sizeof(sum_B))
      log_error("the size of the shader cache cannot be written: %s", strerror(errno));
   close(file);
}

void
disk_cache_put(struct disk_cache *cache, const uint8_t key[DISK_CACHE_KEY_B], const void *bytes, size_t size_B)
{
   const struct name name = name_of(key);
   struct header header = {.magic = MAGIC, .size_B = size_B};
   const char folder[3] = {name.text[0], name.text[1], '\0'};
   memcpy(header.key, key, sizeof(header.key));
   header.checksum = checksum(&header, bytes);
   if (size_B > MAX_ENTRY_B || size_B > cache->max_B / 2)
      return;
   if (!write_entry(cache, &name, &header, bytes) &&
       (mkdirat(cache->folder, folder, 0700) || !write_entry(cache, &name, &header, bytes)))
      return;
   count_entry(cache, disk_cache_taken_B(sizeof(header) + size_B));
}
