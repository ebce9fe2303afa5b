/* The shaders of random_stages. */
#ifndef RANDOM_STAGES_H
#define RANDOM_STAGES_H

#include "vkt_draw.h"

/* What a geometry shader gets, and what is drawn: the number of vertices of a primitive, less one. */
enum stages_input {
   STAGES_POINTS,
   STAGES_LINES,
   STAGES_TRIANGLES,
   STAGES_LINES_ADJACENCY,
   STAGES_TRIANGLES_ADJACENCY,
   STAGES_INPUTS,
};
enum stages_output { STAGES_MADE_POINTS, STAGES_MADE_LINES, STAGES_MADE_TRIANGLES, STAGES_OUTPUTS };

enum { STAGES_EVALUATIONS = 7 };

struct stages_evaluation {
   struct vkt_code code, captures; /* captures: it is the last stage */
   enum stages_output output;
};

extern const struct stages_evaluation stages_evaluations[STAGES_EVALUATIONS];
extern const struct vkt_code stages_vertex, stages_vertex_captures, stages_controls[2], stages_fragment;
extern const struct vkt_code stages_geometries[STAGES_INPUTS][STAGES_OUTPUTS];

#endif
