/* Linked programs: code in memory and registers ready-made. */
#ifndef INDIUM_SI_PROGRAM_H
#define INDIUM_SI_PROGRAM_H

#include "amd/common/ac_pops_caps.h"
#include "amd/compiler/aco.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/order/si_out_of_order.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/shader/si_shader.h"

/* A vertex attribute as the fetch needs it. */
#define SI_MAX_ATTRIBUTES (3 * PIPE_MAX_VERTEX_ATTRIBUTES)

struct si_attribute {
   uint8_t binding;
   uint8_t element_B;
   uint32_t offset_B;
   uint32_t word3; /* of the V#, but for OOB_SELECT */
};

/* A hardware stage of a program: one shader, or two that are merged. */
struct si_program_stage {
   uint32_t shaders; /* bit per enum nir_stage */
   uint8_t wave_size;
   uint8_t scratch_sgpr; /* user SGPR with the scratch address */
   uint8_t address_dw;   /* of regs.dw: PGM_LO, PGM_HI */
   struct aux_code code;
   struct pipe_shader_stats stats;
   struct si_shader_texts texts;
};

/* Of programs that tessellate. */
struct si_program_tess {
   bool on, numbers_patches, numbers_points; /* numbers_*: shaders read primitive ids, the evaluation shader does */
   bool odd;                                 /* spacing */
   struct nir_tess_io io;
   uint32_t param;    /* VGT_TF_PARAM, with the origin of domains in the upper left */
   uint32_t hs_rsrc2; /* without LDS */
};

struct si_program {
   enum pipe_bind_point point;
   uint32_t hw_stages;                /* bit per enum aco_hw_stage */
   uint32_t user_data[ACO_HW_STAGES]; /* register of s0 */
   uint32_t vertex_user_data;         /* of the stage that runs the vertex shader */
   struct si_pm4 regs;
   uint8_t ring_dw;                  /* of regs.dw: the address of the attribute ring; 0: none */
   uint8_t num_gsvs, gsvs_dw[2];     /* of regs.dw: the address of the GSVS ring */
   uint8_t task_rings_dw;            /* of regs.dw: the address of the rings of tasks; 0: none */
   uint8_t mesh_memory_dw;           /* of regs.dw: the address of meshes' outputs in memory; 0: none */
   const struct si_scratch *scratch; /* NULL: needs none */
   uint32_t used_sets;               /* bit per descriptor set */
   struct si_program_stage stages[ACO_HW_STAGES];

   /* graphics */
   uint32_t num_attributes;
   struct si_attribute attributes[SI_MAX_ATTRIBUTES];
   uint32_t color_write_mask; /* CB_TARGET_MASK of the pipeline's formats */
   bool knows_provoking;      /* in NGG: SI_SGPR_VS_PROVOKING is there */
   bool counts_generated;     /* in NGG: SI_SGPR_VS_GENERATED is there */
   uint8_t gs_output;         /* enum nir_primitive that the geometry shader makes; 0: there is none */
   uint32_t merged_vertex_B;  /* in LDS, of the vertices that it takes */
   uint32_t gs_place_B;       /* in NGG: of those that it makes */
   struct si_program_tess tess;
   bool mesh;               /* draws are of workgroups */
   struct si_program *task; /* what runs before them on a compute ring; NULL: nothing */
   uint8_t made;            /* 1 + enum pipe_topology of what shaders make of primitives; 0: draws say it */
   uint32_t tess_user_data; /* of the stage that runs the evaluation shader */
   uint32_t last_user_data; /* of the last stage before the rasterizer */
   uint8_t xfb_buffers;     /* bit per buffer of transform feedback */
   uint8_t xfb_streams[NIR_XFB_BUFFERS];
   bool per_sample;      /* one fragment shader invocation per sample */
   bool tested_coverage; /* the sample mask that it reads has what passes the depth test */
   bool coarse;          /* fragments may stand for several pixels */
   bool writes_rate;     /* primitives bring their own */
   bool rate_attachment; /* renderings that it is used in may have one */
   struct si_order_shader order;

   /* compute */
   uint32_t workgroup_size[3];
};
PIPE_HANDLE(si, program)

/* Is every descriptor set bound that the program of the bind point reads? If not it must not run: what the set's SGPR
 * holds may be another set, and shaders would write through it. */
static inline bool
si_sets_are_bound(struct si_context *ctx, enum pipe_bind_point point)
{
   uint32_t missing = ctx->programs[point]->used_sets & ~ctx->descriptors[point].bound_sets;

   return __builtin_expect(!missing, 1) || si_report_unbound(ctx, point, missing);
}

/* from_start: groups count from 0, whatever COMPUTE_START_* hold. */
static inline uint32_t
si_dispatch_initiator(const struct si_program *program, bool from_start)
{
   return S_COMPUTE_DISPATCH_INITIATOR_COMPUTE_SHADER_EN(1) | S_COMPUTE_DISPATCH_INITIATOR_ORDER_MODE(1) |
          S_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000(from_start) |
          S_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN(program->stages[ACO_HW_CS].wave_size == 32);
}

/* The parts of the two kinds. */
enum pipe_result si_graphics_program_create(struct pipe_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
                                            const struct pipe_graphics_options *options,
                                            struct pipe_program **program);
/* The registers of a compute stage whose code has been added. */
void si_compute_registers(const struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                          const struct aco_output *out);
enum pipe_result si_compute_program_create(struct pipe_screen *screen, struct nir_shader *compute,
                                           const struct pipe_compute_options *options, struct pipe_program **program);

/* Uploads the code of a stage and adds its statistics. */
bool si_program_add_code(struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                         const struct aco_output *out);

/* Fills *save, if it is wanted, with what si_program_load makes the same program of. out: by enum aco_hw_stage, those
 * of the program's stages. task: the program of its tasks, saved; NULL: there is none. False when out of memory. */
bool si_program_save(const struct si_program *program, const struct aco_output *out,
                     const struct pipe_saved_program *task, struct pipe_saved_program *save);
enum pipe_result si_program_load(struct pipe_screen *screen, const void *bytes, size_t size_B,
                                 struct pipe_program **program);

/* The registers of a stage whose code has been added. rsrc1, rsrc2: more bits of RSRC1 and RSRC2 than those that
 * every stage has in the same place. */
void si_program_registers(const struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                          const struct aco_output *out, uint32_t rsrc1, uint32_t rsrc2);

/* All registers of the last stage before the rasteriser. */
void si_vertex_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                         const struct aco_output *vs);

/* Those of NGG, but for what it exports (si_ngg.c). */
void si_ngg_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                      const struct aco_output *vs);

/* What follows from a draw's subgroups: what they take in, and what they may give out. */
struct si_ngg_limits {
   unsigned vertices, primitives, made;
   unsigned amplification; /* of a primitive */
};
void si_ngg_limit_registers(struct si_program *program, const struct ac_gpu_info *info,
                            const struct si_ngg_limits *limits);

/* VGT_DRAW_PAYLOAD_CNTL; primitives: have a second word. */
static inline uint32_t
si_draw_payload(const struct ac_gpu_info *info, bool primitives)
{
   return S_VGT_DRAW_PAYLOAD_CNTL_EN_PRIM_PAYLOAD(primitives) |
          S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(info->pops->has_vrs);
}

/* The argument of the attribute ring, in the user SGPRs of the GS stage, whose registers are there already. */
void si_program_ring(struct si_program *program, const struct si_screen *screen);

/* The address of the screen's attribute ring, at ring_dw. */
void si_program_place_ring(struct si_program *program, const struct si_screen *screen);

/* The same of the GSVS ring, which is made if need be; false when out of memory. */
bool si_program_place_gsvs(struct si_program *program, struct si_screen *screen);

/* VGT_GS_OUT_PRIM_TYPE for VGT_PRIMITIVE_TYPE; in 3 reserved dwords. */
void si_emit_ngg_output(struct si_context *ctx, uint32_t primitive_type);

#endif
