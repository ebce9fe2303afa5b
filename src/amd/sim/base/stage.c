#include "amd/sim/base/stage.h"

#define VERTEX_FLUSH "VS_PARTIAL_FLUSH, PS_PARTIAL_FLUSH or end-of-pipe write"

const struct amd_stage_info amd_stage_infos[] = {
   [AMD_STAGE_CS] = {"CS", "compute waves", "CS_PARTIAL_FLUSH or end-of-pipe write"},
   [AMD_STAGE_LS] = {"LS", "LS waves", VERTEX_FLUSH},
   [AMD_STAGE_HS] = {"HS", "HS waves", VERTEX_FLUSH},
   [AMD_STAGE_ES] = {"ES", "ES waves", VERTEX_FLUSH},
   [AMD_STAGE_GS] = {"GS", "GS waves", VERTEX_FLUSH},
   [AMD_STAGE_VS] = {"VS", "vertex waves", VERTEX_FLUSH},
   [AMD_STAGE_PS] = {"PS", "pixel waves", "PS_PARTIAL_FLUSH or end-of-pipe write"},
};
