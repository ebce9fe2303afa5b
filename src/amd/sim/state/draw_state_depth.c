/* Depth and stencil registers. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

static void
decode_stencil(struct amd_depth_state *d, const struct amd_regs *regs)
{
   uint32_t control = amd_regs_get(regs, R_DB_DEPTH_CONTROL), ops = amd_regs_get(regs, R_DB_STENCIL_CONTROL);
   bool read_only = G_DB_DEPTH_VIEW_STENCIL_READ_ONLY(amd_regs_get(regs, R_DB_DEPTH_VIEW));
   for (unsigned i = 0; i < 2; i++) {
      bool back = i && G_DB_DEPTH_CONTROL_BACKFACE_ENABLE(control);
      uint32_t masks = amd_regs_get(regs, back ? R_DB_STENCILREFMASK_BF : R_DB_STENCILREFMASK);
      uint32_t face_ops = back ? ops >> 12 : ops;
      d->face[i] = (struct amd_stencil_face){
         .func = back ? G_DB_DEPTH_CONTROL_STENCILFUNC_BF(control) : G_DB_DEPTH_CONTROL_STENCILFUNC(control),
         .fail = face_ops & 15,
         .zpass = face_ops >> 4 & 15,
         .zfail = face_ops >> 8 & 15,
         .ref = G_DB_STENCILREFMASK_STENCILTESTVAL(masks),
         .mask = G_DB_STENCILREFMASK_STENCILMASK(masks),
         .write_mask = read_only ? 0 : G_DB_STENCILREFMASK_STENCILWRITEMASK(masks),
         .op_value = G_DB_STENCILREFMASK_STENCILOPVAL(masks),
      };
   }
}

/* pitch: the register that has it, on GFX9 (which calls the size DB_DEPTH_SIZE). */
static struct amd_surface_desc
surface_desc(const struct amd_gpu *gpu, uint32_t info, uint32_t pitch, uint32_t base, uint32_t base_hi,
             unsigned element_B, unsigned samples_log2)
{
   /* size: fields of a surface */
   enum amd_gen gen = gpu->model->gen;
   uint32_t size = amd_regs_get(gpu->regs, R_DB_DEPTH_SIZE_XY);
   uint32_t view = amd_regs_get(gpu->regs, R_DB_DEPTH_VIEW);
   return (struct amd_surface_desc){
      .gen = gen,
      .gb_addr_config = gpu->chip->gb_addr_config,
      .base_256B = (uint64_t)(base_hi & 0xff) << 32 | base,
      .mode = G_DB_Z_INFO_SW_MODE(info),
      .element_B = (uint8_t)element_B,
      .element_log2 = (uint8_t)log2_floor(element_B),
      .samples_log2 = (uint8_t)samples_log2,
      .levels = (uint8_t)(G_DB_Z_INFO_MAXMIP(amd_regs_get(gpu->regs, R_DB_Z_INFO(gen))) + 1),
      .texel_px = 1,
      .width_px = G_DB_DEPTH_SIZE_XY_X_MAX(size) + 1,
      .height_px = G_DB_DEPTH_SIZE_XY_Y_MAX(size) + 1,
      .slices = (G_DB_DEPTH_VIEW_SLICE_MAX(view) | G_DB_DEPTH_VIEW_SLICE_MAX_HI(view) << 11) + 1,
      .pitch_el =
         gpu->model->traits->pitch_of_every_mode ? G_DB_Z_INFO2_EPITCH(amd_regs_get(gpu->regs, pitch)) + 1 : 0,
   };
}

struct amd_surface_desc
amd_depth_desc(const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   enum amd_gen gen = gpu->model->gen;
   uint32_t info = amd_regs_get(regs, R_DB_Z_INFO(gen));
   return surface_desc(gpu, info, R_DB_Z_INFO2, amd_regs_get(regs, R_DB_Z_READ_BASE(gen)),
                       amd_regs_get(regs, R_DB_Z_READ_BASE_HI(gen)), G_DB_Z_INFO_FORMAT(info) == V_Z_16 ? 2 : 4,
                       G_DB_Z_INFO_NUM_SAMPLES(info));
}

static bool
map_surface(struct amd_surface *surface, const struct amd_surface_desc *desc, struct amd_targets *targets,
            unsigned level, uint8_t **host, uint64_t *run_B)
{
   if (!amd_layouts_surface(&targets->layouts, surface, desc, level, targets->gpu->fault))
      return false;
   return amd_target_map(targets, surface->base, surface->size_B, "depth surface", host, run_B);
}

/* HTILE is depth's if there is any, also where only stencil is used: its bytes and mode decide on GFX9, its tail on
 * GFX10.1, where the tail of stencil holds larger levels. */
static bool
place_htile(struct amd_depth_state *d, struct amd_targets *targets, const struct amd_surface_desc *desc,
            unsigned level)
{
   struct amd_surface surface;
   return amd_layouts_surface(&targets->layouts, &surface, desc, level, targets->gpu->fault) &&
          amd_draw_state_htile(d, targets, desc, &surface, level);
}

static bool
decode_surfaces(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_depth_state *d = &state->depth;
   enum amd_gen gen = gpu->model->gen;
   uint32_t z_info = amd_regs_get(regs, R_DB_Z_INFO(gen)), s_info = amd_regs_get(regs, R_DB_STENCIL_INFO(gen));
   uint32_t view = amd_regs_get(regs, R_DB_DEPTH_VIEW);
   unsigned level = G_DB_DEPTH_VIEW_MIPID(view), samples_log2 = G_DB_Z_INFO_NUM_SAMPLES(z_info);
   static const uint8_t bits[4] = {0, 16, 24, 32};
   d->z_bits = bits[G_DB_Z_INFO_FORMAT(z_info)];
   d->z_format_float = G_DB_Z_INFO_FORMAT(z_info) == V_Z_32_FLOAT;
   d->has_z =
      d->z_bits && (d->z_enable || d->bounds_enable || d->clear_z || d->htile.expand_z || d->htile.resummarize);
   d->has_stencil =
      G_DB_STENCIL_INFO_FORMAT(s_info) && (d->stencil_enable || d->clear_stencil || d->htile.expand_stencil);
   d->first_slice = G_DB_DEPTH_VIEW_SLICE_START(view) | G_DB_DEPTH_VIEW_SLICE_START_HI(view) << 11;
   d->last_slice = G_DB_DEPTH_VIEW_SLICE_MAX(view) | G_DB_DEPTH_VIEW_SLICE_MAX_HI(view) << 11;
   if (G_DB_DEPTH_VIEW_Z_READ_ONLY(view))
      d->z_write = false;
   if (!d->has_z && !d->has_stencil)
      return true;
   d->htile.enable = G_DB_Z_INFO_TILE_SURFACE_ENABLE(z_info);
   d->htile.has_stencil = !G_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(s_info);
   d->htile.samples_log2 = (uint8_t)samples_log2;
   d->htile.base_is_largest = G_DB_Z_INFO_ZRANGE_PRECISION(z_info);
   if (!amd_samples_fit(&state->samples, samples_log2))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "depth surface of %u samples under %u raster samples", 1u << samples_log2,
                           state->samples.positions.count);
   uint32_t z_base = amd_regs_get(regs, R_DB_Z_READ_BASE(gen)),
            s_base = amd_regs_get(regs, R_DB_STENCIL_READ_BASE(gen));
   if ((d->has_z && d->z_write && amd_regs_get(regs, R_DB_Z_WRITE_BASE) != z_base) ||
       (d->has_stencil && amd_regs_get(regs, R_DB_STENCIL_WRITE_BASE(gen)) != s_base))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model reads and writes depth at one address");
   const struct amd_surface_desc desc = amd_depth_desc(gpu);
   const struct amd_surface_desc stencil_desc = surface_desc(
      gpu, s_info, R_DB_STENCIL_INFO2, s_base, amd_regs_get(regs, R_DB_STENCIL_READ_BASE_HI(gen)), 1, samples_log2);
   if (d->has_z && !map_surface(&d->z, &desc, targets, level, &d->z_host, &d->z_run_B))
      return false;
   if (d->has_stencil &&
       !map_surface(&d->stencil, &stencil_desc, targets, level, &d->stencil_host, &d->stencil_run_B))
      return false;
   if (!amd_draw_state_planes(gpu))
      return false;
   return !d->htile.enable || place_htile(d, targets, d->z_bits ? &desc : &stencil_desc, level);
}

/* When the tests run. Source: DB_SHADER_CONTROL Z_ORDER, KILL_ENABLE, DEPTH_BEFORE_SHADER. */
static void
decode_order(struct amd_depth_state *d, uint32_t control)
{
   d->z_export = G_DB_SHADER_CONTROL_Z_EXPORT_ENABLE(control);
   d->stencil_export = G_DB_SHADER_CONTROL_STENCIL_TEST_VAL_EXPORT_ENABLE(control);
   d->mask_export = G_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE(control);
   d->coverage_export = G_DB_SHADER_CONTROL_COVERAGE_TO_MASK_ENABLE(control);
   bool late_mask = G_DB_SHADER_CONTROL_KILL_ENABLE(control) || d->mask_export || d->alpha_to_mask;
   bool exports = d->z_export || d->stencil_export;
   bool late_order = G_DB_SHADER_CONTROL_Z_ORDER(control) == V_LATE_Z;
   if (G_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER(control))
      d->early = true;
   else
      d->early = !late_order && !late_mask && !exports;
   bool monotone =
      d->zfunc == V_FRAG_LESS || d->zfunc == V_FRAG_LEQUAL || d->zfunc == V_FRAG_GREATER || d->zfunc == V_FRAG_GEQUAL;
   d->early_reject = !d->early && !late_order && !exports && d->has_z && d->z_enable && monotone && !d->has_stencil;
   d->late_kill = late_mask;
}

bool
amd_draw_state_depth(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_depth_state *d = &state->depth;
   uint32_t control = amd_regs_get(regs, R_DB_DEPTH_CONTROL), render = amd_regs_get(regs, R_DB_RENDER_CONTROL);
   uint32_t shader = amd_regs_get(regs, R_DB_SHADER_CONTROL);
   if (render & (S_DB_RENDER_CONTROL_DEPTH_COPY(1) | S_DB_RENDER_CONTROL_STENCIL_COPY(1)))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have depth copies (DB_RENDER_CONTROL)");
   bool expand = G_DB_RENDER_CONTROL_DECOMPRESS_ENABLE(render);
   d->htile.expand_z = expand || G_DB_RENDER_CONTROL_DEPTH_COMPRESS_DISABLE(render);
   d->htile.expand_stencil = expand || G_DB_RENDER_CONTROL_STENCIL_COMPRESS_DISABLE(render);
   d->htile.resummarize = G_DB_RENDER_CONTROL_RESUMMARIZE_ENABLE(render);
   d->z_enable = G_DB_DEPTH_CONTROL_Z_ENABLE(control);
   d->z_write = d->z_enable && G_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(control);
   d->zfunc = G_DB_DEPTH_CONTROL_ZFUNC(control);
   d->stencil_enable = G_DB_DEPTH_CONTROL_STENCIL_ENABLE(control);
   d->bounds_enable = G_DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE(control);
   d->bounds_min = amd_regs_get_float(regs, R_DB_DEPTH_BOUNDS_MIN);
   d->bounds_max = amd_regs_get_float(regs, R_DB_DEPTH_BOUNDS_MAX);
   d->clear_z = G_DB_RENDER_CONTROL_DEPTH_CLEAR_ENABLE(render);
   d->clear_stencil = G_DB_RENDER_CONTROL_STENCIL_CLEAR_ENABLE(render);
   d->clear_z_value = amd_regs_get_float(regs, R_DB_DEPTH_CLEAR);
   d->clear_stencil_value = amd_regs_get(regs, R_DB_STENCIL_CLEAR) & 0xff;
   d->viewport_clamp = !G_DB_RENDER_OVERRIDE_DISABLE_VIEWPORT_CLAMP(amd_regs_get(regs, R_DB_RENDER_OVERRIDE));
   uint32_t alpha = amd_regs_get(regs, R_DB_ALPHA_TO_MASK);
   d->alpha_to_mask =
      G_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE(alpha) && !G_DB_SHADER_CONTROL_ALPHA_TO_MASK_DISABLE(shader);
   /* Quarters, or with OFFSET_ROUND the middles of them (assumed). */
   for (unsigned i = 0; i < 4; i++)
      d->alpha_offset[i] =
         (float)(alpha >> (8 + 2 * i) & 3) / 4.0f + (G_DB_ALPHA_TO_MASK_OFFSET_ROUND(alpha) ? 0.125f : 0.0f);
   uint32_t count = amd_regs_get(regs, R_DB_COUNT_CONTROL);
   d->count_samples = !G_DB_COUNT_CONTROL_ZPASS_INCREMENT_DISABLE(count) && G_DB_COUNT_CONTROL_ZPASS_ENABLE(count);
   decode_stencil(d, regs);
   if (!decode_surfaces(state, gpu, targets))
      return false;
   decode_order(d, shader);
   amd_draw_state_culling(d, regs);
   d->any = d->has_z || d->has_stencil;
   return true;
}
