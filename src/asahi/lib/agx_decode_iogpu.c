#include "asahi/lib/agx_decode_iogpu.h"

#include "asahi/lib/agx_decode_private.h"

struct buffer {
   const char *bytes;
   size_t size_B;
};

/* NULL after a report: not all of the record is in the buffer. */
static const char *
show_record_in(struct walk *walk, const struct buffer *buffer, uint64_t offset_B, enum agx_record_id id)
{
   const struct agx_record *record = agx_record(id);
   if (offset_B > buffer->size_B || record->size_B > buffer->size_B - offset_B) {
      problem(walk, 0, "%s at byte %llu of a command buffer of %zu", record->name, (unsigned long long)offset_B,
              buffer->size_B);
      return NULL;
   }
   return show_record(walk, record, 0, buffer->bytes + offset_B) ? buffer->bytes + offset_B : NULL;
}

static void
show_attachments(struct walk *walk, const struct buffer *buffer, uint32_t offset_B)
{
   struct agx_iogpu_attachment_count count;
   const char *head = show_record_in(walk, buffer, offset_B, AGX_RECORD_IOGPU_ATTACHMENT_COUNT);
   if (!head)
      return;
   agx_iogpu_attachment_count_unpack(&count, head);
   uint64_t at_B = (uint64_t)offset_B + AGX_IOGPU_ATTACHMENT_COUNT_SIZE_B;
   walk->depth++;
   for (uint32_t i = 0; i < count.count; i++, at_B += AGX_IOGPU_ATTACHMENT_SIZE_B)
      if (!show_record_in(walk, buffer, at_B, AGX_RECORD_IOGPU_ATTACHMENT))
         break;
   walk->depth--;
}

static void
show_pipeline(struct walk *walk, enum usc_kind kind, uint32_t address, uint32_t bind)
{
   struct agx_counts counts;
   agx_counts_unpack(&counts, &bind);
   walk->depth++;
   if (address)
      show_usc_list(walk, kind, address & ~0x3fu, counts.samplers);
   walk->depth--;
}

static void
show_graphics(struct walk *walk, const char *bytes, uint64_t encoder)
{
   struct agx_iogpu_graphics graphics;
   agx_iogpu_graphics_unpack(&graphics, bytes);
   walk->scissors_va = graphics.scissor_array;
   walk->depth_biases_va = graphics.depth_bias_array;
   show_vdm_stream(walk, encoder);
   show_pipeline(walk, USC_BACKGROUND, graphics.clear_pipeline, graphics.clear_pipeline_bind);
   show_pipeline(walk, USC_END_OF_TILE, graphics.store_pipeline, graphics.store_pipeline_bind);
   show_pipeline(walk, USC_BACKGROUND, graphics.partial_reload_pipeline, graphics.partial_reload_pipeline_bind);
   show_pipeline(walk, USC_END_OF_TILE, graphics.partial_store_pipeline, graphics.partial_store_pipeline_bind);
}

static void
show_compute(struct walk *walk, const char *bytes, uint64_t encoder)
{
   struct agx_iogpu_compute compute;
   agx_iogpu_compute_unpack(&compute, bytes);
   show_cdm_stream(walk, encoder);
   if (compute.context_switch_program)
      show_program(walk, walk->decode->usc_base + compute.context_switch_program);
}

void
agx_decode_iogpu(struct agx_decode *decode, const void *bytes, size_t size_B)
{
   struct walk walk = {.decode = decode};
   struct buffer buffer = {bytes, size_B};
   struct agx_iogpu_header header;
   const char *head = show_record_in(&walk, &buffer, 0, AGX_RECORD_IOGPU_HEADER);
   if (!head)
      return;
   agx_iogpu_header_unpack(&header, head);
   walk.depth++;
   if (header.total_size > size_B)
      problem(&walk, 0, "a command buffer of %u bytes, of which there are %zu", header.total_size, size_B);
   if (header.attachment_length)
      show_attachments(&walk, &buffer, header.attachment_offset);
   bool is_compute = header.kind == AGX_IOGPU_KIND_COMPUTE;
   const char *command = show_record_in(&walk, &buffer, AGX_IOGPU_HEADER_SIZE_B,
                                        is_compute ? AGX_RECORD_IOGPU_COMPUTE : AGX_RECORD_IOGPU_GRAPHICS);
   walk.depth++;
   if (command)
      (is_compute ? show_compute : show_graphics)(&walk, command, header.encoder);
}
