/* State objects: descriptions translated to registers when they are created. */
#ifndef INDIUM_SI_STATE_H
#define INDIUM_SI_STATE_H

#include "gallium/drivers/radeonsi/si_order.h"
#include "gallium/drivers/radeonsi/si_pm4.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_state.h"

struct si_blend {
   struct si_pm4 regs;                         /* CB_BLENDn_CONTROL, SX_MRTn_BLEND_OPT, DB_ALPHA_TO_MASK */
   uint32_t color_control;                     /* CB_COLOR_CONTROL without MODE */
   uint32_t write_mask;                        /* 4 bits a target */
   uint8_t order_need[PIPE_MAX_COLOR_TARGETS]; /* si_order_target_need() */
};
PIPE_HANDLE(si, blend)

struct si_depth_stencil {
   uint32_t depth_control; /* DB_DEPTH_CONTROL as if the target had depth and stencil */
   uint32_t stencil_control;
   struct si_order_tests order_tests; /* likewise; the faces' reference and masks are dynamic state */
   uint8_t order_kept[2];             /* si_order_kept() of a target without stencil: without depth, with depth */
   bool order_compares[2], order_replaces[2]; /* what faces do with their reference */
   bool order_by_difference;                  /* of references alone */
   /* What si_order_kept() said with references and masks of stencil: slots by hash, 0 or a word that any thread may
    * read and replace. */
   _Atomic uint64_t order_memos[64];
};
PIPE_HANDLE(si, depth_stencil)

/* Fills in all of order (si_order_draw.c). */
void si_order_init_tests(struct si_depth_stencil *state, const struct pipe_depth_stencil_desc *desc,
                         bool assume_no_z_fights);

struct si_rasterizer {
   struct si_pm4 regs; /* PA_SU_SC_MODE_CNTL, PA_CL_CLIP_CNTL, DB_RENDER_OVERRIDE */
   uint8_t samples;
   bool sample_shading, relaxed_order;
   uint32_t sample_mask;
};
PIPE_HANDLE(si, rasterizer)

#endif
