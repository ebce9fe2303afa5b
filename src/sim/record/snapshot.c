#include "sim/record/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/peek.h"

#define PAGE_B 4096
#define PAGE_WORDS (PAGE_B / 4)

struct sim_snapshot {
   const char *host;
   uint64_t size_B;
   int fd;
   uint32_t *words;
   /* Of sim_snapshot_mark(), bits: */
   uint8_t *marked; /* words */
   uint8_t *marked_pages;
};

static uint8_t *
zeros(uint64_t size_B)
{
   void *memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return memory == MAP_FAILED ? NULL : memory;
}

static uint64_t
marks_B(const struct sim_snapshot *snapshot)
{
   return snapshot->size_B / 32;
}

enum which { ALL, MARKED, OTHERS };

struct run {
   uint64_t first, end; /* words; empty: none yet */
   uint64_t gap;
   enum which which;
   sim_change change;
   void *data;
};

struct sim_snapshot *
sim_snapshot_create(const void *host, uint64_t size_B, int fd)
{
   struct sim_snapshot *snapshot = calloc(1, sizeof(*snapshot));
   if (!snapshot)
      return NULL;
   *snapshot = (struct sim_snapshot){.host = host, .size_B = size_B, .fd = fd};
   snapshot->words = (uint32_t *)zeros(size_B);
   snapshot->marked = zeros(marks_B(snapshot));
   snapshot->marked_pages = calloc(size_B / PAGE_B / 8 + 1, 1);
   if (snapshot->words && snapshot->marked && snapshot->marked_pages)
      return snapshot;
   sim_snapshot_destroy(snapshot);
   return NULL;
}

void
sim_snapshot_destroy(struct sim_snapshot *snapshot)
{
   if (snapshot->words)
      munmap(snapshot->words, snapshot->size_B);
   if (snapshot->marked)
      munmap(snapshot->marked, marks_B(snapshot));
   free(snapshot->marked_pages);
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
   if (snapshot->fd == SIM_SNAPSHOT_FOREIGN)
      return peek_memory(snapshot->host + offset_B, page, PAGE_B);
   memcpy(page, snapshot->host + offset_B, PAGE_B);
   return true;
}

static bool
is_marked(const uint8_t *marks, uint64_t i)
{
   return marks[i / 8] >> (i % 8) & 1;
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
      if (page[i] == old[i] || (run->which != ALL && is_marked(snapshot->marked, word) != (run->which == MARKED)))
         continue;
      old[i] = page[i];
      if (run->end == run->first || word > run->end + run->gap) {
         tell(snapshot, run);
         run->first = word;
      }
      run->end = word + 1;
   }
}

static void
update(struct sim_snapshot *snapshot, struct run run)
{
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

void
sim_snapshot_update(struct sim_snapshot *snapshot, uint64_t gap, sim_change change, void *data)
{
   update(snapshot, (struct run){.gap = gap, .which = ALL, .change = change, .data = data});
}

void
sim_snapshot_update_others(struct sim_snapshot *snapshot, sim_change change, void *data)
{
   update(snapshot, (struct run){.which = OTHERS, .change = change, .data = data});
}

bool
sim_snapshot_is_marked(const struct sim_snapshot *snapshot, uint64_t offset_B)
{
   return is_marked(snapshot->marked, offset_B / 4);
}

static uint32_t
read_word(const struct sim_snapshot *snapshot, uint64_t offset_B)
{
   uint32_t page[PAGE_WORDS];
   return read_page(snapshot, offset_B / PAGE_B * PAGE_B, page) ? page[offset_B % PAGE_B / 4]
                                                                : snapshot->words[offset_B / 4];
}

bool
sim_snapshot_differs(const struct sim_snapshot *snapshot, uint64_t offset_B)
{
   return read_word(snapshot, offset_B) != snapshot->words[offset_B / 4];
}

void
sim_snapshot_forget(struct sim_snapshot *snapshot, uint64_t offset_B, uint64_t size_B)
{
   for (uint64_t at_B = offset_B; at_B < offset_B + size_B; at_B += 4) {
      snapshot->words[at_B / 4] = read_word(snapshot, at_B);
      snapshot->marked[at_B / 32] &= (uint8_t)~(1u << at_B / 4 % 8);
   }
}

static void
set_bits(uint8_t *marks, uint64_t first, uint64_t end)
{
   for (; first < end && first % 8; first++)
      marks[first / 8] |= (uint8_t)(1 << first % 8);
   if (end > first) {
      memset(marks + first / 8, 0xff, (end - first) / 8);
      for (first = end - end % 8; first < end; first++)
         marks[first / 8] |= (uint8_t)(1 << first % 8);
   }
}

void
sim_snapshot_mark(struct sim_snapshot *snapshot, uint64_t offset_B, uint64_t size_B)
{
   set_bits(snapshot->marked, offset_B / 4, (offset_B + size_B + 3) / 4);
   set_bits(snapshot->marked_pages, offset_B / PAGE_B, (offset_B + size_B + PAGE_B - 1) / PAGE_B);
}

void
sim_snapshot_update_marked(struct sim_snapshot *snapshot, sim_change change, void *data)
{
   struct run run = {.which = MARKED, .change = change, .data = data};
   uint64_t pages = snapshot->size_B / PAGE_B;
   for (uint64_t i = 0; i < pages; i++) {
      if (!is_marked(snapshot->marked_pages, i))
         continue;
      update_page(snapshot, i * PAGE_B, &run);
      memset(snapshot->marked + i * PAGE_WORDS / 8, 0, PAGE_WORDS / 8);
   }
   memset(snapshot->marked_pages, 0, pages / 8 + 1);
   tell(snapshot, &run);
}
