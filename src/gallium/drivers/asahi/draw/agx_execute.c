/* Secondaries inside of a rendering: their draws are copied, record by record. Scissors and depth biases are numbers
 * in arrays of the render: the secondary's entries go after those that are there, and its records say so. */
#include <string.h>

#include "asahi/hw/record_table.h"
#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "util/macros.h"

/* A USC list has less (agx_encode_usc()). */
#define LIST_MAX_B 512

struct copy {
   struct agx_context *ctx;
   const struct agx_context *from;
   uint32_t scissors, biases; /* entries that were there */
   uint32_t query;            /* OCCLUSION_QUERY that holds */
};

static const char *
find(const struct aux_chunk *chunks, uint64_t va)
{
   for (; chunks; chunks = chunks->next) {
      if (va >= chunks->va && va < chunks->va + AUX_CHUNK_B)
         return chunks->map + (va - chunks->va);
   }
   return NULL;
}

/* Of a list that begins there: no more than its chunk has. */
static size_t
room_B(const struct aux_chunk *chunks, uint64_t va)
{
   while (va < chunks->va || va >= chunks->va + AUX_CHUNK_B)
      chunks = chunks->next;
   return MIN2((size_t)(chunks->va + AUX_CHUNK_B - va), (size_t)LIST_MAX_B);
}

static uint32_t
append(struct copy *c, struct agx_array *to, const struct agx_array *from, unsigned element_B)
{
   uint32_t first = to->count;

   if (from->count)
      memcpy(agx_array_append(c->ctx, to, element_B, from->count), from->map, (size_t)from->count * element_B);
   return first;
}

static unsigned
word_at(uint32_t header, enum agx_atom atom)
{
   uint32_t before = header & ((1u << atom) - 1);
   unsigned viewports = (header >> 12 & 15) + 1, words = 1 + (unsigned)__builtin_popcount(before & ~0xf000u);

   if (before & AGX_BIT(REGION_CLIP))
      words += 2 * viewports - 1;
   if (before & AGX_BIT(VIEWPORT))
      words += 6 * viewports;
   if (before & AGX_BIT(FRAGMENT_SHADER))
      words += 3;
   return words;
}

/* The fragment program's list, for the images that the primary knows: its first record names their states. */
static void
move_fragment_list(struct copy *c, uint32_t *words)
{
   uint64_t usc_base = asahi_ws_info(c->ctx->screen->ws)->usc_base;
   struct agx_fragment_shader shader;
   struct agx_usc_texture texture;
   uint32_t offset_B;

   agx_fragment_shader_unpack(&shader, words);
   uint64_t va = usc_base + shader.pipeline;
   const char *list = find(c->from->usc_upload.chunks, va);
   char *copy = agx_usc_alloc(c->ctx, LIST_MAX_B, 64, &offset_B);

   memcpy(copy, list, room_B(c->from->usc_upload.chunks, va));
   agx_usc_texture_unpack(&texture, copy);
   texture.buffer = c->ctx->graphics.framebuffer.spilled_va;
   agx_usc_texture_pack(copy, &texture);
   shader.pipeline = offset_B;
   uint32_t counts = words[0];

   agx_fragment_shader_pack(words, &shader);
   words[0] = counts;
}

/* Places in the arrays, and the query that the primary knows. */
static void
move_words(struct copy *c, uint32_t *words)
{
   uint32_t header = words[0];

   if (header & AGX_BIT(DEPTH_BIAS_SCISSOR)) {
      struct agx_depth_bias_scissor places;
      uint32_t *word = &words[word_at(header, AGX_ATOM_DEPTH_BIAS_SCISSOR)];

      agx_depth_bias_scissor_unpack(&places, word);
      places.scissor += c->scissors;
      places.depth_bias += c->biases;
      agx_depth_bias_scissor_pack(word, &places);
   }
   if (header & AGX_BIT(FRAGMENT_SHADER) && c->from->graphics.framebuffer.tile.num_spilled)
      move_fragment_list(c, &words[word_at(header, AGX_ATOM_FRAGMENT_SHADER)]);
   if (!c->from->graphics.inherits_query)
      return;
   if (header & AGX_BIT(OCCLUSION_QUERY)) {
      uint32_t *word = &words[word_at(header, AGX_ATOM_OCCLUSION_QUERY)];

      c->query = *word;
      if (!*word)
         *word = c->ctx->graphics.occlusion_query;
   }
   if (header & AGX_BIT(FRAGMENT_CONTROL) && !c->query) {
      struct agx_fragment_control control;
      uint32_t *word = &words[word_at(header, AGX_ATOM_FRAGMENT_CONTROL)];

      agx_fragment_control_unpack(&control, word);
      control.visibility_mode = c->ctx->graphics.visibility;
      agx_fragment_control_pack(word, &control);
   }
}

/* The record moves if something in it changes; else the secondary's own is as good. */
static uint64_t
moved_ppp(struct copy *c, uint64_t va, unsigned size_dw)
{
   const char *record = find(c->from->upload.chunks, va);
   uint32_t header, changes = AGX_BIT(DEPTH_BIAS_SCISSOR);

   memcpy(&header, record, 4);
   if (c->from->graphics.framebuffer.tile.num_spilled)
      changes |= AGX_BIT(FRAGMENT_SHADER);
   if (c->from->graphics.inherits_query)
      changes |= AGX_BIT(OCCLUSION_QUERY) | AGX_BIT(FRAGMENT_CONTROL);
   if (!(header & changes))
      return va;
   uint32_t *copy = agx_upload_alloc(c->ctx, size_dw * 4, 4, &va);

   memcpy(copy, record, size_dw * 4);
   move_words(c, copy);
   return va;
}

static void
copy_record(struct copy *c, const char *record, unsigned size_B)
{
   struct agx_cs *cs = &c->ctx->vdm;
   struct agx_vdm_ppp_state ppp;
   uint32_t head;

   memcpy(&head, record, 4);
   if (head >> 29 == AGX_VDM_BLOCK_PPP_STATE) {
      agx_vdm_ppp_state_unpack(&ppp, record);
      agx_encode_ppp_state(c->ctx, moved_ppp(c, (uint64_t)ppp.pointer_hi << 32 | ppp.pointer_lo, ppp.size_dw),
                           ppp.size_dw);
      return;
   }
   agx_cs_reserve(cs, size_B);
   memcpy(cs->cur, record, size_B);
   cs->cur += size_B;
}

static unsigned
record_size_B(const struct agx_context *ctx, const char *record)
{
   struct agx_cursor cursor = {0};
   uint32_t head;

   memcpy(&head, record, 4);
   const struct agx_sequence *sequence = agx_stream_find(&agx_stream_vdm, head);

   while (agx_sequence_next(sequence, ctx->screen->gen, record, &cursor))
      ;
   return cursor.offset_B;
}

/* The entries of a render are only for that command, as is what it writes: after a split they are needed again. */
static void
append_arrays(struct copy *c)
{
   struct agx_render *render = &c->ctx->graphics.render;
   const struct agx_render *theirs = &c->from->graphics.render;

   c->scissors = append(c, &render->scissors, &theirs->scissors, AGX_SCISSOR_SIZE_B);
   c->biases = append(c, &render->biases, &theirs->biases, AGX_DEPTH_BIAS_SIZE_B);
   for (unsigned hw = 0; hw < AGX_HW_STAGES; hw++)
      render->scratch[hw] = agx_scratch_larger(render->scratch[hw], theirs->scratch[hw]);
   if (theirs->has_positions) {
      render->has_positions = true;
      render->positions = theirs->positions;
   }
   render->writes_depth |= theirs->writes_depth;
   render->writes_stencil |= theirs->writes_stencil;
}

void
agx_execute_segment(struct agx_context *ctx, const struct agx_context *secondary, uint32_t number)
{
   const struct agx_render *render = &secondary->graphics.render;
   const struct agx_segment first = {0}, last = {.commands = secondary->num_commands,
                                                 .event_waits = secondary->num_event_waits,
                                                 .heap_va = render->heap_va,
                                                 .heap_B = render->heap_B,
                                                 .heap_used_B = render->heap_used_B};
   const struct agx_segment *before = number ? &secondary->segments[number - 1] : &first;
   const struct agx_segment *segment = number < secondary->num_segments ? &secondary->segments[number] : &last;

   agx_assembly_share_heap(ctx, segment);
   agx_compute_close(ctx);
   for (uint32_t i = before->event_waits; i < segment->event_waits; i++)
      agx_add_event_wait(ctx, ctx->num_commands + secondary->event_waits[i].commands - before->commands,
                         secondary->event_waits[i].word);
   for (uint32_t i = before->commands; i < segment->commands; i++) {
      struct asahi_ws_command *command = agx_add_command(ctx, secondary->commands[i].render);

      *command = secondary->commands[i];
      if (command->render)
         agx_occlusion_give(ctx, &command->render_cmd);
   }
}

void
agx_execute_draws(struct agx_context *ctx, const struct agx_context *secondary)
{
   struct copy c = {.ctx = ctx, .from = secondary};
   const char *record = find(secondary->vdm.chunks, secondary->vdm.start_va);
   uint32_t segment = 0;
   bool first = true;

   append_arrays(&c);
   if (ctx->graphics.framebuffer.empty && secondary->graphics.framebuffer.has_samples)
      agx_set_samples(&ctx->graphics.framebuffer, &secondary->graphics.framebuffer.tile);
   for (uint32_t head;; first = false) {
      struct agx_vdm_stream_link link;

      memcpy(&head, record, 4);
      if (head >> 29 == AGX_VDM_BLOCK_STREAM_TERMINATE)
         break;
      if (head >> 29 == AGX_VDM_BLOCK_STREAM_LINK) {
         agx_vdm_stream_link_unpack(&link, record);
         record = find(secondary->vdm.chunks, (uint64_t)link.target_hi << 32 | link.target_lo);
         continue;
      }
      unsigned size_B = record_size_B(ctx, record);

      if (head >> 29 == AGX_VDM_BLOCK_BARRIER && !first) {
         agx_render_split(ctx);
         agx_execute_segment(ctx, secondary, ++segment);
         append_arrays(&c);
      } else {
         copy_record(&c, record, size_B);
      }
      record += size_B;
   }
   append(&c, &ctx->graphics.render.queries, &secondary->graphics.render.queries, sizeof(struct agx_ended_query));
   memset(&ctx->tables[PIPE_BIND_GRAPHICS], 0, sizeof(ctx->tables[PIPE_BIND_GRAPHICS]));
   ctx->graphics.render.bias_dirty = true;
   ctx->dirty = AGX_ALL_ATOMS;
}
