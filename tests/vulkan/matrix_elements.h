#ifndef MATRIX_ELEMENTS_H
#define MATRIX_ELEMENTS_H

#include "vkx.h"

/* What shaders do to each element of cooperative matrices, in a subgroup of so many lanes. */
void matrix_elements(struct vkx *vkx, uint32_t lanes);

#endif
