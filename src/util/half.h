/* IEEE binary16 conversions, round to nearest even. Of the driver side: the model has its own (sim/texel/numeric.h).
 * */
#ifndef INDIUM_UTIL_HALF_H
#define INDIUM_UTIL_HALF_H

#include <stdint.h>

uint16_t half_from_float(float value);
float half_to_float(uint16_t value);

#endif
