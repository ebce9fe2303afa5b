/* What tests keep whose fragments bring stencil references along (si_order_tests.c). */
#ifndef INDIUM_SI_ORDER_REFERENCES_H
#define INDIUM_SI_ORDER_REFERENCES_H

#include "gallium/drivers/radeonsi/order/si_order.h"

/* What depth's test can do to fragments. */
struct si_order_depth {
   bool may[2];          /* fail, pass */
   bool lone[2];         /* one fragment at most fails, or passes; while depth stays */
   bool writes, ordered; /* those that pass; and then the nearest stays, whoever comes first */
   bool bounds, no_ties;
};

/* Enum si_order bits. */
unsigned si_order_kept_of_references(const struct si_order_tests *tests, const struct si_order_depth *depth);

#endif
