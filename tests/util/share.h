/* TEST_SHARE=N: tests of many random programs or files run one in N of them. bin/test says so without --full, and
 * more under sanitizers, which look for faults that a few programs show as well and take four times as long. */
#ifndef INDIUM_TESTS_SHARE_H
#define INDIUM_TESTS_SHARE_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t
test_share(void)
{
   const char *share = getenv("TEST_SHARE");
   const long n = share ? strtol(share, NULL, 10) : 1;
   return n > 1 ? (uint32_t)n : 1;
}

/* Of so many: at least one. */
static inline uint32_t
test_share_of(uint32_t count)
{
   return (count + test_share() - 1) / test_share();
}

#endif
