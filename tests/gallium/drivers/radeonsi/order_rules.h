/* What other drivers and the review ask before they let primitives come in another order: facts about published
 * rules, for comparison. Sources: docs/drivers/amd/out-of-order.md. */
#ifndef INDIUM_TEST_ORDER_RULES_H
#define INDIUM_TEST_ORDER_RULES_H

#include "gallium/drivers/radeonsi/order/si_order.h"

/* What rules ask of stencil faces, as bits. */
enum order_face {
   ORDER_FACE_WRITES = 1 << 0,   /* some bit and some operation other than KEEP */
   ORDER_FACE_OPERATES = 1 << 1, /* some operation other than KEEP */
   ORDER_FACE_MESA = 1 << 2,     /* operations that Mesa takes for free of order, without a comparison that counts */
   ORDER_FACE_MAIL = 1 << 3,     /* those of the mail */
   ORDER_FACE_CONSTANT = 1 << 4, /* ALWAYS or NEVER */
   ORDER_FACE_PAL = 1 << 5,      /* a comparison that PAL lets write */
   ORDER_FACE_CLAMPS = 1 << 6,   /* the rest is for the table's classes */
   ORDER_FACE_REPLACES = 1 << 7,
};

uint32_t order_face_bits(const struct si_order_tests *tests);

enum order_color {
   ORDER_COLOR_NONE,
   ORDER_COLOR_REPLACED,
   ORDER_COLOR_MAX,
   ORDER_COLOR_ADDED, /* ONE, ONE */
   ORDER_COLOR_OVER,  /* SRC_ALPHA, ONE_MINUS_SRC_ALPHA */
   ORDER_COLOR_XOR,
   ORDER_COLORS,
};

enum order_query {
   ORDER_QUERY_NONE,
   ORDER_QUERY_BOOLEAN,
   ORDER_QUERY_PRECISE,
   ORDER_QUERIES,
};

struct order_draw {
   bool stencil_test, depth_test, depth_write; /* no rule looks at bounds */
   enum pipe_compare depth_compare;
   uint32_t every, some; /* enum order_face bits that both faces have, that one has */
   enum order_color color;
   enum order_query query;
   bool writes_memory, early_tests;
};

struct order_rule {
   const char *name;
   bool (*allows)(const struct order_draw *draw);
   bool presupposes; /* that no two fragments of a sample have the same depth, and that sums may be rounded */
};

#define ORDER_RULES 6
extern const struct order_rule order_rules[ORDER_RULES];

#endif
