/* Which stages a draw runs ahead of the rasteriser, and how the merged ES-GS stage makes primitives (NGG). */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

/* By the fields of VGT_SHADER_STAGES_EN. */
static const struct {
   uint8_t hs, es, gs, vs;
   bool primgen;
   enum amd_vertex_path path;
   uint8_t launch; /* GS_FAST_LAUNCH */
} rows[] = {
   {V_HS_STAGE_OFF, V_ES_STAGE_OFF, V_GS_STAGE_OFF, V_VS_STAGE_REAL, false, AMD_VERTEX_PATH_VS, 0},
   {V_HS_STAGE_OFF, V_ES_STAGE_REAL, V_GS_STAGE_OFF, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 0},
   {V_HS_STAGE_OFF, V_ES_STAGE_REAL, V_GS_STAGE_ON, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 0},
   {V_HS_STAGE_OFF, V_ES_STAGE_REAL, V_GS_STAGE_ON, V_VS_STAGE_COPY_SHADER, false, AMD_VERTEX_PATH_GS, 0},
   {V_HS_STAGE_ON, V_ES_STAGE_OFF, V_GS_STAGE_OFF, V_VS_STAGE_DS, false, AMD_VERTEX_PATH_VS, 0},
   {V_HS_STAGE_ON, V_ES_STAGE_DS, V_GS_STAGE_ON, V_VS_STAGE_COPY_SHADER, false, AMD_VERTEX_PATH_GS, 0},
   {V_HS_STAGE_ON, V_ES_STAGE_DS, V_GS_STAGE_OFF, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 0},
   {V_HS_STAGE_ON, V_ES_STAGE_DS, V_GS_STAGE_ON, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 0},
   {V_HS_STAGE_OFF, V_ES_STAGE_OFF, V_GS_STAGE_ON, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 1},
   {V_HS_STAGE_OFF, V_ES_STAGE_OFF, V_GS_STAGE_ON, V_VS_STAGE_REAL, true, AMD_VERTEX_PATH_NGG, 2},
};

static bool
choose_path(struct amd_geometry_state *g, const struct amd_gpu *gpu, uint32_t stages)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      /* LS and HS come together. */
      if (rows[i].hs == G_VGT_SHADER_STAGES_EN_HS_EN(stages) && rows[i].hs == G_VGT_SHADER_STAGES_EN_LS_EN(stages) &&
          rows[i].es == G_VGT_SHADER_STAGES_EN_ES_EN(stages) && rows[i].gs == G_VGT_SHADER_STAGES_EN_GS_EN(stages) &&
          rows[i].vs == G_VGT_SHADER_STAGES_EN_VS_EN(stages) &&
          rows[i].primgen == G_VGT_SHADER_STAGES_EN_PRIMGEN_EN(stages) &&
          rows[i].launch == G_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(stages)) {
         g->path = rows[i].path;
         return true;
      }
   }
   return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                        "the model does not have this combination of stages (VGT_SHADER_STAGES_EN 0x%08x)", stages);
}

/* How many vertices and primitives a subgroup takes in: registers of their own until GE_CNTL says it. */
static void
decode_limits(struct amd_ngg_state *n, const struct amd_gpu *gpu)
{
   uint32_t cntl = amd_regs_get(gpu->regs, R_GE_CNTL);
   if (gpu->model->traits->ngg_limits_in_ge_cntl) {
      n->max_vertices = G_GE_CNTL_VERTS_PER_SUBGRP(cntl);
      n->max_prims = G_GE_CNTL_PRIMS_PER_SUBGRP(cntl);
      n->break_at_instance = G_GE_CNTL_BREAK_SUBGRP_AT_EOI(cntl);
   } else {
      uint32_t onchip = amd_regs_get(gpu->regs, R_VGT_GS_ONCHIP_CNTL);
      n->max_vertices = G_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(onchip);
      n->max_prims = G_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(onchip);
      n->break_at_instance = G_GE_CNTL_BREAK_WAVE_AT_EOI(cntl);
   }
}

/* Mesh shaders whose workgroups are like those of compute. */
static void
decode_mesh(struct amd_ngg_state *n, const struct amd_gpu *gpu)
{
   uint32_t dim = amd_regs_get(gpu->regs, R_SPI_SHADER_GS_MESHLET_DIM);
   uint32_t alloc = amd_regs_get(gpu->regs, R_SPI_SHADER_GS_MESHLET_EXP_ALLOC);
   n->mesh = (struct amd_mesh_state){
      .threads = (uint16_t)(G_SPI_SHADER_GS_MESHLET_DIM_MESHLET_THREADGROUP_SIZE(dim) + 1),
      .size = {(uint16_t)(G_SPI_SHADER_GS_MESHLET_DIM_MESHLET_NUM_THREAD_X(dim) + 1),
               (uint16_t)(G_SPI_SHADER_GS_MESHLET_DIM_MESHLET_NUM_THREAD_Y(dim) + 1),
               (uint16_t)(G_SPI_SHADER_GS_MESHLET_DIM_MESHLET_NUM_THREAD_Z(dim) + 1)},
      .max_vertices = (uint16_t)G_SPI_SHADER_GS_MESHLET_EXP_ALLOC_MAX_EXP_VERTS(alloc),
      .max_prims = (uint16_t)G_SPI_SHADER_GS_MESHLET_EXP_ALLOC_MAX_EXP_PRIMS(alloc),
   };
   n->max_vertices = n->max_prims = 1; /* workgroups */
   n->max_out_vertices = n->mesh.max_vertices;
}

static void
decode_ngg(struct amd_ngg_state *n, const struct amd_gpu *gpu, uint32_t stages)
{
   const struct amd_regs *regs = gpu->regs;
   uint32_t rsrc1 = amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC1_GS),
            rsrc2 = amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC2_GS);
   uint32_t instances = amd_regs_get(regs, R_VGT_GS_INSTANCE_CNT);
   *n = (struct amd_ngg_state){
      .fast_launch = G_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(stages) == 1,
      .wave_ids = G_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(stages),
      .gs = G_VGT_SHADER_STAGES_EN_GS_EN(stages) == V_GS_STAGE_ON,
      .passthrough = G_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(stages),
      .no_message = G_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG(stages),
      .max_out_vertices =
         G_GE_MAX_OUTPUT_PER_SUBGROUP_MAX_VERTS_PER_SUBGROUP(amd_regs_get(regs, R_GE_MAX_OUTPUT_PER_SUBGROUP)),
      .amplification = G_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(amd_regs_get(regs, R_GE_NGG_SUBGRP_CNTL)),
      .max_vert_out = G_VGT_GS_MAX_VERT_OUT_MAX_VERT_OUT(amd_regs_get(regs, R_VGT_GS_MAX_VERT_OUT)),
      .item_dw = (uint16_t)G_VGT_ESGS_RING_ITEMSIZE_ITEMSIZE(amd_regs_get(regs, R_VGT_ESGS_RING_ITEMSIZE)),
      .instances = 1,
      .gs_vgprs = G_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(rsrc1),
      .es_vgprs = G_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(rsrc2),
      .keeps_provoking = G_VGT_PRIMITIVEID_EN_NGG_DISABLE_PROVOK_REUSE(amd_regs_get(regs, R_VGT_PRIMITIVEID_EN)),
      .edge_flags = G_PA_CL_NGG_CNTL_INDEX_BUF_EDGE_FLAG_ENA(amd_regs_get(regs, R_PA_CL_NGG_CNTL)),
   };
   if (G_VGT_GS_INSTANCE_CNT_ENABLE(instances)) {
      n->instances = (uint8_t)MAX2(G_VGT_GS_INSTANCE_CNT_CNT(instances), 1);
      n->instance_per_group = G_VGT_GS_INSTANCE_CNT_EN_MAX_VERT_OUT_PER_GS_INSTANCE(instances);
   }
   decode_limits(n, gpu);
   if (G_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(stages) == 2)
      decode_mesh(n, gpu);
}

/* Erratum ge-vert-grp-size: without tessellation GE fills subgroups in groups of vertices of the right size only. */
static bool
check_vertex_groups(const struct amd_ngg_state *n, const struct amd_gpu *gpu, uint32_t stages)
{
   enum { FULL = 256, RESERVE = 5 };
   uint32_t size = G_GE_CNTL_VERT_GRP_SIZE(amd_regs_get(gpu->regs, R_GE_CNTL));
   uint32_t wanted = n->max_vertices > RESERVE ? n->max_vertices - RESERVE : 0;
   return !gpu->model->traits->vertex_groups_hang || G_VGT_SHADER_STAGES_EN_HS_EN(stages) ||
          n->max_vertices == FULL || size == wanted ||
          sim_fault_set(gpu->fault, SIM_FAULT_HANG, sim_va(0),
                        "VERT_GRP_SIZE is %u where subgroups have %u vertices, which asks for %u (erratum "
                        "ge-vert-grp-size)",
                        size, n->max_vertices, wanted);
}

/* Subgroups of a geometry shader that writes the GSVS ring. */
static bool
decode_gs_groups(struct amd_ngg_state *n, const struct amd_gpu *gpu)
{
   uint32_t onchip = amd_regs_get(gpu->regs, R_VGT_GS_ONCHIP_CNTL);
   n->max_vertices = G_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(onchip);
   n->max_prims = G_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(onchip);
   n->break_at_instance = n->instance_per_group = n->keeps_provoking = n->passthrough = false;
   if (!n->max_vertices || n->max_prims * n->instances > G_VGT_GS_ONCHIP_CNTL_GS_INST_PRIMS_IN_SUBGRP(onchip) ||
       !n->max_prims)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "subgroups of %u vertices and %u primitives of %u instances (VGT_GS_ONCHIP_CNTL 0x%08x)",
                           n->max_vertices, n->max_prims, n->instances, onchip);
   return true;
}

/* Public drivers give GFX11 RECT_2D, whose code was RECTLIST's on earlier chips. */
static bool
is_rectangles(uint32_t type, enum amd_gen gen)
{
   return type == V_RECTLIST(gen) || type == V_RECT_2D;
}

static bool
choose_out_kind(struct amd_ngg_state *n, const struct amd_gpu *gpu)
{
   uint32_t type =
      G_VGT_GS_OUT_PRIM_TYPE_OUTPRIM_TYPE(amd_regs_get(gpu->regs, R_VGT_GS_OUT_PRIM_TYPE(gpu->model->gen)));
   if (type == V_POINTLIST)
      n->out_kind = AMD_PRIM_POINT;
   else if (type == V_LINESTRIP)
      n->out_kind = AMD_PRIM_LINE;
   else if (type == V_TRISTRIP)
      n->out_kind = AMD_PRIM_TRIANGLE;
   else if (is_rectangles(type, gpu->model->gen))
      n->out_kind = AMD_PRIM_RECT;
   else
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have output primitives %u",
                           type);
   return true;
}

/* Parameters of vertices, and of primitives after them, are stored there by the programs themselves. */
static void
decode_ring(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   uint32_t size = amd_regs_get(gpu->regs, R_SPI_ATTRIBUTE_RING_SIZE);
   if (!gpu->model->traits->attribute_ring || !state->geometry.param_count)
      return;
   state->ngg.ring = (struct amd_attribute_ring){
      .base = sim_va((uint64_t)amd_regs_get(gpu->regs, R_SPI_ATTRIBUTE_RING_BASE) << 16),
      .part_B = (G_SPI_ATTRIBUTE_RING_SIZE_MEM_SIZE(size) + 1) << 16,
      .parts = gpu->chip->num_se,
   };
}

/* What programs export with whole primitives. */
static bool
decode_prim_outputs(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_ngg_state *n = &state->ngg;
   uint32_t format = G_SPI_SHADER_IDX_FORMAT_IDX0_EXPORT_FORMAT(amd_regs_get(regs, R_SPI_SHADER_IDX_FORMAT));
   n->payload = G_VGT_DRAW_PAYLOAD_CNTL_EN_PRIM_PAYLOAD(amd_regs_get(regs, R_VGT_DRAW_PAYLOAD_CNTL));
   n->prim_params = (uint8_t)G_SPI_VS_OUT_CONFIG_PRIM_EXPORT_COUNT(amd_regs_get(regs, R_SPI_VS_OUT_CONFIG));
   state->geometry.param_count += n->prim_params;
   state->geometry.use_layer |= n->payload;
   state->geometry.use_viewport |= n->payload;
   if (n->payload && format != V_SPI_SHADER_2COMP)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "primitives with a payload have two words, not SPI_SHADER_IDX_FORMAT %u", format);
   return true;
}

bool
amd_draw_state_stages(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   uint32_t stages = amd_regs_get(gpu->regs, R_VGT_SHADER_STAGES_EN);
   if (!choose_path(&state->geometry, gpu, stages))
      return false;
   struct amd_ngg_state *n = &state->ngg;
   if (state->geometry.path == AMD_VERTEX_PATH_VS)
      return true;
   decode_ngg(n, gpu, stages);
   state->geometry.adjacency = n->gs;
   if (state->geometry.path == AMD_VERTEX_PATH_GS)
      return decode_gs_groups(n, gpu) && amd_draw_state_gs(state, gpu);
   if (!n->max_vertices || !n->max_prims || !n->max_out_vertices)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "subgroups of %u vertices and %u primitives that give %u vertices", n->max_vertices,
                           n->max_prims, n->max_out_vertices);
   if (!check_vertex_groups(n, gpu, stages) || !decode_prim_outputs(state, gpu))
      return false;
   decode_ring(state, gpu);
   if (n->no_message && !n->passthrough)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "PRIMGEN_PASSTHRU_NO_MSG without PRIMGEN_PASSTHRU_EN");
   return choose_out_kind(n, gpu);
}
