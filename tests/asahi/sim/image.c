#include "image.h"

static enum agx_texture_type
type_of(const struct format_info *info)
{
   switch (info->components[0].numeric) {
   case FORMAT_SNORM:
      return AGX_TEXTURE_TYPE_SNORM;
   case FORMAT_UINT:
      return AGX_TEXTURE_TYPE_UINT;
   case FORMAT_SINT:
      return AGX_TEXTURE_TYPE_SINT;
   case FORMAT_SFLOAT:
   case FORMAT_UFLOAT:
      return AGX_TEXTURE_TYPE_FLOAT;
   default: /* others: UNORM, SRGB */
      return AGX_TEXTURE_TYPE_UNORM;
   }
}

static enum agx_texture_dimension
dimension_of(const struct ail_image *image)
{
   if (image->samples > 1)
      return AGX_TEXTURE_DIMENSION_2D_MS_ARRAY;
   switch (image->dimension) {
   case AIL_1D:
      return AGX_TEXTURE_DIMENSION_1D_ARRAY;
   case AIL_2D:
      return AGX_TEXTURE_DIMENSION_2D_ARRAY;
   case AIL_3D:
      return AGX_TEXTURE_DIMENSION_3D;
   case AIL_CUBE:
      break;
   }
   return AGX_TEXTURE_DIMENSION_CUBE_ARRAY;
}

void
image_texture(const struct ail_layout *layout, uint32_t words[6])
{
   static const enum agx_layout layouts[] = {[AIL_TILING_LINEAR] = AGX_LAYOUT_LINEAR,
                                             [AIL_TILING_TWIDDLED] = AGX_LAYOUT_TWIDDLED,
                                             [AIL_TILING_GPU] = AGX_LAYOUT_GPU};
   const struct ail_image *image = &layout->image;
   const struct format_info *info = format_info(image->format);
   bool is_linear = image->tiling == AIL_TILING_LINEAR;
   struct agx_texture t = {
      .dimension = dimension_of(image),
      .swizzle_r = AGX_CHANNEL_R,
      .swizzle_g = AGX_CHANNEL_G,
      .swizzle_b = AGX_CHANNEL_B,
      .swizzle_a = AGX_CHANNEL_A,
      .layout = layouts[image->tiling],
      .channels = (enum agx_channels)ail_format_channels(image->format),
      .type = type_of(info),
      .srgb = info->components[0].numeric == FORMAT_SRGB,
      .width_px = image->width_px,
      .height_px = image->height_px,
      .last_level = image->levels - 1,
      .samples = image->samples == 4 ? AGX_SAMPLE_COUNT_4 : AGX_SAMPLE_COUNT_2,
      .address = IMAGE_VA,
      .unk_mipmapped = image->levels > 1,
      .compressed = image->compressed,
      .extended = image->compressed || (is_linear && image->layers > 1),
      .page_aligned_layers = layout->page_aligned_layers,
      .layers = image->dimension == AIL_3D     ? image->depth_px
                : image->dimension == AIL_CUBE ? image->layers / 6
                                               : image->layers,
      .stride_B = layout->stride_B,
      .metadata = IMAGE_VA + layout->metadata_offset_B,
      .layer_stride_B = layout->layer_stride_B,
   };
   agx_texture_pack(words, &t);
}

void
image_pbe(const struct ail_layout *layout, uint32_t level, uint32_t words[6])
{
   uint32_t texture[6];
   struct agx_texture t;
   image_texture(layout, texture);
   agx_texture_unpack(&t, texture);
   struct agx_pbe p = {
      .dimension = t.dimension,
      .layout = t.layout,
      .channels = t.channels,
      .type = t.type,
      .swizzle_r = AGX_CHANNEL_R,
      .swizzle_g = AGX_CHANNEL_G,
      .swizzle_b = AGX_CHANNEL_B,
      .swizzle_a = AGX_CHANNEL_A,
      .srgb = t.srgb,
      .width_px = t.width_px,
      .height_px = t.height_px,
      .samples = t.samples,
      .unk_mipmapped = t.unk_mipmapped,
      .compressed = t.compressed,
      .mode = t.mode,
      .address = t.address,
      .level = level,
      .levels = layout->image.levels,
      .extended = t.extended,
      .layers = t.layers,
      .page_aligned_layers = t.page_aligned_layers,
      .stride_B = t.stride_B,
      .metadata = t.metadata,
      .layer_stride_B = t.layer_stride_B,
   };
   agx_pbe_pack(words, &p);
}

void
image_map(struct image_memory *memory, uint64_t size_B)
{
   size_B = align_up(size_B, 16384);
   memory->vm = sim_vm_create();
   memory->host = aligned_alloc(16384, size_B);
   memset(memory->host, 0, size_B);
   assert_true(sim_vm_map(memory->vm, sim_va(IMAGE_VA), size_B, memory->host, SIM_READ | SIM_WRITE));
}

void
image_unmap(struct image_memory *memory)
{
   sim_vm_destroy(memory->vm);
   free(memory->host);
}

const struct ail_image plain_image = {.format = FORMAT_R32_UINT,
                                      .dimension = AIL_2D,
                                      .tiling = AIL_TILING_GPU,
                                      .width_px = 16,
                                      .height_px = 16,
                                      .depth_px = 1,
                                      .layers = 1,
                                      .levels = 1,
                                      .samples = 1};

const struct agx_sampler fetch_sampler = {.maximum_anisotropy = 1,
                                          .mip_filter = AGX_MIP_FILTER_NEAREST,
                                          .wrap_s = AGX_WRAP_CLAMP_TO_BORDER,
                                          .wrap_t = AGX_WRAP_CLAMP_TO_BORDER,
                                          .wrap_r = AGX_WRAP_CLAMP_TO_BORDER};

void
make_picture(struct picture *p, const struct ail_image *image)
{
   assert_int_equal(ail_layout_init(&p->layout, image), AIL_OK);
   image_map(&p->memory, p->layout.size_B);
   image_texture(&p->layout, p->texture);
}

uint8_t *
picture_element(const struct picture *p, uint32_t x, uint32_t y, uint32_t layer, uint32_t level, uint32_t sample)
{
   uint64_t offset_B = ail_element_offset_B(&p->layout, x, y, layer, level, sample);
   assert_true(offset_B != AIL_NONE);
   return (uint8_t *)p->memory.host + offset_B;
}

struct agx_tex_request
request_of(const struct picture *p, bool fetch, unsigned dim, const struct agx_sampler *sampler)
{
   struct agx_tex_request r = {.fetch = fetch, .dim = (uint8_t)dim, .exec = ~0u};
   memcpy(r.texture, p->texture, sizeof(r.texture));
   agx_sampler_pack(r.sampler, sampler);
   return r;
}

void
run_request(const struct picture *p, const struct agx_tex_request *request, struct agx_tex_result *result)
{
   struct sim_fault fault = {0};
   bool ok = agx_tex_run(p->memory.vm, request, result, &fault);
   if (!ok)
      print_error("%s\n", fault.message);
   assert_true(ok);
}
