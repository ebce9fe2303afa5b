/* Faces of a cube map and directions. Source: the cube map face table of the Vulkan specification, 16.5.1. */
#ifndef INDIUM_AMD_SIM_TEX_CUBE_H
#define INDIUM_AMD_SIM_TEX_CUBE_H

/* Components of a direction seen from a face: on the face itself s and t are in [-1, 1] where major is 1. */
struct tex_cube_point {
   float s, t, major;
};

void tex_cube_direction(unsigned face, struct tex_cube_point point, float direction[3]);
struct tex_cube_point tex_cube_project(unsigned face, const float direction[3]);

/* The face that a direction hits; the first of several. */
unsigned tex_cube_face(const float direction[3]);

/* The face in an instruction's third coordinate, face + 8 * layer. */
unsigned tex_cube_face_of_id(float id);

/* The nearest integer, even for halves; 0 of NaN. */
int tex_round_even(float f);

#endif
