/* The state of a draw, as far as the order of its fragments depends on it, as text: KEY=VALUE items or a JSON object
 * with the same keys (docs/drivers/amd/out-of-order.md). */
#ifndef INDIUM_TOOLS_ORDER_STATE_H
#define INDIUM_TOOLS_ORDER_STATE_H

#include <stddef.h>

#include "gallium/drivers/radeonsi/order/si_out_of_order.h"
#include "tools/order/order_state_text.h"

enum order_interlock { ORDER_NO_INTERLOCK, ORDER_INTERLOCK_ORDERED, ORDER_INTERLOCK_UNORDERED };

/* Keys that are taken and make no difference. */
#define ORDER_NUM_IDLE 9
extern const char *const order_idle_keys[ORDER_NUM_IDLE];

struct order_state {
   const struct amd_chip *chip;
   bool depth_buffer, stencil_buffer;
   struct si_order_tests tests;    /* as the pipeline has them, whatever planes there are */
   struct si_order_blending blend; /* targets with a format are there */
   bool early_tests, stores, discard, exports_mask, alpha_to_coverage, exports_stencil, reads_targets;
   enum order_interlock interlock;
   enum si_order_occlusion occlusion;
   bool statistics, relaxed;
   bool nooutoforder, assume_no_z_fights, commutative_blend_add;
   unsigned idle; /* bit per order_idle_keys: something was said of it */
};

/* False with what is wrong. The text need not end with a NUL. */
bool order_state_parse(const char *text, size_t size_B, struct order_state *state, struct order_error *error);

#endif
