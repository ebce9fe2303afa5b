/* What a draw has touched of a surface, by dwords, in the order of memory: noted by any thread while it runs, looked
 * through when it ends. */
#ifndef INDIUM_AMD_SIM_NOTES_H
#define INDIUM_AMD_SIM_NOTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
   AMD_NOTE_LINE_LOG2 = 7, /* bytes of a line: a bit for each dword */
   AMD_NOTE_LINES = 32,    /* of a page: 4 KiB */
   AMD_NOTE_PAGE_B = AMD_NOTE_LINES << AMD_NOTE_LINE_LOG2,
   AMD_NOTE_GROUP = 64, /* pages */
};

struct amd_note_page {
   uint32_t any;       /* not 0: there is something in it */
   uint32_t group_any; /* of the first of a group: the same of them all */
   uint32_t line[AMD_NOTE_LINES];
};

static inline size_t
amd_note_pages(uint64_t size_B)
{
   return (size_t)((size_B + AMD_NOTE_PAGE_B - 1) / AMD_NOTE_PAGE_B);
}

static inline void
amd_note_page(struct amd_note_page *notes, uint64_t page)
{
   if (__atomic_load_n(&notes[page].any, __ATOMIC_RELAXED))
      return;
   __atomic_store_n(&notes[page].any, 1, __ATOMIC_RELAXED);
   __atomic_store_n(&notes[page & ~(uint64_t)(AMD_NOTE_GROUP - 1)].group_any, 1, __ATOMIC_RELAXED);
}

/* The next page, from that number on, with something in it; `pages`: none. */
static inline size_t
amd_note_next(const struct amd_note_page *notes, size_t page, size_t pages)
{
   while (page < pages && !notes[page].any)
      page += page % AMD_NOTE_GROUP == 0 && !notes[page].group_any ? AMD_NOTE_GROUP : 1;
   return page < pages ? page : pages;
}

/* Each page that the search above has come to. */
static inline void
amd_note_forget(struct amd_note_page *notes, size_t page)
{
   memset(&notes[page], 0, sizeof(notes[page]));
   notes[page - page % AMD_NOTE_GROUP].group_any = 0;
}

/* Dwords of a line, by its number from the start of the surface. notes: NULL: nobody asks. */
static inline void
amd_note_dwords(struct amd_note_page *notes, uint64_t line, uint32_t dwords)
{
   if (!notes)
      return;
   uint32_t *note = &notes[line / AMD_NOTE_LINES].line[line % AMD_NOTE_LINES];
   if (dwords == UINT32_MAX)
      __atomic_store_n(note, dwords, __ATOMIC_RELAXED);
   else if (dwords & ~__atomic_load_n(note, __ATOMIC_RELAXED))
      __atomic_fetch_or(note, dwords, __ATOMIC_RELAXED);
   amd_note_page(notes, line / AMD_NOTE_LINES);
}

/* The dwords in which size_B bytes lie, which are not 0. */
static inline void
amd_note(struct amd_note_page *notes, uint64_t at_B, unsigned size_B)
{
   uint64_t first = at_B / 4, last = (at_B + size_B - 1) / 4;
   for (; first / 32 < last / 32; first = (first | 31) + 1)
      amd_note_dwords(notes, first / 32, UINT32_MAX << first % 32);
   amd_note_dwords(notes, last / 32, (UINT32_MAX >> (31 - last % 32)) & (UINT32_MAX << first % 32));
}

/* Notes of a line that are not noted yet, one of a table's: a thread mostly touches the same lines again. Zero: none.
 */
struct amd_note_kept {
   uint64_t line;
   uint32_t dwords;
};

/* count: of the table, a power of two. */
static inline void
amd_note_keep(struct amd_note_page *notes, struct amd_note_kept *table, unsigned count, uint64_t line,
              uint32_t dwords)
{
   struct amd_note_kept *kept = &table[line % count];
   if (kept->line != line) {
      if (kept->dwords)
         amd_note_dwords(notes, kept->line, kept->dwords);
      kept->line = line;
      kept->dwords = 0;
   }
   kept->dwords |= dwords;
}

static inline void
amd_note_rest(struct amd_note_page *notes, const struct amd_note_kept *table, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      if (table[i].dwords)
         amd_note_dwords(notes, table[i].line, table[i].dwords);
}

/* A pixel lies past what is mapped of a surface. */
static inline void
amd_note_outside(uint8_t *outside)
{
   if (outside)
      __atomic_store_n(outside, 1, __ATOMIC_RELAXED);
}

#endif
