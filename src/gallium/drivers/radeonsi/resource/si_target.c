#include "gallium/drivers/radeonsi/resource/si_target.h"

#include "amd/common/ac_format.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/resource/si_htile.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "util/macros.h"

bool
si_color_target_init(const struct ac_gpu_info *info, struct si_color_target *target, const struct si_resource *image,
                     uint32_t format, struct si_layers layers)
{
   enum amd_gen gen = info->gen;
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];
   uint64_t va = si_plane_va(image, SI_PLANE_MAIN);
   struct ac_color_format color;
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;

   if (!ac_format_color(format, &color))
      return false;
   target->base = (uint32_t)(va >> 8);
   target->base_ext = (uint32_t)(va >> 40) & 0xff;
   target->view = S_CB_COLOR0_VIEW_SLICE_START(gen, layers.first) |
                  S_CB_COLOR0_VIEW_SLICE_MAX(gen, layers.first + layers.count - 1) |
                  S_CB_COLOR0_VIEW_MIP_LEVEL(gen, layers.level);
   target->info = S_CB_COLOR0_INFO_FORMAT(gen, color.format) | S_CB_COLOR0_INFO_NUMBER_TYPE(color.number) |
                  S_CB_COLOR0_INFO_COMP_SWAP(color.swap) | S_CB_COLOR0_INFO_BLEND_CLAMP(color.is_normalized) |
                  S_CB_COLOR0_INFO_BLEND_BYPASS(color.is_integer) | S_CB_COLOR0_INFO_SIMPLE_FLOAT(1) |
                  S_CB_COLOR0_INFO_ROUND_MODE(color.is_float);
   target->attrib = (info->has_eqaa ? S_CB_COLOR0_ATTRIB_NUM_SAMPLES(surface->samples_log2) : 0) |
                    S_CB_COLOR0_ATTRIB_NUM_FRAGMENTS(gen, surface->samples_log2);
   target->attrib2 = S_CB_COLOR0_ATTRIB2_MIP0_WIDTH(image->desc.width_px - 1) |
                     S_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(image->desc.height_px - 1) |
                     S_CB_COLOR0_ATTRIB2_MAX_MIP(surface->num_levels - 1u);
   target->attrib3 =
      S_CB_COLOR0_ATTRIB3_MIP0_DEPTH(surface->slices - 1) | S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(surface->mode) |
      S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(is_3d ? 2 : 1) | S_CB_COLOR0_ATTRIB3_RESOURCE_LEVEL(info->has_eqaa);
   target->epitch_el = surface->epitch_el;
   if (target->epitch_el)
      target->attrib |= S_CB_COLOR0_ATTRIB_MIP0_DEPTH(surface->slices - 1) |
                        S_CB_COLOR0_ATTRIB_COLOR_SW_MODE(surface->mode) |
                        S_CB_COLOR0_ATTRIB_RESOURCE_TYPE(is_3d ? 2 : 1);
   target->dcc_va = si_metadata_of_level(image, layers.level);
   target->dcc_control = target->dcc_va ? si_dcc_control(info, 1u << surface->samples_log2) : 0;
   if (target->dcc_va) {
      target->info |= info->fdcc ? 0 : S_CB_COLOR0_INFO_DCC_ENABLE(1);
      if (target->epitch_el)
         target->attrib |= S_CB_COLOR0_ATTRIB_RB_ALIGNED(1) | S_CB_COLOR0_ATTRIB_PIPE_ALIGNED(1);
      target->attrib3 |= S_CB_COLOR0_ATTRIB3_DCC_PIPE_ALIGNED(1);
   }
   target->export_format = color.export_format;
   target->is_integer = color.is_integer;
   target->blendable = color.blendable;
   return true;
}

/* Of unused targets only the format is written. */
void
si_emit_color_target(struct si_cs *cs, const struct ac_gpu_info *info, unsigned i,
                     const struct si_color_target *target)
{
   enum amd_gen gen = info->gen;
   uint32_t step = R_CB_COLOR0_BASE_STEP * i;

   si_cs_reserve(cs, 3 + 6 + 3 * 9);
   if (!target) {
      si_cs_context_reg(cs, R_CB_COLOR0_INFO + step, 0);
      return;
   }
   si_cs_context_reg(cs, R_CB_COLOR0_BASE + step, target->base);
   /* Or FDCC_CONTROL. */
   si_context_regs(cs, {R_CB_COLOR0_VIEW + step, target->view}, {R_CB_COLOR0_INFO + step, target->info},
                   {R_CB_COLOR0_ATTRIB + step, target->attrib},
                   {R_CB_COLOR0_DCC_CONTROL + step, target->dcc_control});
   if (target->dcc_va) {
      si_cs_context_reg(cs, R_CB_COLOR0_DCC_BASE + step, (uint32_t)(target->dcc_va >> 8));
      si_cs_context_reg(cs, R_CB_COLOR0_DCC_BASE_EXT(gen) + R_CB_COLOR0_DCC_BASE_EXT_STEP(gen) * i,
                        (uint32_t)(target->dcc_va >> 40) & 0xff);
   }
   si_cs_context_reg(cs, R_CB_COLOR0_BASE_EXT(gen) + R_CB_COLOR0_BASE_EXT_STEP(gen) * i, target->base_ext);
   /* Metadata is off; its addresses point somewhere valid. */
   if (info->has_eqaa) {
      si_cs_context_reg(cs, R_CB_COLOR0_CMASK + step, target->base);
      si_cs_context_reg(cs, R_CB_COLOR0_FMASK + step, target->base);
      si_cs_context_reg(cs, R_CB_COLOR0_CMASK_BASE_EXT(gen) + R_CB_COLOR0_BASE_EXT_STEP(gen) * i, target->base_ext);
      si_cs_context_reg(cs, R_CB_COLOR0_FMASK_BASE_EXT(gen) + R_CB_COLOR0_BASE_EXT_STEP(gen) * i, target->base_ext);
   }
   si_cs_context_reg(cs, R_CB_COLOR0_ATTRIB2(gen) + R_CB_COLOR0_ATTRIB2_STEP(gen) * i, target->attrib2);
   if (target->epitch_el)
      si_cs_context_reg(cs, R_CB_MRT0_EPITCH + R_CB_MRT0_EPITCH_STEP * i, target->epitch_el - 1);
   else
      si_cs_context_reg(cs, R_CB_COLOR0_ATTRIB3 + 4 * i, target->attrib3);
}

uint32_t
si_depth_offset_format(uint32_t format)
{
   /* The unit of a constant depth bias: 2^-16, or for floats 2^-23 below the exponent of the depth. */
   if (ac_format_depth(format) == V_Z_32_FLOAT)
      return S_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_NEG_NUM_DB_BITS(-23) |
             S_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_DB_IS_FLOAT_FMT(1);
   return S_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_NEG_NUM_DB_BITS(-16);
}

/* Planes of depth in a tile that textures can read. Source: PAL, CalcDecompressOnZPlanesValue; RADV. */
static unsigned
max_planes(const struct ac_gpu_info *info, const struct si_resource *image)
{
   if (info->few_planes_4x && image->stencil_in_htile && image->desc.samples == 4)
      return 1;
   return image->desc.samples > 1 && ac_format_depth(image->desc.format) == V_Z_16 ? 2 : 4;
}

void
si_depth_target_init(const struct ac_gpu_info *info, struct si_depth_target *target, const struct si_resource *image,
                     struct si_layers layers)
{
   unsigned last = layers.first + layers.count - 1;
   uint32_t z_format = ac_format_depth(image->desc.format);
   bool has_stencil = image->plane_format[SI_PLANE_STENCIL] != 0;
   const struct ac_surface *surface = &image->planes[z_format ? SI_PLANE_MAIN : SI_PLANE_STENCIL];
   uint64_t htile_va = si_metadata_of_level(image, layers.level);
   bool iterates_256 = info->always_iterates_256 || (info->iterates_256 && htile_va && surface->samples_log2);

   target->view = S_DB_DEPTH_VIEW_SLICE_START(layers.first) | S_DB_DEPTH_VIEW_SLICE_START_HI(layers.first >> 11) |
                  S_DB_DEPTH_VIEW_SLICE_MAX(last) | S_DB_DEPTH_VIEW_SLICE_MAX_HI(last >> 11) |
                  S_DB_DEPTH_VIEW_MIPID(layers.level);
   target->size_xy =
      S_DB_DEPTH_SIZE_XY_X_MAX(image->desc.width_px - 1) | S_DB_DEPTH_SIZE_XY_Y_MAX(image->desc.height_px - 1);
   target->samples_log2 = surface->samples_log2;
   target->z_info = S_DB_Z_INFO_FORMAT(z_format) | S_DB_Z_INFO_NUM_SAMPLES(surface->samples_log2) |
                    S_DB_Z_INFO_SW_MODE(surface->mode) | S_DB_Z_INFO_MAXMIP(surface->num_levels - 1u) |
                    S_DB_Z_INFO_ITERATE_256(iterates_256);
   target->stencil_info = S_DB_STENCIL_INFO_FORMAT(has_stencil ? V_STENCIL_8 : V_STENCIL_INVALID) |
                          S_DB_STENCIL_INFO_SW_MODE(surface->mode) | S_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(1) |
                          S_DB_STENCIL_INFO_ITERATE_256(iterates_256);
   target->z_va = z_format ? si_plane_va(image, SI_PLANE_MAIN) : 0;
   target->stencil_va = has_stencil ? si_plane_va(image, SI_PLANE_STENCIL) : 0;
   target->z_epitch_el = z_format ? surface->epitch_el : 0;
   target->stencil_epitch_el = has_stencil ? image->planes[SI_PLANE_STENCIL].epitch_el : 0;
   target->offset_format = si_depth_offset_format(image->desc.format);
   target->htile_va = htile_va;
   if (!htile_va)
      return;
   target->clear_depth_va = si_clear_depth_va(image, layers.level);
   /* So that textures can read it: few planes of depth in a tile, and flushes of what iterates. Source: RADV. */
   target->z_info |= S_DB_Z_INFO_TILE_SURFACE_ENABLE(1) | S_DB_Z_INFO_ZRANGE_PRECISION(1) |
                     S_DB_Z_INFO_DECOMPRESS_ON_N_ZPLANES(max_planes(info, image) + 1) |
                     S_DB_Z_INFO_ITERATE_FLUSH(info->gen, 1);
   if (image->stencil_in_htile)
      target->stencil_info = (target->stencil_info & C_DB_STENCIL_INFO_TILE_STENCIL_DISABLE) |
                             S_DB_STENCIL_INFO_ITERATE_FLUSH(info->gen, 1);
}

/* GFX9: each base has its upper half after it, and there are pitches. */
static void
emit_pitched_depth(struct si_cs *cs, enum amd_gen gen, const struct si_depth_target *target)
{
   const uint32_t z = (uint32_t)(target->z_va >> 8), z_hi = (uint32_t)(target->z_va >> 40) & 0xff;
   const uint32_t stencil = (uint32_t)(target->stencil_va >> 8);
   const uint32_t stencil_hi = (uint32_t)(target->stencil_va >> 40) & 0xff;

   si_context_regs(cs, {R_DB_Z_INFO(gen), target->z_info}, {R_DB_STENCIL_INFO(gen), target->stencil_info},
                   {R_DB_Z_READ_BASE(gen), z}, {R_DB_Z_READ_BASE_HI(gen), z_hi},
                   {R_DB_STENCIL_READ_BASE(gen), stencil}, {R_DB_STENCIL_READ_BASE_HI(gen), stencil_hi},
                   {R_DB_Z_WRITE_BASE, z}, {R_DB_Z_WRITE_BASE_HI(gen), z_hi}, {R_DB_STENCIL_WRITE_BASE(gen), stencil},
                   {R_DB_STENCIL_WRITE_BASE_HI(gen), stencil_hi});
   si_context_regs(cs, {R_DB_Z_INFO2, target->z_epitch_el ? target->z_epitch_el - 1 : 0},
                   {R_DB_STENCIL_INFO2, target->stencil_epitch_el ? target->stencil_epitch_el - 1 : 0});
}

/* Besides rates nothing is compressed: the tiles stay as they are, and where there is no HTILE but for rates, DB may
 * not look for depth (its target has no memory). Else the target's own is used. */
static void
emit_htile(struct si_cs *cs, const struct ac_gpu_info *info, const struct si_depth_target *target, uint64_t rates_va)
{
   uint64_t own_va = target && !rates_va ? target->htile_va : 0, va = rates_va ? rates_va : own_va;
   bool plain = !own_va && (!rates_va || target->z_va || target->stencil_va);

   si_cs_context_reg(
      cs, R_DB_RENDER_CONTROL,
      (plain ? SI_DB_RENDER_CONTROL : 0) |
         S_DB_RENDER_CONTROL_MAX_ALLOWED_TILES_IN_WAVE(target ? info->max_tiles_in_wave[target->samples_log2] : 0));
   if (!va) {
      si_cs_context_reg(cs, R_DB_HTILE_SURFACE, 0);
      return;
   }
   si_cs_context_reg(cs, R_DB_HTILE_SURFACE,
                     S_DB_HTILE_SURFACE_FULL_CACHE(1) | S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) |
                        S_DB_HTILE_SURFACE_RB_ALIGNED(info->mip_chain) |
                        (rates_va ? S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(V_VRS_HTILE_4BIT_ENCODING) : 0));
   si_cs_context_reg(cs, R_DB_HTILE_DATA_BASE, (uint32_t)(va >> 8));
   si_cs_context_reg(cs, R_DB_HTILE_DATA_BASE_HI(info->gen), (uint32_t)(va >> 40) & 0xff);
   if (!own_va)
      return;
   si_cs_context_reg(cs, R_DB_STENCIL_CLEAR, 0);
   si_packet_of(cs, PKT3_LOAD_CONTEXT_REG_INDEX, load_reg_index, .address = target->clear_depth_va,
                .reg_offset = (R_DB_DEPTH_CLEAR - AMD_CONTEXT_REG_START) / 4, .count_dw = 1);
}

void
si_emit_depth_target(struct si_cs *cs, const struct ac_gpu_info *info, const struct si_depth_target *target,
                     uint64_t rates_va)
{
   enum amd_gen gen = info->gen;
   uint32_t z_info, stencil_info;

   si_cs_reserve(cs, 3 + 4 + 3 + 3 + 3 + 8 + 6 + 5 * 3 + 5);
   if (info->rates_in_htile || info->htile)
      emit_htile(cs, info, target, rates_va);
   if (!target) {
      /* Where coverage is counted by these samples, up to those exposed: more than any draw has. Source: RADV. */
      si_context_regs(cs, {R_DB_Z_INFO(gen), S_DB_Z_INFO_NUM_SAMPLES(info->pops->coverage_from_z_info ? 3 : 0)},
                      {R_DB_STENCIL_INFO(gen), 0});
      return;
   }
   z_info =
      target->z_info | S_DB_Z_INFO_TILE_SURFACE_ENABLE(rates_va != 0) | S_DB_Z_INFO_ZRANGE_PRECISION(rates_va != 0);
   /* Rates have their place among stencil's bits, stencil or not. */
   stencil_info = rates_va ? target->stencil_info & C_DB_STENCIL_INFO_TILE_STENCIL_DISABLE : target->stencil_info;
   si_cs_context_reg(cs, R_DB_DEPTH_VIEW, target->view);
   si_cs_context_reg(cs, R_DB_DEPTH_SIZE_XY, target->size_xy);
   if (target->z_epitch_el || target->stencil_epitch_el) {
      emit_pitched_depth(cs, gen, target);
      return;
   }
   if (info->has_depth_info)
      si_cs_context_reg(cs, R_DB_DEPTH_INFO, S_DB_DEPTH_INFO_RESOURCE_LEVEL(1));
   si_context_regs(cs, {R_DB_Z_INFO(gen), z_info}, {R_DB_STENCIL_INFO(gen), stencil_info},
                   {R_DB_Z_READ_BASE(gen), (uint32_t)(target->z_va >> 8)},
                   {R_DB_STENCIL_READ_BASE(gen), (uint32_t)(target->stencil_va >> 8)},
                   {R_DB_Z_WRITE_BASE, (uint32_t)(target->z_va >> 8)},
                   {R_DB_STENCIL_WRITE_BASE(gen), (uint32_t)(target->stencil_va >> 8)});
   si_context_regs(cs, {R_DB_Z_READ_BASE_HI(gen), (uint32_t)(target->z_va >> 40) & 0xff},
                   {R_DB_STENCIL_READ_BASE_HI(gen), (uint32_t)(target->stencil_va >> 40) & 0xff},
                   {R_DB_Z_WRITE_BASE_HI(gen), (uint32_t)(target->z_va >> 40) & 0xff},
                   {R_DB_STENCIL_WRITE_BASE_HI(gen), (uint32_t)(target->stencil_va >> 40) & 0xff});
}
