/* Pages of a layer, and tables from files. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sparse/sparse.h"
#include "util/macros.h"
#include "util/read_file.h"

#define TABLE_TEXT_B (64u << 20)

uint32_t
sparse_pages_per_layer(const struct ail_layout *layout)
{
   return (uint32_t)(layout->layer_stride_B / AIL_PAGE_B);
}

static void
find_level(const struct ail_layout *layout, uint32_t level, struct sparse_page *pages)
{
   const struct ail_level *l = &layout->levels[level];
   unsigned area_log2 = 14 - log2_floor(layout->element_B), w_log2 = (area_log2 + 1) / 2, h_log2 = area_log2 / 2;
   if (level >= layout->mip_tail_first_level) {
      uint64_t first = l->offset_B / AIL_PAGE_B, last = (l->offset_B + MAX2(l->size_B, 1u) - 1) / AIL_PAGE_B;
      for (uint64_t page = first; page <= last; page++)
         if (pages[page].unused)
            pages[page] = (struct sparse_page){.level = level, .in_tail = true};
      return;
   }
   for (uint32_t y = 0; y << h_log2 < l->height_el; y++)
      for (uint32_t x = 0; x << w_log2 < l->width_el; x++)
         pages[ail_element_offset_B(layout, x << w_log2, y << h_log2, 0, level, 0) / AIL_PAGE_B] =
            (struct sparse_page){.level = level, .tile_x = x, .tile_y = y};
}

void
sparse_find_pages(const struct ail_layout *layout, struct sparse_page *pages)
{
   for (uint32_t i = 0; i < sparse_pages_per_layer(layout); i++)
      pages[i] = (struct sparse_page){.unused = true};
   for (uint32_t level = 0; level < layout->image.levels; level++)
      find_level(layout, level, pages);
}

/* ---- tables ---- */

static bool
complain(const char *path, const char *what)
{
   fprintf(stderr, "indium sparse: %s: %s\n", path, what);
   return false;
}

/* "WORD" or "WORD*COUNT" at *text, which moves after it. */
static bool
read_entry(const char **text, uint32_t *word, uint64_t *count)
{
   char *end;
   errno = 0;
   if (!isxdigit((unsigned char)**text))
      return false;
   unsigned long long value = strtoull(*text, &end, 16);
   if (errno || value > UINT32_MAX || end - *text > 10)
      return false;
   *word = (uint32_t)value;
   *count = 1;
   if (*end == '*' && isdigit((unsigned char)end[1]))
      *count = strtoull(end + 1, &end, 10);
   *text = end;
   return !errno && *count && (!*end || isspace((unsigned char)*end));
}

static bool
parse_table(const char *text, uint32_t *words, uint64_t room, const char *path)
{
   uint64_t filled = 0;
   for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
      uint32_t word;
      uint64_t count;
      if (!read_entry(&text, &word, &count))
         return complain(path, "expected hex words, or WORD*COUNT");
      if (count > room - filled)
         return complain(path, "more words than the table has");
      while (count--)
         words[filled++] = word;
   }
   return filled == room || complain(path, "fewer words than the table has");
}

uint32_t *
sparse_read_table(const struct ail_layout *layout, const char *path)
{
   size_t size_B;
   char *text = read_file(path, TABLE_TEXT_B, &size_B);
   if (!text) {
      complain(path, strerror(errno));
      return NULL;
   }
   uint64_t room = layout->sparse_table_size_B / 4;
   uint32_t *words = calloc(room, sizeof(*words));
   bool good = words && (strlen(text) == size_B || complain(path, "not a text file"));
   if (good)
      good = parse_table(text, words, room, path);
   free(text);
   if (!good) {
      free(words);
      return NULL;
   }
   return words;
}

/* What is wrong with a word for a page of a layer; NULL: nothing. */
static const char *
fault_of(uint32_t word, bool exists)
{
   if (!word)
      return NULL;
   if (!exists)
      return "is set, and the layer has no such page";
   if ((word >> 30 & 1) != word >> 31)
      return "has one of the bits 30 and 31, which go together";
   if (word >> 26 & 15)
      return "has bits of 26 to 29, which nobody has seen set";
   return NULL;
}

uint64_t
sparse_check_table(const struct ail_layout *layout, const uint32_t *words)
{
   uint32_t pages = sparse_pages_per_layer(layout), slots = layout->folios_per_layer * AIL_FOLIO_PAGES;
   uint64_t faults = 0;
   for (uint32_t layer = 0; layer < layout->layer_count; layer++) {
      for (uint32_t page = 0; page < slots; page++) {
         uint64_t folio = (uint64_t)layer * layout->folios_per_layer + page / AIL_FOLIO_PAGES;
         uint64_t index = folio * AIL_FOLIO_WORDS + page % AIL_FOLIO_PAGES;
         const char *fault = fault_of(words[index], page < pages);
         if (fault)
            printf("word %" PRIu64 " (page %u of layer %u): 0x%08x %s\n", index, page, layer, words[index], fault);
         faults += fault != NULL;
      }
   }
   return faults;
}
