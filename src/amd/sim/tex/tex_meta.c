#include "amd/sim/tex/tex_meta.h"

#include <pthread.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/base/model.h"
#include "amd/sim/surface/dcc.h"
#include "amd/sim/surface/formats.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

static unsigned
fmask_samples_log2(unsigned format)
{
   return format == V_GFX10_FORMAT_FMASK8_S2_F2    ? 1
          : format == V_GFX10_FORMAT_FMASK8_S4_F4  ? 2
          : format == V_GFX10_FORMAT_FMASK32_S8_F8 ? 3
                                                   : 0;
}

/* Compressed depth with samples: planes of depth are found only so. */
static bool
can_find_planes(const struct tex_image *image, struct sim_fault *fault)
{
   const struct amd_traits *traits = &amd_traits[image->desc.gen];
   unsigned pixel_log2 = image->desc.samples_log2 + amd_format_depth_log2(&image->rsrc, image->desc.element_log2);
   if (image->meta_kind != AMD_META_HTILE || !image->desc.samples_log2)
      return true;
   if (traits->iterates_256 && !image->rsrc.iterate_256)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "texture of depth with samples and HTILE without "
                           "ITERATE_256");
   if (traits->xors_lose_planes && image->desc.mode >= V_SW_64KB_Z_T && pixel_log2 >= 3)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "texture of depth with samples and HTILE in swizzle mode %u, which has exclusive or",
                           image->desc.mode);
   return true;
}

bool
tex_meta_decode(struct tex_image *image, struct sim_fault *fault)
{
   const struct amd_sq_img_rsrc *rsrc = &image->rsrc;
   image->fmask_samples_log2 = (uint8_t)fmask_samples_log2(amd_format_of_image(image->desc.gen, rsrc));
   image->has_meta = rsrc->compression_en;
   if (!image->has_meta)
      return true;
   bool z_order = image->desc.mode % 4 == 0;
   image->meta_kind = image->fmask_samples_log2 ? AMD_META_CMASK : z_order ? AMD_META_HTILE : AMD_META_DCC;
   image->meta_align.pipe = rsrc->meta_pipe_aligned;
   image->meta_align.rb = rsrc->meta_rb_aligned;
   image->alpha_on_msb = rsrc->alpha_is_on_msb;
   image->meta_base_256B = rsrc->meta_data_address;
   if (image->compressed)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "metadata of a block compressed image");
   return can_find_planes(image, fault);
}

bool
tex_meta_level(struct tex_image *image, struct tex_level *level, unsigned number, struct sim_fault *fault)
{
   struct amd_surface_desc desc = image->desc;
   level->plain = !amd_meta_has_level(&desc, &level->surface, number);
   if (image->meta_kind == AMD_META_HTILE)
      desc.element_log2 = amd_format_depth_log2(&image->rsrc, desc.element_log2);
   const struct amd_meta_desc from = {image->meta_kind, image->meta_align,    &desc, &level->surface,
                                      number,           image->meta_base_256B};
   return amd_meta_init(&level->meta, &from, fault);
}

bool
tex_meta_map(struct tex_image *image, const struct sim_vm *vm, struct sim_fault *fault)
{
   struct sim_va base = image->levels[image->base_level].meta.base;
   image->meta_host = sim_vm_lookup(vm, base, SIM_READ, &image->meta_run_B, NULL);
   return image->meta_host ||
          sim_fault_set(fault, SIM_FAULT_ADDRESS, base, "metadata at unmapped address 0x%012lx", (long)base.va);
}

/* Depth or stencil of a clear tile: drivers that let the texture unit read them clear depth to 0 or 1 and stencil to
 * 0. */
static bool
htile_texel(const struct tex_image *image, uint32_t tile, uint8_t texel[16])
{
   const struct sim_texel_format *format = &image->format;
   memset(texel, 0, 16);
   if (format->size_B == 1)
      return !(tile & 0x300);
   if (tile & 0xf)
      return false;
   float z = (float)(tile >> 18) / 0x3fff;
   uint32_t bits = format->bits[0] == 32 ? float_bits(z) : sim_unorm_from_float(z, format->bits[0]);
   memcpy(texel, &bits, 4);
   return true;
}

static bool
dcc_texel(const struct tex_image *image, enum amd_dcc_key key, uint64_t offset_B, uint8_t texel[16], bool *bad)
{
   if (key == AMD_DCC_PLAIN)
      return false;
   if (amd_dcc_constant(key, &image->format, image->alpha_on_msb, texel))
      return true;
   uint64_t block_B = offset_B & ~(uint64_t)(AMD_DCC_BLOCK_B - 1);
   if (key != AMD_DCC_SINGLE || block_B + image->format.size_B > image->run_B)
      return false; /* the clear colour of CB, which textures do not know: what is in memory */
   memcpy(texel, tex_image_bytes(image, block_B), image->format.size_B);
   return true;
}

bool
tex_meta_texel(const struct tex_image *image, const struct tex_level *level, struct tex_place p, uint64_t offset_B,
               uint8_t texel[16], bool *bad)
{
   uint64_t at = amd_meta_offset(&level->meta, p.x, p.y, p.slice, p.sample);
   uint32_t tile;
   if (level->plain)
      return false;
   if (image->port)
      amd_meta_read(image->port,
                    sim_va_add(level->meta.base, (int64_t)(image->meta_kind == AMD_META_CMASK ? at / 2 : at)));
   switch (image->meta_kind) {
   case AMD_META_HTILE:
      if (at + 4 > image->meta_run_B)
         break;
      memcpy(&tile, image->meta_host + at, 4);
      return htile_texel(image, tile, texel);
   case AMD_META_CMASK:
      if (at / 2 >= image->meta_run_B)
         break;
      memset(texel, 0, 16);
      return !(image->meta_host[at / 2] >> at % 2 * 4 & 3);
   case AMD_META_DCC:
      if (at >= image->meta_run_B)
         break;
      if (p.sample >= level->meta.key_samples)
         return false;
      return dcc_texel(image, amd_dcc_key(image->desc.gen, __atomic_load_n(&image->meta_host[at], __ATOMIC_ACQUIRE)),
                       offset_B, texel, bad);
   }
   *bad = true;
   return false;
}

static bool
writes_compressed(const struct tex_image *image)
{
   return image->rsrc.write_compress_enable;
}

bool
tex_meta_can_read(const struct tex_image *image, struct sim_fault *fault)
{
   if (!image->has_meta || !image->chip->bad_dcc_loads || !writes_compressed(image))
      return true;
   return sim_fault_set(fault, SIM_FAULT_STATE, image->levels[image->base_level].surface.base,
                        "read of a compressed image with WRITE_COMPRESS_ENABLE (erratum image-load-dcc)");
}

bool
tex_meta_open(struct tex_image *image, const struct tex_level *level, const struct sim_vm *vm,
              struct amd_cache_port *port, struct tex_place p, struct sim_fault *fault)
{
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   uint64_t run_B, meta_run_B, at = amd_meta_offset(&level->meta, p.x, p.y, p.slice, p.sample);
   uint64_t offset_B = amd_surface_offset(&level->surface, p.x, p.y, p.slice, p.sample);
   struct sim_va block = sim_va_add(level->surface.base, (int64_t)(offset_B & ~(uint64_t)(AMD_DCC_BLOCK_B - 1)));
   struct sim_va key_va = sim_va_add(level->meta.base, (int64_t)at);
   if (image->meta_kind != AMD_META_DCC)
      return sim_fault_set(fault, SIM_FAULT_STATE, level->surface.base, "store to an image with HTILE or CMASK");
   if (!writes_compressed(image) || level->plain || p.sample >= level->meta.key_samples)
      return true;
   uint8_t *host = sim_vm_lookup(vm, block, SIM_WRITE, &run_B, NULL), texel[16];
   uint8_t *key = sim_vm_lookup(vm, key_va, SIM_WRITE, &meta_run_B, NULL);
   if (!host || !key || run_B < AMD_DCC_BLOCK_B)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, host ? key_va : block,
                           "compressed image at an unmapped address");
   if (port && port->caches)
      amd_meta_read(port, key_va);
   if (__atomic_load_n(key, __ATOMIC_ACQUIRE) == AMD_DCC_BYTE_PLAIN)
      return true;
   if (port && port->caches)
      amd_meta_store(port, key_va);
   sim_vm_tell_write(vm, block, AMD_DCC_BLOCK_B);
   sim_vm_tell_write(vm, key_va, 1);
   pthread_mutex_lock(&lock);
   enum amd_dcc_key kind = amd_dcc_key(image->desc.gen, *key);
   bool constant = amd_dcc_constant(kind, &image->format, image->alpha_on_msb, texel);
   if (kind == AMD_DCC_SINGLE)
      memcpy(texel, host, image->format.size_B);
   for (unsigned i = 0; (constant || kind == AMD_DCC_SINGLE) && i < AMD_DCC_BLOCK_B; i += image->format.size_B)
      memcpy(host + i, texel, image->format.size_B);
   __atomic_store_n(key, AMD_DCC_BYTE_PLAIN, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&lock);
   return true;
}

uint32_t
tex_meta_spread_fmask(const struct tex_image *image, uint32_t bits)
{
   uint32_t result = 0;
   for (unsigned s = 0; s < 1u << image->fmask_samples_log2; s++)
      result |= amd_fmask_fragment(bits, image->fmask_samples_log2, s) << (4 * s);
   return result;
}
