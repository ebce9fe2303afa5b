#include "asahi/sim/surface/surface.h"

#include <string.h>

#include "asahi/sim/surface/formats.h"
#include "asahi/sim/surface/surface_private.h"
#include "util/macros.h"

/* What texture and PBE descriptors have in common. */
struct fields {
   enum agx_channels channels;
   enum agx_texture_type type;
   enum agx_image_mode mode;
   bool four_samples; /* where the dimension has samples */
   bool mipmapped, page_aligned, extended;
   uint32_t last_level; /* as the descriptor has it */
};

static bool
is_multisampled(enum agx_texture_dimension dimension)
{
   return dimension == AGX_TEXTURE_DIMENSION_2D_MS || dimension == AGX_TEXTURE_DIMENSION_2D_MS_ARRAY;
}

static bool
is_cube(enum agx_texture_dimension dimension)
{
   return dimension == AGX_TEXTURE_DIMENSION_CUBE || dimension == AGX_TEXTURE_DIMENSION_CUBE_ARRAY;
}

/* A stride of 0 has no code. One image of a row has no use for a stride, but its code is still a multiple of 16. */
static bool
check_stride(const struct agx_surface *s, struct sim_fault *fault)
{
   uint64_t row_B = (uint64_t)s->width_px * s->sample_B;
   if (s->stride_B % 16)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base,
                           "a strided linear image has a stride of %u bytes, which is no multiple of 16",
                           s->stride_B);
   if (s->height_px > 1 && s->stride_B < row_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base,
                           "a strided linear image has rows of %lu bytes at a stride of %u", (unsigned long)row_B,
                           s->stride_B);
   return true;
}

static bool
check_linear(const struct agx_surface *s, const struct fields *f, struct sim_fault *fault)
{
   if (s->dimension == AGX_TEXTURE_DIMENSION_3D || is_cube(s->dimension))
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image is 1D, 2D or an array of them");
   if (s->is_block)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image of compressed blocks");
   if (s->samples_log2)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image has one sample");
   if (s->compressed)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image is not compressed");
   if (s->sparse)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image is not sparse");
   if (f->mipmapped || f->last_level)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a strided linear image is not mipmapped");
   return check_stride(s, fault);
}

static bool
check(const struct agx_surface *s, const struct fields *f, struct sim_fault *fault)
{
   if (s->dimension > AGX_TEXTURE_DIMENSION_2D_MS_ARRAY)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "image dimension %u", s->dimension);
   if (s->layout == AGX_LAYOUT_INTERCHANGE)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "the model does not have the interchange layout");
   if (f->mode != AGX_IMAGE_MODE_NORMAL && f->mode != AGX_IMAGE_MODE_SPARSE)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "the model does not have image mode %u", f->mode);
   if (!s->format.size_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "the model does not have channels 0x%02x of type %u%s",
                           f->channels, f->type, s->srgb ? " in sRGB" : "");
   if (s->layout == AGX_LAYOUT_LINEAR && !check_linear(s, f, fault))
      return false;
   if (s->is_block && (s->samples_log2 || s->compressed))
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base,
                           "images of compressed blocks have one sample and no other compression");
   if (s->compressed && !f->extended)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a compressed image without an extended descriptor");
   if (s->compressed && (s->sparse || s->layout != AGX_LAYOUT_GPU))
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "a compressed image is GPU-tiled and not sparse");
   if (s->first_level > s->last_level || s->last_level >= s->levels)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "image levels %u to %u of %u", s->first_level,
                           s->last_level, s->levels);
   return true;
}

/* Fields of *s that the descriptor has as they are must be set. */
static bool
finish(struct agx_surface *s, const struct fields *f, struct sim_fault *fault)
{
   s->format = agx_pixel_format(f->channels, f->type, s->srgb);
   s->no_texels = f->channels == AGX_CHANNELS_UNKNOWN_36;
   s->sample_B = s->format.size_B;
   s->block_width_px = s->format.block_width;
   s->block_height_px = s->format.block_height;
   s->is_block = s->format.layout >= SIM_TEXEL_BC1;
   s->is_int = sim_numeric_is_int(s->format.numeric);
   s->sparse = f->mode == AGX_IMAGE_MODE_SPARSE;
   s->samples_log2 = is_multisampled(s->dimension) ? f->four_samples ? 2 : 1 : 0;
   s->layers *= is_cube(s->dimension) ? 6 : 1;
   if (s->format.size_B && s->layout != AGX_LAYOUT_INTERCHANGE)
      surface_lay_out(s, f->mipmapped, f->page_aligned);
   /* Honeykrisp's views of blocks as pixels say "levels 0 to 1" of an image without a chain, and read level 0. */
   if (s->levels == 1 && !s->first_level)
      s->last_level = 0;
   return check(s, f, fault);
}

/* Layers beyond the first exist for the dimensions that have them. */
static uint32_t
layers_of(enum agx_texture_dimension dimension, enum agx_layout layout, bool extended, uint32_t layers)
{
   switch (dimension) {
   case AGX_TEXTURE_DIMENSION_1D:
   case AGX_TEXTURE_DIMENSION_2D:
   case AGX_TEXTURE_DIMENSION_2D_MS:
   case AGX_TEXTURE_DIMENSION_CUBE:
      return 1;
   case AGX_TEXTURE_DIMENSION_1D_ARRAY:
   case AGX_TEXTURE_DIMENSION_2D_ARRAY:
   case AGX_TEXTURE_DIMENSION_3D:
   case AGX_TEXTURE_DIMENSION_CUBE_ARRAY:
   case AGX_TEXTURE_DIMENSION_2D_MS_ARRAY:
      break;
   }
   return layout == AGX_LAYOUT_LINEAR && !extended ? 1 : layers;
}

bool
agx_surface_of_texture(struct agx_surface *s, const uint32_t words[6], struct sim_fault *fault)
{
   struct agx_texture t;
   agx_texture_unpack(&t, words);
   memset(s, 0, sizeof(*s));
   s->dimension = t.dimension;
   s->layout = t.layout;
   s->compressed = t.compressed;
   s->base = sim_va(t.address);
   s->metadata = sim_va(t.metadata);
   s->width_px = t.width_px;
   s->height_px = t.height_px;
   s->layers = layers_of(t.dimension, t.layout, t.extended, t.layers);
   s->first_level = t.first_level;
   s->last_level = t.last_level;
   s->srgb = t.srgb;
   s->stride_B = t.stride_B;
   s->layer_stride_B = t.layer_stride_B;
   const enum agx_channel swizzle[4] = {t.swizzle_r, t.swizzle_g, t.swizzle_b, t.swizzle_a};
   for (unsigned i = 0; i < 4; i++) {
      s->swizzle[i] = (uint8_t)swizzle[i];
      if (swizzle[i] > AGX_CHANNEL_ZERO)
         return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "texture swizzle %u", swizzle[i]);
   }
   struct fields fields = {.channels = t.channels,
                           .type = t.type,
                           .mode = t.mode,
                           .four_samples = t.samples == AGX_SAMPLE_COUNT_4,
                           .mipmapped = t.unk_mipmapped,
                           .page_aligned = t.page_aligned_layers,
                           .extended = t.extended,
                           .last_level = t.last_level};
   if (t.compression)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "texture compression %u", t.compression);
   return finish(s, &fields, fault);
}

bool
agx_surface_no_texels(const struct agx_surface *s, struct sim_fault *fault)
{
   return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "the model does not have texels of channels 0x%02x",
                        AGX_CHANNELS_UNKNOWN_36);
}

bool
agx_surface_of_pbe(struct agx_surface *s, const uint32_t words[6], struct sim_fault *fault)
{
   struct agx_pbe p;
   agx_pbe_unpack(&p, words);
   memset(s, 0, sizeof(*s));
   if (p.channels == AGX_CHANNELS_UNKNOWN_36)
      return agx_surface_no_texels(s, fault);
   s->dimension = p.dimension;
   s->layout = p.layout;
   s->compressed = p.compressed;
   s->base = sim_va(p.address);
   s->metadata = sim_va(p.metadata);
   s->width_px = p.width_px;
   s->height_px = p.height_px;
   s->layers = layers_of(p.dimension, p.layout, p.extended, p.layers);
   s->first_level = s->last_level = p.level;
   s->srgb = p.srgb;
   s->stride_B = p.stride_B;
   s->layer_stride_B = p.layer_stride_B;
   const enum agx_channel swizzle[4] = {p.swizzle_r, p.swizzle_g, p.swizzle_b, p.swizzle_a};
   for (unsigned i = 0; i < 4; i++)
      s->swizzle[i] = (uint8_t)swizzle[i];
   struct fields fields = {.channels = p.channels,
                           .type = p.type,
                           .mode = p.mode,
                           .four_samples = p.samples == AGX_SAMPLE_COUNT_4,
                           .mipmapped = p.unk_mipmapped,
                           .page_aligned = p.page_aligned_layers,
                           .extended = p.extended,
                           .last_level = p.level};
   if (p.rotate_90 || p.flip_vertical)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "the model does not have turned images");
   if (!finish(s, &fields, fault))
      return false;
   if (s->is_block)
      return sim_fault_set(fault, SIM_FAULT_STATE, s->base, "images of compressed blocks are not written");
   return true;
}

bool
agx_surface_of_zs(struct agx_surface *s, const struct agx_surface_zs *zs, struct sim_fault *fault)
{
   memset(s, 0, sizeof(*s));
   s->dimension = zs->samples > 1 ? AGX_TEXTURE_DIMENSION_2D_MS_ARRAY : AGX_TEXTURE_DIMENSION_2D_ARRAY;
   s->layout = zs->layout;
   s->compressed = zs->metadata != 0;
   s->base = sim_va(zs->address);
   s->metadata = sim_va(zs->metadata);
   s->width_px = zs->width_px;
   s->height_px = zs->height_px;
   s->layers = zs->layers;
   struct fields fields = {.channels = zs->channels,
                           .type = zs->type,
                           .four_samples = zs->samples == 4,
                           .page_aligned = zs->layers > 1,
                           .extended = true};
   if (!finish(s, &fields, fault))
      return false;
   s->layer_stride_B = zs->layer_stride_B ? zs->layer_stride_B : s->layer_stride_B;
   s->metadata_layer_stride_B =
      zs->metadata_layer_stride_B ? zs->metadata_layer_stride_B : s->metadata_layer_stride_B;
   s->size_B = s->layer_stride_B * s->layers;
   return true;
}

bool
agx_surface_map(struct agx_surface *s, const struct sim_vm *vm, unsigned access, struct sim_fault *fault)
{
   s->host = s->metadata_host = NULL;
   s->run_B = s->metadata_run_B = 0;
   if (s->sparse)
      return true;
   s->host = sim_vm_lookup(vm, s->base, access, &s->run_B, NULL);
   if (!s->host)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, s->base, "image at unmapped address 0x%010lx", (long)s->base.va);
   if (s->compressed) {
      s->metadata_host = sim_vm_lookup(vm, s->metadata, access, &s->metadata_run_B, NULL);
      if (!s->metadata_host)
         return sim_fault_set(fault, SIM_FAULT_ADDRESS, s->metadata, "image metadata at unmapped address 0x%010lx",
                              (long)s->metadata.va);
   }
   return true;
}

uint8_t *
surface_tell(const struct sim_vm *vm, struct sim_va va, uint32_t size_B, unsigned access, uint8_t *host)
{
   if (access & SIM_WRITE)
      sim_vm_tell_write(vm, va, size_B);
   return host;
}

uint8_t *
surface_body(const struct agx_surface *s, const struct sim_vm *vm, uint32_t layer, uint64_t offset_B, uint32_t size_B,
             unsigned access, bool *absent, struct sim_fault *fault)
{
   if (offset_B + size_B <= s->run_B)
      return surface_tell(vm, sim_va_add(s->base, (int64_t)offset_B), size_B, access, s->host + offset_B);
   if (s->sparse)
      return surface_sparse_body(s, vm, layer, offset_B - layer * s->layer_stride_B, size_B, access, absent, fault);
   struct sim_va va = sim_va_add(s->base, (int64_t)offset_B);
   uint64_t run_B;
   uint8_t *host = sim_vm_lookup(vm, va, access, &run_B, NULL);
   if (host && run_B >= size_B)
      return surface_tell(vm, va, size_B, access, host);
   sim_fault_set(fault, SIM_FAULT_ADDRESS, va, "image reaches the unmapped address 0x%010lx", (long)va.va);
   return NULL;
}
