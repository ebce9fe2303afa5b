/* All inputs of a driver's decision about shaders that write memory, and what must come of each: written separately
 * from the rules. */
#ifndef INDIUM_TESTS_UAV_SPACE_H
#define INDIUM_TESTS_UAV_SPACE_H

#include "intel/common/intel_uav_rule.h"

/* A draw as an application means it. */
struct uav_draw {
   enum intel_gen gen;
   unsigned stores; /* stages whose shaders write memory, 1 << enum intel_stage */
   bool pixel_shader, kills, omask, alpha_to_coverage, computed_depth, computed_stencil, early_tests;
   bool writes_colour, target, masked; /* the shader does; one is bound; its colours are not written */
   bool depth_test, depth_write, stencil_test, stencil_write;
   bool counted;     /* an occlusion query is active */
   bool hiz_follows; /* a HiZ operation is next */
};

enum { UAV_DRAWS = 1 << 21 };

/* Draw number `index` of a generation, below UAV_DRAWS; false if there is no such draw. */
bool uav_draw(enum intel_gen gen, unsigned index, struct uav_draw *draw);

/* Why its pixel shader must run, by what APIs promise: enum uav_need. */
unsigned uav_draw_needs(const struct uav_draw *draw);

/* As drivers' rules want to hear it. */
struct intel_uav_input uav_draw_input(const struct uav_draw *draw);

#endif
