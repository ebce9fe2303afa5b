/* What a pixel covers of an image: the level of detail, and probes along a line where it is longer than wide. */
#ifndef INDIUM_SIM_FOOTPRINT_H
#define INDIUM_SIM_FOOTPRINT_H

/* Derivatives of the coordinates in both directions of the screen. */
struct sim_gradient {
   float dx[3], dy[3];
};

/* Isotropic, or a line of probes, each of which is filtered at the level. */
struct sim_footprint {
   float lod; /* relative to the level that `size` is of */
   unsigned probes;
   float step[3]; /* from probe to probe, in coordinates */
};

/* size: texels that a coordinate of 1 stands for. max_anisotropy: how many times longer than wide, at most. */
struct sim_footprint sim_footprint_of(const struct sim_gradient *gradient, const float size[3],
                                      unsigned max_anisotropy);

#endif
