/* Regions of a program, their blocks, and the code around these. */
#include <stdlib.h>

#include "amd/sim/wave/jit_private.h"
#include "amd/sim/wave/jit_steady.h"
#include "sim/host/code_memory.h"
#include "sim/waves/loop.h"
#include "util/within_memory.h"

/* LONGEST_BLOCK: a round that ends within one is the interpreter's from the block's start on. */
enum { LONGEST_BLOCK = 96, SHORTEST_REGION = 3, MOST_BLOCKS = 65534 };

/* A block that is made: offsets become addresses. */
struct made_block {
   uint32_t first, count, region;
   unsigned label;
   uint32_t offset_B;
};

struct making {
   struct jit_builder b;
   struct dynarray blocks, regions; /* struct made_block, struct jit_region */
   uint8_t *kinds;                  /* by instruction */
   bool *begins;                    /* whether a branch jumps there */
   struct jit *jit;                 /* what comes of it */
};

/* ---- entry and exit ---- */

static const enum x86_reg saved[] = {X86_RBX, X86_RBP, X86_R12, X86_R13, X86_R14, X86_R15};

/* uint64_t enter(struct wave *, const void *code, uint64_t left) */
static void
emit_enter(struct x86 *x)
{
   for (unsigned i = 0; i < ARRAY_SIZE(saved); i++)
      x86_push(x, saved[i]);
   x86_op_number(x, true, X86_SUB, x86_reg(X86_RSP), 8);
   x86_op(x, true, X86_MOV, JIT_WAVE, x86_reg(X86_RDI));
   x86_op(x, true, X86_LEA, JIT_SGPRS, x86_at(X86_RDI, offsetof(struct wave, state.sgpr)));
   x86_op(x, true, X86_MOV, JIT_LEFT, x86_reg(X86_RDX));
   x86_jump_to(x, X86_RSI);
}

static void
emit_leave(struct x86 *x)
{
   x86_vector_end(x);
   x86_op(x, true, X86_MOV, X86_RAX, x86_reg(JIT_LEFT));
   x86_op_number(x, true, X86_ADD, x86_reg(X86_RSP), 8);
   for (unsigned i = ARRAY_SIZE(saved); i-- > 0;)
      x86_pop(x, saved[i]);
   x86_return(x);
}

static void
emit_exits(struct jit_builder *b)
{
   dynarray_for_each(struct jit_exit, exit, &b->exits) {
      x86_place(&b->x86, exit->label);
      x86_store_number(&b->x86, false, x86_at(JIT_WAVE, offsetof(struct wave, base.next)), (int32_t)exit->next);
      x86_jump(&b->x86, X86_ALWAYS, b->leave);
   }
}

/* The label of code that leaves for the instruction. */
static unsigned
exit_to(struct jit_builder *b, uint32_t next)
{
   const struct jit_exit exit = {x86_label(&b->x86), next};
   dynarray_append(&b->exits, struct jit_exit, exit);
   return exit.label;
}

/* The block that begins with the instruction, or an exit. */
static unsigned
label_of(struct jit_builder *b, uint32_t index)
{
   return index < b->program->code_count && b->labels[index] != UINT32_MAX ? b->labels[index] : exit_to(b, index);
}

/* ---- blocks ---- */

static void
note_jump(struct wave *w, const struct code *c)
{
   sim_loop_jump(&w->base.loop, c->pc_dw, w->program->codes[jit_target(w->program, c)].pc_dw);
}

/* Where the jump widens the hull of those before it; else they are only counted. */
static void
emit_note_jump(struct jit_builder *b, const struct code *c, uint32_t target)
{
   struct x86 *x = &b->x86;
   const struct x86_operand first = x86_at(JIT_WAVE, offsetof(struct wave, base.loop.jumps.first)),
                            last = x86_at(JIT_WAVE, offsetof(struct wave, base.loop.jumps.last)),
                            count = x86_at(JIT_WAVE, offsetof(struct wave, base.loop.jumps.count)),
                            all = x86_at(JIT_WAVE, offsetof(struct wave, base.loop.jumped));
   const unsigned widens = x86_label(x), done = x86_label(x);
   x86_op_number(x, true, X86_CMP, count, 0);
   x86_jump(x, X86_IF_ZERO, widens);
   x86_op_number(x, false, X86_CMP, first, (int32_t)b->program->codes[target].pc_dw);
   x86_jump(x, X86_IF_ABOVE, widens);
   x86_op_number(x, false, X86_CMP, last, (int32_t)c->pc_dw);
   x86_jump(x, X86_IF_BELOW, widens);
   x86_op_number(x, true, X86_ADD, count, 1);
   x86_op_number(x, true, X86_ADD, all, 1);
   x86_jump(x, X86_ALWAYS, done);
   x86_place(x, widens);
   x86_vector_end(x);
   x86_op(x, true, X86_MOV, X86_RDI, x86_reg(JIT_WAVE));
   x86_load_number(x, X86_RSI, (uintptr_t)c);
   x86_load_number(x, X86_RAX, (uintptr_t)note_jump);
   x86_call(x, X86_RAX);
   x86_place(x, done);
}

static void
emit_branch(struct jit_builder *b, const struct code *c, uint32_t index)
{
   const uint32_t target = jit_target(b->program, c);
   const unsigned to = label_of(b, target), stays = label_of(b, index + 1);
   struct x86 *x = &b->x86;
   if (target > index) {
      jit_emit_branch(b, c, to);
      x86_jump(x, X86_ALWAYS, stays);
      return;
   }
   const unsigned taken = x86_label(x);
   jit_emit_branch(b, c, taken);
   x86_jump(x, X86_ALWAYS, stays);
   x86_place(x, taken);
   emit_note_jump(b, c, target);
   x86_jump(x, X86_ALWAYS, to);
}

static void
emit_instruction(struct jit_builder *b, const struct code *c, enum jit_kind kind)
{
   switch (kind) {
   case JIT_VECTOR:
      jit_add_vector(b, c);
      break;
   case JIT_CALLED_VECTOR:
      jit_end_segment(b);
      jit_emit_call(b, c);
      break;
   case JIT_SCALAR:
      jit_before_scalar(b, c);
      jit_emit_scalar(b, c);
      break;
   case JIT_OTHER:
   case JIT_NO_EFFECT:
   case JIT_BRANCH:
      break;
   }
}

/* Whether the block sets SCC again before an instruction after this one reads it. */
static bool
scc_is_dead(const struct jit_builder *b, uint32_t index, uint32_t end)
{
   for (uint32_t i = index + 1; i < end; i++) {
      const struct code *c = &b->program->codes[i];
      const bool by_source = c->src[0].kind == SOURCE_SCC || c->src[1].kind == SOURCE_SCC;
      if (by_source || c->src[2].kind == SOURCE_SCC || c->info->flags & AMD_FLAG_READS_SCC)
         return false;
      if (c->info->flags & AMD_FLAG_WRITES_SCC)
         return true;
   }
   return false;
}

static void
emit_block(struct making *m, struct made_block *block)
{
   struct jit_builder *b = &m->b;
   const uint32_t end = block->first + block->count;
   const unsigned late = exit_to(b, block->first);
   x86_place(&b->x86, block->label);
   block->offset_B = x86_here(&b->x86);
   x86_op_number(&b->x86, true, X86_CMP, x86_reg(JIT_LEFT), (int32_t)block->count);
   x86_jump(&b->x86, X86_IF_BELOW, late);
   x86_op_number(&b->x86, true, X86_SUB, x86_reg(JIT_LEFT), (int32_t)block->count);
   for (uint32_t i = block->first; i < end; i++) {
      b->scc_is_dead = m->kinds[i] == JIT_SCALAR && scc_is_dead(b, i, end);
      emit_instruction(b, &b->program->codes[i], m->kinds[i]);
   }
   jit_end_segment(b);
   if (m->kinds[end - 1] == JIT_BRANCH)
      emit_branch(b, &b->program->codes[end - 1], end - 1);
   else
      x86_jump(&b->x86, X86_ALWAYS, label_of(b, end));
}

/* ---- where blocks begin ---- */

static void
add_block(struct making *m, uint32_t first, uint32_t end)
{
   const struct made_block block = {.first = first,
                                    .count = end - first,
                                    .region = (uint32_t)dynarray_count(&m->regions, struct jit_region) - 1,
                                    .label = x86_label(&m->b.x86)};
   dynarray_append(&m->blocks, struct made_block, block);
   m->b.labels[first] = block.label;
}

static void
add_region(struct making *m, uint32_t first, uint32_t end)
{
   const struct program *p = m->b.program;
   struct jit_region *region = dynarray_grow(&m->regions, sizeof(*region));
   memset(region, 0, sizeof(*region));
   for (uint32_t i = first; i < end; i++) {
      region->vgpr_end = MAX2(region->vgpr_end, p->codes[i].vgpr_end);
      for (unsigned k = 0; k < ARRAY_SIZE(region->used.bits); k++)
         region->used.bits[k] |= p->codes[i].used.bits[k];
   }
   for (uint32_t i = first, begin = first; i < end; i++) {
      if (i + 1 == end || m->begins[i + 1] || m->kinds[i] == JIT_BRANCH || i + 1 - begin == LONGEST_BLOCK) {
         add_block(m, begin, i + 1);
         begin = i + 1;
      }
   }
}

static void
find_regions(struct making *m)
{
   const struct program *p = m->b.program;
   m->begins = need_calloc("a program", p->code_count + 1, sizeof(*m->begins));
   for (uint32_t i = 0; i < p->code_count; i++)
      if (m->kinds[i] == JIT_BRANCH)
         m->begins[jit_target(p, &p->codes[i])] = true;
   for (uint32_t first = 0, end; first < p->code_count; first = end + 1) {
      for (end = first; end < p->code_count && m->kinds[end] != JIT_OTHER;)
         end++;
      if (end - first >= SHORTEST_REGION)
         add_region(m, first, end);
   }
}

/* ---- the whole ---- */

/* False: no memory for code. */
static bool
keep(struct making *m)
{
   const uint32_t block_count = (uint32_t)dynarray_count(&m->blocks, struct made_block);
   const struct dynarray *bytes = &m->b.x86.bytes;
   struct jit *jit = m->jit =
      need_calloc("a program", 1, sizeof(*jit) + (m->b.program->code_count + 1) * sizeof(jit->block_of[0]));
   jit->mode = m->b.mode;
   jit->regions = m->regions.data;
   m->regions = (struct dynarray){0};
   jit->blocks = need_calloc("a program", block_count, sizeof(*jit->blocks));
   jit->situations = jit_situations_create(block_count);
   jit->memory_B = bytes->size_B;
   jit->memory = code_memory_create(bytes->data, bytes->size_B);
   memcpy(&jit->enter, &jit->memory, sizeof(jit->memory));
   for (uint32_t i = 0; i < block_count && jit->memory; i++) {
      const struct made_block *block = dynarray_at(&m->blocks, struct made_block, i);
      const void *code = (const uint8_t *)jit->memory + block->offset_B;
      jit->blocks[i] = (struct jit_block){code, block->count, &jit->regions[block->region]};
      jit->block_of[block->first] = (uint16_t)(i + 1);
   }
   return jit->memory;
}

static void
emit(struct making *m)
{
   struct jit_builder *b = &m->b;
   b->leave = x86_label(&b->x86);
   emit_enter(&b->x86);
   dynarray_for_each(struct made_block, block, &m->blocks)
      emit_block(m, block);
   emit_exits(b);
   x86_place(&b->x86, b->leave);
   emit_leave(&b->x86);
   x86_finish(&b->x86);
}

static void
find_kinds(struct making *m)
{
   const struct program *p = m->b.program;
   m->kinds = need_malloc("a program", p->code_count);
   for (uint32_t i = 0; i < p->code_count; i++)
      m->kinds[i] = (uint8_t)jit_kind_of(p, &p->codes[i]);
}

static void
release(void *object)
{
   struct making *m = object;
   x86_free(&m->b.x86);
   dynarray_free(&m->b.exits);
   dynarray_free(&m->blocks);
   dynarray_free(&m->regions);
   free(m->b.labels);
   free(m->kinds);
   free(m->begins);
   jit_free(m->jit);
}

struct jit *
jit_compile(const struct program *p, uint32_t mode)
{
   struct making m = {.b = {.program = p, .lanes = p->lanes, .mode = mode}};
   const size_t labels_B = p->code_count * sizeof(*m.b.labels);
   struct jit *jit = NULL;
   struct owned owned;
   own(&owned, release, &m);
   find_kinds(&m);
   m.b.labels = need_malloc("a program", labels_B);
   memset(m.b.labels, 0xff, labels_B);
   find_regions(&m);
   const size_t count = dynarray_count(&m.blocks, struct made_block);
   if (count && count <= MOST_BLOCKS) {
      emit(&m);
      if (keep(&m)) {
         jit = m.jit;
         m.jit = NULL;
      }
   }
   disown(&owned);
   return jit;
}

void
jit_free(struct jit *jit)
{
   if (!jit)
      return;
   if (jit->memory)
      code_memory_destroy(jit->memory, jit->memory_B);
   jit_situations_free(jit->situations);
   free(jit->blocks);
   free(jit->regions);
   free(jit);
}
