/* What depth and stencil tests keep in every order, by search: the witness of si_order_tests.c and of the rules that
 * others published. A sample has a depth and a stencil value; fragments meet it one after the other. */
#ifndef INDIUM_TEST_ORDER_TRUTH_H
#define INDIUM_TEST_ORDER_TRUTH_H

#include "gallium/drivers/radeonsi/order/si_order.h"

enum {
   ORDER_DEPTHS = 5,
   ORDER_BOUND = 2, /* the depth that bounds let pass */
   /* Of what fragments keep: enum si_order bits of any two, and above them those of two whose depths differ. */
   ORDER_NO_TIES_SHIFT = 6,
   ORDER_TRUTH_ALL = SI_ORDER_ALL | SI_ORDER_ALL << ORDER_NO_TIES_SHIFT,
};

/* What a fragment that is not rejected by bounds does, by whether it passes depth and by the stored stencil value. */
struct order_behaviour {
   uint8_t passes[2][256]; /* the stencil test */
   uint8_t next[2][256];
};

struct order_sample {
   unsigned z, s;
};

/* A stored depth and those of two fragments. */
struct order_depths {
   uint8_t z, a, b;
};

/* Depth's part of a state, for which of its values are alike. */
struct order_mode {
   bool test, write, bounds;
   enum pipe_compare compare;
   bool depth[2]; /* may it fail, may it pass? */
   unsigned num_depths;
   struct order_depths depths[ORDER_DEPTHS * ORDER_DEPTHS * ORDER_DEPTHS];
};

/* Faces that behave alike, and have the same tag. */
struct order_class {
   struct order_behaviour behaviour;
   uint32_t tag;
   unsigned face; /* the simplest */
   uint64_t states;
};

struct order_classes {
   unsigned count;
   struct order_class *all;
   unsigned *of_face; /* which class: of face i, order_faces() of them */
};

void order_init_mode(struct order_mode *mode, bool test, bool write, bool bounds, enum pipe_compare compare);

struct order_behaviour order_behaviour(const struct si_order_tests *tests, unsigned face, const bool depth[2]);

/* Does the fragment of depth z pass all tests? */
bool order_run(const struct order_mode *mode, const struct order_behaviour *b, unsigned z,
               struct order_sample *sample);

/* Of pairs of a fragment of a and one of b: both halves. A half is 0 unless it keeps depth and stencil. */
unsigned order_truth(const struct order_mode *mode, const struct order_behaviour *a, const struct order_behaviour *b,
                     unsigned values);

/* One half of them: enum si_order bits. */
static inline unsigned
order_kept(unsigned truth, bool no_ties)
{
   return truth >> (no_ties ? ORDER_NO_TIES_SHIFT : 0) & SI_ORDER_ALL;
}

/* All states of a face: operations, comparison, reference, masks of so many bits. */
unsigned order_faces(unsigned bits);
void order_set_face(struct si_order_tests *tests, unsigned face, unsigned i, unsigned bits);
struct order_classes order_classes(const bool depth[2], unsigned bits,
                                   uint32_t (*tag)(const struct si_order_tests *tests));
void order_free_classes(struct order_classes *classes);

#endif
