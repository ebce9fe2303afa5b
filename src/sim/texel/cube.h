/* Faces of a cube map and directions. Source: the cube map face table of the Vulkan specification, 16.5.1. */
#ifndef INDIUM_SIM_CUBE_H
#define INDIUM_SIM_CUBE_H

/* Components of a direction seen from a face: on the face itself s and t are in [-1, 1] where major is 1. */
struct sim_cube_point {
   float s, t, major;
};

void sim_cube_direction(unsigned face, struct sim_cube_point point, float direction[3]);
struct sim_cube_point sim_cube_project(unsigned face, const float direction[3]);

/* The face that a direction hits; the first of several. */
unsigned sim_cube_face(const float direction[3]);

/* The texel (*x, *y) just outside of a face of size x size texels in one of its coordinates: where it lies. */
void sim_cube_neighbor(unsigned *face, int *x, int *y, int size);

#endif
