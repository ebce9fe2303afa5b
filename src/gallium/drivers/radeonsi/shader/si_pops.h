/* Primitive ordered pixel shading, the hardware behind fragment shader interlock: what a draw programs. */
#ifndef INDIUM_SI_POPS_H
#define INDIUM_SI_POPS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir_shader_info.h"

struct ac_pops_caps;

#define SI_POPS_NO_DEPTH 0xff

struct si_pops_key {
   const struct ac_pops_caps *caps;
   enum nir_interlock interlock; /* NONE where the shader never enters an ordered section, whatever it declares */
   uint8_t raster_samples_log2;  /* 0 to 4 */
   uint8_t depth_samples_log2;   /* of the depth/stencil target, SI_POPS_NO_DEPTH: there is none */
   bool sample_shading;          /* changes nothing: granularity and frequency of shading are independent */
   bool vrs;                     /* rates coarser than 1x1 may reach the draw */
   bool intrawave_loop;          /* the shader orders the layers of its wave itself */
   bool force_drain;             /* for experiments: drain on overlap where nothing demands it */
   bool blends;                  /* some target is written with blending */
   /* What the shader exports. */
   uint32_t col_format; /* SPI_SHADER_COL_FORMAT, 0: no colour */
   uint8_t z_format;    /* SPI_SHADER_Z_FORMAT, 0: no depth, stencil or mask */
   bool kills;
};

/* Fields by their names in the registers, and what the draw may do. Fields of registers that the chip lacks are 0. */
struct si_pops {
   /* DB_SHADER_CONTROL */
   bool primitive_ordered_pixel_shader;
   uint8_t pops_overlap_num_samples;
   bool override_intrinsic_rate_enable;
   uint8_t override_intrinsic_rate;
   /* PA_SC_SHADER_CONTROL and SPI_SHADER_PGM_RSRC2_PS: always equal */
   bool load_collision_waveid, load_intrawave_collision;
   /* DB_DFSM_CONTROL */
   uint8_t punchout_mode;
   bool pops_drain_ps_on_overlap;
   /* DB_RENDER_OVERRIDE2 */
   uint8_t partial_squad_launch_control;
   /* SPI_SHADER_COL_FORMAT */
   uint32_t col_format;

   bool coarse_shading; /* rates coarser than 1x1 take effect */
   bool may_reorder;    /* out-of-order rasterisation may be on though the application did not ask for it */
};

/* Whether the driver ever asks this: up to 8 samples, and a depth target of as many or none. */
bool si_pops_is_driven(const struct si_pops_key *key);

/* Everything that ordering decides about a draw. PA_SC_AA_CONFIG.MSAA_EXPOSED_SAMPLES is the rasterizer's number of
 * samples (si_msaa.c), and DB_Z_INFO.NUM_SAMPLES the target's (si_target.c). Total but for one combination, on which
 * it returns false: an interlock where the depth target must have as many samples as the coverage and has not.
 * Source: Mesa's article. */
bool si_pops(const struct si_pops_key *key, struct si_pops *out);

#endif
