/* What the device can do, in the words of the contract. */
#include <stdio.h>
#include <string.h>

#include "asahi/hw/hw_limits.h"
#include "asahi/hw/hw_modifiers.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define MESA_VENDOR 0x10005 /* VK_VENDOR_ID_MESA: the chips are on no bus that numbers vendors */

static void
fill_memory(struct pipe_caps *caps, const struct asahi_ws_info *ws)
{
   caps->num_heaps = 1;
   caps->heaps[0] = (struct pipe_memory_heap){ws->system_memory_B / 2, true};
   caps->num_memory_types = AGX_NUM_MEMORY_TYPES;
   caps->memory_types[0] =
      (struct pipe_memory_type){.device_local = true, .host_visible = true, .host_coherent = true};
   caps->memory_types[1] = (struct pipe_memory_type){
      .device_local = true, .host_visible = true, .host_coherent = true, .host_cached = true};
}

/* In the name that Apple sells it by. */
static void
fill_identity(struct pipe_caps *caps, const struct agx_screen *screen, const struct asahi_ws_info *ws)
{
   const struct drm_asahi_params_global *params = &ws->params;
   uint32_t chip[4] = {params->chip_id, params->gpu_generation, params->gpu_variant, params->gpu_revision};

   const char *suffix = agx_variant_suffix((char)params->gpu_variant);

   snprintf(caps->device_name, sizeof(caps->device_name), "Apple M%u%s%s (G%u%c %02X)", screen->traits->product,
            *suffix ? " " : "", suffix, params->gpu_generation, (int)params->gpu_variant,
            params->gpu_revision + 0xa0);
   caps->vendor_id = MESA_VENDOR;
   caps->device_id = params->chip_id;
   caps->integrated = true;
   chip[3] |= screen->no_soft_faults ? 1u << 31 : 0; /* programs differ */
   memcpy(caps->device_uuid, chip, sizeof(chip));
   memcpy(caps->driver_uuid, "indium asahi", 12);
   caps->code_key = screen->no_soft_faults;
}

static bool
atomic_format(uint32_t format)
{
   return format == FORMAT_R32_UINT || format == FORMAT_R32_SINT;
}

/* Stores go through the pixel back end, which knows no shared exponents, and nobody stores SINT with 10 bits; sRGB it
 * encodes only for targets. */
static bool
storable(uint32_t format)
{
   const struct format_info *info = format_info(format);

   return !info->compression && info->components[0].numeric != FORMAT_SRGB && info->packed_bits != 16 &&
          !(info->components[0].bits == 10 && info->components[0].numeric == FORMAT_SINT) &&
          format != FORMAT_E5B9G9R9_UFLOAT_PACK32 && info->components[0].name < FORMAT_DEPTH;
}

static uint32_t
buffer_features(uint32_t format)
{
   const struct format_info *info = format_info(format);
   uint32_t features = agx_vertex_format(format) ? PIPE_FORMAT_VERTEX : 0;
   struct agx_format_codes codes;

   if (agx_format_is_triple(format))
      return features | PIPE_FORMAT_UNIFORM_TEXEL_BUFFER;
   if (!agx_format_codes(format, &codes) || info->compression || info->components[0].name >= FORMAT_DEPTH)
      return features;
   features |= PIPE_FORMAT_UNIFORM_TEXEL_BUFFER;
   if (storable(format))
      features |= PIPE_FORMAT_STORAGE_TEXEL_BUFFER;
   if (atomic_format(format))
      features |= PIPE_FORMAT_STORAGE_TEXEL_BUFFER_ATOMIC;
   return features;
}

static bool
is_depth_stencil(uint32_t format)
{
   return format == FORMAT_D16_UNORM || format == FORMAT_D32_SFLOAT || format == FORMAT_D32_SFLOAT_S8_UINT ||
          format == FORMAT_S8_UINT;
}

static uint32_t
format_features(const struct pipe_screen *screen, uint32_t format, bool linear)
{
   const struct format_info *info = format_info(format);
   uint32_t features;
   struct agx_format_codes codes;

   /* Blocks of large numbers are an extension's. */
   if (!info || (info->compression && !strcmp(info->compression, "ASTC HDR")))
      return 0;
   features = buffer_features(format);
   if (is_depth_stencil(format)) {
      if (!linear)
         features |= PIPE_FORMAT_SAMPLED | PIPE_FORMAT_DEPTH_STENCIL | PIPE_FORMAT_BLIT_SRC | PIPE_FORMAT_TRANSFER;
      if (!linear && agx_format_of_aspect(format, false))
         features |= PIPE_FORMAT_FILTER_LINEAR;
      return features;
   }
   /* Linear images have no blocks. */
   if (!agx_format_codes(format, &codes) || info->components[0].name >= FORMAT_DEPTH || (linear && info->compression))
      return features;
   features |= PIPE_FORMAT_SAMPLED | PIPE_FORMAT_BLIT_SRC | PIPE_FORMAT_TRANSFER;
   if (!agx_format_is_integer(format))
      features |= PIPE_FORMAT_FILTER_LINEAR;
   if (info->compression)
      return features;
   if (storable(format))
      features |= PIPE_FORMAT_STORAGE;
   if (atomic_format(format))
      features |= PIPE_FORMAT_STORAGE_ATOMIC;
   return features | agx_target_features(format);
}

static uint32_t
modifier_features(const struct pipe_screen *screen, uint32_t format, uint64_t modifier)
{
   const struct format_info *info = format_info(format);
   uint32_t features = format_features(screen, format, modifier == AGX_MODIFIER_LINEAR);

   /* Formats that DRM has codes for: those of colours, but for two. */
   if (!info || info->compression || info->components[0].name >= FORMAT_DEPTH ||
       format == FORMAT_B10G11R11_UFLOAT_PACK32 || format == FORMAT_E5B9G9R9_UFLOAT_PACK32)
      return 0;
   if (modifier != AGX_MODIFIER_GPU_TILED_COMPRESSED)
      return features;
   return agx_format_same_channels(format) ? features & ~(PIPE_FORMAT_STORAGE | PIPE_FORMAT_STORAGE_ATOMIC) : 0;
}

void
agx_init_limits(struct pipe_caps *caps)
{
   caps->max_image_1d_px = AGX_MAX_PX;
   caps->max_image_2d_px = AGX_MAX_PX;
   caps->max_image_3d_px = AGX_MAX_PX;
   caps->max_viewport_px = 32768; /* Honeykrisp's, as the bounds */
   caps->viewport_bounds_px[0] = -65536;
   caps->viewport_bounds_px[1] = 65536;
   caps->max_block_views_3d_px = 64; /* so that a slice has a page: descriptors do not say how far they lie apart */
   caps->max_layers = caps->max_target_layers = 2048;
   caps->max_attribute_offset_B = UINT32_MAX;
   caps->linear_1d = true;
   caps->max_linear_layers = AIL_MAX_LINEAR_LAYERS;
   caps->max_compute_shared_B = 32768;
   caps->max_workgroup_invocations = 1024;
   caps->max_workgroup_z = 64;
   caps->max_groups_x = UINT32_MAX / 1024; /* dispatches count threads in 32 bits */
   caps->max_uniform_B = 1u << 27;
   caps->max_storage_B = 1u << 31;
   caps->max_texels = AGX_MAX_TEXELS - 1; /* Zink 22.3 takes 16 times that in 32 bits: nothing of a power of two */
   caps->min_uniform_offset_B = 64;
   caps->min_storage_offset_B = 16;
   caps->min_texel_offset_B = 16;
   caps->min_offset_tl = -8;
   caps->max_offset_tl = 7;
   caps->subgroup_size = caps->min_subgroup_size = caps->max_subgroup_size = 32;
   caps->shader_int64 = true;
   caps->shader_io_16 = true;
   caps->shader_int16 = caps->shader_float16 = caps->shader_int8 = caps->shader_storage_small = true;
   caps->anisotropy = true;
   caps->max_custom_borders = 4000; /* Honeykrisp's; colours take no room */
   caps->border_swizzle = true;
   caps->cube_face_edges = true;
   caps->slice_views = caps->sampled_slice_views = true;
   caps->sparse_binding = caps->sparse_buffers = caps->sparse_images_2d = caps->sparse_images_3d = true;
   caps->sparse_sample_counts = 2 | 4;
   caps->shader_residency = true;
   caps->sparse_aliased = caps->sparse_zero = true;
   caps->sparse_standard_2d = caps->sparse_standard_2d_samples = true; /* slices have pages of their own */
   caps->texture_bc = caps->texture_etc2 = caps->texture_astc = true;
}

void
agx_init_caps(struct agx_screen *screen)
{
   const struct asahi_ws_info *ws = asahi_ws_info(screen->ws);
   struct pipe_caps *caps = &screen->base.caps;

   agx_init_limits(caps);
   caps->null_descriptors = !screen->no_soft_faults;
   caps->sparse_space_B = (ws->heap_end - ws->heap_start) / 8; /* what is bound has four aliases */
   if (screen->no_soft_faults) {
      caps->sparse_binding = caps->sparse_buffers = caps->sparse_images_2d = caps->sparse_images_3d = false;
      caps->sparse_aliased = caps->sparse_zero = caps->shader_residency = false;
      caps->sparse_standard_2d = caps->sparse_standard_2d_samples = false;
      caps->sparse_sample_counts = 0;
      caps->sparse_space_B = 0;
   }
   fill_memory(caps, ws);
   fill_identity(caps, screen, ws);
   caps->timestamp_period_ns = 1; /* what the kernel's clock counts */
   caps->sample_counts = caps->storage_sample_counts = 1 << 0;
   caps->shader_stages = 1u << NIR_STAGE_COMPUTE;
   caps->num_modifiers = 3;
   caps->modifiers[0] = AGX_MODIFIER_GPU_TILED_COMPRESSED;
   caps->modifiers[1] = AGX_MODIFIER_GPU_TILED;
   caps->modifiers[2] = AGX_MODIFIER_LINEAR;
   screen->base.format_features = format_features;
   screen->base.modifier_features = modifier_features;
}
