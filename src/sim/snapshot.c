#include "sim/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE_B 4096
#define PAGE_WORDS (PAGE_B / 4)

struct sim_snapshot {
   const char *host;
   uint64_t size_B;
   int fd;
   uint32_t *words;
};

struct run {
   uint64_t first, end; /* words; empty: none yet */
   uint64_t gap;
   sim_change change;
   void *data;
};

struct sim_snapshot *
sim_snapshot_create(const void *host, uint64_t size_B, int fd)
{
   struct sim_snapshot *snapshot = calloc(1, sizeof(*snapshot));
   void *words =
      mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (!snapshot || words == MAP_FAILED) {
      if (words != MAP_FAILED)
         munmap(words, size_B);
      free(snapshot);
      return NULL;
   }
   *snapshot = (struct sim_snapshot){host, size_B, fd, words};
   return snapshot;
}

void
sim_snapshot_destroy(struct sim_snapshot *snapshot)
{
   munmap(snapshot->words, snapshot->size_B);
   free(snapshot);
}

static void
tell(const struct sim_snapshot *snapshot, struct run *run)
{
   if (run->end > run->first && run->change)
      run->change(run->data, run->first * 4, snapshot->words + run->first, run->end - run->first);
   run->first = run->end = 0;
}

/* False: the page is gone. */
static bool
read_page(const struct sim_snapshot *snapshot, uint64_t offset_B, uint32_t *page)
{
   if (snapshot->fd >= 0) {
      memcpy(page, snapshot->host + offset_B, PAGE_B);
      return true;
   }
   struct iovec local = {page, PAGE_B}, remote = {(void *)(snapshot->host + offset_B), PAGE_B};
   return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == PAGE_B;
}

/* The page is copied once: somebody may be writing it. */
static void
update_page(struct sim_snapshot *snapshot, uint64_t offset_B, struct run *run)
{
   uint32_t page[PAGE_WORDS], *old = snapshot->words + offset_B / 4;
   if (!read_page(snapshot, offset_B, page) || !memcmp(page, old, PAGE_B))
      return;
   for (unsigned i = 0; i < PAGE_WORDS; i++) {
      uint64_t word = offset_B / 4 + i;
      if (page[i] == old[i])
         continue;
      old[i] = page[i];
      if (run->end == run->first || word > run->end + run->gap) {
         tell(snapshot, run);
         run->first = word;
      }
      run->end = word + 1;
   }
}

void
sim_snapshot_update(struct sim_snapshot *snapshot, uint64_t gap, sim_change change, void *data)
{
   struct run run = {.gap = gap, .change = change, .data = data};
   for (off_t at = 0, end; at < (off_t)snapshot->size_B; at = end) {
      end = (off_t)snapshot->size_B;
      if (snapshot->fd >= 0) {
         at = lseek(snapshot->fd, at, SEEK_DATA);
         if (at < 0)
            break;
         end = lseek(snapshot->fd, at, SEEK_HOLE);
      }
      for (off_t page = at; page < end; page += PAGE_B)
         update_page(snapshot, (uint64_t)page, &run);
   }
   tell(snapshot, &run);
   if (snapshot->fd >= 0)
      lseek(snapshot->fd, 0, SEEK_SET); /* others have duplicates of it */
}
