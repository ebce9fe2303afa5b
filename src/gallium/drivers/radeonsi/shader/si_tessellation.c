/* Tessellation: vertex and control shaders run as HS, merged, and write patches to memory; the tessellator reads
 * their factors; evaluation shaders read patches. How many patches a workgroup has depends on the vertices of a
 * patch, which are a state of draws. Sources: RADV and radeonsi, but for what is told otherwise. */
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"

#include "amd/common/ac_descriptor.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"

/* Of the memory of patches a workgroup has one block; so many keep a compute unit busy. */
enum { BLOCK_B = 32 * 1024, BLOCKS_PER_CU = 4, FACTORS_PER_BLOCK_B = 768 };
/* Of a workgroup. More patches than so many gain nothing. */
enum { MAX_THREADS = 256, MAX_PATCHES = 64, GOOD_SHARED_B = 32 * 1024 };

/* ---- rings ---- */

static uint32_t
num_engines(const struct si_screen *screen)
{
   return MAX2(screen->info.num_se, 1u);
}

static uint32_t
num_blocks(const struct si_screen *screen)
{
   return BLOCKS_PER_CU * MAX2(screen->info.num_cu / num_engines(screen), 1u) * num_engines(screen);
}

static uint32_t
factors_B(const struct si_screen *screen)
{
   return FACTORS_PER_BLOCK_B * num_blocks(screen);
}

/* The table of V#s, the factors, the blocks. */
static uint64_t
factors_va(const struct si_screen *screen)
{
   return screen->tess_rings->va + 65536;
}

static uint64_t
blocks_va(const struct si_screen *screen)
{
   return factors_va(screen) + align_up(factors_B(screen), 65536);
}

static bool
create_rings(struct si_screen *screen)
{
   const uint32_t blocks_B = num_blocks(screen) * BLOCK_B;
   const uint64_t size_B = 65536 + align_up(factors_B(screen), 65536) + blocks_B;

   screen->tess_rings =
      amdgpu_ws_bo_create(screen->ws, size_B, 65536, AMDGPU_WS_VRAM, AMDGPU_WS_BO_VA_32BIT | AMDGPU_WS_BO_CPU_ACCESS);
   uint32_t *table = screen->tess_rings ? amdgpu_ws_bo_map(screen->tess_rings) : NULL;

   if (!table)
      return false;
   ac_buffer_descriptor(screen->info.raw_buffer_word3, blocks_va(screen), blocks_B, table);
   ac_buffer_descriptor(screen->info.raw_buffer_word3, factors_va(screen), factors_B(screen),
                        table + AC_BUFFER_DESCRIPTOR_DW);
   return true;
}

bool
si_program_make_tess_rings(struct si_program *program, struct si_screen *screen)
{
   if (!program->tess.on)
      return true;
   pthread_mutex_lock(&screen->scratch_lock);
   const bool made = screen->tess_rings || create_rings(screen);

   pthread_mutex_unlock(&screen->scratch_lock);
   return made;
}

/* The first time in a stream, while no tessellation runs. */
static void
emit_rings(struct si_context *ctx)
{
   const struct si_screen *screen = ctx->screen;
   const struct ac_gpu_info *info = &screen->info;
   /* Registers of GFX11 are about an engine's part. */
   const uint32_t parts = info->tess_rings_by_engine ? num_engines(screen) : 1;
   struct si_cs *cs = &ctx->cs;

   if (ctx->has_tess_rings)
      return;
   ctx->has_tess_rings = true;
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   si_cs_reserve(cs, 2 + 4 * 3);
   si_packet(cs, event_write, .event_type = V_VGT_FLUSH);
   si_cs_uconfig_reg(cs, R_VGT_TF_RING_SIZE, S_VGT_TF_RING_SIZE_SIZE(info->gen, factors_B(screen) / 4 / parts));
   si_cs_uconfig_reg(cs, R_VGT_HS_OFFCHIP_PARAM,
                     S_VGT_HS_OFFCHIP_PARAM_OFFCHIP_BUFFERING(info->gen, num_blocks(screen) / parts - 1) |
                        S_VGT_HS_OFFCHIP_PARAM_OFFCHIP_GRANULARITY(info->gen, V_X_8K_DWORDS));
   si_cs_uconfig_reg(cs, R_VGT_TF_MEMORY_BASE, (uint32_t)(factors_va(screen) >> 8));
   si_cs_uconfig_reg(cs, R_VGT_TF_MEMORY_BASE_HI(info->gen), (uint32_t)(factors_va(screen) >> 40));
}

/* ---- programs ---- */

static uint32_t
topology(const struct nir_shader_info *info)
{
   if (info->tess_points)
      return V_OUTPUT_POINT;
   if (info->tess_domain == NIR_TESS_ISOLINES)
      return V_OUTPUT_LINE;
   return info->tess_winding == NIR_TESS_COUNTERCLOCKWISE ? V_OUTPUT_TRIANGLE_CCW : V_OUTPUT_TRIANGLE_CW;
}

/* Engines share patches in trapezoids, where there are several. */
static uint32_t
tf_param(const struct si_screen *screen, const struct nir_shader_info *info)
{
   static const uint8_t domains[] = {
      [NIR_TESS_TRIANGLES] = V_TESS_TRIANGLE, [NIR_TESS_QUADS] = V_TESS_QUAD, [NIR_TESS_ISOLINES] = V_TESS_ISOLINE};
   static const uint8_t spacings[] = {[NIR_TESS_EQUAL] = V_PART_INTEGER,
                                      [NIR_TESS_FRACTIONAL_EVEN] = V_PART_FRAC_EVEN,
                                      [NIR_TESS_FRACTIONAL_ODD] = V_PART_FRAC_ODD};
   const bool distributed = screen->info.rdna || screen->info.num_se > 1;

   return S_VGT_TF_PARAM_TYPE(domains[info->tess_domain]) |
          S_VGT_TF_PARAM_PARTITIONING(spacings[info->tess_spacing]) | S_VGT_TF_PARAM_TOPOLOGY(topology(info)) |
          S_VGT_TF_PARAM_DISTRIBUTION_MODE(distributed ? V_TRAPEZOIDS : V_NO_DIST);
}

static uint8_t
made_of(const struct nir_shader_info *info)
{
   const enum pipe_topology made = info->tess_points                        ? PIPE_POINT_LIST
                                   : info->tess_domain == NIR_TESS_ISOLINES ? PIPE_LINE_LIST
                                                                            : PIPE_TRIANGLE_LIST;

   return (uint8_t)(1 + made);
}

static bool
reads_primitive_id(const struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_primitive_id)
            return true;
      }
   }
   return false;
}

void
si_program_tessellates(struct si_program *program, const struct si_screen *screen, struct nir_shader *control,
                       struct nir_shader *evaluation)
{
   nir_gather_info(control);
   nir_gather_info(evaluation);
   program->tess.on = true;
   program->tess.io = nir_link_tessellation(&control->info, &evaluation->info);
   program->tess.param = tf_param(screen, &evaluation->info);
   program->tess.numbers_patches = reads_primitive_id(control) || reads_primitive_id(evaluation);
   program->tess.numbers_points = reads_primitive_id(evaluation);
   program->tess.odd = evaluation->info.tess_spacing == NIR_TESS_FRACTIONAL_ODD;
   program->made = made_of(&evaluation->info);
}

uint32_t
si_tess_stages(const struct si_program *program, const struct ac_gpu_info *info)
{
   if (!program->tess.on)
      return 0;
   return S_VGT_SHADER_STAGES_EN_LS_EN(V_LS_STAGE_ON) | S_VGT_SHADER_STAGES_EN_HS_EN(V_HS_STAGE_ON) |
          S_VGT_SHADER_STAGES_EN_DYNAMIC_HS(info->rdna) |
          S_VGT_SHADER_STAGES_EN_HS_W32_EN(program->stages[ACO_HW_HS].wave_size == 32);
}

/* The tessellator clamps factors as the API says, of what is between these. */
void
si_hull_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                  const struct aco_output *out)
{
   struct si_pm4 *regs = &program->regs;

   si_program_registers(screen, program, stage, out,
                        S_SPI_SHADER_PGM_RSRC1_HS_LS_VGPR_COMP_CNT(out->vs.vgpr_comp_cnt), 0);
   program->tess.hs_rsrc2 = regs->dw[regs->count_dw - 1];
   si_pm4_reg(regs, R_VGT_HOS_MAX_TESS_LEVEL, float_bits(64.0f));
   si_pm4_reg(regs, R_VGT_HOS_MIN_TESS_LEVEL, float_bits(0.0f));
   si_pm4_reg(regs, R_VGT_TESS_DISTRIBUTION,
              S_VGT_TESS_DISTRIBUTION_ACCUM_ISOLINE(screen->info.ngg_only ? 128 : 12) |
                 S_VGT_TESS_DISTRIBUTION_ACCUM_TRI(screen->info.ngg_only ? 128 : 30) |
                 S_VGT_TESS_DISTRIBUTION_ACCUM_QUAD(screen->info.ngg_only ? 128 : 24) |
                 S_VGT_TESS_DISTRIBUTION_DONUT_SPLIT(24) | S_VGT_TESS_DISTRIBUTION_TRAP_SPLIT(6));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_HS,
              S_SPI_SHADER_PGM_RSRC3_HS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_HS_WAVE_LIMIT(0x3f));
   if (screen->info.rdna)
      si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_HS, S_SPI_SHADER_PGM_RSRC4_HS_CU_EN(0xffff));
}

/* ---- draws ---- */

static unsigned
vertices_in(const struct si_context *ctx)
{
   return MAX2(ctx->state.gfx->patch_vertices, 1u);
}

/* Of a workgroup. One always fits. */
static unsigned
num_patches(const struct si_context *ctx)
{
   const struct nir_tess_io *io = &ctx->programs[PIPE_BIND_GRAPHICS]->tess.io;
   const uint32_t shared_B = nir_tess_shared_B(io, 1, vertices_in(ctx)), memory_B = nir_tess_memory_B(io, 1);
   unsigned patches = MIN2(MAX_THREADS / MAX2(vertices_in(ctx), io->vertices), (unsigned)MAX_PATCHES);

   if (memory_B)
      patches = MIN2(patches, BLOCK_B / memory_B);
   if (shared_B)
      patches = MIN2(patches, GOOD_SHARED_B / shared_B);
   return MAX2(patches, 1u);
}

uint32_t
si_tess_primitive_groups(const struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const uint32_t num_se = ctx->screen->info.num_se;
   const bool whole = num_se < 4 || ctx->state.gfx->primitive_restart;
   const bool by_instance = program->tess.numbers_patches || (!whole && num_se > 2);

   return S_IA_MULTI_VGT_PARAM_PRIMGROUP_SIZE(num_patches(ctx) - 1) |
          S_IA_MULTI_VGT_PARAM_PARTIAL_VS_WAVE_ON(num_se > 1 && !program->gs_output) |
          S_IA_MULTI_VGT_PARAM_WD_SWITCH_ON_EOP(whole) | S_IA_MULTI_VGT_PARAM_SWITCH_ON_EOI(by_instance) |
          S_IA_MULTI_VGT_PARAM_EN_INST_OPT_BASIC(1) | S_IA_MULTI_VGT_PARAM_EN_INST_OPT_ADV(1);
}

/* With the origin in the lower left v grows upwards, and triangles turn the other way. */
static uint32_t
param(const struct si_context *ctx)
{
   const uint32_t param = ctx->programs[PIPE_BIND_GRAPHICS]->tess.param;
   const bool turns = G_VGT_TF_PARAM_TOPOLOGY(param) >= V_OUTPUT_TRIANGLE_CW && ctx->state.gfx->lower_left_domain;

   return turns ? param ^ S_VGT_TF_PARAM_TOPOLOGY(V_OUTPUT_TRIANGLE_CW ^ V_OUTPUT_TRIANGLE_CCW) : param;
}

static void
emit_arguments(struct si_context *ctx, unsigned patches)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const uint32_t stages[] = {program->user_data[ACO_HW_HS], program->tess_user_data};

   for (unsigned i = 0; i < ARRAY_SIZE(stages); i++)
      si_user_data(&ctx->cs, tess_patches, stages[i], .tess_rings = (uint32_t)ctx->screen->tess_rings->va,
                   .tess_layout = patches | vertices_in(ctx) << 8);
}

void
si_emit_tessellation(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct ac_gpu_info *info = &ctx->screen->info;
   const struct amd_stage_regs *hull = si_stage_regs(info->gen, ACO_HW_HS);
   struct si_cs *cs = &ctx->cs;

   if (!program->tess.on)
      return;
   const unsigned patches = num_patches(ctx);
   const uint32_t shared_B = nir_tess_shared_B(&program->tess.io, patches, vertices_in(ctx));
   const uint32_t lds = (uint32_t)div_round_up(shared_B, info->lds_granularity_B);

   emit_rings(ctx);
   si_cs_reserve(cs, 2 * 4 + 4 * 3);
   emit_arguments(ctx, patches);
   si_cs_sh_reg(cs, hull->rsrc2, program->tess.hs_rsrc2 | S_SPI_SHADER_PGM_RSRC2_HS_LDS_SIZE(info->gen, lds));
   si_cs_context_reg(cs, R_VGT_LS_HS_CONFIG,
                     S_VGT_LS_HS_CONFIG_NUM_PATCHES(patches) | S_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP(vertices_in(ctx)) |
                        S_VGT_LS_HS_CONFIG_HS_NUM_OUTPUT_CP(program->tess.io.vertices));
   si_cs_context_reg(cs, R_VGT_TF_PARAM, param(ctx));
   if (program->hw_stages >> ACO_HW_VS & 1 && !info->has_vgt)
      si_cs_uconfig_reg(cs, R_GE_CNTL,
                        S_GE_CNTL_PRIM_GRP_SIZE(info->gen, patches) | S_GE_CNTL_VERT_GRP_SIZE(256) |
                           S_GE_CNTL_BREAK_WAVE_AT_EOI(program->tess.numbers_patches));
}
