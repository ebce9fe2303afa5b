#include "compiler/nir/nir_stage.h"

const char *const nir_stage_names[] = {"vertex",   "tess_ctrl", "tess_eval", "geometry",
                                       "fragment", "compute",   "task",      "mesh"};
const char *const nir_stage_files[] = {"vert", "tesc", "tese", "geom", "frag", "comp", "task", "mesh"};
