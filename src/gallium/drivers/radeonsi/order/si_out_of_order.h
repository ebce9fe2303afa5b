/* May the fragments of a draw come in another order than their primitives? Everything is allowed of which nothing
 * that anybody can see depends on: what a draw needs, si_order.h's bits, must be what its tests keep. */
#ifndef INDIUM_SI_OUT_OF_ORDER_H
#define INDIUM_SI_OUT_OF_ORDER_H

#include "gallium/drivers/radeonsi/order/si_order.h"

enum si_order_occlusion {
   SI_OCCLUSION_NONE,
   SI_OCCLUSION_BOOLEAN, /* a query that only has to tell none from some */
   SI_OCCLUSION_PRECISE,
};

/* Of a fragment shader in its pipeline. */
struct si_order_shader {
   bool early_tests;       /* it asks for tests ahead of it */
   bool writes_memory;     /* stores or atomics */
   bool drops_samples;     /* discards, exports a mask, or alpha to coverage */
   bool exports_stencil;   /* a reference of its own for each fragment */
   bool reads_targets;     /* what fragments of the draw write: framebuffer fetch, feedback */
   bool ordered_interlock; /* has ordered sections that run in primitive order; unordered ones do not count */
};

struct si_out_of_order_key {
   bool available; /* the chip can */
   bool off;       /* somebody said never */
   bool relaxed;   /* the application said that it does not mind */
   unsigned kept;  /* si_order_kept() of the tests of planes that are there */
   unsigned color; /* si_order_color_need() of all targets that are there and written, together */
   struct si_order_shader shader;
   enum si_order_occlusion occlusion;
   bool statistics; /* counting invocations of fragment shaders */
};

/* What decides. */
enum si_order_reason {
   SI_REASON_UNAVAILABLE,
   SI_REASON_OFF,
   SI_REASON_RELAXED,
   SI_REASON_INTERLOCK,
   SI_REASON_TESTS,
   SI_REASON_TARGETS_READ,
   SI_REASON_COLOR,
   SI_REASON_MEMORY,
   SI_REASON_OCCLUSION,
   SI_REASON_STATISTICS,
   SI_REASON_FREE, /* nothing is needed that is not kept */
   SI_REASON_COUNT,
};

struct si_out_of_order {
   bool allowed;
   enum si_order_reason reason;
   unsigned needed; /* by what the reason names, enum si_order bits */
};

/* What each need comes to for the draw, one after the other: index a reason from TESTS to STATISTICS. */
unsigned si_order_need(const struct si_out_of_order_key *key, enum si_order_reason reason);

struct si_out_of_order si_out_of_order(const struct si_out_of_order_key *key);

#endif
