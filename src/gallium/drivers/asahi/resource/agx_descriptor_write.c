/* Writing descriptors into a set's memory (agx_abi.h). Null buffers are nowhere; a null image is a texel in a page of
 * zeros, and for stores one in a page that nobody reads: units of images have no soft faults. Its words are those of
 * Honeykrisp: of one dimension, whatever the instruction's is. */
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/records.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/format.h"
#include "util/macros.h"

void
agx_buffer_descriptor(const struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
                      uint32_t words[AGX_BUFFER_DESCRIPTOR_DW])
{
   uint64_t va = buffer ? agx_resource(buffer)->va + offset_B : 0;

   words[0] = (uint32_t)va;
   words[1] = (uint32_t)(va >> 32);
   words[2] = buffer ? (uint32_t)MIN2(size_B, UINT32_MAX) : 0;
   words[3] = 0;
}

/* The layers of a twiddled image lie on pages of their own; the six faces of a cube that is GPU-tiled share the page
 * of zeros. */
static void
write_null_image(const struct pipe_screen *pipe, bool storage, uint32_t *words)
{
   const struct agx_screen *screen = agx_screen((struct pipe_screen *)pipe);
   const struct agx_texture texture = {.layout = AGX_LAYOUT_GPU,
                                       .swizzle_r = AGX_CHANNEL_ZERO,
                                       .swizzle_g = AGX_CHANNEL_ZERO,
                                       .swizzle_b = AGX_CHANNEL_ZERO,
                                       .swizzle_a = AGX_CHANNEL_ZERO,
                                       .width_px = 1,
                                       .height_px = 1,
                                       .layers = 1,
                                       .address = screen->zero_page->va};
   const struct agx_pbe pbe = {.layout = AGX_LAYOUT_TWIDDLED,
                               .width_px = 1,
                               .height_px = 1,
                               .levels = 1,
                               .layers = 1,
                               .address = screen->scratch_page->va};

   memset(words, 0, 4 * (storage ? AGX_STORAGE_DESCRIPTOR_DW : AGX_TEXTURE_DESCRIPTOR_DW));
   agx_texture_pack(words, &texture);
   if (storage)
      agx_pbe_pack(words + AGX_STORAGE_PBE, &pbe);
}

/* Texels of a buffer as rows of an image. */
static void
fill_texel_buffer(struct agx_buffer_view *view, const struct agx_resource *buffer, uint64_t offset_B, uint32_t texels,
                  unsigned texel_B, const struct agx_format_codes *codes)
{
   uint64_t va = buffer->va + offset_B, residency_va = agx_residency_va(buffer);
   uint32_t width_px = MIN2(MAX2(texels, 1u), 1u << AGX_TEXEL_ROW_LOG2);
   uint32_t height_px = MAX2((uint32_t)div_round_up(texels, 1u << AGX_TEXEL_ROW_LOG2), 1u);
   struct agx_texture texture = {
      .dimension = AGX_TEXTURE_DIMENSION_2D,
      .layout = AGX_LAYOUT_LINEAR,
      .channels = codes->channels,
      .type = codes->type,
      .swizzle_r = codes->place[0],
      .swizzle_g = codes->place[1],
      .swizzle_b = codes->place[2],
      .swizzle_a = codes->place[3],
      .width_px = width_px,
      .height_px = height_px,
      .address = agx_read_va(buffer) + offset_B,
      .srgb = codes->srgb,
      .stride_B = texel_B << AGX_TEXEL_ROW_LOG2,
      .software = residency_va ? residency_va + offset_B : 0,
   };
   struct agx_pbe pbe = {
      .dimension = AGX_TEXTURE_DIMENSION_2D,
      .layout = AGX_LAYOUT_LINEAR,
      .channels = codes->channels,
      .type = codes->type,
      .swizzle_r = codes->stored[0],
      .swizzle_g = codes->stored[1],
      .swizzle_b = codes->stored[2],
      .swizzle_a = codes->stored[3],
      .width_px = width_px,
      .height_px = height_px,
      .address = agx_write_va(buffer) + offset_B,
      .stride_B = texel_B << AGX_TEXEL_ROW_LOG2,
   };

   agx_texture_pack(view->words, &texture);
   agx_pbe_pack(view->words + AGX_STORAGE_PBE, &pbe);
   view->words[AGX_TEXTURE_SIZE] = texels;
   view->words[AGX_TEXTURE_TEXEL] = texel_B;
   view->words[AGX_STORAGE_ADDRESS] = (uint32_t)va;
   view->words[AGX_STORAGE_ADDRESS + 1] = (uint32_t)(va >> 32);
}

/* Texels that programs load, as the texture unit does not have them. */
static void
fill_triples(const struct pipe_screen *screen, struct agx_buffer_view *view, uint64_t va, uint32_t texels)
{
   write_null_image(screen, true, view->words);
   view->words[AGX_TEXTURE_SIZE] = texels;
   view->words[AGX_TEXTURE_TEXEL] = AGX_TRIPLE_B;
   view->words[AGX_STORAGE_ADDRESS] = (uint32_t)va;
   view->words[AGX_STORAGE_ADDRESS + 1] = (uint32_t)(va >> 32);
}

static enum pipe_result
buffer_view_create(struct pipe_screen *screen, const struct pipe_resource *buffer, uint32_t format, uint64_t offset_B,
                   uint64_t size_B, struct pipe_buffer_view **out)
{
   const struct format_info *info = format_info(format);
   const bool is_triple = agx_format_is_triple(format);
   struct agx_format_codes codes;
   struct agx_buffer_view *view;

   if (!info || (!is_triple && !agx_format_codes(format, &codes)))
      return PIPE_UNSUPPORTED;
   view = calloc(1, sizeof(*view));
   if (!view)
      return PIPE_OUT_OF_HOST_MEMORY;
   const uint32_t texels = (uint32_t)MIN2(size_B / info->block_size_B, AGX_MAX_TEXELS);
   if (is_triple)
      fill_triples(screen, view, agx_read_va(agx_resource(buffer)) + offset_B, texels);
   else
      fill_texel_buffer(view, agx_resource(buffer), offset_B, texels, info->block_size_B, &codes);
   *out = agx_buffer_view_handle(view);
   return PIPE_OK;
}

static void
buffer_view_destroy(struct pipe_screen *screen, struct pipe_buffer_view *view)
{
   free(agx_buffer_view(view));
}

static void
write_buffer(const struct pipe_screen *screen, const struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
             void *words)
{
   agx_buffer_descriptor(buffer, offset_B, size_B, words);
}

/* Views that nobody stores to have all the words, too. */
static void
write_texel_buffer(const struct pipe_screen *screen, const struct pipe_buffer_view *view, void *words)
{
   if (view)
      memcpy(words, agx_buffer_view(view)->words, 4 * AGX_STORAGE_DESCRIPTOR_DW);
   else
      write_null_image(screen, true, words);
}

static void
write_image(const struct pipe_screen *screen, const struct pipe_image_view *pipe, bool storage, void *words)
{
   const struct agx_image_view *view = agx_image_view(pipe);
   size_t size_B = 4 * (storage ? AGX_STORAGE_DESCRIPTOR_DW : AGX_TEXTURE_DESCRIPTOR_DW);

   if (view)
      memcpy(words, storage ? view->storage : view->sampled, size_B);
   else
      write_null_image(screen, storage, words);
}

static void
write_sampler(const struct pipe_sampler *pipe, void *words)
{
   const struct agx_pipe_sampler *sampler = agx_pipe_sampler(pipe);
   uint32_t out[AGX_SAMPLER_DESCRIPTOR_DW] = {0};

   if (sampler) {
      out[0] = sampler->heap_index + AGX_SAMPLER_HEAP_FIRST;
      memcpy(&out[1], &sampler->lod_bias, 4);
      if (sampler->has_custom_border) {
         out[AGX_SAMPLER_ZEROS] = sampler->zeros_index + AGX_SAMPLER_HEAP_FIRST;
         out[AGX_SAMPLER_IS_CUSTOM] = 1;
         memcpy(&out[AGX_SAMPLER_BORDER], &sampler->border, sizeof(sampler->border));
      }
   }
   memcpy(words, out, sizeof(out));
}

static void
write_image_sampler(const struct pipe_screen *screen, const struct pipe_image_view *view,
                    const struct pipe_sampler *sampler, void *words)
{
   write_image(screen, view, false, words);
   write_sampler(sampler, (uint32_t *)words + AGX_TEXTURE_DESCRIPTOR_DW);
}

void
agx_init_descriptor_write(struct agx_screen *screen)
{
   uint32_t *size_B = screen->base.caps.descriptor_size_B;

   size_B[PIPE_DESCRIPTOR_SAMPLER] = 4 * AGX_SAMPLER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER] = 4 * (AGX_TEXTURE_DESCRIPTOR_DW + AGX_SAMPLER_DESCRIPTOR_DW);
   size_B[PIPE_DESCRIPTOR_SAMPLED_IMAGE] = 4 * AGX_TEXTURE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_IMAGE] = 4 * AGX_STORAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER] = 4 * AGX_STORAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER] = 4 * AGX_STORAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_UNIFORM_BUFFER] = 4 * AGX_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_BUFFER] = 4 * AGX_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_INPUT_ATTACHMENT] = 4 * AGX_TEXTURE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK] = 1;
   screen->base.caps.descriptor_alignment_B = 64;
   screen->base.caps.max_sets = AGX_MAX_SETS;
   screen->base.caps.native_non_uniform = true;
   screen->base.buffer_view_create = buffer_view_create;
   screen->base.buffer_view_destroy = buffer_view_destroy;
   screen->base.descriptor_write_buffer = write_buffer;
   screen->base.descriptor_write_texel_buffer = write_texel_buffer;
   screen->base.descriptor_write_image = write_image;
   screen->base.descriptor_write_sampler = write_sampler;
   screen->base.descriptor_write_image_sampler = write_image_sampler;
}
