/* Four components at once. */
#ifndef INDIUM_SIM_VEC4_H
#define INDIUM_SIM_VEC4_H

#include <stdint.h>

typedef float v4f __attribute__((vector_size(16)));
typedef uint32_t v4u __attribute__((vector_size(16)));

#endif
