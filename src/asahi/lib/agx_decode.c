#include "asahi/lib/agx_decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "asahi/lib/agx_decode_private.h"

#define MAX_RECORDS (1u << 20)

static void
indent(struct walk *walk, uint64_t va)
{
   fprintf(walk->decode->out, "%10" PRIx64 " %*s", va, (int)walk->depth * 2, "");
}

void
problem(struct walk *walk, uint64_t va, const char *format, ...)
{
   walk->decode->problems++;
   if (!walk->decode->out)
      return;
   va_list arguments;
   va_start(arguments, format);
   indent(walk, va);
   fputs("# ", walk->decode->out);
   vfprintf(walk->decode->out, format, arguments);
   fputc('\n', walk->decode->out);
   va_end(arguments);
}

bool
read_memory(struct walk *walk, uint64_t va, void *out, size_t size_B, const char *what)
{
   if (walk->decode->read(walk->decode->data, va, out, size_B) == size_B)
      return true;
   problem(walk, va, "%s: no memory", what);
   return false;
}

static void
print_record(struct walk *walk, const struct agx_record *record, uint64_t va, const void *bytes)
{
   FILE *out = walk->decode->out;
   const struct agx_form *form = agx_record_form(record, bytes);
   indent(walk, va);
   fprintf(out, "%s%s%s", record->name, *form->name ? " " : "", form->name);
   for (unsigned i = 0; i < form->field_count; i++) {
      char text[128];
      if (agx_field_print(&form->fields[i], bytes, text, sizeof(text)))
         fprintf(out, " %s", text);
   }
   fputc('\n', out);
}

/* Fields that are records themselves: of 4 or 8 bytes, in whole words. */
static void
show_inner_records(struct walk *walk, const struct agx_record *record, uint64_t va, const void *bytes)
{
   const struct agx_form *form = agx_record_form(record, bytes);
   walk->depth++;
   for (unsigned i = 0; i < form->field_count; i++) {
      const struct agx_field *field = &form->fields[i];
      if (field->record)
         show_record(walk, field->record, va + field->low / 8, (const char *)bytes + field->low / 8);
   }
   walk->depth--;
}

bool
show_record(struct walk *walk, const struct agx_record *record, uint64_t va, const void *bytes)
{
   unsigned most = walk->decode->max_records ? walk->decode->max_records : MAX_RECORDS;
   if (walk->record_count > most)
      return false;
   if (walk->record_count++ == most) {
      problem(walk, va, "more than %u records", most);
      return false;
   }
   if (walk->decode->out)
      print_record(walk, record, va, bytes);
   if (walk->decode->record)
      walk->decode->record(walk->decode->data, record, va, bytes);
   char message[128];
   for (unsigned i = 0; agx_record_fault(record, bytes, i, message, sizeof(message)); i++)
      problem(walk, va, "%s", message);
   show_inner_records(walk, record, va, bytes);
   return true;
}

bool
show_record_at(struct walk *walk, enum agx_record_id id, uint64_t va)
{
   const struct agx_record *record = agx_record(id);
   char bytes[AGX_RECORD_MAX_B];
   return read_memory(walk, va, bytes, record->size_B, record->name) && show_record(walk, record, va, bytes);
}

/* The programs of a tile: the low bits of the address are not of it. */
static void
show_tile_program(struct walk *walk, enum usc_kind kind, uint32_t usc, const void *counts_bytes)
{
   struct agx_counts counts;
   agx_counts_unpack(&counts, counts_bytes);
   if (usc)
      show_usc_list(walk, kind, usc & ~0x3fu, counts.samplers);
}

static void
show_render(struct walk *walk, const char *bytes)
{
   struct agx_render_command command;
   agx_render_command_unpack(&command, bytes);
   walk->scissors_va = command.isp_scissor_base;
   walk->depth_biases_va = command.isp_dbias_base;
   show_vdm_stream(walk, command.vdm_ctrl_stream_base);
   struct {
      enum usc_kind kind;
      uint32_t usc, rsrc_spec;
   } programs[] = {
      {USC_BACKGROUND, command.bg_usc, command.bg_rsrc_spec},
      {USC_END_OF_TILE, command.eot_usc, command.eot_rsrc_spec},
      {USC_BACKGROUND, command.partial_bg_usc, command.partial_bg_rsrc_spec},
      {USC_END_OF_TILE, command.partial_eot_usc, command.partial_eot_rsrc_spec},
   };
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
      show_tile_program(walk, programs[i].kind, programs[i].usc, &programs[i].rsrc_spec);
}

static void
show_compute(struct walk *walk, const char *bytes)
{
   struct agx_compute_command command;
   agx_compute_command_unpack(&command, bytes);
   show_cdm_stream(walk, command.cdm_ctrl_stream_base);
}

/* A payload that is shorter than its record ends in zeros, and what is longer has to. */
static void
show_payload(struct walk *walk, enum agx_command_type type, const char *payload, size_t size_B)
{
   static const struct {
      enum agx_record_id record;
      void (*show)(struct walk *walk, const char *bytes);
   } kinds[] = {
      [AGX_COMMAND_TYPE_RENDER] = {AGX_RECORD_RENDER_COMMAND, show_render},
      [AGX_COMMAND_TYPE_COMPUTE] = {AGX_RECORD_COMPUTE_COMMAND, show_compute},
      [AGX_COMMAND_TYPE_SET_VERTEX_ATTACHMENTS] = {AGX_RECORD_ATTACHMENT, NULL},
      [AGX_COMMAND_TYPE_SET_FRAGMENT_ATTACHMENTS] = {AGX_RECORD_ATTACHMENT, NULL},
      [AGX_COMMAND_TYPE_SET_COMPUTE_ATTACHMENTS] = {AGX_RECORD_ATTACHMENT, NULL},
   };
   if (type >= sizeof(kinds) / sizeof(kinds[0]))
      return;
   const struct agx_record *record = agx_record(kinds[type].record);
   for (size_t at = 0; at < size_B && (!at || !kinds[type].show); at += record->size_B) {
      char bytes[AGX_RECORD_MAX_B] = {0};
      memcpy(bytes, payload + at, size_B - at < record->size_B ? size_B - at : record->size_B);
      if (show_record(walk, record, 0, bytes) && kinds[type].show)
         kinds[type].show(walk, bytes);
   }
   for (size_t at = record->size_B; kinds[type].show && at < size_B; at++)
      if (payload[at])
         problem(walk, 0, "byte %zu of the payload of %s is not zero", at, record->name);
}

void
agx_decode_submit(struct agx_decode *decode, const void *commands, size_t size_B)
{
   struct walk walk = {.decode = decode};
   const char *bytes = commands;
   for (size_t at = 0; at < size_B;) {
      struct agx_command_header header;
      if (size_B - at < AGX_COMMAND_HEADER_SIZE_B) {
         problem(&walk, 0, "%zu bytes are no command", size_B - at);
         return;
      }
      agx_command_header_unpack(&header, bytes + at);
      if (!show_record(&walk, agx_record(AGX_RECORD_COMMAND_HEADER), 0, bytes + at))
         return;
      at += AGX_COMMAND_HEADER_SIZE_B;
      if (header.size_B > size_B - at) {
         problem(&walk, 0, "a command of %u bytes, of which there are %zu", header.size_B, size_B - at);
         return;
      }
      walk.depth++;
      show_payload(&walk, header.type, bytes + at, header.size_B);
      walk.depth--;
      at += header.size_B;
   }
}
