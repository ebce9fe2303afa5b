/* What takes part, at one primitive, in whether a pixel shader runs and in the coherency of unordered accesses (UAV)
 * on Intel's gen7.5 to gen9: fields as the hardware has them, by packet. What a generation lacks is false or 0.
 * docs/drivers/intel/uav.md tells the story. */
#ifndef INDIUM_INTEL_UAV_STATE_H
#define INDIUM_INTEL_UAV_STATE_H

#include <stdbool.h>

/* Haswell, Broadwell, Skylake. */
enum intel_gen { INTEL_GEN7_5, INTEL_GEN8, INTEL_GEN9, INTEL_GENS };

/* In the order in which a primitive passes them. */
enum intel_stage { INTEL_VS, INTEL_HS, INTEL_DS, INTEL_GS, INTEL_PS, INTEL_STAGES };

enum intel_force { INTEL_FORCE_NORMAL, INTEL_FORCE_OFF, INTEL_FORCE_ON };

/* When depth and stencil tests happen: as the hardware finds best, early though the shader runs anyway, early. */
enum intel_edsc { INTEL_EDSC_NORMAL, INTEL_EDSC_PSEXEC, INTEL_EDSC_PREPS };

/* PSCDEPTH: off, on, and which way the shader promises to move depth. */
enum intel_computed_depth { INTEL_DEPTH_OFF, INTEL_DEPTH_ON, INTEL_DEPTH_ON_GE, INTEL_DEPTH_ON_LE };

struct intel_uav_state {
   enum intel_gen gen;
   /* Function enable of 3DSTATE_VS, HS, DS and GS. PS: a width of dispatch in 3DSTATE_PS on gen7.5, PS_EXTRA's valid
    * later. */
   bool enabled[INTEL_STAGES];
   /* Accesses UAV. PS: of 3DSTATE_PS on gen7.5, PS_EXTRA's Pixel Shader Has UAV later. */
   bool accesses_uav[INTEL_STAGES];
   /* 3DPRIMITIVE: UAV Coherency Required. */
   bool coherency_required;
   /* 3DSTATE_WM. gen7.5 only: dispatch_enable, uav_only, kills, computed_depth, omask; later only: what is forced. */
   struct {
      bool statistics, dispatch_enable, uav_only, kills, omask;
      enum intel_computed_depth computed_depth;
      enum intel_force force_dispatch, force_kill;
      enum intel_edsc edsc;
   } wm;
   /* 3DSTATE_PS_EXTRA, gen8 on; computed_stencil: gen9 on. */
   struct {
      bool valid, no_rt_write, omask, kills, force_computed_depth, computed_stencil;
      enum intel_computed_depth computed_depth;
   } psx;
   /* 3DSTATE_PS_BLEND, gen8 on; on gen7.5 what BLEND_STATE says. */
   struct {
      bool has_writeable_rt, alpha_to_coverage, alpha_test;
   } blend;
   /* 3DSTATE_WM_DEPTH_STENCIL, gen8 on; DEPTH_STENCIL_STATE on gen7.5. */
   struct {
      bool depth_test, depth_write, stencil_test, stencil_write;
   } zs;
   /* 3DSTATE_DEPTH_BUFFER and 3DSTATE_STENCIL_BUFFER: what is bound, and may be written. The hardware takes zs and
    * these together. */
   struct {
      bool depth, depth_write, stencil, stencil_write;
   } buffer;
   /* 3DSTATE_WM_HZ_OP, gen8 on, or the bits of 3DSTATE_WM on gen7.5: clears or resolves, nothing else is drawn. */
   bool hz_op;
   /* 3DSTATE_RASTER, gen8 on: Forced Sample Count is not 0. */
   bool rt_independent_raster;
   /* 3DSTATE_WM_CHROMAKEY, gen8 on. */
   bool chroma_key_kill;
};

#endif
