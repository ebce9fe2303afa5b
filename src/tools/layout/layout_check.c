/* Rows of measured layouts against ours: columns by name, an empty cell states nothing. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/layout/layout.h"

enum { MAX_LINE_B = 65536, MAX_SHOWN = 100 };

enum column {
   FORMAT,
   WIDTH,
   HEIGHT,
   LAYERS,
   LEVELS,
   SAMPLES,
   COMPRESSED,
   METADATA_OFFSET,
   SIZE,
   LEVEL_OFFSETS,
   COLUMNS
};

static const char *const column_names[COLUMNS] = {
   "format",  "width_px",   "height_px",         "layers", "levels",
   "samples", "compressed", "metadata_offset_B", "size_B", "level_offsets_B",
};

struct file {
   const char *path;
   unsigned line;
   int order[COLUMNS]; /* column of each cell of a row */
   unsigned cells;
   unsigned passed, failed;
};

static bool
complain(const struct file *file, const char *message, const char *what)
{
   char text[MAX_SHOWN + 1];
   size_t size_B = strnlen(what, MAX_SHOWN);
   memcpy(text, what, size_B);
   text[size_B] = 0;
   for (char *c = text; *c; c++)
      *c = *c < ' ' || *c > '~' ? '?' : *c;
   fprintf(stderr, "%s:%u: %s \"%s\"\n", file->path, file->line, message, text);
   return false;
}

/* Cuts the line at its commas; returns the number of cells, at most COLUMNS + 1. */
static unsigned
split(char *line, char *cells[COLUMNS + 1])
{
   unsigned count = 0;
   line[strcspn(line, "\r\n")] = 0;
   for (char *rest = line; rest && count <= COLUMNS; count++)
      cells[count] = strsep(&rest, ",");
   return count;
}

static bool
read_header(struct file *file, char *line)
{
   char *cells[COLUMNS + 1];
   unsigned seen = 0;
   file->cells = split(line, cells);
   if (file->cells > COLUMNS)
      return complain(file, "more columns than are known, from", cells[0]);
   for (unsigned i = 0; i < file->cells; i++) {
      unsigned column = 0;
      while (column < COLUMNS && strcmp(cells[i], column_names[column]))
         column++;
      if (column == COLUMNS || seen >> column & 1)
         return complain(file, column == COLUMNS ? "unknown column" : "column given twice:", cells[i]);
      seen |= 1u << column;
      file->order[i] = (int)column;
   }
   if ((seen & 7) != 7)
      return complain(file, "the columns format, width_px and height_px are needed, in", line);
   return true;
}

static bool
read_number(const struct file *file, const char *cell, uint64_t *value)
{
   char *end;
   errno = 0;
   *value = strtoull(cell, &end, 10);
   if (cell[0] < '0' || cell[0] > '9' || *end || errno)
      return complain(file, "not a number:", cell);
   return true;
}

static bool
expect(const struct file *file, const char *row, const char *what, uint64_t stated, uint64_t ours)
{
   if (stated == ours)
      return true;
   printf("%s:%u: %s: %s is %" PRIu64 " there, %" PRIu64 " here\n", file->path, file->line, row, what, stated, ours);
   return false;
}

/* Compares the stated values; sets *pass. False when a cell cannot be read. */
static bool
compare_row(const struct file *file, const char *row, char *const cells[COLUMNS], const struct ail_layout *layout,
            bool *pass)
{
   uint64_t stated;
   if (*cells[METADATA_OFFSET]) {
      if (!read_number(file, cells[METADATA_OFFSET], &stated))
         return false;
      *pass &= expect(file, row, "metadata_offset_B", stated, layout->metadata_offset_B);
   }
   if (*cells[SIZE]) {
      if (!read_number(file, cells[SIZE], &stated))
         return false;
      *pass &= expect(file, row, "size_B", stated, ail_size_B(layout));
   }
   unsigned level = 0;
   for (char *rest = cells[LEVEL_OFFSETS], *cell; (cell = strsep(&rest, " "));) {
      if (!*cell)
         continue;
      char what[40];
      if (!read_number(file, cell, &stated))
         return false;
      snprintf(what, sizeof(what), "offset of level %u", level);
      *pass &= expect(file, row, what, stated, ail_level_offset_B(layout, 0, level));
      level++;
   }
   return true;
}

/* One row: counted as passed or failed; false when it cannot be read. */
static bool
check_row(struct file *file, char *line)
{
   static char none[1];
   char *in_order[COLUMNS + 1], *cells[COLUMNS], row[160];
   if (split(line, in_order) != file->cells)
      return complain(file, "not as many cells as the first line has, from", in_order[0]);
   for (unsigned i = 0; i < COLUMNS; i++)
      cells[i] = none;
   for (unsigned i = 0; i < file->cells; i++)
      cells[file->order[i]] = in_order[i];

   struct ail_image image = {.dimension = AIL_2D, .depth_px = 1};
   uint64_t numbers[COLUMNS] = {[LAYERS] = 1, [LEVELS] = 1, [SAMPLES] = 1};
   for (unsigned i = WIDTH; i <= COMPRESSED; i++) {
      bool needed = i == WIDTH || i == HEIGHT;
      if ((needed || *cells[i]) && !read_number(file, cells[i], &numbers[i]))
         return false;
      if (numbers[i] > UINT32_MAX)
         return complain(file, "too large:", cells[i]);
   }
   image.width_px = (uint32_t)numbers[WIDTH];
   image.height_px = (uint32_t)numbers[HEIGHT];
   image.layers = (uint32_t)numbers[LAYERS];
   image.levels = (uint32_t)numbers[LEVELS];
   image.samples = (uint32_t)numbers[SAMPLES];
   image.compressed = numbers[COMPRESSED] != 0;
   image.format = ail_format_by_name(cells[FORMAT]);
   snprintf(row, sizeof(row), "%s %ux%u, %u layers, %u levels, %u samples%s", cells[FORMAT], image.width_px,
            image.height_px, image.layers, image.levels, image.samples, image.compressed ? ", compressed" : "");

   struct ail_layout layout;
   bool pass = true;
   enum ail_error error = ail_layout_init(&layout, &image);
   if (error) {
      printf("%s:%u: %s: %s\n", file->path, file->line, row, ail_error_text(error));
      pass = false;
   } else if (!compare_row(file, row, cells, &layout, &pass)) {
      return false;
   }
   file->passed += pass;
   file->failed += !pass;
   return true;
}

enum line { LINE_END, LINE_TEXT, LINE_ODD };

/* LINE_ODD: too long, or with a 0 in it, and not read to its end. */
static enum line
read_line(FILE *in, char line[MAX_LINE_B])
{
   size_t used = 0;
   for (int c = 0; c != '\n' && (c = getc(in)) != EOF;) {
      if (!c || used == MAX_LINE_B - 1)
         return LINE_ODD;
      line[used++] = (char)c;
   }
   line[used] = 0;
   return used ? LINE_TEXT : LINE_END;
}

static bool
check_file(struct file *file)
{
   FILE *in = fopen(file->path, "r");
   char line[MAX_LINE_B];
   bool good = in != NULL;
   enum line kind;
   while (good && (kind = read_line(in, line)) != LINE_END) {
      file->line++;
      if (kind == LINE_ODD)
         good = complain(file, "a line that is too long or no text, in", file->path);
      else if (file->line == 1)
         good = read_header(file, line);
      else if (line[strspn(line, "\r\n ")])
         good = check_row(file, line);
   }
   if (!in || ferror(in)) {
      fprintf(stderr, "indium layout: %s: %s\n", file->path, strerror(errno));
      good = false;
   } else if (good && !file->line) {
      good = complain(file, "no line with the names of columns:", file->path);
   }
   if (in)
      fclose(in);
   return good;
}

int
layout_check(char **paths, int count)
{
   unsigned passed = 0, failed = 0;
   bool good = true;
   for (int i = 0; i < count; i++) {
      struct file file = {.path = paths[i]};
      good &= check_file(&file);
      passed += file.passed;
      failed += file.failed;
   }
   if (good || passed + failed)
      printf("%u passed, %u failed\n", passed, failed);
   return !good ? 2 : failed != 0;
}
