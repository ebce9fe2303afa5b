/* What the device can do, in the words of the contract. */
#include <stdio.h>
#include <string.h>

#include "amd/common/ac_block_view.h"
#include "amd/common/ac_format.h"
#include "amd/common/ac_htile.h"
#include "amd/common/ac_modifier.h"
#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "amd/hw/hw_modifiers.h"
#include "amd/hw/isa.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/shader/si_wave_size.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

static void
fill_memory(struct pipe_caps *caps, const struct amdgpu_ws_info *ws)
{
   /* Heap 0: VRAM, wholly visible to the CPU or the visible part only counts for type 1. Heap 1: system memory. */
   caps->num_heaps = 2;
   caps->heaps[0] = (struct pipe_memory_heap){ws->vram_B, true};
   caps->heaps[1] = (struct pipe_memory_heap){ws->gtt_B, false};
   caps->num_memory_types = SI_NUM_MEMORY_TYPES + 1;
   caps->memory_types[0] = (struct pipe_memory_type){.heap = 0, .device_local = true};
   caps->memory_types[1] =
      (struct pipe_memory_type){.heap = 0, .device_local = true, .host_visible = true, .host_coherent = true};
   caps->memory_types[2] =
      (struct pipe_memory_type){.heap = 1, .host_visible = true, .host_coherent = true, .host_cached = true};
   caps->memory_types[3] = caps->memory_types[1];
   caps->memory_types[3].descriptors = true;
}

static void
fill_identity(struct pipe_caps *caps, const struct si_screen *screen, const struct amdgpu_ws_info *ws)
{
   uint32_t pci[4] = {ws->pci_domain, ws->pci_bus, ws->pci_dev, ws->pci_func};

   snprintf(caps->device_name, sizeof(caps->device_name), "%.100s (%.20s)",
            ws->marketing_name[0] ? ws->marketing_name : "AMD GPU", screen->info.name);
   caps->vendor_id = AMD_PCI_VENDOR;
   caps->device_id = ws->dev.device_id;
   caps->integrated = screen->info.apu;
   memcpy(caps->device_uuid, pci, sizeof(pci));
   memcpy(caps->driver_uuid, "indium radeonsi", 15);
   caps->host_memory = caps->memory_priority = true;
   caps->code_key = (uint64_t)ws->dev.external_rev << 32 | ws->address32_hi;
}

/* Only storage images, as RADV has them. */
static bool
is_int64(uint32_t format)
{
   return format == FORMAT_R64_UINT || format == FORMAT_R64_SINT;
}

/* Arrays that have compute units have at least so many. */
static uint32_t
units_per_array(const struct amdgpu_ws_info *ws)
{
   uint32_t least = UINT32_MAX;

   for (unsigned i = 0; i < 16; i++) {
      const uint32_t units = (uint32_t)__builtin_popcount(ws->dev.cu_bitmap[i / 4][i % 4]);

      if (units)
         least = MIN2(least, units);
   }
   return least == UINT32_MAX ? 0 : least;
}

/* Waves of RDNA have all SGPRs that there are, VCC among them. */
static void
fill_cores(struct pipe_shader_cores *cores, const struct ac_gpu_info *info, const struct amdgpu_ws_info *ws)
{
   const struct aco_target *target = aco_target(info->gen);
   const uint32_t all_sgprs = target->sgprs + 2;

   *cores = (struct pipe_shader_cores){
      .engines = info->num_se,
      .arrays_per_engine = ws->dev.num_shader_arrays_per_engine,
      .units_per_array = units_per_array(ws),
      .active_units = info->num_cu,
      .simds_per_unit = info->rdna ? 2 : 4,
      .waves_per_simd = target->max_waves,
      .sgprs_per_simd = info->rdna ? all_sgprs * target->max_waves : target->simd_sgprs,
      .min_sgprs = info->rdna ? all_sgprs : target->sgpr_granule,
      .max_sgprs = info->rdna ? all_sgprs : target->sgprs,
      .sgpr_granule = info->rdna ? all_sgprs : target->sgpr_granule,
      .vgprs_per_simd = target->vgprs / 2,
      .max_vgprs = 256,
      .vgpr_granule = target->vgpr_granule / 2,
   };
   if (info->more_vgprs) {
      cores->vgprs_per_simd += cores->vgprs_per_simd / 2;
      cores->vgpr_granule += cores->vgpr_granule / 2;
   }
   cores->min_vgprs = cores->vgpr_granule;
}

static bool
atomic_format(uint32_t format)
{
   return format == FORMAT_R32_UINT || format == FORMAT_R32_SINT || format == FORMAT_R32_SFLOAT || is_int64(format);
}

static bool
is_scaled(uint32_t format)
{
   enum format_numeric numeric = format_info(format)->components[0].numeric;

   return numeric == FORMAT_USCALED || numeric == FORMAT_SSCALED;
}

static uint32_t
buffer_features(uint32_t format)
{
   uint32_t features = 0;

   if (ac_format_vertex(format).num_parts)
      features |= PIPE_FORMAT_VERTEX;
   if (!ac_format_buffer(format))
      return features;
   if (is_scaled(format))
      return features;
   if (!is_int64(format))
      features |= PIPE_FORMAT_UNIFORM_TEXEL_BUFFER;
   if (format != FORMAT_R32G32B32_SFLOAT && format != FORMAT_R32G32B32_UINT && format != FORMAT_R32G32B32_SINT)
      features |= PIPE_FORMAT_STORAGE_TEXEL_BUFFER;
   if (atomic_format(format))
      features |= PIPE_FORMAT_STORAGE_TEXEL_BUFFER_ATOMIC;
   return features;
}

static bool
is_etc2(const struct format_info *info)
{
   return info->compression && (!strcmp(info->compression, "ETC2") || !strcmp(info->compression, "EAC"));
}

static uint32_t
format_features(const struct pipe_screen *screen, uint32_t format, bool linear)
{
   const struct format_info *info = format_info(format);
   uint32_t features = buffer_features(format);
   struct ac_color_format color;

   if (!info)
      return 0;
   if (ac_format_depth(format) || ac_format_has_stencil(format)) {
      if (!linear)
         features |= PIPE_FORMAT_SAMPLED | PIPE_FORMAT_FILTER_MINMAX | PIPE_FORMAT_DEPTH_STENCIL |
                     PIPE_FORMAT_BLIT_SRC | PIPE_FORMAT_TRANSFER;
      if (!linear && ac_format_depth(format))
         features |= PIPE_FORMAT_FILTER_LINEAR;
      return features;
   }
   if (ac_format_of_aspect(format, false) != format || !ac_format_image(format) || is_scaled(format) ||
       (is_etc2(info) && !screen->caps.texture_etc2))
      return features;
   if (is_int64(format))
      return features | PIPE_FORMAT_STORAGE | PIPE_FORMAT_STORAGE_ATOMIC | PIPE_FORMAT_TRANSFER;
   features |= PIPE_FORMAT_SAMPLED | PIPE_FORMAT_FILTER_MINMAX | PIPE_FORMAT_BLIT_SRC | PIPE_FORMAT_TRANSFER;
   enum format_numeric numeric = info->components[0].numeric;
   if (numeric != FORMAT_UINT && numeric != FORMAT_SINT)
      features |= PIPE_FORMAT_FILTER_LINEAR;
   if (info->compression || format == FORMAT_E5B9G9R9_UFLOAT_PACK32)
      return features;
   if (numeric != FORMAT_SRGB && ac_format_buffer(format))
      features |= PIPE_FORMAT_STORAGE;
   if (atomic_format(format))
      features |= PIPE_FORMAT_STORAGE_ATOMIC;
   if (format == FORMAT_R8_UINT && screen->caps.attachment_shading_rate && !linear)
      features |= PIPE_FORMAT_SHADING_RATE;
   if (ac_format_color(format, &color))
      features |= PIPE_FORMAT_COLOR | PIPE_FORMAT_BLIT_DST | (color.blendable ? PIPE_FORMAT_BLEND : 0);
   return features;
}

/* Of colours; nothing else has codes of DRM. */
static uint32_t
modifier_features(const struct pipe_screen *screen, uint32_t format, uint64_t modifier)
{
   const struct format_info *info = format_info(format);

   if (!info || info->compression || info->components[0].name >= FORMAT_DEPTH ||
       !ac_modifier_fits(si_screen((struct pipe_screen *)screen)->info.gen, modifier, info->block_size_B))
      return 0;
   return format_features(screen, format, modifier == AMD_MODIFIER_LINEAR);
}

static void
fill_modifiers(struct si_screen *screen)
{
   struct pipe_caps *caps = &screen->base.caps;

   _Static_assert(AC_MAX_MODIFIERS <= PIPE_MAX_MODIFIERS, "they have room");
   caps->num_modifiers = ac_modifiers(screen->info.gen, screen->info.gb_addr_config, caps->modifiers);
   screen->base.modifier_features = modifier_features;
}

void
si_init_limits(struct pipe_caps *caps)
{
   caps->max_image_1d_px = 16384;
   caps->max_image_2d_px = 16384;
   caps->max_viewport_px = 16384;
   caps->viewport_bounds_px[0] = -32768;
   caps->viewport_bounds_px[1] = 32767;
   caps->max_linear_layers = 1;
   caps->max_target_layers = 1024; /* as RADV has it; the model takes 11 bits of a vertex's layer */
   caps->max_compute_shared_B = 65536;
   caps->max_workgroup_invocations = caps->max_workgroup_z = 1024;
   caps->max_groups_x = UINT32_MAX;
   caps->max_uniform_B = caps->max_storage_B = UINT32_MAX;
   caps->max_texels = (1u << 30) - 1; /* Zink 22.3 takes 16 times that in 32 bits: nothing of a power of two */
   caps->min_uniform_offset_B = 4;
   caps->min_storage_offset_B = 4;
   caps->min_texel_offset_B = 4;
   caps->min_offset_tl = -32;
   caps->max_offset_tl = 31;
}

static bool
has_op(const struct si_screen *screen, enum amd_op op)
{
   return amd_isa_op_info(screen->info.gen, op)->encs;
}

static void
fill_raster(struct pipe_caps *caps, const struct ac_gpu_info *info)
{
   caps->wide_lines = true;
   caps->max_line_px = 8; /* as RADV has it */
   caps->line_granularity_px = 0.125f;
   caps->line_subpixel_bits = 4;
   caps->rectangular_lines = caps->bresenham_lines = caps->stippled_bresenham_lines = true;
   caps->alpha_to_one = caps->variable_samples = true;
   caps->depth_bias_units = caps->depth_ranges = true;
   caps->zeroed_memory = true; /* buffers are created with VRAM_CLEARED */
   caps->restart_index = caps->discard_rectangles = caps->conservative_raster = true;
   caps->xfb = true;
   caps->xfb_streams = NIR_XFB_STREAMS;
   caps->xfb_keeps_provoking = true;
   caps->sample_grid_px = 2;
   caps->variable_sample_locations = caps->mixed_samples = true;
   caps->post_depth_coverage = info->has_post_depth_coverage;
   caps->early_and_late_tests = true;
   caps->conditional_rendering = caps->nested_secondaries = true;
   caps->generated_commands = true;
}

/* Images, views and samplers. */
static void
fill_images(struct pipe_caps *caps, const struct ac_gpu_info *info)
{
   caps->texture_bc = true;
   caps->texture_etc2 = info->has_etc2;
   caps->max_image_3d_px = caps->max_layers = info->max_slices;
   caps->max_block_views_3d_px = info->mip_chain ? 0 : AC_BLOCK_VIEW_MAX_PX;
   caps->sample_counts = caps->storage_sample_counts = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3;
   caps->max_custom_borders = SI_BORDER_COLORS;
   caps->border_swizzle = caps->border_swizzle_from_view = info->has_border_swizzle;
   caps->minmax_filter = true;
   caps->view_min_lod = true;
   caps->image_alignments_B = 1u << 12 | 1u << 16; /* blocks of images of one sample */
   caps->slice_views = true;
   caps->sliced_views = !info->mip_chain;
   caps->cube_face_edges = true;
}

/* As RADV has it on all chips; it has no samples. */
static void
fill_sparse(struct pipe_caps *caps, const struct drm_amdgpu_info_device *dev)
{
   caps->sparse_binding = caps->sparse_buffers = caps->sparse_images_2d = caps->sparse_images_3d = true;
   caps->sparse_aliased = caps->sparse_zero = true;
   caps->sparse_standard_2d = caps->sparse_standard_3d = true;
   caps->sparse_space_B =
      dev->high_va_max - dev->high_va_offset + dev->virtual_address_max - dev->virtual_address_offset;
   caps->shader_residency = true;
}

void
si_init_caps(struct si_screen *screen)
{
   const struct amdgpu_ws_info *ws = amdgpu_ws_info(screen->ws);
   struct pipe_caps *caps = &screen->base.caps;

   fill_memory(caps, ws);
   fill_identity(caps, screen, ws);
   fill_cores(&caps->cores, &screen->info, ws);
   caps->subgroup_size = caps->max_subgroup_size = SI_SUBGROUP_SIZE;
   caps->min_subgroup_size = aco_target(screen->info.gen)->has_wave32 ? 32 : 64;
   caps->timestamp_period_ns = 1e6 / screen->info.clock_kHz;
   si_init_limits(caps);
   fill_images(caps, &screen->info);
   caps->max_attribute_offset_B = UINT32_MAX;
   caps->legacy_attributes_fast = !screen->info.aligned_formats;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++)
      caps->shader_stages |= (uint32_t)si_has_stage(screen, stage) << stage;
   caps->max_task_payload_B = SI_TASK_PAYLOAD_B;
   caps->shader_int64 = caps->shader_float64 = true;
   caps->shader_int16 = caps->shader_float16 = caps->shader_int8 = caps->shader_storage_small = true;
   caps->amd_instruction_sets = caps->compute_derivatives = caps->image_atomics_64 = true;
   caps->fragment_masks = screen->info.has_fmask;
   caps->gather_levels = has_op(screen, AMD_OP_image_gather4_b_o);
   caps->float_modes = caps->shader_io_16 = true;
   caps->shader_clock = caps->logic_op = caps->dual_source_blend = true;
   caps->atomics_64 = caps->float_atomics = true;
   caps->float_atomic_add = has_op(screen, AMD_OP_buffer_atomic_add_f32);
   caps->float_atomic_min_max = has_op(screen, AMD_OP_buffer_atomic_fmin);
   caps->double_atomic_min_max = has_op(screen, AMD_OP_buffer_atomic_fmin_x2);
   caps->image_atomic_min_max = has_op(screen, AMD_OP_image_atomic_fmin);
   caps->dots_4x8 = aco_target(screen->info.gen)->dots_4x8;
   caps->dots_4x8_mixed = aco_target(screen->info.gen)->dots_4x8_mixed;
   caps->dots_2x16 = aco_target(screen->info.gen)->dots_2x16;
   caps->matrix_products = has_op(screen, AMD_OP_v_wmma_f32_16x16x16_f16);
   caps->coverage_after_counting = true;
   caps->lines_are_parallelograms = true;
   caps->depth_bounds = true;
   caps->fill_mode_non_solid = true;
   caps->pipeline_statistics = true;
   caps->counts_meshes = screen->info.has_mesh;
   caps->depth_clamp = true;
   caps->sample_rate_shading = true;
   caps->anisotropy = true;
   fill_raster(caps, &screen->info);
   fill_sparse(caps, &ws->dev);
   caps->large_points = caps->legacy_attributes = true;
   caps->max_point_px = 8191.875f; /* the least one is 0, as that of lines */
   caps->point_granularity_px = 0.125f;
   caps->multi_viewport = true;
   caps->fragment_interlock = screen->info.has_interlock;
   caps->fragment_barycentric = screen->info.has_first_vertex;
   caps->rasterization_order = screen->info.out_of_order;
   caps->shading_rate = screen->info.pops->has_vrs;
   caps->shading_rate_sample_counts = caps->sample_counts & ~(screen->info.pops->vrs_8x_hang ? 1u << 3 : 0);
   caps->attachment_shading_rate = screen->info.rates_in_htile || screen->info.rate_images;
   caps->shading_rate_texel_px = AC_HTILE_TILE_PX;
   caps->shading_rate_interlock = caps->shading_rate && !screen->info.pops->vrs_forced_fine;
   caps->shading_rate_depth_export = caps->shading_rate && !screen->info.pops->vrs_depth_export;
   screen->base.format_features = format_features;
   fill_modifiers(screen);
}
