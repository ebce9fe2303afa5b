/* USC lists: what a program is and what is bound to it. */
#include <inttypes.h>
#include <string.h>

#include "asahi/lib/agx_decode_private.h"

#define MAX_LIST_RECORDS 256

static bool
is_right(enum agx_record_id id, const void *bytes)
{
   char message[128];
   return !agx_record_fault(agx_record(id), bytes, 0, message, sizeof(message));
}

/* Nothing tells a texture from an image that is written. Programs at a tile's end only write; elsewhere it is a
 * texture if it may be one. */
static void
show_texture_states(struct walk *walk, enum usc_kind kind, uint64_t va, unsigned count)
{
   for (unsigned i = 0; i < count; i++, va += AGX_TEXTURE_SIZE_B) {
      char bytes[AGX_TEXTURE_SIZE_B];
      if (!read_memory(walk, va, bytes, sizeof(bytes), "a texture state"))
         return;
      bool writes =
         kind == USC_END_OF_TILE || (!is_right(AGX_RECORD_TEXTURE, bytes) && is_right(AGX_RECORD_PBE, bytes));
      if (!show_record(walk, agx_record(writes ? AGX_RECORD_PBE : AGX_RECORD_TEXTURE), va, bytes))
         return;
   }
}

static void
show_sampler_states(struct walk *walk, uint64_t va, unsigned count, enum agx_sampler_states states)
{
   bool has_border = states == AGX_SAMPLER_STATES_8_EXTENDED || states == AGX_SAMPLER_STATES_16_EXTENDED;
   for (unsigned i = 0; i < count; i++) {
      if (!show_record_at(walk, AGX_RECORD_SAMPLER, va))
         return;
      va += AGX_SAMPLER_SIZE_B;
      if (has_border && !show_record_at(walk, AGX_RECORD_BORDER, va))
         return;
      va += has_border ? AGX_BORDER_SIZE_B : 0;
   }
}

/* The words that are copied to uniforms. */
static void
show_uniforms(struct walk *walk, uint64_t va, unsigned half_count)
{
   uint16_t halves[64];
   if (!read_memory(walk, va, halves, half_count * 2, "uniforms") || !walk->decode->out)
      return;
   fprintf(walk->decode->out, "%10" PRIx64 " %*s", va, (int)walk->depth * 2, "");
   for (unsigned i = 0; i < half_count; i++)
      fprintf(walk->decode->out, "%04x%c", halves[i], i + 1 < half_count ? ' ' : '\n');
}

/* False at the end of the list. */
static bool
show_usc_record(struct walk *walk, enum usc_kind kind, enum agx_record_id id, const void *bytes,
                enum agx_sampler_states samplers)
{
   if (id == AGX_RECORD_USC_UNIFORM || id == AGX_RECORD_USC_UNIFORM_HIGH) {
      struct agx_usc_uniform uniform;
      agx_usc_uniform_unpack(&uniform, bytes);
      show_uniforms(walk, uniform.buffer, uniform.size);
   } else if (id == AGX_RECORD_USC_TEXTURE) {
      struct agx_usc_texture texture;
      agx_usc_texture_unpack(&texture, bytes);
      show_texture_states(walk, kind, texture.buffer, texture.count);
   } else if (id == AGX_RECORD_USC_SAMPLER) {
      struct agx_usc_sampler sampler;
      agx_usc_sampler_unpack(&sampler, bytes);
      show_sampler_states(walk, sampler.buffer, sampler.count, samplers);
   } else if (id == AGX_RECORD_USC_SHADER) {
      struct agx_usc_shader shader;
      agx_usc_shader_unpack(&shader, bytes);
      show_program(walk, walk->decode->usc_base + shader.code);
   } else if (id == AGX_RECORD_USC_PRESHADER) {
      struct agx_usc_preshader preshader;
      agx_usc_preshader_unpack(&preshader, bytes);
      show_program(walk, walk->decode->usc_base + preshader.code);
      return false;
   }
   return id != AGX_RECORD_USC_NO_PRESHADER;
}

void
show_usc_list(struct walk *walk, enum usc_kind kind, uint32_t offset_B, enum agx_sampler_states samplers)
{
   uint64_t va = walk->decode->usc_base + offset_B;
   for (unsigned i = 0; i < MAX_LIST_RECORDS; i++) {
      unsigned char tag, bytes[8];
      if (!read_memory(walk, va, &tag, 1, "a USC list"))
         return;
      const struct agx_sequence *sequence = agx_stream_find(&agx_stream_usc, tag);
      if (!sequence) {
         problem(walk, va, "0x%02x begins no record of a USC list", tag);
         return;
      }
      const struct agx_record *record = sequence->head;
      if (!read_memory(walk, va, bytes, record->size_B, record->name) || !show_record(walk, record, va, bytes))
         return;
      walk->depth++;
      bool continues = show_usc_record(walk, kind, record->id, bytes, samplers);
      walk->depth--;
      if (!continues)
         return;
      va += record->size_B;
   }
   problem(walk, va, "a USC list of more than %u records", MAX_LIST_RECORDS);
}

void
show_cf_bindings(struct walk *walk, uint32_t offset_B, unsigned count)
{
   uint64_t va = walk->decode->usc_base + offset_B;
   if (!show_record_at(walk, AGX_RECORD_CF_BINDING_HEADER, va))
      return;
   for (unsigned i = 1; i <= count; i++)
      if (!show_record_at(walk, AGX_RECORD_CF_BINDING, va + i * AGX_CF_BINDING_SIZE_B))
         return;
}
