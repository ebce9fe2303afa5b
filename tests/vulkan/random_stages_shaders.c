#include "random_stages.h"

#define MODULE(name) static const uint32_t name[] = {
MODULE(vert)
#include "stages.vert.inc"
}
;
MODULE(captures_vert)
#include "stages_captures.vert.inc"
}
;
MODULE(tesc_3)
#include "stages_3.tesc.inc"
}
;
MODULE(tesc_5)
#include "stages_5.tesc.inc"
}
;
MODULE(frag)
#include "stages.frag.inc"
}
;
MODULE(tese_triangles_equal)
#include "stages_triangles_equal.tese.inc"
}
;
MODULE(captures_tese_triangles_equal)
#include "stages_triangles_equal_captures.tese.inc"
}
;
MODULE(tese_triangles_odd)
#include "stages_triangles_odd.tese.inc"
}
;
MODULE(captures_tese_triangles_odd)
#include "stages_triangles_odd_captures.tese.inc"
}
;
MODULE(tese_triangles_even)
#include "stages_triangles_even.tese.inc"
}
;
MODULE(captures_tese_triangles_even)
#include "stages_triangles_even_captures.tese.inc"
}
;
MODULE(tese_quads_equal)
#include "stages_quads_equal.tese.inc"
}
;
MODULE(captures_tese_quads_equal)
#include "stages_quads_equal_captures.tese.inc"
}
;
MODULE(tese_quads_odd)
#include "stages_quads_odd.tese.inc"
}
;
MODULE(captures_tese_quads_odd)
#include "stages_quads_odd_captures.tese.inc"
}
;
MODULE(tese_isolines_equal)
#include "stages_isolines_equal.tese.inc"
}
;
MODULE(captures_tese_isolines_equal)
#include "stages_isolines_equal_captures.tese.inc"
}
;
MODULE(tese_isolines_odd)
#include "stages_isolines_odd.tese.inc"
}
;
MODULE(captures_tese_isolines_odd)
#include "stages_isolines_odd_captures.tese.inc"
}
;
MODULE(geom_points_points)
#include "stages_points_points.geom.inc"
}
;
MODULE(geom_points_line_strip)
#include "stages_points_line_strip.geom.inc"
}
;
MODULE(geom_points_triangle_strip)
#include "stages_points_triangle_strip.geom.inc"
}
;
MODULE(geom_lines_points)
#include "stages_lines_points.geom.inc"
}
;
MODULE(geom_lines_line_strip)
#include "stages_lines_line_strip.geom.inc"
}
;
MODULE(geom_lines_triangle_strip)
#include "stages_lines_triangle_strip.geom.inc"
}
;
MODULE(geom_triangles_points)
#include "stages_triangles_points.geom.inc"
}
;
MODULE(geom_triangles_line_strip)
#include "stages_triangles_line_strip.geom.inc"
}
;
MODULE(geom_triangles_triangle_strip)
#include "stages_triangles_triangle_strip.geom.inc"
}
;
MODULE(geom_lines_adjacency_points)
#include "stages_lines_adjacency_points.geom.inc"
}
;
MODULE(geom_lines_adjacency_line_strip)
#include "stages_lines_adjacency_line_strip.geom.inc"
}
;
MODULE(geom_lines_adjacency_triangle_strip)
#include "stages_lines_adjacency_triangle_strip.geom.inc"
}
;
MODULE(geom_triangles_adjacency_points)
#include "stages_triangles_adjacency_points.geom.inc"
}
;
MODULE(geom_triangles_adjacency_line_strip)
#include "stages_triangles_adjacency_line_strip.geom.inc"
}
;
MODULE(geom_triangles_adjacency_triangle_strip)
#include "stages_triangles_adjacency_triangle_strip.geom.inc"
}
;

#define CODE(array) {(array), sizeof(array)}
const struct vkt_code stages_vertex = CODE(vert), stages_vertex_captures = CODE(captures_vert);
const struct vkt_code stages_controls[2] = {CODE(tesc_3), CODE(tesc_5)};
const struct vkt_code stages_fragment = CODE(frag);
const struct stages_evaluation stages_evaluations[STAGES_EVALUATIONS] = {
   {CODE(tese_triangles_equal), CODE(captures_tese_triangles_equal), STAGES_MADE_TRIANGLES},
   {CODE(tese_triangles_odd), CODE(captures_tese_triangles_odd), STAGES_MADE_TRIANGLES},
   {CODE(tese_triangles_even), CODE(captures_tese_triangles_even), STAGES_MADE_POINTS},
   {CODE(tese_quads_equal), CODE(captures_tese_quads_equal), STAGES_MADE_TRIANGLES},
   {CODE(tese_quads_odd), CODE(captures_tese_quads_odd), STAGES_MADE_TRIANGLES},
   {CODE(tese_isolines_equal), CODE(captures_tese_isolines_equal), STAGES_MADE_LINES},
   {CODE(tese_isolines_odd), CODE(captures_tese_isolines_odd), STAGES_MADE_LINES},
};
const struct vkt_code stages_geometries[STAGES_INPUTS][STAGES_OUTPUTS] = {
   {CODE(geom_points_points), CODE(geom_points_line_strip), CODE(geom_points_triangle_strip)},
   {CODE(geom_lines_points), CODE(geom_lines_line_strip), CODE(geom_lines_triangle_strip)},
   {CODE(geom_triangles_points), CODE(geom_triangles_line_strip), CODE(geom_triangles_triangle_strip)},
   {CODE(geom_lines_adjacency_points), CODE(geom_lines_adjacency_line_strip),
    CODE(geom_lines_adjacency_triangle_strip)},
   {CODE(geom_triangles_adjacency_points), CODE(geom_triangles_adjacency_line_strip),
    CODE(geom_triangles_adjacency_triangle_strip)},
};
