/* Streams of draws and of dispatches, and the PPP records that those of draws point to. */
#include <string.h>

#include "asahi/lib/agx_decode_private.h"
#include "asahi/hw/hw_limits.h"

/* What a block of a stream makes of the walk through it. */
enum next {
   NEXT_BLOCK,
   NEXT_LINK,
   NEXT_RETURN,
   NEXT_STOP,
};

struct stream {
   const struct agx_stream *table;
   /* Looks at a record; next: where a link leads. */
   enum next (*look)(struct walk *walk, enum agx_record_id id, const void *bytes, uint64_t *target, bool *calls);
};

static uint64_t
join(uint32_t high, uint32_t low)
{
   return (uint64_t)high << 32 | low;
}

static void
show_ppp_part(struct walk *walk, enum agx_record_id id, const void *bytes)
{
   walk->depth++;
   if (id == AGX_RECORD_FRAGMENT_SHADER) {
      struct agx_fragment_shader shader;
      agx_fragment_shader_unpack(&shader, bytes);
      if (shader.pipeline)
         show_usc_list(walk, USC_FRAGMENT, shader.pipeline, shader.samplers);
      if (shader.cf_bindings)
         show_cf_bindings(walk, shader.cf_bindings, shader.cf_bindings_count);
   } else if (id == AGX_RECORD_DEPTH_BIAS_SCISSOR && walk->scissors_va && walk->depth_biases_va) {
      struct agx_depth_bias_scissor places;
      agx_depth_bias_scissor_unpack(&places, bytes);
      show_record_at(walk, AGX_RECORD_SCISSOR, walk->scissors_va + (uint64_t)places.scissor * AGX_SCISSOR_SIZE_B);
      show_record_at(walk, AGX_RECORD_DEPTH_BIAS,
                     walk->depth_biases_va + (uint64_t)places.depth_bias * AGX_DEPTH_BIAS_SIZE_B);
   }
   walk->depth--;
}

static void
show_ppp(struct walk *walk, uint64_t va, unsigned size_dw)
{
   char bytes[AGX_PPP_MAX_B];
   unsigned size_B = size_dw * 4;
   if (size_B < AGX_PPP_SIZE_B) {
      problem(walk, va, "a PPP record of no words");
      return;
   }
   if (!read_memory(walk, va, bytes, size_B, "a PPP record"))
      return;
   struct agx_cursor cursor = {0};
   while (agx_sequence_next(agx_ppp_sequence(), walk->decode->gen, bytes, &cursor)) {
      const char *part = bytes + cursor.offset_B;
      if (cursor.offset_B + cursor.record->size_B > size_B) {
         problem(walk, va, "a PPP record of %u words ends inside of %s", size_dw, cursor.record->name);
         return;
      }
      if (!show_record(walk, cursor.record, va + cursor.offset_B, part))
         return;
      show_ppp_part(walk, cursor.record->id, part);
   }
   if (cursor.offset_B != size_B)
      problem(walk, va, "a PPP record of %u words has %u", cursor.offset_B / 4, size_dw);
}

static enum next
look_vdm(struct walk *walk, enum agx_record_id id, const void *bytes, uint64_t *target, bool *calls)
{
   if (id == AGX_RECORD_VDM_PPP_STATE) {
      struct agx_vdm_ppp_state state;
      agx_vdm_ppp_state_unpack(&state, bytes);
      walk->depth++;
      show_ppp(walk, join(state.pointer_hi, state.pointer_lo), state.size_dw);
      walk->depth--;
   } else if (id == AGX_RECORD_VDM_VERTEX_SHADER_0) {
      struct agx_vdm_vertex_shader_0 shader;
      agx_vdm_vertex_shader_0_unpack(&shader, bytes);
      walk->vertex_samplers = shader.samplers;
   } else if (id == AGX_RECORD_VDM_VERTEX_SHADER_1) {
      struct agx_vdm_vertex_shader_1 shader;
      agx_vdm_vertex_shader_1_unpack(&shader, bytes);
      walk->depth++;
      if (shader.pipeline)
         show_usc_list(walk, USC_VERTEX, shader.pipeline, walk->vertex_samplers);
      walk->depth--;
   } else if (id == AGX_RECORD_VDM_STREAM_LINK) {
      struct agx_vdm_stream_link link;
      agx_vdm_stream_link_unpack(&link, bytes);
      *target = join(link.target_hi, link.target_lo);
      *calls = link.with_return;
      return NEXT_LINK;
   } else if (id == AGX_RECORD_VDM_BARRIER) {
      struct agx_vdm_barrier barrier;
      agx_vdm_barrier_unpack(&barrier, bytes);
      return barrier.returns ? NEXT_RETURN : NEXT_BLOCK;
   }
   return id == AGX_RECORD_VDM_STREAM_TERMINATE ? NEXT_STOP : NEXT_BLOCK;
}

static enum next
look_cdm(struct walk *walk, enum agx_record_id id, const void *bytes, uint64_t *target, bool *calls)
{
   if (id == AGX_RECORD_CDM_LAUNCH) {
      struct agx_cdm_launch launch;
      agx_cdm_launch_unpack(&launch, bytes);
      walk->depth++;
      if (launch.pipeline)
         show_usc_list(walk, USC_COMPUTE, launch.pipeline, launch.samplers);
      walk->depth--;
   } else if (id == AGX_RECORD_CDM_STREAM_LINK) {
      struct agx_cdm_stream_link link;
      agx_cdm_stream_link_unpack(&link, bytes);
      *target = join(link.target_hi, link.target_lo);
      *calls = link.with_return;
      return NEXT_LINK;
   } else if (id == AGX_RECORD_CDM_BARRIER) {
      struct agx_cdm_barrier barrier;
      agx_cdm_barrier_unpack(&barrier, bytes);
      return barrier.returns ? NEXT_RETURN : NEXT_BLOCK;
   } else if (id == AGX_RECORD_CDM_STREAM_RETURN) {
      return NEXT_RETURN;
   }
   return id == AGX_RECORD_CDM_STREAM_TERMINATE ? NEXT_STOP : NEXT_BLOCK;
}

/* A block with all its parts. *size_B: of the whole. */
static enum next
show_block(struct walk *walk, const struct stream *stream, uint64_t va, uint32_t *size_B, uint64_t *target,
           bool *calls)
{
   char head[AGX_RECORD_MAX_B];
   uint32_t word;
   if (!read_memory(walk, va, &word, sizeof(word), "a stream"))
      return NEXT_STOP;
   const struct agx_sequence *sequence = agx_stream_find(stream->table, word);
   if (!sequence) {
      problem(walk, va, "0x%08x begins no block of a stream of %s", word, stream->table->name);
      return NEXT_STOP;
   }
   if (!read_memory(walk, va, head, sequence->head->size_B, sequence->head->name))
      return NEXT_STOP;
   enum next next = NEXT_BLOCK;
   struct agx_cursor cursor = {0};
   while (agx_sequence_next(sequence, walk->decode->gen, head, &cursor)) {
      char bytes[AGX_RECORD_MAX_B];
      if (!read_memory(walk, va + cursor.offset_B, bytes, cursor.record->size_B, cursor.record->name) ||
          !show_record(walk, cursor.record, va + cursor.offset_B, bytes))
         return NEXT_STOP;
      enum next of_part = stream->look(walk, cursor.record->id, bytes, target, calls);
      next = of_part != NEXT_BLOCK ? of_part : next;
   }
   *size_B = cursor.offset_B;
   return next;
}

static void
show_stream(struct walk *walk, const struct stream *stream, uint64_t va)
{
   uint64_t calls[AGX_STREAM_CALLS];
   unsigned call_count = 0;
   for (;;) {
      uint64_t target = 0;
      uint32_t size_B = 0;
      bool with_return = false;
      switch (show_block(walk, stream, va, &size_B, &target, &with_return)) {
      case NEXT_BLOCK:
         va += size_B;
         break;
      case NEXT_LINK:
         if (with_return && call_count == AGX_STREAM_CALLS) {
            problem(walk, va, "more than %u streams have called each other", AGX_STREAM_CALLS);
            return;
         }
         if (with_return)
            calls[call_count++] = va + size_B;
         va = target;
         break;
      case NEXT_RETURN:
         if (!call_count) {
            problem(walk, va, "a return from a stream that nothing has called");
            return;
         }
         va = calls[--call_count];
         break;
      case NEXT_STOP:
         return;
      }
   }
}

void
show_vdm_stream(struct walk *walk, uint64_t va)
{
   show_stream(walk, &(const struct stream){&agx_stream_vdm, look_vdm}, va);
}

void
show_cdm_stream(struct walk *walk, uint64_t va)
{
   show_stream(walk, &(const struct stream){&agx_stream_cdm, look_cdm}, va);
}
