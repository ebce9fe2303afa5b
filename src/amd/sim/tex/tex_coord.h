/* Coordinates that choose a face or a layer. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_COORD_H
#define INDIUM_AMD_SIM_TEX_COORD_H

#include "amd/sim/tex/tex_image.h"

/* The face in an instruction's third coordinate, face + 8 * layer. */
unsigned tex_cube_face_of_id(float id);

/* Slice of an array's layer coordinate, clamped to the view. */
uint32_t tex_layer_slice(const struct tex_image *image, float layer);

/* The nearest integer, even for halves; 0 of NaN. */
int tex_round_even(float f);

#endif
