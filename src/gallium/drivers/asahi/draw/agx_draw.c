/* Draws: the dirty state, then one index list. */
#include <assert.h>
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/assembly/agx_geometry.h"
#include "gallium/drivers/asahi/assembly/agx_pad.h"
#include "gallium/drivers/asahi/assembly/agx_xfb.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/varyings/agx_link.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/macros.h"

static bool
reads(const struct agx_program *program, enum agx_table table)
{
   for (unsigned hw = 0; hw < AGX_HW_STAGES; hw++) {
      if (program->stages[hw].code.arguments.table_dw[table])
         return true;
   }
   return false;
}

/* Tables that a program reads and nobody has put there. */
static void
prepare_tables(struct agx_context *ctx, const struct agx_program *program)
{
   const struct agx_tables *tables = &ctx->tables[PIPE_BIND_GRAPHICS];

   /* Commands of a memo came with a table, but the last one to be uploaded may be another program's. */
   if (reads(program, AGX_TABLE_VERTEX) &&
       (ctx->dirty & AGX_BIT(VERTEX_TABLE) || ctx->vertex_table_program != program)) {
      agx_upload_vertex_table(ctx);
      ctx->vertex_table_program = program;
      ctx->dirty |= AGX_BIT(VERTEX_SHADER);
   }
   if (ctx->dirty & AGX_BIT(STAGE_TABLE))
      agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_STAGE);
   if (reads(program, AGX_TABLE_STAGE) && !tables->va[AGX_TABLE_STAGE]) {
      agx_table_upload(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_STAGE, ctx->graphics.stage_words, AGX_STAGE_WORDS);
      ctx->dirty |= AGX_ARGUMENT_ATOMS;
   }
   if (reads(program, AGX_TABLE_DRAW) && !tables->va[AGX_TABLE_DRAW]) {
      agx_table_upload(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW, ctx->graphics.draw_words, 2);
      ctx->dirty |= AGX_ARGUMENT_ATOMS;
   }
   if (ctx->dirty & AGX_ARGUMENT_ATOMS) {
      if (reads(program, AGX_TABLE_LINK))
         agx_table_place(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_LINK, program->graphics->link.va, AGX_LINK_DW);
      agx_tables_prepare(ctx, PIPE_BIND_GRAPHICS, &program->stages[AGX_HW_VERTEX].code.arguments);
      agx_tables_prepare(ctx, PIPE_BIND_GRAPHICS, &program->stages[AGX_HW_FRAGMENT].code.arguments);
      /* The table of addresses has those of both. */
      if (program->stages[AGX_HW_VERTEX].code.arguments.table_dw[AGX_TABLE_ADDRESSES])
         agx_tables_prepare(ctx, PIPE_BIND_GRAPHICS, &program->stages[AGX_HW_VERTEX].code.arguments);
   }
}

static void
need_scratch(struct agx_context *ctx, const struct agx_program *program, enum agx_hw_stage hw)
{
   const struct agx_scratch **scratch = &ctx->graphics.render.scratch[hw];

   *scratch = agx_scratch_larger(*scratch, program->stages[hw].code.scratch);
}

/* What the words of PPP records depend on, and all that is no PPP record. */
static void
prepare_words(struct agx_context *ctx, const struct agx_program *program)
{
   prepare_tables(ctx, program);
   /* Draws without fragments say nothing of samples. */
   if (ctx->graphics.framebuffer.empty && !ctx->graphics.gfx->discard)
      agx_set_samples(&ctx->graphics.framebuffer, &program->graphics->tile);
   need_scratch(ctx, program, AGX_HW_VERTEX);
   need_scratch(ctx, program, AGX_HW_FRAGMENT);
   if (ctx->dirty & AGX_BIT(VERTEX_SHADER))
      agx_encode_vertex_state(ctx);
   if (ctx->dirty & AGX_VIEWPORT_ATOMS) {
      agx_prepare_scissors(ctx);
      agx_prepare_bias(ctx);
   }
}

/* PPP words that depend on nothing else. */
#define PLAIN_ATOMS (AGX_PPP_ATOMS & ~(AGX_VIEWPORT_ATOMS | AGX_ARGUMENT_ATOMS))

static void
emit_atoms(struct agx_context *ctx, const struct agx_program *program)
{
   if (ctx->dirty & ~PLAIN_ATOMS)
      prepare_words(ctx, program);
   if (ctx->dirty & AGX_PPP_ATOMS)
      agx_encode_ppp(ctx, ctx->dirty & AGX_PPP_ATOMS);
   ctx->dirty = 0;
}

static struct agx_program_memo *
memo_of(struct agx_context *ctx, const struct agx_program *program)
{
   return &ctx->program_memos[((uintptr_t)program >> 4) * UINT64_C(0x9e3779b97f4a7c15) /
                              (UINT64_MAX / AGX_PROGRAM_MEMOS + 1)];
}

/* Another program, and nothing else: draws that change between programs repeat commands. Where programs say how many
 * samples there are, they must be asked. */
static void
emit_program(struct agx_context *ctx, const struct agx_program *program)
{
   struct agx_program_memo *memo = memo_of(ctx, program);

   agx_cs_reserve(&ctx->vdm, AGX_PROGRAM_COMMANDS_B);
   if (memo->program == program && memo->stamp == ctx->program_stamp) {
      memcpy(ctx->vdm.cur, memo->commands, AGX_PROGRAM_COMMANDS_B);
      ctx->vdm.cur += memo->size_B;
      ctx->dirty = 0;
      return;
   }
   const char *start = ctx->vdm.cur;

   ctx->dirty = AGX_PROGRAM_ATOMS;
   emit_atoms(ctx, program);
   memo->program = ctx->graphics.framebuffer.empty ? NULL : program;
   memo->stamp = ctx->program_stamp;
   memo->size_B = (uint32_t)(ctx->vdm.cur - start);
   assert(memo->size_B <= AGX_PROGRAM_COMMANDS_B && "what a program changes fits into a memo");
   memcpy(memo->commands, start, memo->size_B);
}

/* Everything that is dirty; false if nothing can be drawn. */
static bool
emit_dirty(struct agx_context *ctx)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   if (!program || !agx_sets_are_bound(ctx, PIPE_BIND_GRAPHICS))
      return false;
   if (ctx->dirty == AGX_BIT(PROGRAM)) {
      emit_program(ctx, program);
      return true;
   }
   ctx->program_stamp++;
   if (ctx->dirty & AGX_BIT(PROGRAM))
      ctx->dirty = (ctx->dirty | AGX_PROGRAM_ATOMS) & ~AGX_BIT(PROGRAM);
   emit_atoms(ctx, program);
   return true;
}

/* Of a draw in memory. */
#define PARAMETERS_B(indexed) ((indexed) ? 20u : 16u)

/* Base vertex and base instance, where the program reads them. False if nothing can be drawn. */
static inline bool
prepare(struct agx_context *ctx, uint32_t base_vertex, uint32_t base_instance)
{
   if (__builtin_expect(ctx->graphics.draw_words[0] != base_vertex || ctx->graphics.draw_words[1] != base_instance,
                        0)) {
      ctx->graphics.draw_words[0] = base_vertex;
      ctx->graphics.draw_words[1] = base_instance;
      agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW);
      if (ctx->programs[PIPE_BIND_GRAPHICS] && reads(ctx->programs[PIPE_BIND_GRAPHICS], AGX_TABLE_DRAW))
         ctx->dirty |= AGX_ARGUMENT_ATOMS;
   }
   return !__builtin_expect(ctx->dirty != 0, 0) || emit_dirty(ctx);
}

/* The head of indexed draws: as of others, and of the buffer. more: presence of further records. */
static uint32_t
indexed_head(const struct agx_context *ctx, uint64_t va, uint32_t list)
{
   struct agx_vdm_index_list record = {
      .index_buffer_hi = (uint32_t)(va >> 32),
      .restart_enable = ctx->graphics.gfx->primitive_restart && !ctx->has_geometry,
      .index_size = (enum agx_index_size)ctx->graphics.index_buffer.size_log2,
      .index_buffer_size_present = true,
      .index_buffer_present = true,
   };
   uint32_t word;

   agx_vdm_index_list_pack(&word, &record);
   return word | list;
}

/* In whole words. No draw reads past them. */
static uint32_t
index_buffer_words(uint64_t size_B)
{
   return (uint32_t)MIN2(div_round_up(size_B, 4), UINT32_MAX);
}

/* One draw whose parameters lie at va. */
static void
draw_at(struct agx_context *ctx, bool indexed, uint64_t va)
{
   struct agx_vdm_index_list indirect = {.indirect_buffer_present = true};
   uint32_t list, primitive = ctx->graphics.index_list & 0xff00, words[5];
   unsigned count = 0;

   agx_vdm_index_list_pack(&list, &indirect);
   words[count++] = indexed ? indexed_head(ctx, ctx->graphics.index_buffer.va, list | primitive) : list | primitive;
   if (indexed)
      words[count++] = (uint32_t)ctx->graphics.index_buffer.va;
   words[count++] = (uint32_t)(va >> 32);
   words[count++] = (uint32_t)va;
   if (indexed)
      words[count++] = index_buffer_words(ctx->graphics.index_buffer.size_B);
   agx_cs_reserve(&ctx->vdm, sizeof(words));
   memcpy(ctx->vdm.cur, words, count * 4);
   ctx->vdm.cur += count * 4;
}

/* By other indices than those that are bound. */
static void
draw_by(struct agx_context *ctx, const struct agx_index_buffer *indices, uint64_t va)
{
   const struct agx_index_buffer bound = ctx->graphics.index_buffer;

   ctx->graphics.index_buffer = *indices;
   draw_at(ctx, true, va);
   ctx->graphics.index_buffer = bound;
}

/* Where the parameters have base vertex and base instance, one after another. */
#define DRAW_WORDS_B(indexed) ((indexed) ? 12u : 8u)

/* A draw of what shaders ahead make, or of a topology with adjacency without one. Its index buffer is the heap,
 * whose place is known; where in it, and how many there are, the programs say. */
static void
draw_geometry(struct agx_context *ctx, bool indexed, uint64_t parameters_va, const uint32_t *known)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   if (!program || !agx_sets_are_bound(ctx, PIPE_BIND_GRAPHICS))
      return;
   const struct agx_draw_arguments draw = agx_draw_arguments(ctx, indexed, parameters_va, known, true);

   if (reads(program, AGX_TABLE_DRAW))
      agx_table_place(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW, parameters_va + DRAW_WORDS_B(indexed), 2);
   agx_table_place(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_ASSEMBLY, draw.assembly_va, sizeof(struct agx_assembly) / 4);
   prepare_tables(ctx, program);
   if (ctx->xfb.counts && draw.no_neighbours)
      agx_xfb_draw(ctx, indexed, parameters_va, known);
   agx_geometry_make(ctx, &draw);
   ctx->dirty |= AGX_ARGUMENT_ATOMS;
   if (!emit_dirty(ctx))
      return;
   const uint32_t list = ctx->graphics.index_list;

   agx_set_topology(ctx, agx_drawn_topology(ctx));
   draw_by(ctx, &(struct agx_index_buffer){draw.heap_va, ctx->graphics.render.heap_B, 2, false},
           draw.assembly_va + offsetof(struct agx_assembly, draw));
   ctx->graphics.index_list = list;
   agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW);
}

/* For transform feedback and queries of primitives, once the draw's state is said. The commands of a memo need not
 * have come with tables. */
static void
count_draw(struct agx_context *ctx, bool indexed, uint64_t parameters_va, const uint32_t *known)
{
   prepare_tables(ctx, ctx->programs[PIPE_BIND_GRAPHICS]);
   agx_xfb_draw(ctx, indexed, parameters_va, known);
}

static __attribute__((noinline)) void
draw_geometry_direct(struct agx_context *ctx, bool indexed, const uint32_t *parameters)
{
   uint64_t va;

   if (ctx->statistics.active && ctx->programs[PIPE_BIND_GRAPHICS] &&
       !ctx->programs[PIPE_BIND_GRAPHICS]->graphics->ahead.corners)
      agx_statistics_draw(ctx, parameters[0], parameters[1]);
   memcpy(agx_upload_alloc(ctx, PARAMETERS_B(indexed), 16, &va), parameters, PARAMETERS_B(indexed));
   draw_geometry(ctx, indexed, va, parameters);
}

static __attribute__((noinline)) void
count_direct_draw(struct agx_context *ctx, bool indexed, const uint32_t *parameters)
{
   uint64_t va;

   memcpy(agx_upload_alloc(ctx, PARAMETERS_B(indexed), 16, &va), parameters, PARAMETERS_B(indexed));
   count_draw(ctx, indexed, va, parameters);
}

static void
draw(struct pipe_context *pipe, uint32_t vertices, uint32_t instances, uint32_t first_vertex, uint32_t first_instance)
{
   struct agx_context *ctx = agx_context(pipe);

   if (__builtin_expect(ctx->has_geometry, 0)) {
      draw_geometry_direct(ctx, false, (const uint32_t[]){vertices, instances, first_vertex, first_instance});
      return;
   }
   if (!vertices || !instances || !prepare(ctx, first_vertex, first_instance))
      return;
   if (__builtin_expect(ctx->statistics.active, 0))
      agx_statistics_draw(ctx, vertices, instances);
   if (__builtin_expect(ctx->xfb.counts, 0))
      count_direct_draw(ctx, false, (const uint32_t[]){vertices, instances, first_vertex, first_instance});
   agx_cs_reserve(&ctx->vdm, 16);
   uint32_t words[4] = {ctx->graphics.index_list, vertices, instances, first_vertex};

   memcpy(ctx->vdm.cur, words, sizeof(words));
   ctx->vdm.cur += sizeof(words);
}

/* Of indices past the end of their buffer. */
static __attribute__((noinline)) void
draw_past_end(struct agx_context *ctx, const uint32_t *parameters)
{
   uint64_t va;

   memcpy(agx_upload_alloc(ctx, PARAMETERS_B(true), 16, &va), parameters, PARAMETERS_B(true));
   const struct agx_padded padded = agx_pad_indices(ctx, va, parameters);

   if (!padded.in_place_va || !prepare(ctx, parameters[3], parameters[4]))
      return;
   if (ctx->statistics.active)
      agx_statistics_draw(ctx, parameters[0], parameters[1]);
   if (ctx->xfb.counts)
      count_draw(ctx, true, va, parameters);
   draw_by(ctx, &padded.indices, padded.moved_va);
}

static void
draw_indexed(struct pipe_context *pipe, uint32_t indices, uint32_t instances, uint32_t first_index,
             int32_t vertex_offset, uint32_t first_instance)
{
   struct agx_context *ctx = agx_context(pipe);
   uint64_t first_B = (uint64_t)first_index << ctx->graphics.index_buffer.size_log2;
   uint64_t va = ctx->graphics.index_buffer.va + first_B;

   if (__builtin_expect(ctx->has_geometry, 0)) {
      draw_geometry_direct(
         ctx, true, (const uint32_t[]){indices, instances, first_index, (uint32_t)vertex_offset, first_instance});
      return;
   }
   if (!indices || !instances)
      return;
   if (__builtin_expect(first_B + ((uint64_t)indices << ctx->graphics.index_buffer.size_log2) >
                           ctx->graphics.index_buffer.size_B,
                        0)) {
      draw_past_end(ctx,
                    (const uint32_t[]){indices, instances, first_index, (uint32_t)vertex_offset, first_instance});
      return;
   }
   if (!prepare(ctx, (uint32_t)vertex_offset, first_instance))
      return;
   if (__builtin_expect(ctx->statistics.active, 0))
      agx_statistics_draw(ctx, indices, instances);
   if (__builtin_expect(ctx->xfb.counts, 0))
      count_direct_draw(ctx, true,
                        (const uint32_t[]){indices, instances, first_index, (uint32_t)vertex_offset, first_instance});
   agx_cs_reserve(&ctx->vdm, 24);
   uint32_t words[6] = {indexed_head(ctx, va, ctx->graphics.index_list),
                        (uint32_t)va,
                        indices,
                        instances,
                        (uint32_t)vertex_offset,
                        index_buffer_words(ctx->graphics.index_buffer.size_B - first_B)};

   memcpy(ctx->vdm.cur, words, sizeof(words));
   ctx->vdm.cur += sizeof(words);
}

/* Draws whose parameters lie from va on; first: the number of the first one; pads: their indices may lie past the end
 * of the buffer. */
struct indirect {
   bool indexed, numbered, reads_draw, pads;
   uint64_t va, count_va;
   uint32_t stride_B, first, count;
};

/* A copy of the parameters in which the draws after the count are none. Its dispatch runs ahead of the render. */
static void
limit_draws(struct agx_context *ctx, struct indirect *draws)
{
   uint32_t all_B = PARAMETERS_B(draws->indexed);
   uint64_t copy;

   agx_upload_alloc(ctx, draws->count * all_B, 16, &copy);
   agx_meta_limit_draws(ctx, &(struct agx_meta_draws){.dst_va = copy,
                                                      .src_va = draws->va,
                                                      .count_va = draws->count_va,
                                                      .stride_B = draws->stride_B,
                                                      .words = all_B / 4,
                                                      .first = draws->first,
                                                      .count = draws->count});
   draws->va = copy;
   draws->stride_B = all_B;
}

static void
set_draw_id(struct pipe_context *pipe, uint32_t id)
{
   struct agx_context *ctx = agx_context(pipe);

   if (ctx->graphics.stage_words[AGX_GRAPHICS_DRAW_ID] == id)
      return;
   ctx->graphics.stage_words[AGX_GRAPHICS_DRAW_ID] = id;
   ctx->dirty |= AGX_BIT(STAGE_TABLE);
}

static bool
reads_draw_id(const struct agx_program *program)
{
   for (unsigned hw = 0; hw < AGX_HW_STAGES; hw++) {
      if (program->stages[hw].code.arguments.table_dw[AGX_TABLE_STAGE] > AGX_GRAPHICS_DRAW_ID)
         return true;
   }
   return false;
}

/* As it is, or as agx_pad_indices() has split it. */
static void
draw_padded(struct agx_context *ctx, bool indexed, uint64_t va, const struct agx_padded *padded)
{
   draw_at(ctx, indexed, padded->in_place_va ? padded->in_place_va : va);
   if (padded->in_place_va)
      draw_by(ctx, &padded->indices, padded->moved_va);
}

static bool
draw_many(struct agx_context *ctx, const struct indirect *draws)
{
   for (uint32_t i = 0; i < draws->count; i++) {
      uint64_t va = draws->va + (uint64_t)i * draws->stride_B;

      if (draws->numbered)
         set_draw_id(&ctx->base, draws->first + i);
      if (ctx->has_geometry) {
         draw_geometry(ctx, draws->indexed, va, NULL);
         continue;
      }
      struct agx_padded padded = {0};

      if (draws->pads)
         padded = agx_pad_indices(ctx, va, NULL);

      if (draws->reads_draw) {
         agx_table_place(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW, va + DRAW_WORDS_B(draws->indexed), 2);
         ctx->dirty |= AGX_ARGUMENT_ATOMS;
      }
      if (ctx->dirty && !emit_dirty(ctx))
         return false;
      if (ctx->xfb.counts)
         count_draw(ctx, draws->indexed, va, NULL);
      draw_padded(ctx, draws->indexed, va, &padded);
   }
   return true;
}

static bool
draw_all(struct agx_context *ctx, const struct agx_program *program, const struct indirect *draws)
{
   if (ctx->statistics.active && !program->graphics->ahead.corners)
      agx_statistics_draw_indirect(ctx, draws->va, draws->stride_B, draws->count);
   bool drawn = draw_many(ctx, draws);

   /* The next draw's parameters lie elsewhere. */
   if (draws->reads_draw)
      ctx->dirty |= AGX_ARGUMENT_ATOMS;
   agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW);
   return drawn;
}

static void
draw_indirect(struct pipe_context *pipe, const struct pipe_indirect_draws *from)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   /* With a count, as many at once as fit into one piece of memory. */
   uint32_t most = from->count_buffer ? AUX_CHUNK_B / PARAMETERS_B(from->indexed) : UINT32_MAX;
   bool drawn = true;

   if (!from->max_draws || !program)
      return;
   for (uint32_t first = 0; first < from->max_draws && drawn; first += MIN2(most, from->max_draws - first)) {
      struct indirect draws = {
         .indexed = from->indexed,
         .numbered = reads_draw_id(program),
         .reads_draw = reads(program, AGX_TABLE_DRAW),
         .pads = from->indexed && ctx->graphics.index_buffer.pads,
         .va = agx_read_va(agx_resource(from->buffer)) + from->offset_B + (uint64_t)first * from->stride_B,
         .count_va = from->count_buffer ? agx_resource(from->count_buffer)->va + from->count_offset_B : 0,
         .stride_B = from->stride_B,
         .first = first,
         .count = MIN2(most, from->max_draws - first),
      };

      if (from->count_buffer)
         limit_draws(ctx, &draws);
      drawn = draw_all(ctx, program, &draws);
   }
   set_draw_id(pipe, 0);
}

static void
draw_byte_count(struct pipe_context *pipe, const struct pipe_byte_count *count)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   if (!count->instances || !program)
      return;
   struct indirect one = {
      .reads_draw = reads(program, AGX_TABLE_DRAW), .va = agx_xfb_byte_count(ctx, count), .count = 1};

   draw_all(ctx, program, &one);
}

void
agx_init_draw(struct agx_context *ctx)
{
   ctx->base.set_draw_id = set_draw_id;
   ctx->base.draw = draw;
   ctx->base.draw_indexed = draw_indexed;
   ctx->base.draw_indirect = draw_indirect;
   ctx->base.draw_byte_count = draw_byte_count;
}
