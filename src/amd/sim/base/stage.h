/* Shader stages of the hardware. A draw runs those that its registers turn on; the others' programs do not count. */
#ifndef INDIUM_AMD_SIM_STAGE_H
#define INDIUM_AMD_SIM_STAGE_H

enum amd_stage {
   AMD_STAGE_CS,
   AMD_STAGE_LS,
   AMD_STAGE_HS,
   AMD_STAGE_ES,
   AMD_STAGE_GS,
   AMD_STAGE_VS,
   AMD_STAGE_PS,
   AMD_STAGES,
};

struct amd_stage_info {
   const char *name;       /* in reports */
   const char *waves;      /* what its waves are called */
   const char *flushed_by; /* what ME waits for them with */
};
extern const struct amd_stage_info amd_stage_infos[AMD_STAGES];

#endif
