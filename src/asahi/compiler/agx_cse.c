/* The same pure operation on the same values is done once, where the first one dominates: what selection makes again
 * and again (halves of words, constants, shifts of indices), which nir does not see. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

#include "util/hash.h"

struct cse {
   struct agx_ir *ir;
   struct agx_block **parent; /* by block: its immediate dominator */
   uint32_t *place, *reach;   /* by block: what it dominates, itself first, has places [place, place + reach) */
   struct agx_instr **table;  /* open addressing */
   struct agx_block **where;
   unsigned size;        /* a power of two */
   struct agx_ref *same; /* by value: what it is replaced by, or NONE */
};

/* ---- dominance, over logical edges; blocks come in an order that predecessors but those of loops precede ---- */

static struct agx_block *
common_dominator(struct agx_block *const *parent, struct agx_block *a, struct agx_block *b)
{
   while (a != b) {
      if (a->index > b->index)
         a = parent[a->index];
      else
         b = parent[b->index];
   }
   return a;
}

static void
find_dominators(struct cse *c)
{
   c->parent[0] = c->ir->blocks[0];
   for (unsigned i = 1; i < c->ir->num_blocks; i++) {
      struct agx_block *block = c->ir->blocks[i], *dominator = NULL;
      for (unsigned k = 0; k < block->preds.count; k++) {
         struct agx_block *pred = block->preds.at[k];
         if (pred->index < i && c->parent[pred->index])
            dominator = dominator ? common_dominator(c->parent, dominator, pred) : pred;
      }
      c->parent[i] = dominator; /* NULL: nobody gets here */
   }
}

static void
place_dominated(struct cse *c)
{
   const unsigned num_blocks = c->ir->num_blocks;
   uint32_t *next = arena_array(c->ir->arena, uint32_t, num_blocks); /* the place of the next child */
   for (unsigned i = num_blocks; i-- > 0;) {
      c->reach[i]++;
      if (i && c->parent[i])
         c->reach[c->parent[i]->index] += c->reach[i];
   }
   next[0] = 1;
   for (unsigned i = 1; i < num_blocks; i++) {
      const struct agx_block *parent = c->parent[i];
      c->place[i] = parent ? next[parent->index] : num_blocks + i; /* where nobody gets: it dominates itself */
      if (parent)
         next[parent->index] += c->reach[i];
      next[i] = c->place[i] + 1;
   }
}

static bool
dominates(const struct cse *c, const struct agx_block *a, const struct agx_block *b)
{
   return c->place[b->index] - c->place[a->index] < c->reach[a->index];
}

/* ---- equality ---- */

static bool
is_pure(const struct agx_instr *instr)
{
   if (instr->op == AGX_P_COLLECT || instr->op == AGX_P_SPLIT)
      return true;
   if (agx_is_pseudo(instr) || instr->num_dsts != 1 || instr->dsts[0].kind != AGX_SSA)
      return false;
   const enum agx_class class = agx_isa_op_info(instr->op).class;
   if (instr->op == AGX_OP_MFSR)
      return agx_reads_stable_sr(instr);
   return class == AGX_CLASS_MOVE || class == AGX_CLASS_INTEGER || class == AGX_CLASS_CONVERT ||
          (class == AGX_CLASS_FLOAT && instr->op != AGX_OP_DFDX && instr->op != AGX_OP_DFDY);
}

static bool
same_ref(const struct agx_ref *a, const struct agx_ref *b)
{
   return a->kind == b->kind && a->value == b->value && a->size == b->size && a->count == b->count &&
          a->abs == b->abs && a->neg == b->neg && a->sext == b->sext;
}

static bool
same_instr(const struct agx_instr *a, const struct agx_instr *b)
{
   if (a->op != b->op || a->num_dsts != b->num_dsts || a->num_srcs != b->num_srcs || a->exact != b->exact ||
       memcmp(&a->mod, &b->mod, sizeof(a->mod)))
      return false;
   for (unsigned k = 0; k < a->num_dsts; k++) {
      const struct agx_ref *x = &a->dsts[k], *y = &b->dsts[k];
      if (x->kind != y->kind || x->size != y->size || x->count != y->count)
         return false;
   }
   for (unsigned k = 0; k < a->num_srcs; k++) {
      if (!same_ref(&a->srcs[k], &b->srcs[k]))
         return false;
   }
   return true;
}

uint32_t
agx_instr_hash(const struct agx_instr *instr)
{
   uint32_t hash = hash_mix(instr->op, (uint64_t)instr->num_srcs << 1 | instr->exact);
   for (unsigned k = 0; k < instr->num_dsts; k++)
      hash = hash_mix(hash, (uint64_t)instr->dsts[k].size << 8 | instr->dsts[k].count);
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      const struct agx_ref *src = &instr->srcs[k];
      const uint32_t how =
         (uint32_t)(src->kind << 19 | src->size << 11 | src->count << 3 | src->abs << 2 | src->neg << 1 | src->sext);
      hash = hash_mix(hash, (uint64_t)how << 32 | src->value);
   }
   return hash_mix(hash, hash_bytes(&instr->mod, sizeof(instr->mod)));
}

/* ---- the pass ---- */

static struct agx_ref
replaced(const struct cse *c, struct agx_ref ref)
{
   if (ref.kind != AGX_SSA || c->same[ref.value].kind == AGX_NONE)
      return ref;
   ref.value = c->same[ref.value].value;
   return ref;
}

/* Whether one before does the same; then its results are the instruction's. */
static bool
is_done(struct cse *c, struct agx_block *block, struct agx_instr *instr)
{
   unsigned at = agx_instr_hash(instr) & (c->size - 1);
   for (; c->table[at]; at = (at + 1) & (c->size - 1)) {
      struct agx_instr *other = c->table[at];
      if (!same_instr(instr, other))
         continue;
      if (!dominates(c, c->where[at], block)) {
         c->table[at] = instr; /* it is nearer to what comes */
         c->where[at] = block;
         return false;
      }
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            c->same[instr->dsts[k].value] = other->dsts[k];
      }
      return true;
   }
   c->table[at] = instr;
   c->where[at] = block;
   return false;
}

static void
run_block(struct cse *c, struct agx_block *block)
{
   unsigned kept = 0;
   for (unsigned i = 0; i < block->count; i++) {
      struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_srcs; k++)
         instr->srcs[k] = replaced(c, instr->srcs[k]);
      if (!is_pure(instr) || !is_done(c, block, instr))
         block->instrs[kept++] = instr;
   }
   block->count = kept;
}

void
agx_cse(struct agx_ir *ir)
{
   struct arena *arena = ir->arena;
   struct cse c = {.ir = ir, .size = 64};
   unsigned instrs = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++)
      instrs += ir->blocks[b]->count;
   while (c.size < 2 * instrs)
      c.size *= 2;
   c.parent = arena_array(arena, struct agx_block *, ir->num_blocks);
   c.table = arena_array(arena, struct agx_instr *, c.size);
   c.where = arena_array(arena, struct agx_block *, c.size);
   c.same = arena_array(arena, struct agx_ref, ir->num_values);
   c.place = arena_array(arena, uint32_t, ir->num_blocks);
   c.reach = arena_array(arena, uint32_t, ir->num_blocks);
   find_dominators(&c);
   place_dominated(&c);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      run_block(&c, ir->blocks[b]);
   /* Sources of phis over edges back come later. */
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const unsigned begin = agx_ir_begin(ir->blocks[b]);
      for (unsigned i = 0; i < begin; i++) {
         struct agx_instr *phi = ir->blocks[b]->instrs[i];
         for (unsigned k = 0; k < phi->num_srcs; k++)
            phi->srcs[k] = replaced(&c, phi->srcs[k]);
      }
   }
}
