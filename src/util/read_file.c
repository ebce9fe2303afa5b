#include "util/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_B ((size_t)1 << 16)

/* Grows *bytes until the file ends; 0 or what went wrong. */
static int
read_all(FILE *file, size_t limit_B, char **bytes, size_t *size_B)
{
   for (size_t room_B = FIRST_B;; room_B *= 2) {
      char *more = realloc(*bytes, room_B);
      if (!more)
         return ENOMEM;
      *bytes = more;
      *size_B += fread(*bytes + *size_B, 1, room_B - 1 - *size_B, file);
      if (ferror(file))
         return errno ? errno : EIO;
      if (*size_B > limit_B)
         return EFBIG;
      if (feof(file))
         return 0;
   }
}

char *
read_file(const char *path, size_t limit_B, size_t *size_B)
{
   FILE *file = fopen(path, "rbe");
   if (!file)
      return NULL;
   char *bytes = NULL;
   *size_B = 0;
   int error = read_all(file, limit_B, &bytes, size_B);
   fclose(file);
   if (!error) {
      bytes[*size_B] = 0;
      return bytes;
   }
   free(bytes);
   errno = error;
   return NULL;
}
