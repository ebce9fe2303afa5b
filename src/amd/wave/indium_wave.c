/* indium-wave [--gpu CHIP] [--schedule SCHEDULE] FILE...: what `indium wave` starts. INDIUM_REPORT: as of the shim.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/wave/wave_file.h"
#include "util/open_output.h"
#include "util/read_file.h"

#define MAX_FILE_B (4u << 20)

/* 0, 1 if something is not as expected, 2 if the file is at fault. */
static int
run_file(const char *path, const struct amd_chip *chip, const struct sim_schedule *schedule, FILE *report)
{
   struct arena arena = {0};
   const char *error = NULL;
   size_t size_B;
   char *text = read_file(path, MAX_FILE_B, &size_B);
   const int read_error = errno;
   const bool is_text = text && strlen(text) == size_B;
   struct wave_file *file = is_text ? wave_file_parse(&arena, path, text, chip, &error) : NULL;
   int status = file ? !wave_file_run(file, schedule, report) : 2;
   if (!text)
      fprintf(stderr, "indium wave: cannot read %s: %s\n", path, strerror(read_error));
   else if (!is_text)
      fprintf(stderr, "indium wave: %s is not text: it has a byte 0\n", path);
   else if (!file)
      fprintf(stderr, "%s\n", error);
   free(text);
   arena_free(&arena);
   return status;
}

int
main(int argc, char **argv)
{
   const struct amd_chip *chip = NULL;
   struct sim_schedule schedule;
   bool scheduled = false;
   int status = 0, i = 1;
   for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
      if (!strcmp(argv[i], "--gpu") && (chip = amd_chip_by_name(argv[i + 1])))
         continue;
      if (!strcmp(argv[i], "--schedule") && (scheduled = sim_schedule_parse(argv[i + 1], &schedule)))
         continue;
      fprintf(stderr, "indium-wave: not \"%s %s\"\n", argv[i], argv[i + 1]);
      return 2;
   }
   if (i >= argc) {
      fprintf(stderr, "indium-wave: no file\n");
      return 2;
   }
   FILE *report = open_output("INDIUM_REPORT");
   for (; i < argc; i++) {
      int one = run_file(argv[i], chip, scheduled ? &schedule : NULL, report);
      status = one > status ? one : status;
   }
   return fflush(NULL) ? 2 : status;
}
