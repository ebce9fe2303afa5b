/* What shaders and a draw want of Intel's UAV state, as text: KEY=VALUE items or a JSON object with the same keys
 * (docs/drivers/intel/uav.md). */
#ifndef INDIUM_TOOLS_UAV_STATE_H
#define INDIUM_TOOLS_UAV_STATE_H

#include <stddef.h>

#include "intel/common/intel_uav_rule.h"
#include "tools/order/order_state_text.h"

struct uav_state {
   const struct intel_chip *chip;
   struct intel_uav_input input;
};

/* False with what is wrong. The text need not end with a NUL. */
bool uav_state_parse(const char *text, size_t size_B, struct uav_state *state, struct order_error *error);

#endif
