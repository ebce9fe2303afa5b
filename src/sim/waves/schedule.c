#include "sim/waves/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
sim_schedule_parse(const char *text, struct sim_schedule *schedule)
{
   *schedule = (struct sim_schedule){SIM_SCHEDULE_IN_ORDER, 0};
   if (!strcmp(text, "in-order"))
      return true;
   if (!strcmp(text, "round-robin")) {
      schedule->kind = SIM_SCHEDULE_ROUND_ROBIN;
      return true;
   }
   if (!strcmp(text, "worst")) {
      schedule->kind = SIM_SCHEDULE_WORST;
      return true;
   }
   const char *digits = text + 5;
   if (strncmp(text, "seed=", 5) || !*digits || strspn(digits, "0123456789") != strlen(digits))
      return false;
   schedule->kind = SIM_SCHEDULE_SEED;
   errno = 0;
   schedule->seed = strtoull(digits, NULL, 10);
   return !errno;
}

/* The finaliser of splitmix64 over a combination of the arguments. */
uint64_t
sim_schedule_random(uint64_t seed, uint64_t a, uint64_t b)
{
   uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15) * (a + 1);
   for (unsigned i = 0; i < 2; i++) {
      z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
      z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
      z = (z ^ z >> 31) + UINT64_C(0xd1b54a32d192ed03) * (b + 1);
   }
   return z ^ z >> 29;
}

unsigned
sim_schedule_choose(const struct sim_schedule *schedule, uint64_t serial, unsigned count, int current)
{
   enum { STAYS = 4 }; /* one choice in so many is another one */
   const uint64_t random = sim_schedule_random(schedule->seed, serial, count);
   switch (schedule->kind) {
   case SIM_SCHEDULE_IN_ORDER:
      return current < 0 ? 0 : (unsigned)current;
   case SIM_SCHEDULE_ROUND_ROBIN:
      return (unsigned)(current + 1) % count;
   case SIM_SCHEDULE_SEED:
      return current >= 0 && random % STAYS ? (unsigned)current : (unsigned)(random / STAYS % count);
   case SIM_SCHEDULE_WORST:
      return count - 1;
   }
   return 0;
}
