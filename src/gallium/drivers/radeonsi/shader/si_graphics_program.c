/* The shaders of draws together: compiled for each other and for the pipeline's targets. */
#include <assert.h>
#include <stdlib.h>

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_format.h"
#include "amd/common/ac_pops_caps.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "gallium/drivers/radeonsi/shader/si_pops.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_shader.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct link {
   struct si_screen *screen;
   struct si_program *program;
   const struct pipe_graphics_options *options;
   struct arena arena;
   enum pipe_result result;
   struct nir_shader *shaders[NIR_STAGES];
   struct aco_stage stages[NIR_STAGES]; /* in the order of the pipeline; the last one is PS */
   unsigned num_stages;
   struct aco_output out[ACO_HW_STAGES]; /* by enum aco_hw_stage */
   int point_coord_slot;                 /* input that is the coordinate in a point, -1: none */
   struct si_pops pops;
   struct si_gs_layout gs_layout; /* of what the geometry shader emits */
   struct si_mesh_layout mesh;    /* of what the mesh shader makes */
   struct pipe_saved_program saved_task;
};

/* The last stage before the rasterizer. */
static const struct aco_stage *
last_pre_raster(const struct link *l)
{
   return &l->stages[l->num_stages - 2];
}

static const struct aco_output *
last_output(const struct link *l)
{
   return &l->out[last_pre_raster(l)->hw];
}

/* SPI_SHADER_COL_FORMAT by the targets' formats. Targets that are not written are dropped. Blending reads alpha even
 * if the target has none, and alpha to coverage that of the first output even if there is no target. */
static void
choose_exports(const struct pipe_graphics_options *options, struct aco_options *aco)
{
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      const struct pipe_graphics_state *state = options->state;
      const uint32_t format = state->targets.color_formats[i];
      bool coverage = i == 0 && state->alpha_to_coverage;
      bool alpha = coverage || pipe_blend_reads_alpha(state, i);
      struct ac_color_format color = {.alpha_export_format = V_SPI_SHADER_32_AR};

      if (format && !ac_format_color(format, &color))
         continue;
      if (!pipe_color_mask(state, i) && !coverage)
         continue;
      aco->ps.col_format |= (uint32_t)(alpha ? color.alpha_export_format : color.export_format) << (4 * i);
      aco->ps.alpha_to_one |= (uint8_t)((state->alpha_to_one && color.blendable) << i);
      aco->ps.col_is_int8 |= (uint8_t)(color.is_int8 << i);
      aco->ps.col_is_int10 |= (uint8_t)(color.is_int10 << i);
   }
   if (!(aco->ps.col_format & 0xf0) && aco->ps.dual_source)
      aco->ps.col_format |= (aco->ps.col_format & 0xf) << 4;
   if (aco->ps.dual_source)
      aco->ps.alpha_to_one |= (uint8_t)((aco->ps.alpha_to_one & 1) << 1);
}

static bool
writes_second_source(const struct nir_shader *fragment)
{
   nir_foreach_variable(var, fragment) {
      if (var->mode == NIR_VAR_SHADER_OUT && var->frag_index == 1)
         return true;
   }
   return false;
}

/* Bit per enum nir_slot. */
static uint64_t
read_params(const struct aco_output *ps)
{
   uint64_t slots = 0;

   for (unsigned i = 0; i < ps->ps.num_inputs; i++)
      slots |= UINT64_C(1) << ps->ps.inputs[i].slot;
   return slots;
}

static bool
reads_primitive_id(const struct aco_output *ps)
{
   return read_params(ps) >> NIR_SLOT_PRIMITIVE_ID & 1;
}

/* The one decision whether overlapping quads share waves and take turns there. Legal: as aco_may_loop_over_layers()
 * says, where nothing looks beyond its quad. Pays: in none of the cases of `bin/bench pops` by more than 5% of its
 * steps, and in some it costs more (docs/drivers/amd/pops.md, "Cost and choices"), so only on demand. */
static bool
wants_layers(const struct si_screen *screen, const struct nir_shader *fragment)
{
   return screen->info.pops->intrawave && si_debug(SI_DEBUG_LAYERS) && aco_may_loop_over_layers(fragment);
}

/* What fragments are of. */
static enum pipe_topology
raster_topology(const struct link *l)
{
   return l->program->made ? (enum pipe_topology)(l->program->made - 1)
                           : pipe_topology_without_neighbours(l->options->state->topology);
}

/* Bit per slot that a mesh shader gives a primitive. */
static uint64_t
primitive_slots(const struct link *l)
{
   const struct nir_shader *mesh = l->shaders[NIR_STAGE_MESH];

   return mesh ? mesh->info.primitive_outputs : 0;
}

static void
prepare_fragment(struct link *l, struct si_shader_options *options)
{
   struct nir_shader *fragment = l->shaders[NIR_STAGE_FRAGMENT];

   options->aco.ps.dual_source = writes_second_source(fragment);
   if (fragment->info.early_and_late_tests && fragment->info.depth_layout == NIR_DEPTH_LAYOUT_UNCHANGED)
      si_nir_drop_frag_depth(fragment);
   nir_gather_info(fragment);
   l->program->per_sample = l->options->state->samples > 1 &&
                            (pipe_shades_samples(l->options->state) || fragment->info.uses_sample_shading);
   options->aco.ps.per_sample = l->program->per_sample;
   options->aco.ps.primitive_slots = primitive_slots(l);
   options->aco.ps.alpha_to_coverage = l->options->state->alpha_to_coverage && !l->options->state->alpha_to_one;
   if (l->options->state->alpha_to_coverage && l->options->state->alpha_to_one)
      options->aco.ps.alpha_samples = l->options->state->samples;
   options->aco.ps.intrawave_loop = wants_layers(l->screen, fragment);
   choose_exports(l->options, &options->aco);
   l->point_coord_slot = si_nir_lower_point_coord(fragment);
   options->nir.topology = raster_topology(l);
   if (l->options->shading_rate && l->screen->info.pops->vrs_frag_z)
      si_nir_lower_frag_depth(fragment);
}

static void
prepare_vertex(struct link *l, struct si_shader_options *options)
{
   options->nir.num_attributes = l->options->state->attributes.count;
   options->nir.attributes = l->options->state->attributes.of;
   options->nir.aligns_attributes = !l->options->legacy_attributes;
}

/* What it needs of the vertices in front, and which of its outputs are read. */
static void
prepare_geometry(struct link *l, struct si_shader_options *options)
{
   struct nir_shader *geometry = l->shaders[NIR_STAGE_GEOMETRY];
   const enum nir_stage before = l->shaders[NIR_STAGE_TESS_EVAL] ? NIR_STAGE_TESS_EVAL : NIR_STAGE_VERTEX;
   const uint64_t params = bit_mask(NIR_SLOT_VAR31 + 1) & ~bit_mask(NIR_SLOT_PRIMITIVE_ID);

   nir_gather_info(l->shaders[before]);
   nir_gather_info(geometry);
   options->nir.merged = true;
   options->nir.emits_to_lds = l->screen->info.ngg_only;
   options->nir.merged_slots = geometry->info.inputs_read;
   options->nir.gs_layout = &l->gs_layout;
   l->gs_layout.unread = params & ~read_params(&l->out[ACO_HW_PS]);
   l->program->gs_output = geometry->info.gs_output;
   l->program->merged_vertex_B = nir_merged_vertex_B(geometry->info.inputs_read);
   options->nir.emitted_lds_B = si_ngg_gs_taken_B(&geometry->info, l->program->merged_vertex_B);
}

static void
prepare_control(struct link *l, struct si_shader_options *options)
{
   options->nir.merged = true;
   options->nir.merged_slots = l->program->tess.io.inputs;
   options->nir.tess = &l->program->tess.io;
   options->aco.hs.low_vgprs = l->screen->info.low_ls_vgprs;
}

static void
prepare_evaluation(struct link *l, struct si_shader_options *options)
{
   options->nir.tess = &l->program->tess.io;
}

static void
prepare_mesh(struct link *l, struct si_shader_options *options)
{
   l->mesh = si_mesh_layout(&l->screen->info, read_params(&l->out[ACO_HW_PS]));
   options->nir.mesh = &l->mesh;
   options->nir.wave_size = (uint8_t)options->aco.wave_size;
   options->nir.tasks = l->program->task != NULL;
   options->nir.counts_meshes = l->options->counts_meshes;
   options->aco.vs.primitive_slots = primitive_slots(l);
}

static void (*const prepare[NIR_STAGES])(struct link *l, struct si_shader_options *options) = {
   [NIR_STAGE_VERTEX] = prepare_vertex,        [NIR_STAGE_TESS_CTRL] = prepare_control,
   [NIR_STAGE_TESS_EVAL] = prepare_evaluation, [NIR_STAGE_GEOMETRY] = prepare_geometry,
   [NIR_STAGE_FRAGMENT] = prepare_fragment,    [NIR_STAGE_MESH] = prepare_mesh,
};

/* The hardware's SGPRs of stream output follow the user SGPRs. */
static void
capture_vertices(struct link *l, struct aco_stage *stage, struct si_shader_options *options)
{
   const struct nir_xfb *xfb = &stage->shaders[stage->num_shaders - 1]->info.xfb;

   if (!xfb->buffers)
      return;
   l->program->xfb_buffers = xfb->buffers;
   memcpy(l->program->xfb_streams, xfb->streams, sizeof(xfb->streams));
   stage->args.num_user_sgprs = (uint8_t)MAX2(stage->args.num_user_sgprs, SI_SGPR_VS_XFB_PRIMITIVE + 1);
   options->nir.xfb_sgpr = stage->args.num_user_sgprs;
   options->nir.xfb_by_program = stage->hw == ACO_HW_GS;
   options->nir.wave_size = (uint8_t)options->aco.wave_size;
   options->aco.vs.xfb_buffers = xfb->buffers;
}

/* The geometry engine does not count those of NGG; queries do not count those of mesh shaders. */
static void
count_primitives(struct link *l, struct aco_stage *stage, struct si_shader_options *options)
{
   if (!l->options->counts_generated || stage->hw != ACO_HW_GS || l->shaders[NIR_STAGE_MESH])
      return;
   stage->args.num_user_sgprs = (uint8_t)MAX2(stage->args.num_user_sgprs, SI_SGPR_VS_GENERATED + 1);
   options->nir.counts_generated = l->program->counts_generated = true;
}

static bool
is_copy(const struct aco_stage *stage)
{
   return stage->hw == ACO_HW_VS && stage->shaders[0]->stage == NIR_STAGE_GEOMETRY;
}

static void
prepare_copy(struct link *l, struct si_shader_options *options)
{
   options->nir.copies = true;
   options->nir.gs_layout = &l->gs_layout;
   options->aco.vs.exports_first_stream = si_gs_captures_more(&l->shaders[NIR_STAGE_GEOMETRY]->info.xfb);
}

/* After those that read its outputs. */
static bool
compile(struct link *l, struct aco_stage *stage)
{
   struct si_shader_options options = si_shader_options(l->screen, stage->shaders[0], l->options->layout);

   options.nir.used_sets = &l->program->used_sets;
   options.texts = l->options->capture_text ? &l->program->stages[stage->hw].texts : NULL;
   /* Waves that use the GSVS ring have one size only. */
   if (stage->num_shaders == 2 || is_copy(stage))
      options.aco.wave_size = 64;
   if (is_copy(stage))
      prepare_copy(l, &options);
   for (unsigned i = 0; i < stage->num_shaders && !is_copy(stage); i++) {
      const enum nir_stage shader = stage->shaders[i]->stage;

      if (prepare[shader])
         prepare[shader](l, &options);
   }
   if (stage == last_pre_raster(l)) {
      const struct aco_output *ps = &l->out[ACO_HW_PS];

      options.aco.vs.unread_params = ~read_params(ps);
      options.aco.vs.export_primitive_id = reads_primitive_id(ps) && !l->program->gs_output && !l->program->mesh;
      l->program->knows_provoking =
         stage->hw == ACO_HW_GS &&
         ((options.aco.vs.export_primitive_id && !l->program->tess.on) || l->program->gs_output);
      if (l->program->knows_provoking && !l->program->gs_output)
         options.aco.vs.provoking_shift = stage->args.num_user_sgprs++;
      count_primitives(l, stage, &options);
      capture_vertices(l, stage, &options);
      options.aco.vs.export_clip_dists = true;
   }
   return si_shader_compile(&l->arena, stage, &options, &l->out[stage->hw]);
}

/* What of the geometry shader's vertices lies where is known now. */
static bool
compile_copy(struct link *l, struct aco_stage *copy)
{
   copy->shaders[copy->num_shaders++] = si_nir_copy_shader(l->shaders[NIR_STAGE_GEOMETRY]);
   return compile(l, copy);
}

static bool
compile_stages(struct link *l)
{
   for (unsigned i = l->num_stages; i-- > 0;) {
      const bool emits = i + 2 < l->num_stages && !l->stages[i + 1].num_shaders;

      if (l->stages[i].num_shaders && !compile(l, &l->stages[i]))
         return false;
      if (emits && !compile_copy(l, &l->stages[i + 1]))
         return false;
   }
   return true;
}

static uint32_t
db_shader_control(const struct link *l)
{
   const struct aco_output *ps = &l->out[ACO_HW_PS];
   const struct nir_shader_info *info = &l->shaders[NIR_STAGE_FRAGMENT]->info;
   bool early = info->early_fragment_tests, late = ps->ps.writes_memory || l->options->reads_depth_target;
   /* Of DepthGreater, too, it might; dEQP (samplemask_early_and_late..._replacing_mode) wants all to run. */
   const bool fails_early = info->early_and_late_tests && info->depth_layout == NIR_DEPTH_LAYOUT_UNCHANGED;
   late &= !fails_early;
   uint32_t order = early || !late ? V_EARLY_Z_THEN_LATE_Z : V_LATE_Z;
   uint32_t conservative = info->depth_layout == NIR_DEPTH_LAYOUT_GREATER ? V_EXPORT_GREATER_THAN_Z
                           : info->depth_layout == NIR_DEPTH_LAYOUT_LESS  ? V_EXPORT_LESS_THAN_Z
                                                                          : V_EXPORT_ANY_Z;

   return S_DB_SHADER_CONTROL_Z_EXPORT_ENABLE(ps->ps.writes_z) |
          S_DB_SHADER_CONTROL_STENCIL_TEST_VAL_EXPORT_ENABLE(ps->ps.writes_stencil) |
          S_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE(ps->ps.writes_sample_mask) |
          S_DB_SHADER_CONTROL_KILL_ENABLE(ps->ps.kills) | S_DB_SHADER_CONTROL_Z_ORDER(order) |
          S_DB_SHADER_CONTROL_PRE_SHADER_DEPTH_COVERAGE_ENABLE(l->program->tested_coverage) |
          S_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(ps->ps.writes_memory && !fails_early) |
          S_DB_SHADER_CONTROL_EXEC_ON_NOOP(ps->ps.writes_memory) | S_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER(early) |
          S_DB_SHADER_CONTROL_CONSERVATIVE_Z_EXPORT(conservative) |
          S_DB_SHADER_CONTROL_DUAL_QUAD_DISABLE(l->screen->info.has_rbplus) |
          S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(l->pops.primitive_ordered_pixel_shader) |
          S_DB_SHADER_CONTROL_POPS_OVERLAP_NUM_SAMPLES(l->pops.pops_overlap_num_samples) |
          S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE_ENABLE(l->pops.override_intrinsic_rate_enable) |
          S_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE(l->pops.override_intrinsic_rate);
}

/* What VkPhysicalDeviceFragmentShadingRatePropertiesKHR says that rates do not go with; and
 * shading by sample, also of one. */
static bool
may_be_coarse(const struct link *l)
{
   const struct nir_shader *fragment = l->shaders[NIR_STAGE_FRAGMENT];
   const struct aco_output *ps = &l->out[ACO_HW_PS];
   const struct ac_pops_caps *caps = l->screen->info.pops;
   const unsigned samples_log2 = log2_floor(MAX2(l->options->state->samples, 1));
   bool declares_interlock = fragment->info.interlock && caps->vrs_forced_fine;
   bool exports_depth = (ps->ps.writes_z || ps->ps.writes_stencil) && caps->vrs_depth_export;
   bool uses_sample_mask = ps->ps.writes_sample_mask || ps->ps.reads_sample_mask;
   bool has_samples = l->screen->base.caps.shading_rate_sample_counts >> samples_log2 & 1;

   return !l->options->state->sample_shading && !fragment->info.uses_sample_shading && !declares_interlock &&
          !exports_depth && !uses_sample_mask && has_samples;
}

static bool
blends(const struct pipe_graphics_options *options)
{
   bool any = false;

   for (unsigned i = 0; i < options->state->targets.num_colors; i++)
      any |= pipe_color_mask(options->state, i) && pipe_is_blended(options->state, i);
   return any;
}

/* What deliberate mistakes ask of ordered sections. */
static uint32_t
mutant_context(const struct si_pops_key *key, const struct si_pops *pops)
{
   const bool overlap_samples = key->caps->overlap_samples;
   const uint8_t samples_log2 = overlap_samples ? pops->pops_overlap_num_samples : pops->override_intrinsic_rate;

   return (key->interlock ? SI_MUTANT_INTERLOCK : 0) |
          (samples_log2 < key->raster_samples_log2 ? SI_MUTANT_PARTIAL : 0) |
          (overlap_samples ? SI_MUTANT_OVERLAP_SAMPLES : SI_MUTANT_INTRINSIC_RATE) |
          (pops->col_format != key->col_format ? SI_MUTANT_NULL_EXPORT : 0);
}

static bool
order_fragments(struct link *l)
{
   const struct pipe_graphics_options *options = l->options;
   const struct aco_output *ps = &l->out[ACO_HW_PS];
   struct si_pops_key key = {
      .caps = l->screen->info.pops,
      .interlock = ps->ps.ordered ? l->shaders[NIR_STAGE_FRAGMENT]->info.interlock : NIR_INTERLOCK_NONE,
      .raster_samples_log2 = (uint8_t)log2_floor(MAX2(options->state->samples, 1)),
      .depth_samples_log2 = options->state->targets.depth_format || options->state->targets.stencil_format
                               ? (uint8_t)log2_floor(MAX2(options->state->samples, 1))
                               : SI_POPS_NO_DEPTH,
      .sample_shading = l->program->per_sample,
      .vrs = may_be_coarse(l),
      .intrawave_loop = ps->ps.load_intrawave_collision,
      .force_drain = si_debug(SI_DEBUG_DRAIN),
      .col_format = ps->ps.col_format,
      .z_format = ps->ps.z_format,
      .kills = ps->ps.kills,
      .blends = blends(options),
   };

   si_mutate_struct(MUTANT_si_pops_key, 0, &key);
   assert(si_pops_is_driven(&key) && "an interlock's samples and depth target are as the documentation says");
   if (!si_pops(&key, &l->pops))
      return false;
   si_mutate_struct(MUTANT_si_pops, mutant_context(&key, &l->pops), &l->pops);
   l->program->coarse = l->pops.coarse_shading;
   if (si_debug(SI_DEBUG_WHOLEPIXELS))
      l->pops.pops_overlap_num_samples = l->pops.override_intrinsic_rate = 0;
   return true;
}

/* OFFSET's high bit: no parameter; with FLAT_SHADE, the values of all vertices instead of differences (source:
 * RADV). */
enum { DEFAULT_VALUE = 0x20, PASS_THROUGH = 0x20 };

/* Which parameter of the vertex shader each attribute of the fragment shader is. Missing ones read 0, 0, 0, 0. */
static void
link_inputs(const struct link *l)
{
   const struct aco_output *vs = last_output(l), *ps = &l->out[ACO_HW_PS];
   const bool mesh_groups = l->screen->info.mesh_groups;
   struct si_pm4 *regs = &l->program->regs;

   for (unsigned i = 0; i < ps->ps.num_inputs; i++) {
      uint8_t param = vs->vs.param_of_slot[ps->ps.inputs[i].slot];
      bool missing = param == ACO_NO_REG, by_vertex = !missing && ps->ps.inputs[i].by_vertex;
      bool whole = !missing && i + ps->ps.num_primitive_inputs >= ps->ps.num_inputs;

      si_pm4_reg(regs, R_SPI_PS_INPUT_CNTL_0 + 4 * i,
                 S_SPI_PS_INPUT_CNTL_0_OFFSET(missing     ? DEFAULT_VALUE
                                              : by_vertex ? param | PASS_THROUGH
                                                          : param) |
                    S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(by_vertex || (!missing && !whole && ps->ps.inputs[i].flat)) |
                    (mesh_groups ? S_SPI_PS_INPUT_CNTL_0_PRIM_ATTR(whole) : 0) |
                    S_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR(by_vertex && ps->ps.inputs[i].turned) |
                    S_SPI_PS_INPUT_CNTL_0_PT_SPRITE_TEX(ps->ps.inputs[i].slot == l->point_coord_slot));
   }
}

/* Where an ordered section may drain every program says whether it does, so the next one takes it back. Elsewhere
 * the preamble's values stay. */
static void
drain_registers(const struct link *l)
{
   const struct ac_gpu_info *info = &l->screen->info;
   struct si_pm4 *regs = &l->program->regs;

   bool may_drain = info->pops->pops_missed_overlap || si_debug(SI_DEBUG_DRAIN);

   if (!info->pops->has_dfsm || !may_drain)
      return;
   si_pm4_reg(regs, R_DB_DFSM_CONTROL(info->gen),
              S_DB_DFSM_CONTROL_PUNCHOUT_MODE(l->pops.punchout_mode) |
                 S_DB_DFSM_CONTROL_POPS_DRAIN_PS_ON_OVERLAP(l->pops.pops_drain_ps_on_overlap));
   si_pm4_reg(regs, R_DB_RENDER_OVERRIDE2,
              S_DB_RENDER_OVERRIDE2_PARTIAL_SQUAD_LAUNCH_CONTROL(l->pops.partial_squad_launch_control) |
                 S_DB_RENDER_OVERRIDE2_CENTROID_COMPUTATION_MODE(info->has_covered_centroid));
}

static void
fragment_registers(const struct link *l)
{
   const struct aco_output *ps = &l->out[ACO_HW_PS];
   struct si_pm4 *regs = &l->program->regs;

   si_program_registers(l->screen, l->program, &l->stages[l->num_stages - 1], ps,
                        S_SPI_SHADER_PGM_RSRC1_PS_LOAD_PROVOKING_VTX(ps->ps.load_first_vertices),
                        S_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID(l->pops.load_collision_waveid) |
                           S_SPI_SHADER_PGM_RSRC2_PS_LOAD_INTRAWAVE_COLLISION(l->pops.load_intrawave_collision));
   link_inputs(l);
   si_pm4_reg(regs, R_SPI_PS_INPUT_ENA, ps->ps.input_ena);
   si_pm4_reg(regs, R_SPI_PS_INPUT_ADDR, ps->ps.input_addr);
   const unsigned whole = l->screen->info.mesh_groups ? 0 : ps->ps.num_primitive_inputs;
   si_pm4_reg(regs, R_SPI_PS_IN_CONTROL,
              S_SPI_PS_IN_CONTROL_NUM_INTERP(ps->ps.num_inputs - whole) | S_SPI_PS_IN_CONTROL_NUM_PRIM_INTERP(whole) |
                 S_SPI_PS_IN_CONTROL_PS_W32_EN(ps->wave_size == 32));
   si_pm4_reg(regs, R_SPI_BARYC_CNTL,
              S_SPI_BARYC_CNTL_FRONT_FACE_ALL_BITS(1) |
                 S_SPI_BARYC_CNTL_POS_FLOAT_LOCATION(l->program->per_sample ? 2 : 0));
   si_pm4_reg(regs, R_SPI_SHADER_Z_FORMAT, ps->ps.z_format);
   si_pm4_reg(regs, R_SPI_SHADER_COL_FORMAT, l->pops.col_format);
   si_pm4_reg(regs, R_DB_SHADER_CONTROL, db_shader_control(l));
   si_pm4_reg(regs, R_CB_SHADER_MASK, ps->ps.cb_shader_mask);
   si_pm4_reg(regs, R_PA_SC_SHADER_CONTROL,
              S_PA_SC_SHADER_CONTROL_LOAD_COLLISION_WAVEID(l->pops.load_collision_waveid) |
                 S_PA_SC_SHADER_CONTROL_LOAD_INTRAWAVE_COLLISION(l->pops.load_intrawave_collision));
   drain_registers(l);
}

/* Entries of the table of vertex buffers: a part of an attribute each, which is in range if all of that is. */
static void
fill_attributes(struct link *l)
{
   struct si_program *program = l->program;
   const struct pipe_vertex_attributes *attributes = &l->options->state->attributes;

   program->num_attributes = 0;
   if (program->mesh)
      return;
   for (unsigned i = 0; i < attributes->count; i++) {
      const struct pipe_vertex_attribute *from = &attributes->of[i];
      const struct ac_vertex_format format = ac_format_vertex(from->format);
      const unsigned size_B = format.num_parts ? format_info(from->format)->block_size_B : 1;

      for (unsigned p = 0; p < MAX2(format.num_parts, 1u); p++) {
         const struct ac_vertex_part *part = &format.parts[p];

         program->attributes[program->num_attributes++] = (struct si_attribute){
            .binding = from->binding,
            .element_B = (uint8_t)(size_B - part->offset_B),
            .offset_B = from->offset_B + part->offset_B,
            .word3 = ac_buffer_word3(l->screen->info.gen, part->format, part->select),
         };
      }
   }
}

/* An exported stencil reference is too late for early tests. */
static void
order_shader(const struct link *l, struct si_order_shader *order)
{
   const struct aco_output *ps = &l->out[ACO_HW_PS];
   const uint32_t drops = (ps->ps.kills ? SI_MUTANT_DISCARD : 0) |
                          (ps->ps.writes_sample_mask ? SI_MUTANT_EXPORTED_MASK : 0) |
                          (l->options->state->alpha_to_coverage ? SI_MUTANT_ALPHA_TO_COVERAGE : 0);
   bool early = l->shaders[NIR_STAGE_FRAGMENT]->info.early_fragment_tests;

   *order = (struct si_order_shader){
      .early_tests = early,
      .writes_memory = ps->ps.writes_memory,
      .drops_samples = drops != 0,
      .exports_stencil = ps->ps.writes_stencil && !early,
      .reads_targets = l->options->reads_depth_target || l->options->reads_color_target,
      .ordered_interlock = !l->pops.may_reorder,
   };
   si_mutate_struct(MUTANT_si_order_shader, drops & (drops - 1) ? 0 : drops, order);
}

/* What is known of them before anything is compiled. */
static void
describe_primitives(struct link *l)
{
   struct nir_shader *evaluation = l->shaders[NIR_STAGE_TESS_EVAL], *geometry = l->shaders[NIR_STAGE_GEOMETRY];
   struct nir_shader *mesh = l->shaders[NIR_STAGE_MESH];

   if (evaluation)
      si_program_tessellates(l->program, l->screen, l->shaders[NIR_STAGE_TESS_CTRL], evaluation);
   if (mesh)
      nir_gather_info(mesh);
   l->program->mesh = mesh != NULL;
   if (mesh)
      l->program->made = (uint8_t)(1 + si_mesh_topology(&mesh->info));
   if (geometry)
      l->program->made = (uint8_t)(1 + si_gs_topology(geometry->info.gs_output));
}

static enum pipe_result
compile_and_link(struct link *l)
{
   struct si_program *program = l->program;
   const struct pipe_graphics_options *options = l->options;

   if (!l->shaders[NIR_STAGE_FRAGMENT])
      l->shaders[NIR_STAGE_FRAGMENT] = nir_shader_create(&l->arena, NIR_STAGE_FRAGMENT);
   describe_primitives(l);
   l->num_stages = si_stage_list(l->screen, l->shaders, l->stages);
   if (l->shaders[NIR_STAGE_TASK]) {
      const enum pipe_result result =
         si_task_program_create(l->screen, &l->arena, l->shaders[NIR_STAGE_TASK], options,
                                options->save ? &l->saved_task : NULL, &program->task);

      if (result != PIPE_OK)
         return result;
      program->used_sets |= program->task->used_sets;
   }
   if (!compile_stages(l) || !order_fragments(l))
      return PIPE_INVALID_SHADER;
   for (unsigned i = 0; i < l->num_stages; i++) {
      if (!si_program_add_code(l->screen, program, &l->stages[i], &l->out[l->stages[i].hw]))
         return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   program->tested_coverage =
      l->shaders[NIR_STAGE_FRAGMENT]->info.post_depth_coverage && l->out[ACO_HW_PS].ps.reads_sample_mask;
   order_shader(l, &program->order);
   program->writes_rate = last_output(l)->vs.writes_shading_rate || primitive_slots(l) >> NIR_SLOT_SHADING_RATE & 1;
   program->rate_attachment = options->shading_rate_attachment;
   for (unsigned i = 0; i < options->state->targets.num_colors; i++)
      program->color_write_mask |= pipe_color_mask(options->state, i) << (4 * i);
   fill_attributes(l);
   program->gs_place_B = si_gs_place_B(&l->gs_layout);
   if (program->tess.on)
      si_hull_registers(program, l->screen, &l->stages[0], &l->out[ACO_HW_HS]);
   if (program->gs_output && last_pre_raster(l)->hw == ACO_HW_VS)
      si_geometry_registers(program, l->screen, &l->stages[program->tess.on], &l->out[ACO_HW_GS], &l->gs_layout);
   if (program->mesh)
      si_mesh_registers(program, l->screen, last_pre_raster(l), last_output(l), &l->mesh);
   si_vertex_registers(program, l->screen, last_pre_raster(l), last_output(l));
   if (!si_program_place_gsvs(program, l->screen) || !si_program_make_tess_rings(program, l->screen))
      return PIPE_OUT_OF_DEVICE_MEMORY;
   fragment_registers(l);
   /* In NGG each vertex can carry the number of one primitive. */
   bool primitive_id = reads_primitive_id(&l->out[ACO_HW_PS]) && !program->made;
   bool ngg = last_pre_raster(l)->hw == ACO_HW_GS;
   si_pm4_reg(&program->regs, R_VGT_PRIMITIVEID_EN,
              S_VGT_PRIMITIVEID_EN_PRIMITIVEID_EN(primitive_id || (program->tess.numbers_points && !ngg)) |
                 S_VGT_PRIMITIVEID_EN_NGG_DISABLE_PROVOK_REUSE(primitive_id && ngg));
   if (program->task || (program->mesh && options->counts_meshes))
      si_program_task_rings_argument(program);
   if (l->mesh.memory_B)
      si_program_mesh_memory_argument(program);
   if (!si_program_place_task_rings(program, l->screen) || !si_program_place_mesh_memory(program, l->screen))
      return PIPE_OUT_OF_DEVICE_MEMORY;
   const bool saved = si_program_save(program, l->out, program->task ? &l->saved_task : NULL, options->save);

   return saved ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}

static void
link_program(void *data)
{
   struct link *l = data;

   l->result = compile_and_link(l);
}

enum pipe_result
si_graphics_program_create(struct pipe_screen *pipe, struct nir_shader *const shaders[NIR_STAGES],
                           const struct pipe_graphics_options *options, struct pipe_program **out)
{
   struct link l = {.screen = si_screen(pipe), .options = options};
   enum pipe_result result = PIPE_OUT_OF_HOST_MEMORY;

   l.program = calloc(1, sizeof(*l.program));
   if (!l.program)
      return PIPE_OUT_OF_HOST_MEMORY;
   l.program->point = PIPE_BIND_GRAPHICS;
   memcpy(l.shaders, shaders, sizeof(l.shaders));
   if (within_memory(link_program, &l))
      result = l.result;
   arena_free(&l.arena);
   free(l.saved_task.bytes);
   *out = si_program_handle(l.program);
   if (result != PIPE_OK) {
      pipe->program_destroy(pipe, *out);
      *out = NULL;
   }
   return result;
}
