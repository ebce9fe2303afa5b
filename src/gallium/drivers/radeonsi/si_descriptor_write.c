/* Writing descriptors into a set's memory. A null descriptor is all zeros: reads give zero, writes are dropped. */
#include <string.h>

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/macros.h"

static void
write_buffer(const struct pipe_descriptor_write *write, uint32_t *words)
{
   if (write->buffer)
      ac_buffer_descriptor(write->buffer->va + write->offset_B, (uint32_t)MIN2(write->size_B, UINT32_MAX), words);
   else
      memset(words, 0, 4 * AC_BUFFER_DESCRIPTOR_DW);
}

static void
write_texel_buffer(const struct pipe_descriptor_write *write, uint32_t *words)
{
   const struct format_info *info = format_info(write->texel_format);
   uint8_t select[4];

   memset(words, 0, 4 * AC_BUFFER_DESCRIPTOR_DW);
   if (!write->buffer || !info)
      return;
   ac_format_swizzle(write->texel_format, select);
   ac_typed_buffer_descriptor(&(struct ac_typed_buffer){
      .va = write->buffer->va + write->offset_B,
      .size_B = (uint32_t)MIN2(write->size_B, UINT32_MAX),
      .stride_B = info->block_size_B,
      .element_B = info->block_size_B,
      .format = ac_format_buffer(write->texel_format),
      .select = select,
   }, words);
}

static void
write_image(const struct pipe_image_view *view, bool storage, uint32_t *words)
{
   if (view)
      memcpy(words, storage ? view->storage : view->sampled, 4 * AC_IMAGE_DESCRIPTOR_DW);
   else
      memset(words, 0, 4 * AC_IMAGE_DESCRIPTOR_DW);
}

static void
write_sampler(const struct pipe_sampler *sampler, uint32_t *words)
{
   if (sampler)
      memcpy(words, sampler->words, sizeof(sampler->words));
   else
      memset(words, 0, 4 * AC_SAMPLER_DESCRIPTOR_DW);
}

static void
descriptor_write(const struct pipe_screen *screen, const struct pipe_descriptor_write *write, void *out)
{
   uint32_t *words = out;

   switch (write->kind) {
   case PIPE_DESCRIPTOR_SAMPLER:
      write_sampler(write->sampler, words);
      break;
   case PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
      write_image(write->view, false, words);
      write_sampler(write->sampler, words + AC_IMAGE_DESCRIPTOR_DW);
      break;
   case PIPE_DESCRIPTOR_SAMPLED_IMAGE:
   case PIPE_DESCRIPTOR_INPUT_ATTACHMENT:
      write_image(write->view, false, words);
      break;
   case PIPE_DESCRIPTOR_STORAGE_IMAGE:
      write_image(write->view, true, words);
      break;
   case PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER:
      write_texel_buffer(write, words);
      break;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER:
      write_buffer(write, words);
      break;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
   case PIPE_DESCRIPTOR_KINDS:
      break; /* have no words in a set */
   }
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
   screen->base.caps.descriptor_alignment_B = 64;
   screen->base.descriptor_write = descriptor_write;
}
