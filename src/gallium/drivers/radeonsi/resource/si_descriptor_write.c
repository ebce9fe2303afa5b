/* Writing descriptors into a set's memory. A null descriptor is all zeros: reads give zero, writes are dropped. */
#include <stdlib.h>
#include <string.h>

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/macros.h"

static const uint32_t null_words[AC_IMAGE_DESCRIPTOR_DW];

static void
write_texels(const struct pipe_screen *screen, uint32_t format, uint64_t va, uint64_t size_B, void *words)
{
   const uint32_t texel_B = format_info(format)->block_size_B;
   uint8_t select[4];

   ac_format_swizzle(format, select);
   ac_typed_buffer_descriptor(si_screen((struct pipe_screen *)screen)->info.gen,
                              &(struct ac_typed_buffer){
                                 .va = va,
                                 .size_B = (uint32_t)MIN2(size_B, UINT32_MAX),
                                 .stride_B = texel_B,
                                 .element_B = texel_B,
                                 .format = ac_format_buffer(format),
                                 .select = select,
                              },
                              words);
}

static enum pipe_result
buffer_view_create(struct pipe_screen *screen, const struct pipe_resource *buffer, uint32_t format, uint64_t offset_B,
                   uint64_t size_B, struct pipe_buffer_view **out)
{
   struct si_buffer_view *view;

   if (!format_info(format))
      return PIPE_UNSUPPORTED;
   view = calloc(1, sizeof(*view));
   if (!view)
      return PIPE_OUT_OF_HOST_MEMORY;
   write_texels(screen, format, si_resource(buffer)->va + offset_B, size_B, view->words);
   *out = si_buffer_view_handle(view);
   return PIPE_OK;
}

static void
buffer_view_destroy(struct pipe_screen *screen, struct pipe_buffer_view *view)
{
   free(si_buffer_view(view));
}

static void
write_address(const struct pipe_screen *screen, uint64_t va, uint64_t size_B, void *words)
{
   if (va)
      ac_buffer_descriptor(si_screen((struct pipe_screen *)screen)->info.raw_buffer_word3, va,
                           (uint32_t)MIN2(size_B, UINT32_MAX), words);
   else
      memset(words, 0, 4 * AC_BUFFER_DESCRIPTOR_DW);
}

static void
write_buffer(const struct pipe_screen *screen, const struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
             void *words)
{
   write_address(screen, buffer ? si_resource(buffer)->va + offset_B : 0, size_B, words);
}

static void
write_texel_buffer(const struct pipe_screen *screen, const struct pipe_buffer_view *view, void *words)
{
   memcpy(words, view ? si_buffer_view(view)->words : null_words, 4 * AC_BUFFER_DESCRIPTOR_DW);
}

static void
write_image(const struct pipe_screen *screen, const struct pipe_image_view *pipe, bool storage, void *words)
{
   const struct si_image_view *view = si_image_view(pipe);

   memcpy(words, !view ? null_words : storage ? view->storage : view->sampled, 4 * AC_IMAGE_DESCRIPTOR_DW);
}

static void
write_sampler(const struct pipe_sampler *sampler, void *words)
{
   memcpy(words, sampler ? si_sampler(sampler)->words : null_words, 4 * AC_SAMPLER_DESCRIPTOR_DW);
}

static void
write_image_sampler(const struct pipe_screen *screen, const struct pipe_image_view *view,
                    const struct pipe_sampler *sampler, void *words)
{
   write_image(screen, view, false, words);
   write_sampler(sampler, (uint32_t *)words + AC_IMAGE_DESCRIPTOR_DW);
}

void
si_init_descriptor_write(struct si_screen *screen)
{
   uint32_t *size_B = screen->base.caps.descriptor_size_B;

   size_B[PIPE_DESCRIPTOR_SAMPLER] = 4 * AC_SAMPLER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER] = 4 * (AC_IMAGE_DESCRIPTOR_DW + AC_SAMPLER_DESCRIPTOR_DW);
   size_B[PIPE_DESCRIPTOR_SAMPLED_IMAGE] = 4 * AC_IMAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_IMAGE] = 4 * AC_IMAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER] = 4 * AC_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER] = 4 * AC_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_UNIFORM_BUFFER] = 4 * AC_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_STORAGE_BUFFER] = 4 * AC_BUFFER_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_INPUT_ATTACHMENT] = 4 * AC_IMAGE_DESCRIPTOR_DW;
   size_B[PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK] = 1;
   screen->base.caps.descriptor_alignment_B = 64;
   screen->base.caps.max_sets = PIPE_MAX_SETS;
   screen->base.caps.null_descriptors = true;
   screen->base.buffer_view_create = buffer_view_create;
   screen->base.buffer_view_destroy = buffer_view_destroy;
   screen->base.descriptor_write_buffer = write_buffer;
   screen->base.caps.descriptor_addresses = true;
   screen->base.descriptor_write_address = write_address;
   screen->base.descriptor_write_texels = write_texels;
   screen->base.descriptor_write_texel_buffer = write_texel_buffer;
   screen->base.descriptor_write_image = write_image;
   screen->base.descriptor_write_sampler = write_sampler;
   screen->base.descriptor_write_image_sampler = write_image_sampler;
}
