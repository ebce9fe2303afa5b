/* What feedback.c runs: every domain and spacing of tessellation, and geometry shaders of every kind of input. */

static const uint32_t triangles_equal_cw_code[] = {
#include "feedback_triangles_equal_cw.tese.inc"
};
static const uint32_t triangles_odd_cw_code[] = {
#include "feedback_triangles_odd_cw.tese.inc"
};
static const uint32_t triangles_even_cw_code[] = {
#include "feedback_triangles_even_cw.tese.inc"
};
static const uint32_t quads_equal_cw_code[] = {
#include "feedback_quads_equal_cw.tese.inc"
};
static const uint32_t quads_odd_cw_code[] = {
#include "feedback_quads_odd_cw.tese.inc"
};
static const uint32_t quads_even_cw_code[] = {
#include "feedback_quads_even_cw.tese.inc"
};
static const uint32_t isolines_equal_cw_code[] = {
#include "feedback_isolines_equal_cw.tese.inc"
};
static const uint32_t isolines_odd_cw_code[] = {
#include "feedback_isolines_odd_cw.tese.inc"
};
static const uint32_t isolines_even_cw_code[] = {
#include "feedback_isolines_even_cw.tese.inc"
};
static const uint32_t triangles_equal_ccw_code[] = {
#include "feedback_triangles_equal_ccw.tese.inc"
};
static const uint32_t quads_odd_ccw_code[] = {
#include "feedback_quads_odd_ccw.tese.inc"
};
static const uint32_t triangles_odd_cw_points_code[] = {
#include "feedback_triangles_odd_cw_points.tese.inc"
};
static const uint32_t quads_even_ccw_points_code[] = {
#include "feedback_quads_even_ccw_points.tese.inc"
};
static const uint32_t isolines_equal_cw_points_code[] = {
#include "feedback_isolines_equal_cw_points.tese.inc"
};
static const uint32_t points_geometry[] = {
#include "feedback_points.geom.inc"
};
static const uint32_t lines_geometry[] = {
#include "feedback_lines.geom.inc"
};
static const uint32_t lines_adjacency_geometry[] = {
#include "feedback_lines_adjacency.geom.inc"
};
static const uint32_t triangles_geometry[] = {
#include "feedback_triangles.geom.inc"
};
static const uint32_t triangles_adjacency_geometry[] = {
#include "feedback_triangles_adjacency.geom.inc"
};
static const uint32_t streams_geometry[] = {
#include "feedback_streams.geom.inc"
};

static const struct scene scenes[] = {
   {.name = "triangles equal cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(triangles_equal_cw_code),
    .triangles = true},
   {.name = "triangles odd cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(triangles_odd_cw_code),
    .triangles = true},
   {.name = "triangles even cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(triangles_even_cw_code),
    .triangles = true},
   {.name = "quads equal cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(quads_equal_cw_code),
    .triangles = true},
   {.name = "quads odd cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(quads_odd_cw_code),
    .triangles = true},
   {.name = "quads even cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(quads_even_cw_code),
    .triangles = true},
   {.name = "isolines equal cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(isolines_equal_cw_code),
    .triangles = false},
   {.name = "isolines odd cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(isolines_odd_cw_code),
    .triangles = false},
   {.name = "isolines even cw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(isolines_even_cw_code),
    .triangles = false},
   {.name = "triangles equal ccw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(triangles_equal_ccw_code),
    .triangles = true},
   {.name = "quads odd ccw",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(quads_odd_ccw_code),
    .triangles = true},
   {.name = "triangles odd cw points",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(triangles_odd_cw_points_code),
    .triangles = false},
   {.name = "quads even ccw points",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(quads_even_ccw_points_code),
    .triangles = false},
   {.name = "isolines equal cw points",
    .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
    .evaluation = VKT_CODE(isolines_equal_cw_points_code),
    .triangles = false},
   {.name = "geometry of point_list",
    .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    .geometry = VKT_CODE(points_geometry)},
   {.name = "geometry of line_list",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    .geometry = VKT_CODE(lines_geometry)},
   {.name = "geometry of line_strip",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
    .geometry = VKT_CODE(lines_geometry)},
   {.name = "geometry of line_list_with_adjacency",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
    .geometry = VKT_CODE(lines_adjacency_geometry)},
   {.name = "geometry of line_strip_with_adjacency",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
    .geometry = VKT_CODE(lines_adjacency_geometry)},
   {.name = "geometry of triangle_list",
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    .geometry = VKT_CODE(triangles_geometry)},
   {.name = "geometry of triangle_strip",
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    .geometry = VKT_CODE(triangles_geometry)},
   {.name = "geometry of triangle_fan",
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
    .geometry = VKT_CODE(triangles_geometry)},
   {.name = "geometry of triangle_list_with_adjacency",
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
    .geometry = VKT_CODE(triangles_adjacency_geometry)},
   {.name = "geometry of triangle_strip_with_adjacency",
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY,
    .geometry = VKT_CODE(triangles_adjacency_geometry)},
   {.name = "streams",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
    .geometry = VKT_CODE(streams_geometry),
    .streams = true},
   {.name = "geometry that does not fit",
    .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
    .geometry = VKT_CODE(lines_geometry),
    .limit_B = 3216},
};
