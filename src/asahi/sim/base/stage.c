#include "asahi/sim/base/stage.h"

const char *const agx_stage_names[AGX_STAGES] = {
   [AGX_STAGE_COMPUTE] = "CS",
   [AGX_STAGE_VERTEX] = "VS",
   [AGX_STAGE_FRAGMENT] = "FS",
   [AGX_STAGE_BACKGROUND] = "background program",
   [AGX_STAGE_END_OF_TILE] = "end-of-tile program",
   [AGX_STAGE_PREAMBLE] = "preamble",
   [AGX_STAGE_HELPER] = "helper program",
};
