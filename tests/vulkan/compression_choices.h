/* What compression.c does to images, and which pairs of choices met: of the image, of what is done and of what was
 * done before. */

enum operation {
   LOAD_RENDER,
   CLEAR_RENDER,
   LOAD_MANY,
   CLEAR_MANY,
   DRAWS,
   UPLOAD,
   CLEAR_LEVEL,
   COPY,
   BLIT,
   STORES,
   TURNS,
   MOVES,
   OPERATIONS,
   START_CLEAR = OPERATIONS, /* all levels get values */
   START_RENDER,
   ALL_OPERATIONS
};
enum { OPERATION = IMAGE_CHOICES, FROM_OTHER, BEFORE, CHOICES };
enum { ENOUGH = 72, ENOUGH_DEPTH = 20 }; /* rounds for all pairs */

static struct choice table[CHOICES] = {[OPERATION] = {"operation", OPERATIONS},
                                       [FROM_OTHER] = {"from another image", 2},
                                       [BEFORE] = {"operation before", ALL_OPERATIONS}};
static struct choices possible = {.table = table, .count = CHOICES};
static struct choices uses = {.table = table, .count = CHOICES, .possible = &possible};

static bool
can_copy(const struct pair *from, const struct pair *to)
{
   return from->info.format == to->info.format && from->info.samples == to->info.samples;
}

/* from: the image itself, if it has another level or layer. */
static bool
can_operate(const struct pair *pair, const struct pair *other, unsigned operation, bool from_other)
{
   const bool color = pair->chosen[FORMAT] < FIRST_DEPTH;
   const bool copies = from_other ? can_copy(other, pair) : pair->chosen[LEVELS] || pair->chosen[LAYERS];
   switch (operation) {
   case LOAD_MANY:
   case CLEAR_MANY:
      return color && !from_other;
   case DRAWS:
      return !color && !from_other;
   case UPLOAD:
      return pair->info.samples == 1 && !from_other;
   case COPY:
      return copies;
   case BLIT:
      return copies && can_blit(pair);
   case STORES:
      return can_store(pair) && !from_other;
   case TURNS:
      return can_turn(pair) && !from_other;
   case MOVES:
      return copies && can_store(pair) && (!from_other || can_store(other));
   default: /* others: any image */
      return !from_other;
   }
}

static void
set_use(struct choices *c, const struct pair *pair, enum operation operation, bool from_other)
{
   memcpy(c->now, pair->chosen, sizeof(pair->chosen));
   c->now[OPERATION] = operation;
   c->now[FROM_OTHER] = from_other;
   c->now[BEFORE] = pair->before;
}

/* Of many the one with the most pairs that did not meet before. */
static enum operation
choose_operation(const struct pair *pair, const struct pair *other, bool many, bool *from_other)
{
   enum operation kept = LOAD_RENDER;
   unsigned most = 0;
   for (unsigned found = 0; found < 12;) {
      const enum operation operation = many ? LOAD_MANY + vkt_random_below(2) : vkt_random_below(OPERATIONS);
      const bool from = vkt_random_below(2);
      if (!can_operate(pair, other, operation, from))
         continue;
      set_use(&uses, pair, operation, from);
      unsigned count = choices_new_pairs(&uses);
      for (unsigned i = 0; i < IMAGE_CHOICES; i++) /* of the next operation */
         count += !uses.pairs[i][pair->chosen[i]][BEFORE][operation];
      if (!found++ || count > most) {
         most = count;
         kept = operation;
         *from_other = from;
      }
   }
   return kept;
}

static void
count_possible(struct pair *pair)
{
   for (unsigned i = 0; i < OPERATIONS * 2; i++) {
      if (!can_operate(pair, pair, i / 2, i % 2))
         continue;
      for (pair->before = 0; pair->before < ALL_OPERATIONS; pair->before++) {
         if (pair->before < OPERATIONS && !can_operate(pair, pair, pair->before, false) &&
             !can_operate(pair, pair, pair->before, true))
            continue;
         set_use(&possible, pair, i / 2, i % 2);
         choices_count(&possible);
      }
   }
}

static void
expect_pairs(void)
{
   struct pair pair = {0};
   memcpy(table, image_table, sizeof(image_table));
   for (unsigned step = 0; step < IMAGE_CHOICES;) {
      unsigned adjusted[IMAGE_CHOICES];
      memcpy(adjusted, pair.chosen, sizeof(adjusted));
      adjust(adjusted, ANY, NULL);
      if (!memcmp(adjusted, pair.chosen, sizeof(adjusted)) && describe(&pair))
         count_possible(&pair);
      for (step = 0; step < IMAGE_CHOICES && ++pair.chosen[step] == image_table[step].values; step++)
         pair.chosen[step] = 0;
   }
   vkt_expect(!choices_missing(&uses, stdout), "a pair of choices is in no use");
}
