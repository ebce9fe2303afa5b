#include "choices.h"

#include <assert.h>
#include <string.h>

/* SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). */
uint64_t
choices_random(uint64_t *state)
{
   uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
   x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
   return x ^ x >> 31;
}

unsigned
choices_below(uint64_t *state, unsigned n)
{
   return (unsigned)((choices_random(state) >> 32) * n >> 32);
}

static bool
can_meet(const struct choices *c, unsigned a, unsigned a_value, unsigned b, unsigned b_value)
{
   for (unsigned i = 0; i < c->never_count; i++) {
      const struct choices_never *n = &c->never[i];
      if ((n->a == a && n->a_value == a_value && n->b == b && n->b_value == b_value) ||
          (n->a == b && n->a_value == b_value && n->b == a && n->b_value == a_value))
         return false;
   }
   return true;
}

void
choices_draw(struct choices *c, uint64_t seed)
{
   assert(c->count <= CHOICES_MAX && "more choices than there is room for");
   for (unsigned i = 0; i < c->count; i++) {
      const struct choice *choice = &c->table[i];
      assert(choice->values && choice->values <= CHOICES_VALUES_MAX && "more values than there is room for");
      uint64_t state = seed * 16 + i % 16 + ((uint64_t)(i / 16) << 60); /* no two alike */
      bool other = !choice->found && (!choice->one_in || !choices_below(&state, choice->one_in));
      unsigned from = choice->one_in != 0;
      c->now[i] = other && choice->values > from ? from + choices_below(&state, choice->values - from) : 0;
      for (unsigned k = 0; k < i; k++) {
         if (!can_meet(c, k, c->now[k], i, c->now[i]))
            c->now[i] = 0;
      }
   }
}

void
choices_draw_new(struct choices *c, uint64_t seed, unsigned draws)
{
   unsigned kept[CHOICES_MAX], most = 0;
   for (unsigned i = 0; i < draws; i++) {
      choices_draw(c, seed * draws + i);
      const unsigned count = choices_new_pairs(c);
      if (i && count <= most)
         continue;
      memcpy(kept, c->now, sizeof(kept));
      most = count;
   }
   memcpy(c->now, kept, sizeof(kept));
}

unsigned
choices_new_pairs(const struct choices *c)
{
   unsigned count = 0;
   for (unsigned a = 0; a < c->count; a++)
      for (unsigned b = a + 1; b < c->count; b++)
         count += !c->pairs[a][c->now[a]][b][c->now[b]];
   return count;
}

void
choices_count(struct choices *c)
{
   for (unsigned a = 0; a < c->count; a++)
      for (unsigned b = a + 1; b < c->count; b++)
         c->pairs[a][c->now[a]][b][c->now[b]]++;
}

unsigned
choices_missing(const struct choices *c, FILE *to)
{
   unsigned missing = 0;
   for (unsigned a = 0; a < c->count; a++)
      for (unsigned b = a + 1; b < c->count; b++)
         for (unsigned i = 0; i < c->table[a].values * c->table[b].values; i++) {
            unsigned a_value = i / c->table[b].values, b_value = i % c->table[b].values;
            if (c->pairs[a][a_value][b][b_value] || !can_meet(c, a, a_value, b, b_value) ||
                (c->possible && !c->possible->pairs[a][a_value][b][b_value]))
               continue;
            fprintf(to, "no program has %s %u with %s %u\n", c->table[a].name, a_value, c->table[b].name, b_value);
            missing++;
         }
   return missing;
}
