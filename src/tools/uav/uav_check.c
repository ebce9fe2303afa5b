/* indium uav FILE: what a driver's command stream does with shaders that write memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/sim/stream_check.h"
#include "tools/uav/uav.h"
#include "util/read_file.h"

#define LIMIT_B ((size_t)1 << 30)

static void
print_counts(const struct intel_chip *chip, const struct intel_stream_counts *c)
{
   printf("%s: %u draws, %u HiZ operations; %u draws write memory, %u of them by the pixel shader", chip->name,
          c->draws, c->hz_ops, c->stores, c->pixel);
   if (c->unknown)
      printf(", %u may", c->unknown);
   printf(
      "\nset: accesses UAV in VS %u, HS %u, DS %u, GS %u, PS %u; UAV-only %u; forced dispatch %u; coherency required "
      "%u\n",
      c->accesses[INTEL_VS], c->accesses[INTEL_HS], c->accesses[INTEL_DS], c->accesses[INTEL_GS],
      c->accesses[INTEL_PS], c->uav_only, c->forced, c->coherency);
   printf("found: %u draws lose work, %u flushes without need, %u can hang\n", c->lost, c->needless, c->hangs);
}

static int
check(const char *path, const struct intel_stream *stream, bool all)
{
   struct intel_stream_counts counts;
   char error[160];
   if (!intel_stream_check(stdout, stream, all, &counts, error)) {
      fflush(stdout);
      fprintf(stderr, "indium uav: %s, %s\n", path, error);
      return 2;
   }
   print_counts(stream->chip, &counts);
   return counts.lost || counts.hangs;
}

int
uav_check(const char *path, bool all)
{
   struct intel_stream stream;
   char error[160];
   size_t size_B;
   char *text = read_file(path, LIMIT_B, &size_B);
   if (!text)
      return usage_error("uav", "cannot read %s: %s", path, strerror(errno));
   int status = 2;
   if (intel_stream_read(&stream, text, size_B, error))
      status = check(path, &stream, all);
   else
      fprintf(stderr, "indium uav: %s, %s\n", path, error);
   intel_stream_free(&stream);
   free(text);
   return status;
}
