/* Published rules (order_rules.c) and ours against the truth (order_truth.c), for all draws: depth-stencil states
 * with two bits of stencil, what colour, queries and shaders ask for. Too much and too little is counted by what it
 * is about, and the table of that in a document must be the one that comes out.
 *
 * Aggressive rules are judged by what they presuppose: no two fragments of a sample have the same depth, and sums may
 * be rounded as their order has it.
 *
 * Usage: test_order_rules BITS [--write] [DOCUMENT]: without a document it prints the table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/radeonsi/order/si_out_of_order.h"
#include "order_rules.h"
#include "order_truth.h"
#include "util/macros.h"

#define COLUMNS (ORDER_RULES + 2) /* ours strict, ours with what the aggressive ones presuppose */
#define OURS    ORDER_RULES

enum finding {
   UNSOUND_FACE,
   UNSOUND_FACES,
   UNSOUND_BESIDE_DEPTH,
   UNSOUND_BOUNDS,
   UNSOUND_QUERY,
   UNSOUND_MEMORY,
   UNSOUND_REPLACED,
   UNSOUND_BLENDED,
   UNSOUND_LOGIC,
   CAREFUL_EQUAL,
   CAREFUL_SINGLE,
   CAREFUL_CLAMPS,
   CAREFUL_REPLACES,
   CAREFUL_STENCIL,
   CAREFUL_DEPTH,
   CAREFUL_QUERY,
   CAREFUL_MEMORY,
   CAREFUL_COLOR,
   CAREFUL_LOGIC,
   CLASSES,
};

static const char *const class_names[CLASSES] = {
   "unsound: operations of one face that do not commute",
   "unsound: front against back",
   "unsound: stencil depends on which fragment was nearer",
   "unsound: depth bounds",
   "unsound: precise query",
   "unsound: stores after early tests",
   "unsound: colour replaced",
   "unsound: blending",
   "unsound: logic operation",
   "careful: EQUAL with depth writes",
   "careful: identical faces",
   "careful: clamps",
   "careful: REPLACE",
   "careful: other stencil",
   "careful: depth only",
   "careful: queries",
   "careful: stores to memory",
   "careful: colour",
   "careful: logic operation",
};

/* States that are alike to all rules. */
struct group {
   uint64_t key, states;
   uint16_t truth;
   uint8_t said[2]; /* ours by whether two fragments never have the same depth */
   uint8_t every, some;
   uint8_t pairwise; /* keeps depth and stencil: bits by whether two fragments never have the same depth */
   bool alike, stencil;
   const struct order_mode *mode;
   unsigned faces[2], cost;
};

#define SLOTS (1 << 18)

struct cell {
   uint64_t draws;
   unsigned cost;
   const struct group *group;
   struct order_draw draw;
};

static unsigned bits;
static struct group groups[SLOTS];
static struct cell cells[CLASSES][COLUMNS];
static uint64_t draws, allowed[COLUMNS], free_draws[2];

static const char *const compare_names[] = {
   "NEVER", "LESS", "EQUAL", "LESS_OR_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS"};

static unsigned
cost_of_face(unsigned i)
{
   struct si_order_tests t = {0};
   const uint8_t max = (uint8_t)((1u << bits) - 1);
   order_set_face(&t, 0, i, bits);
   const struct pipe_stencil_face *f = &t.faces[0].face;
   return !!f->fail + !!f->pass + !!f->depth_fail + 2 * (f->compare != PIPE_COMPARE_ALWAYS) +
          2 * (t.faces[0].write_mask != max) + 2 * (t.faces[0].compare_mask != max) + (t.faces[0].reference != 1);
}

static void
add(const struct group *g)
{
   unsigned slot = (unsigned)(g->key * UINT64_C(0x9e3779b97f4a7c15) >> 46);
   while (groups[slot].states && groups[slot].key != g->key)
      slot = (slot + 1) % SLOTS;
   if (!groups[slot].states) {
      groups[slot] = *g;
      return;
   }
   groups[slot].states += g->states;
   if (g->cost < groups[slot].cost) {
      groups[slot].cost = g->cost;
      memcpy(groups[slot].faces, g->faces, sizeof(g->faces));
   }
}

static void
add_pair(struct group g, const struct order_class *a, const struct order_class *b, uint64_t states, unsigned number)
{
   g.every = (uint8_t)(a->tag & b->tag);
   g.some = (uint8_t)(a->tag | b->tag);
   g.states = states * a->states * b->states * (a == b ? 1 : 2);
   g.faces[0] = a->face;
   g.faces[1] = b->face;
   g.cost = cost_of_face(a->face) + (a == b ? 0 : cost_of_face(b->face));
   g.alike = g.alike && a->tag == b->tag;
   g.key = g.truth | (uint64_t)g.said[0] << 12 | (uint64_t)g.said[1] << 18 | (uint64_t)g.every << 24 |
           (uint64_t)g.some << 32 | (uint64_t)number << 40 | (uint64_t)g.pairwise << 48 | (uint64_t)g.alike << 50 |
           (uint64_t)g.stencil << 51;
   add(&g);
}

static void
ask_ours(struct group *g, const struct order_mode *m, unsigned a, unsigned b)
{
   struct si_order_tests tests = {
      .depth_test = m->test,
      .depth_write = m->write,
      .depth_bounds = m->bounds,
      .depth_compare = m->compare,
      .stencil_test = g->stencil,
      .stencil_max = (uint8_t)((1u << bits) - 1),
      .assume_no_z_fights = true,
   };
   order_set_face(&tests, 0, a, bits);
   order_set_face(&tests, 1, b, bits);
   for (unsigned no_ties = 0; no_ties < 2; no_ties++) {
      tests.assume_no_z_fights = no_ties;
      g->said[no_ties] = (uint8_t)si_order_kept(&tests);
   }
}

/* Classes with tags, sorted by how they behave. */
static int
by_behaviour(const void *a, const void *b)
{
   return memcmp(a, b, sizeof(struct order_behaviour));
}

static void
check_mode(const struct order_mode *m, unsigned states, unsigned number)
{
   const unsigned values = 1u << bits;
   struct order_classes classes = order_classes(m->depth, bits, order_face_bits);
   struct order_class *all = classes.all;
   unsigned *first = calloc(classes.count + 1, sizeof(*first)), kinds = 0;
   uint16_t *alone = calloc(classes.count, sizeof(*alone));
   qsort(all, classes.count, sizeof(*all), by_behaviour);
   for (unsigned i = 0; i < classes.count; i++)
      if (!i || by_behaviour(&all[i - 1], &all[i])) {
         alone[kinds] = (uint16_t)order_truth(m, &all[i].behaviour, &all[i].behaviour, values);
         first[kinds++] = i;
      }
   first[kinds] = classes.count;
   for (unsigned i = 0; i < kinds; i++)
      for (unsigned j = i; j < kinds; j++) {
         struct group g = {.mode = m, .stencil = true, .alike = i == j};
         const struct order_class *a = &all[first[i]], *b = &all[first[j]];
         g.truth = alone[i] & alone[j];
         g.truth &= g.truth ? (uint16_t)order_truth(m, &a->behaviour, &b->behaviour, values) : 0;
         for (unsigned no_ties = 0; no_ties < 2; no_ties++)
            g.pairwise |= order_kept(alone[i], no_ties) && order_kept(alone[j], no_ties) ? 1u << no_ties : 0;
         ask_ours(&g, m, a->face, b->face);
         for (unsigned k = first[i]; k < first[i + 1]; k++)
            for (unsigned l = i == j ? k : first[j]; l < first[j + 1]; l++)
               add_pair(g, &all[k], &all[l], states, number);
      }
   const struct order_behaviour none =
      order_behaviour(&(struct si_order_tests){.stencil_max = (uint8_t)(values - 1)}, 0, m->depth);
   struct group g = {.mode = m, .pairwise = 3, .alike = true};
   const struct order_class off = {none, ORDER_FACE_MESA | ORDER_FACE_MAIL | ORDER_FACE_CONSTANT, 0,
                                   order_faces(bits)};
   g.truth = (uint16_t)order_truth(m, &none, &none, values);
   ask_ours(&g, m, 0, 0);
   add_pair(g, &off, &off, states, number);
   free(first);
   free(alone);
   order_free_classes(&classes);
}

static unsigned
color_need(enum order_color color, bool rounding)
{
   switch (color) {
   case ORDER_COLOR_NONE:
      return 0;
   case ORDER_COLOR_REPLACED:
      return SI_ORDER_LAST;
   case ORDER_COLOR_MAX:
   case ORDER_COLOR_XOR:
      return SI_ORDER_SET;
   case ORDER_COLOR_ADDED:
      return rounding ? SI_ORDER_SET : SI_ORDER_SEQUENCE;
   case ORDER_COLOR_OVER:
   case ORDER_COLORS:
      return SI_ORDER_SEQUENCE;
   }
   return SI_ORDER_SEQUENCE;
}

static unsigned
query_need(enum order_query query)
{
   return query == ORDER_QUERY_NONE ? 0 : query == ORDER_QUERY_BOOLEAN ? SI_ORDER_ANY : SI_ORDER_COUNT;
}

static unsigned
need(const struct order_draw *d, bool presupposes)
{
   return SI_ORDER_DEPTH_STENCIL | color_need(d->color, presupposes) | query_need(d->query) |
          (d->writes_memory && d->early_tests ? SI_ORDER_SET : 0);
}

/* By the driver's functions, of 8 bits of fixed point. */
static bool
ours(const struct group *g, const struct order_draw *d, bool presupposes)
{
#define BLEND(op, src, dst)                                                                                          \
   {true, PIPE_FACTOR_##src, PIPE_FACTOR_##dst, PIPE_FACTOR_##src, PIPE_FACTOR_##dst, PIPE_BLEND_##op,               \
    PIPE_BLEND_##op, 0xf}
   static const struct si_order_blend targets[ORDER_COLORS] = {
      [ORDER_COLOR_REPLACED] = {.write_mask = 0xf}, [ORDER_COLOR_MAX] = BLEND(MAX, ONE, ONE),
      [ORDER_COLOR_ADDED] = BLEND(ADD, ONE, ONE),   [ORDER_COLOR_OVER] = BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
      [ORDER_COLOR_XOR] = {.write_mask = 0xf},
   };
#undef BLEND
   static const enum si_order_occlusion occlusion[] = {SI_OCCLUSION_NONE, SI_OCCLUSION_BOOLEAN, SI_OCCLUSION_PRECISE};
   const struct si_order_color color = {
      .blend = &targets[d->color],
      .logic_op_enable = d->color == ORDER_COLOR_XOR,
      .logic_op = PIPE_LOGIC_XOR,
      .has_alpha = true,
      .commutative_add = presupposes,
   };
   const struct si_out_of_order_key key = {
      .available = true,
      .kept = g->said[presupposes],
      .color = si_order_color_need(&color),
      .shader = {.early_tests = d->early_tests, .writes_memory = d->writes_memory},
      .occlusion = occlusion[d->query],
   };
   return si_out_of_order(&key).allowed;
}

static enum finding
unsound(const struct group *g, const struct order_draw *d, unsigned truth, bool presupposes)
{
   if (!(truth & SI_ORDER_DEPTH_STENCIL)) {
      if (!(g->some & ORDER_FACE_WRITES))
         return UNSOUND_BOUNDS;
      return d->depth_test && d->depth_write  ? UNSOUND_BESIDE_DEPTH
             : g->pairwise >> presupposes & 1 ? UNSOUND_FACES
                                              : UNSOUND_FACE;
   }
   if (color_need(d->color, presupposes) & ~truth)
      return d->color == ORDER_COLOR_REPLACED ? UNSOUND_REPLACED
             : d->color == ORDER_COLOR_XOR    ? UNSOUND_LOGIC
                                              : UNSOUND_BLENDED;
   return query_need(d->query) & ~truth ? UNSOUND_QUERY : UNSOUND_MEMORY;
}

/* What, if it were not there, would let the draw through. */
static enum finding
careful(const struct group *g, const struct order_draw *d, const struct order_rule *rule)
{
   struct order_draw less = *d;
   less.query = ORDER_QUERY_NONE;
   if (rule->allows(&less))
      return CAREFUL_QUERY;
   less.writes_memory = false;
   if (rule->allows(&less))
      return CAREFUL_MEMORY;
   less.color = ORDER_COLOR_NONE;
   if (rule->allows(&less))
      return d->color == ORDER_COLOR_XOR ? CAREFUL_LOGIC : CAREFUL_COLOR;
   if (d->depth_test && d->depth_write && d->depth_compare == PIPE_COMPARE_EQUAL)
      return CAREFUL_EQUAL;
   if (!(g->some & ORDER_FACE_OPERATES))
      return CAREFUL_DEPTH;
   return g->alike                        ? CAREFUL_SINGLE
          : g->some & ORDER_FACE_CLAMPS   ? CAREFUL_CLAMPS
          : g->some & ORDER_FACE_REPLACES ? CAREFUL_REPLACES
                                          : CAREFUL_STENCIL;
}

static void
count(const struct group *g, const struct order_draw *d, unsigned column)
{
   const bool presupposes = column < OURS ? order_rules[column].presupposes : column == OURS + 1;
   const unsigned truth = order_kept(g->truth, presupposes);
   const bool is_free = !(need(d, presupposes) & ~truth);
   const bool allows = column < OURS ? order_rules[column].allows(d) : ours(g, d, presupposes);
   allowed[column] += allows ? g->states : 0;
   if (allows == is_free)
      return;
   const enum finding finding = allows          ? unsound(g, d, truth, presupposes)
                                : column < OURS ? careful(g, d, &order_rules[column])
                                                : CAREFUL_STENCIL;
   struct cell *cell = &cells[finding][column];
   const unsigned cost = g->cost + d->color + d->query + d->writes_memory + d->early_tests + d->stencil_test +
                         2 * (d->depth_test + d->depth_write) + g->mode->bounds;
   if (!cell->draws || cost < cell->cost) {
      cell->cost = cost;
      cell->group = g;
      cell->draw = *d;
   }
   cell->draws += g->states;
}

static void
count_draws(const struct group *g)
{
   for (unsigned i = 0; i < ORDER_COLORS * ORDER_QUERIES * 4; i++) {
      const struct order_draw d = {
         .stencil_test = g->stencil,
         .depth_test = g->mode->test,
         .depth_write = g->mode->write,
         .depth_compare = g->mode->compare,
         .every = g->every,
         .some = g->some,
         .color = i / 4 % ORDER_COLORS,
         .query = i / 4 / ORDER_COLORS,
         .writes_memory = i & 1,
         .early_tests = i & 2,
      };
      draws += g->states;
      for (unsigned presupposes = 0; presupposes < 2; presupposes++)
         free_draws[presupposes] += need(&d, presupposes) & ~order_kept(g->truth, presupposes) ? 0 : g->states;
      for (unsigned column = 0; column < COLUMNS; column++)
         count(g, &d, column);
   }
}

static void
print_example(FILE *out, const struct cell *c)
{
   static const char *const ops[] = {"KEEP",       "ZERO",   "REPLACE",   "INCR_CLAMP",
                                     "DECR_CLAMP", "INVERT", "INCR_WRAP", "DECR_WRAP"};
   static const char *const colors[] = {
      "", "colour replaced", "colour MAX", "colour added", "colour blended over", "logic operation XOR"};
   static const char *const queries[] = {"", "boolean query", "precise query"};
   const struct order_mode *m = c->group->mode;
   struct si_order_tests t;
   fprintf(out, "depth %s%s%s", m->test ? compare_names[m->compare] : "test off",
           m->test && m->write ? " written" : "", m->bounds ? ", bounds" : "");
   for (unsigned i = 0; i < 2 && c->group->stencil; i++) {
      order_set_face(&t, 0, c->group->faces[i], bits);
      const struct pipe_stencil_face *f = &t.faces[0].face;
      fprintf(out, "; %s", i ? "back" : c->group->faces[0] == c->group->faces[1] ? "both faces" : "front");
      fprintf(out, " %s", compare_names[f->compare]);
      if (f->compare != PIPE_COMPARE_ALWAYS && f->compare != PIPE_COMPARE_NEVER)
         fprintf(out, " %u & %x", t.faces[0].reference, t.faces[0].compare_mask);
      if (f->fail && f->compare != PIPE_COMPARE_ALWAYS)
         fprintf(out, " fail %s", ops[f->fail]);
      if (f->depth_fail && m->test && f->compare != PIPE_COMPARE_NEVER)
         fprintf(out, " depth fail %s", ops[f->depth_fail]);
      if (f->pass && f->compare != PIPE_COMPARE_NEVER)
         fprintf(out, " pass %s", ops[f->pass]);
      if (t.faces[0].write_mask != (1u << bits) - 1)
         fprintf(out, " mask %x", t.faces[0].write_mask);
      if (c->group->faces[0] == c->group->faces[1])
         break;
   }
   fprintf(out, "%s%s%s%s%s", c->draw.color ? "; " : "", colors[c->draw.color], c->draw.query ? "; " : "",
           queries[c->draw.query],
           c->draw.writes_memory ? c->draw.early_tests ? "; stores after early tests" : "; stores" : "");
}

static uint64_t
sum(unsigned column, unsigned from, unsigned to)
{
   uint64_t n = 0;
   for (unsigned i = from; i < to; i++)
      n += cells[i][column].draws;
   return n;
}

static void
print_row(FILE *out, const char *name, const uint64_t counts[COLUMNS])
{
   fprintf(out, "| %s |", name);
   for (unsigned i = 0; i < COLUMNS; i++)
      if (counts[i] && counts[i] * 10000 < draws)
         fprintf(out, " < 0.01 |");
      else
         fprintf(out, counts[i] ? " %.2f |" : " 0 |", (double)counts[i] * 100 / (double)draws);
   fprintf(out, "\n");
}

static void
print_table(FILE *out)
{
   uint64_t counts[COLUMNS];
   fprintf(out, "| %% of %.1e draws |", (double)draws);
   for (unsigned i = 0; i < ORDER_RULES; i++)
      fprintf(out, " %s%s |", order_rules[i].name, order_rules[i].presupposes ? "*" : "");
   fprintf(out, " ours | ours* |\n|---|%s\n", "---|---|---|---|---|---|---|---|");
   for (unsigned i = 0; i < COLUMNS; i++)
      counts[i] = free_draws[i < OURS ? order_rules[i].presupposes : i - OURS];
   print_row(out, "free", counts);
   print_row(out, "let through", allowed);
   for (unsigned i = 0; i < COLUMNS; i++)
      counts[i] = sum(i, 0, CAREFUL_EQUAL);
   print_row(out, "**unsound**", counts);
   for (unsigned finding = 0; finding < CLASSES; finding++) {
      if (finding == CAREFUL_EQUAL) {
         for (unsigned i = 0; i < COLUMNS; i++)
            counts[i] = sum(i, CAREFUL_EQUAL, CLASSES);
         print_row(out, "**too careful**", counts);
      }
      for (unsigned i = 0; i < COLUMNS; i++)
         counts[i] = cells[finding][i].draws;
      print_row(out, class_names[finding], counts);
   }
   fprintf(out, "\n| lets through wrongly | simplest case |\n|---|---|\n");
   for (unsigned i = 0; i < COLUMNS; i++)
      for (unsigned finding = 0; finding < CAREFUL_EQUAL; finding++)
         if (cells[finding][i].draws) {
            fprintf(out, "| %s: %s | ", i < OURS ? order_rules[i].name : "ours", class_names[finding] + 9);
            print_example(out, &cells[finding][i]);
            fprintf(out, " |\n");
         }
}

static const char begin[] = "<!-- printed by test_order_rules -->\n", end[] = "<!-- end -->\n";

/* Is the table in the document, between the marks? */
static bool
compare_document(const char *path, const char *table, bool write)
{
   static char text[1 << 20];
   FILE *file = fopen(path, "r");
   const size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
   char *from = size ? strstr(text, begin) : NULL, *to = from ? strstr(from, end) : NULL;
   if (file)
      fclose(file);
   if (!to) {
      printf("%s: no place for the table\n", path);
      return false;
   }
   from += strlen(begin);
   if ((size_t)(to - from) == strlen(table) && !memcmp(from, table, strlen(table)))
      return true;
   if (!write) {
      printf("%s: the table is not what comes out; again with --write\n%s", path, table);
      return false;
   }
   file = fopen(path, "w");
   if (!file)
      return false;
   fprintf(file, "%.*s%s%s", (int)(from - text), text, table, to);
   return !fclose(file);
}

/* Comparisons that are mirror images of each other are alike to depth and to all rules. */
static const struct {
   bool test, write;
   enum pipe_compare compare;
   unsigned states;
} modes[] = {
   {false, false, PIPE_COMPARE_NEVER, 16}, {true, false, PIPE_COMPARE_LESS, 4},
   {true, false, PIPE_COMPARE_EQUAL, 1},   {true, false, PIPE_COMPARE_NOT_EQUAL, 1},
   {true, false, PIPE_COMPARE_ALWAYS, 1},  {true, false, PIPE_COMPARE_NEVER, 1},
   {true, true, PIPE_COMPARE_LESS, 2},     {true, true, PIPE_COMPARE_LESS_OR_EQUAL, 2},
   {true, true, PIPE_COMPARE_EQUAL, 1},    {true, true, PIPE_COMPARE_NOT_EQUAL, 1},
   {true, true, PIPE_COMPARE_ALWAYS, 1},   {true, true, PIPE_COMPARE_NEVER, 1},
};

int
main(int argc, char **argv)
{
   static struct order_mode all[2 * ARRAY_SIZE(modes)];
   const bool write = argc > 2 && !strcmp(argv[2], "--write");
   const char *document = argc > 2 + write ? argv[2 + write] : NULL;
   char *table = NULL;
   size_t size = 0;
   bits = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
   if (bits < 1 || bits > 2) {
      fprintf(stderr, "usage: test_order_rules 1|2 [--write] [DOCUMENT]\n");
      return 2;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
      order_init_mode(&all[i], modes[i / 2].test, modes[i / 2].write, i & 1, modes[i / 2].compare);
      check_mode(&all[i], modes[i / 2].states, i);
   }
   for (unsigned i = 0; i < SLOTS; i++)
      if (groups[i].states)
         count_draws(&groups[i]);
   FILE *out = open_memstream(&table, &size);
   print_table(out);
   fclose(out);
   if (!document)
      printf("%s", table);
   const bool exact = !sum(OURS, 0, CLASSES) && !sum(OURS + 1, 0, CLASSES);
   const bool right = exact && (!document || compare_document(document, table, write));
   free(table);
   return !right;
}
