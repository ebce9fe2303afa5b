#include "order_truth.h"

#include <stdlib.h>
#include <string.h>

static bool
compares(enum pipe_compare compare, unsigned a, unsigned b)
{
   return compare >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

static unsigned
apply(enum pipe_stencil_op op, unsigned s, unsigned reference, unsigned mask, unsigned max)
{
   unsigned n = s;
   switch (op) {
   case PIPE_STENCIL_KEEP:
      break;
   case PIPE_STENCIL_ZERO:
      n = 0;
      break;
   case PIPE_STENCIL_REPLACE:
      n = reference;
      break;
   case PIPE_STENCIL_INCREMENT_CLAMP:
      n = s < max ? s + 1 : max;
      break;
   case PIPE_STENCIL_DECREMENT_CLAMP:
      n = s ? s - 1 : 0;
      break;
   case PIPE_STENCIL_INVERT:
      n = ~s;
      break;
   case PIPE_STENCIL_INCREMENT_WRAP:
      n = s + 1;
      break;
   case PIPE_STENCIL_DECREMENT_WRAP:
      n = s - 1;
      break;
   }
   return ((n & mask) | (s & ~mask)) & max;
}

struct order_behaviour
order_behaviour(const struct si_order_tests *tests, unsigned face, const bool depth[2])
{
   const struct pipe_stencil_face *f = &tests->faces[face].face;
   const unsigned reference = tests->faces[face].reference, write_mask = tests->faces[face].write_mask;
   const unsigned compare_mask = tests->faces[face].compare_mask, max = tests->stencil_max;
   struct order_behaviour b;
   memset(&b, 0, sizeof(b));
   for (unsigned passes = 0; passes < 2; passes++)
      for (unsigned s = 0; depth[passes] && s <= max; s++) {
         const bool pass =
            !tests->stencil_test || compares(f->compare, reference & max & compare_mask, s & compare_mask);
         const enum pipe_stencil_op op = !pass ? f->fail : passes ? f->pass : f->depth_fail;
         b.passes[passes][s] = pass;
         b.next[passes][s] = tests->stencil_test ? (uint8_t)apply(op, s, reference, write_mask, max) : (uint8_t)s;
      }
   return b;
}

bool
order_run(const struct order_mode *m, const struct order_behaviour *b, unsigned z, struct order_sample *sample)
{
   if (m->bounds && sample->z != ORDER_BOUND)
      return false;
   const bool depth = !m->test || compares(m->compare, z, sample->z);
   const bool stencil = b->passes[depth][sample->s];
   sample->s = b->next[depth][sample->s];
   if (stencil && depth && m->test && m->write)
      sample->z = z;
   return stencil && depth;
}

/* What the orders (first, second) and (second, first) leave the same. */
static unsigned
exchange(const struct order_mode *m, const struct order_behaviour *a, unsigned za, const struct order_behaviour *b,
         unsigned zb, struct order_sample start)
{
   struct order_sample one = start, two = start;
   const bool a1 = order_run(m, a, za, &one), b1 = order_run(m, b, zb, &one);
   const bool b2 = order_run(m, b, zb, &two), a2 = order_run(m, a, za, &two);
   const unsigned last1 = b1 ? 2 : a1, last2 = a2 ? 1 : b2 ? 2 : 0;
   unsigned kept = SI_ORDER_DEPTH_STENCIL;
   if (one.z != two.z || one.s != two.s)
      return 0;
   if ((a1 || b1) == (a2 || b2))
      kept |= SI_ORDER_ANY;
   if (a1 + b1 == a2 + b2)
      kept |= SI_ORDER_COUNT;
   if (a1 == a2 && b1 == b2)
      kept |= SI_ORDER_SET | (a1 && b1 ? 0 : SI_ORDER_SEQUENCE);
   if (last1 == last2)
      kept |= SI_ORDER_LAST;
   return kept;
}

unsigned
order_truth(const struct order_mode *m, const struct order_behaviour *a, const struct order_behaviour *b,
            unsigned values)
{
   unsigned kept = ORDER_TRUTH_ALL;
   for (unsigned i = 0; i < m->num_depths && kept; i++)
      for (unsigned s = 0; s < values; s++) {
         const struct order_depths *d = &m->depths[i];
         const unsigned both = exchange(m, a, d->a, b, d->b, (struct order_sample){d->z, s});
         kept &= both | (d->a == d->b ? SI_ORDER_ALL : both) << ORDER_NO_TIES_SHIFT;
      }
   return kept;
}

/* Of all depths those that the tests can tell from each other. */
void
order_init_mode(struct order_mode *m, bool test, bool write, bool bounds, enum pipe_compare compare)
{
   bool seen[1 << 10] = {false};
   *m = (struct order_mode){.test = test, .write = write, .bounds = bounds, .compare = compare};
   m->depth[false] = test && compare != PIPE_COMPARE_ALWAYS;
   m->depth[true] = !test || compare != PIPE_COMPARE_NEVER;
   for (unsigned i = 0; i < ORDER_DEPTHS * ORDER_DEPTHS * ORDER_DEPTHS; i++) {
      const uint8_t z = (uint8_t)(i % ORDER_DEPTHS), a = (uint8_t)(i / ORDER_DEPTHS % ORDER_DEPTHS),
                    b = (uint8_t)(i / ORDER_DEPTHS / ORDER_DEPTHS);
      unsigned key =
         compares(compare, a, z) | compares(compare, b, z) << 1 | (a == b) << 2 | (bounds && z != ORDER_BOUND) << 3;
      if (write)
         key |= (compares(compare, a, b) | compares(compare, b, a) << 1 | (a == z) << 2 | (b == z) << 3 |
                 (bounds && a != ORDER_BOUND) << 4 | (bounds && b != ORDER_BOUND) << 5)
                << 4;
      if (!seen[key])
         m->depths[m->num_depths++] = (struct order_depths){z, a, b};
      seen[key] = true;
   }
}

unsigned
order_faces(unsigned bits)
{
   return 4096u << 3 * bits;
}

/* The first are the simplest: no operation, full masks. */
void
order_set_face(struct si_order_tests *tests, unsigned face, unsigned i, unsigned bits)
{
   const unsigned max = (1u << bits) - 1;
   struct pipe_stencil_face *f = &tests->faces[face].face;
   f->pass = i & 7;
   f->depth_fail = i >> 3 & 7;
   f->fail = i >> 6 & 7;
   f->compare = PIPE_COMPARE_ALWAYS - (i >> 9 & 7);
   tests->faces[face].reference = (uint8_t)((i >> 12 & max) ^ 1);
   tests->faces[face].write_mask = (uint8_t)(max - (i >> (12 + bits) & max));
   tests->faces[face].compare_mask = (uint8_t)(max - (i >> (12 + 2 * bits) & max));
}

static unsigned
hash(const struct order_class *c, unsigned values)
{
   unsigned h = c->tag;
   for (unsigned depth = 0; depth < 2; depth++)
      for (unsigned s = 0; s < values; s++)
         h = (h * 31 + c->behaviour.next[depth][s] * 2 + c->behaviour.passes[depth][s]) * 2654435761u;
   return h;
}

struct order_classes
order_classes(const bool depth[2], unsigned bits, uint32_t (*tag)(const struct si_order_tests *tests))
{
   const unsigned faces = order_faces(bits), values = 1u << bits, slots = 1 << 18;
   struct order_classes classes = {.of_face = calloc(faces, sizeof(unsigned))};
   unsigned *table = calloc(slots, sizeof(*table)), room = 0;
   for (unsigned i = 0; i < faces; i++) {
      struct si_order_tests tests = {.stencil_test = true, .stencil_max = (uint8_t)(values - 1)};
      order_set_face(&tests, 0, i, bits);
      const struct order_class c = {order_behaviour(&tests, 0, depth), tag ? tag(&tests) : 0, i, 0};
      unsigned slot = hash(&c, values) % slots;
      while (table[slot] && (classes.all[table[slot] - 1].tag != c.tag ||
                             memcmp(&classes.all[table[slot] - 1].behaviour, &c.behaviour, sizeof(c.behaviour))))
         slot = (slot + 1) % slots;
      if (!table[slot]) {
         if (classes.count == room)
            classes.all = realloc(classes.all, (room = room * 2 + 1024) * sizeof(*classes.all));
         classes.all[classes.count] = c;
         table[slot] = ++classes.count;
      }
      classes.all[table[slot] - 1].states++;
      classes.of_face[i] = table[slot] - 1;
   }
   free(table);
   return classes;
}

void
order_free_classes(struct order_classes *classes)
{
   free(classes->all);
   free(classes->of_face);
}
