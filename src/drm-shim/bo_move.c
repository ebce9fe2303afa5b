/* Moving a buffer's memory into a file that others can be given. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/real.h"
#include "util/log.h"
#include "util/macros.h"

#define PAGE_B 4096
#define CHUNK_B (UINT64_C(64) << 10)

static pthread_mutex_t mapped = PTHREAD_MUTEX_INITIALIZER;

void
shim_hold_mappings(void)
{
   pthread_mutex_lock(&mapped);
}

void
shim_release_mappings(void)
{
   pthread_mutex_unlock(&mapped);
}

/* A line of /proc/self/maps. */
struct range {
   unsigned long start, end, offset, inode;
   unsigned device[2];
   int protection;
};

static bool
read_range(FILE *maps, struct range *range)
{
   char line[512], modes[5];
   if (!fgets(line, sizeof(line), maps))
      return false;
   for (size_t size_B = strlen(line); size_B && line[size_B - 1] != '\n';) { /* a long path */
      int c = fgetc(maps);
      if (c == EOF || c == '\n')
         break;
   }
   *range = (struct range){0};
   if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &range->start, &range->end, modes, &range->offset, &range->device[0],
              &range->device[1], &range->inode) != 7)
      return true;
   range->protection =
      (modes[0] == 'r' ? PROT_READ : 0) | (modes[1] == 'w' ? PROT_WRITE : 0) | (modes[2] == 'x' ? PROT_EXEC : 0);
   return true;
}

/* The range that shows the address. */
static bool
find_range(FILE *maps, const void *address, struct range *found)
{
   rewind(maps);
   while (read_range(maps, found))
      if (found->start <= (uintptr_t)address && (uintptr_t)address < found->end)
         return true;
   return false;
}

/* Memory may have been swapped out, which mincore(2) does not tell from pages that nobody has touched. */
static bool
may_be_swapped(void)
{
   struct sysinfo info;
   return sysinfo(&info) || info.freeswap != info.totalswap;
}

/* Some page of it has memory, which looking at a page would give it. */
static bool
has_memory(const char *chunk, size_t chunk_B)
{
   unsigned char resident[CHUNK_B / PAGE_B];
   if (mincore((void *)(uintptr_t)chunk, chunk_B, resident) || may_be_swapped())
      return true;
   for (unsigned i = 0; i < chunk_B / PAGE_B; i++)
      if (resident[i] & 1)
         return true;
   return false;
}

/* What was never written stays without memory, here and in the file. */
static int
copy(const char *map, uint64_t size_B, int fd)
{
   static const char zeros[CHUNK_B];
   for (uint64_t at = 0; at < size_B; at += CHUNK_B) {
      const size_t chunk_B = MIN2(CHUNK_B, size_B - at);
      if (has_memory(map + at, chunk_B) && memcmp(map + at, zeros, chunk_B) &&
          pwrite(fd, map + at, chunk_B, (off_t)at) != (ssize_t)chunk_B)
         return -ENOMEM;
   }
   return 0;
}

int
shim_move_to_file(const void *map, uint64_t size_B, int fd)
{
   FILE *maps = real()->fopen("/proc/self/maps", "re");
   struct range own = {0}, range;
   char buffer[4096];
   if (!maps)
      return -errno;
   setvbuf(maps, buffer, _IOFBF, sizeof(buffer)); /* it would allocate one */
   shim_hold_mappings();                          /* from the first line on: the stream keeps what it has read */
   int error = find_range(maps, map, &own) ? copy(map, size_B, fd) : -ENOMEM;
   rewind(maps);
   while (!error && read_range(maps, &range)) {
      if (range.inode != own.inode || memcmp(range.device, own.device, sizeof(own.device)))
         continue;
      if (real()->mmap((void *)range.start, range.end - range.start, range.protection, MAP_SHARED | MAP_FIXED, fd,
                       (off_t)range.offset) == MAP_FAILED) {
         log_error("drm-shim: a buffer is left in two parts: %s", strerror(errno));
         abort();
      }
   }
   shim_release_mappings();
   real()->fclose(maps);
   return error;
}
