/* Primitives from clip space to the screen: where vertices land, the planes of what varies over them, and the
 * outlines of points and lines. What a primitive is part of is the vendor's. */
#ifndef INDIUM_SIM_SETUP_H
#define INDIUM_SIM_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/raster/clip.h"

struct sim_setup_point {
   int32_t x, y; /* in 1 / 2^subpixel_bits px */
};

struct sim_setup {
   unsigned subpixel_bits; /* of positions on the screen: 8 to 12 */
   unsigned snap_log2;     /* vertices land on multiples of 2^snap_log2 of these units, at most a pixel */
   /* The viewport: a pixel coordinate, and depth, is what divided by w is times scale, and offset. */
   double scale[3], offset[3];
   double X[3], Y[3], W[3], Z[3]; /* screen x * w and y * w, w, clip z of three vertices */
   int32_t origin_x, origin_y;    /* px; planes start there, so that numbers are small */
};

/* Where a vertex lands. Far outside of the guard band all positions are alike; NaN too. */
struct sim_setup_point sim_setup_screen(const struct sim_setup *s, const struct sim_clip_vertex *v);

/* A coordinate of a screen point. */
static inline double
sim_setup_px(const struct sim_setup *s, int32_t fixed)
{
   return (double)fixed / (1 << s->subpixel_bits);
}

double sim_setup_depth(const struct sim_setup *s, double z, double w);
void sim_setup_origin(struct sim_setup *s, struct sim_setup_point at);
void sim_setup_vertex(struct sim_setup *s, unsigned i, const struct sim_clip_vertex *v);

/* From the first two vertices: a third across the line with z and w of the first, as nothing varies that way.
 * by_axis: across the axis that the line is longer along, as Vulkan has it of lines that are not strict (1.3, 28.6).
 * False if the line has no length. */
bool sim_setup_across(struct sim_setup *s, bool by_axis);

/* Of the three vertices: more than 0 clockwise on the screen (y down). */
double sim_setup_area(const struct sim_setup *s);

/* Planes over the screen of what each vertex adds, over w, and of depth: coefficients of x, y and 1, from the origin.
 * False if the vertices have no area. */
bool sim_setup_planes(const struct sim_setup *s, double lambda[3][3], double depth[3]);

/* The unit of depth bias of float formats: the largest depth of the three vertices has it in a float's last place but
 * `bits`. Source: Vulkan 1.3, 28.10.3. */
double sim_setup_float_unit(const struct sim_setup *s, int bits);

/* What is added to the depth of a primitive whose depth has the plane; clamp: up to that where it is more than 0,
 * from that on where it is less. */
double sim_setup_depth_bias(const double depth[3], double constant, double slope_scale, double clamp);

/* A line between two screen points: a rectangle, or a parallelogram along an axis. False if it has no length. */
bool sim_setup_line(const struct sim_setup *s, struct sim_setup_point a, struct sim_setup_point b, double width_px,
                    bool rectangle, struct sim_setup_point corners[4]);

/* Moves the ends of a line, along it, so that the pixels between them are those whose diamonds the line
 * leaves: an end within a pixel's diamond is moved to the pixel's centre, which belongs to the line that starts
 * there. width_px: wider lines are shifted to their first row or column. Source: Vulkan 1.3, 28.6.3;
 * OpenGL 4.6, 14.5.1. */
void sim_setup_diamonds(const struct sim_setup *s, double width_px, struct sim_setup_point *a,
                        struct sim_setup_point *b);

void sim_setup_square(const struct sim_setup *s, struct sim_setup_point at, double width_px, double height_px,
                      struct sim_setup_point corners[4]);

#endif
