/* The order of instructions inside blocks, before registers are given out. Where an instruction would wait for what
 * runs in the background (memory, textures), others go ahead of it: first what starts more of that, then whatever is
 * ready. Where more is live than lets most threads run, those go ahead that leave fewest registers taken.
 *
 * Instructions move between fixed points: flow, barriers, the tile, results of vertices. None goes ahead of one that
 * is WINDOW or more older. A segment keeps its order if the new one would let fewer threads run. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

#define WINDOW 48
#define SEGMENT_MAX 2048
#define ASYNC_LATENCY 64       /* instructions that a result from memory takes, roughly */
#define IN_FLIGHT_MAX 8    /* operations of a group of waits */

enum chain { DEVICE, LOCAL, STACK, CHAINS, NO_CHAIN = CHAINS };

struct node {
   struct agx_instr *instr;
   uint32_t first_edge; /* of instructions that come after this one: number + 1, 0: none */
   uint32_t blockers;   /* instructions that come before */
   uint32_t ready;      /* time when its sources are there */
   bool done, feeds;    /* feeds: something that runs in the background comes after it */
};

struct edge {
   uint32_t to, next;
   bool reads; /* the result, rather than keep an order */
};

/* What touches memory, in order: loads may pass loads. */
struct order {
   uint32_t write;      /* node + 1 */
   uint32_t first_read; /* since then */
};

struct scheduler {
   struct agx_ir *ir;
   struct node *nodes;
   unsigned count;
   struct edge *edges;
   uint32_t num_edges, edges_capacity;
   uint32_t *maker;   /* by value: node + 1 in this segment */
   uint32_t *readers; /* by value: instructions of the segment that are not placed yet */
   bool *dies;        /* by value: nobody reads it after the segment */
   struct agx_instr **placed;
   unsigned oldest, live_h, limit_h;
   uint32_t time, in_flight;
};

static bool
is_fixed(const struct agx_instr *instr)
{
   if (agx_is_pseudo(instr))
      return instr->op != AGX_P_COPY && instr->op != AGX_P_COLLECT && instr->op != AGX_P_SPLIT;
   const enum agx_class class = agx_isa_op_info(instr->op).class;
   if (instr->op == AGX_OP_MFSR)
      return !agx_reads_stable_sr(instr);
   if (class == AGX_CLASS_VARYING)
      return instr->op != AGX_OP_ITER && instr->op != AGX_OP_LDCF;
   return class != AGX_CLASS_MOVE && class != AGX_CLASS_INTEGER && class != AGX_CLASS_CONVERT &&
          class != AGX_CLASS_FLOAT && class != AGX_CLASS_GROUP && class != AGX_CLASS_MEMORY &&
          class != AGX_CLASS_LOCAL && class != AGX_CLASS_STACK && class != AGX_CLASS_TEXTURE &&
          class != AGX_CLASS_IMAGE;
}

/* Sampled images do not change between barriers; images that are loaded from may. */
static enum chain
chain_of(const struct agx_instr *instr)
{
   const enum agx_class class = agx_is_pseudo(instr) ? AGX_CLASS_MOVE : agx_isa_op_info(instr->op).class;
   if (class == AGX_CLASS_MEMORY || class == AGX_CLASS_IMAGE || instr->op == AGX_OP_SMPI)
      return DEVICE;
   return class == AGX_CLASS_LOCAL ? LOCAL : class == AGX_CLASS_STACK ? STACK : NO_CHAIN;
}

/* Coherent loads keep their order, too. */
static bool
is_plain_load(const struct agx_instr *instr)
{
   return (instr->op == AGX_OP_LOAD || instr->op == AGX_OP_LLOAD || instr->op == AGX_OP_STACK_LOAD ||
           instr->op == AGX_OP_SMPI) &&
          !instr->mod.coherency;
}

/* Gives a result in the background. */
static bool
is_async(const struct agx_instr *instr)
{
   return (instr->op == AGX_OP_LOAD || instr->op == AGX_OP_SMPF || instr->op == AGX_OP_SMPI ||
           instr->op == AGX_OP_STACK_LOAD || instr->op == AGX_OP_ATOMIC) &&
          instr->dsts[0].kind == AGX_SSA;
}

/* ---- what waits for what ---- */

static void
add_edge(struct scheduler *s, uint32_t from, uint32_t to, bool reads)
{
   s->edges = arena_room(s->ir->arena, s->edges, sizeof(*s->edges), s->num_edges, &s->edges_capacity);
   s->edges[s->num_edges] = (struct edge){to, s->nodes[from].first_edge, reads};
   s->nodes[from].first_edge = ++s->num_edges;
   s->nodes[to].blockers++;
}

static void
add_memory_edges(struct scheduler *s, struct order *orders, uint32_t at)
{
   const enum chain chain = chain_of(s->nodes[at].instr);
   if (chain == NO_CHAIN)
      return;
   struct order *o = &orders[chain];
   if (o->write)
      add_edge(s, o->write - 1, at, false);
   if (is_plain_load(s->nodes[at].instr)) {
      o->first_read = o->first_read ? o->first_read : at + 1;
      return;
   }
   for (uint32_t i = o->first_read; i && i <= at; i++) {
      if (chain_of(s->nodes[i - 1].instr) == chain && i != o->write)
         add_edge(s, i - 1, at, false);
   }
   *o = (struct order){.write = at + 1};
}

static bool
is_first(const struct agx_instr *instr, unsigned k)
{
   for (unsigned i = 0; i < k; i++) {
      if (instr->srcs[i].kind == AGX_SSA && instr->srcs[i].value == instr->srcs[k].value)
         return false;
   }
   return instr->srcs[k].kind == AGX_SSA;
}

static void
build(struct scheduler *s)
{
   struct order orders[CHAINS] = {{0}};
   s->num_edges = 0;
   for (uint32_t at = 0; at < s->count; at++) {
      const struct agx_instr *instr = s->nodes[at].instr;
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         const uint32_t value = instr->srcs[k].value;
         if (!is_first(instr, k))
            continue;
         if (s->maker[value])
            add_edge(s, s->maker[value] - 1, at, true);
         s->readers[value]++;
         s->dies[value] |= instr->srcs[k].kill;
      }
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            s->maker[instr->dsts[k].value] = at + 1;
      }
      add_memory_edges(s, orders, at);
   }
   for (uint32_t at = s->count; at-- > 0;) {
      struct node *node = &s->nodes[at];
      for (uint32_t e = node->first_edge; e && !node->feeds; e = s->edges[e - 1].next) {
         const struct node *next = &s->nodes[s->edges[e - 1].to];
         node->feeds = next->feeds || is_async(next->instr);
      }
   }
}

/* So that the next segment finds nothing. */
static void
forget(struct scheduler *s)
{
   for (uint32_t at = 0; at < s->count; at++) {
      const struct agx_instr *instr = s->nodes[at].instr;
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            s->readers[instr->srcs[k].value] = s->dies[instr->srcs[k].value] = 0;
      }
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            s->maker[instr->dsts[k].value] = 0;
      }
   }
}

/* ---- choosing ---- */

/* Halves that it takes, less those that it frees. */
static int
growth(const struct scheduler *s, const struct agx_instr *instr)
{
   int halves = 0;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA && !instr->dsts[k].kill)
         halves += (int)agx_halves(&instr->dsts[k]);
   }
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (is_first(instr, k) && s->dies[instr->srcs[k].value] && s->readers[instr->srcs[k].value] == 1)
         halves -= (int)agx_value_halves(s->ir, instr->srcs[k].value);
   }
   return halves;
}

/* The one after which the fewest registers are live; of several the oldest. */
static unsigned
choose_smallest(const struct scheduler *s)
{
   unsigned best = s->oldest;
   int least = INT32_MAX;
   for (unsigned i = s->oldest; i < s->count && i < s->oldest + WINDOW; i++) {
      const struct node *node = &s->nodes[i];
      const int grows = node->done || node->blockers ? INT32_MAX : growth(s, node->instr);
      if (grows < least) {
         least = grows;
         best = i;
      }
   }
   return best;
}

/* The oldest, if it is ready; else what starts something in the background, else what leads to that, else what leaves
 * no more registers taken. */
static unsigned
choose_filler(const struct scheduler *s)
{
   unsigned best = s->oldest;
   if (s->nodes[best].ready <= s->time)
      return best;
   for (unsigned i = s->oldest + 1; i < s->count && i < s->oldest + WINDOW; i++) {
      const struct node *node = &s->nodes[i];
      const bool starts = is_async(node->instr);
      if (node->done || node->blockers || node->ready > s->time || (starts && s->in_flight == IN_FLIGHT_MAX) ||
          (!starts && best != s->oldest))
         continue;
      const int grows = growth(s, node->instr);
      if ((grows > 0 && !starts && !node->feeds) || (int)s->live_h + grows > (int)s->limit_h)
         continue;
      best = i;
      if (starts)
         break;
   }
   return best;
}

static void
place(struct scheduler *s, unsigned at)
{
   struct node *node = &s->nodes[at];
   const struct agx_instr *instr = node->instr;
   if (node->ready > s->time) { /* a wait, which is for all that runs */
      s->time = node->ready;
      s->in_flight = 0;
   }
   s->in_flight += is_async(instr);
   s->live_h = (unsigned)((int)s->live_h + growth(s, instr));
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (is_first(instr, k))
         s->readers[instr->srcs[k].value]--;
   }
   s->time++;
   node->done = true;
   for (uint32_t e = node->first_edge; e; e = s->edges[e - 1].next) {
      const struct edge *edge = &s->edges[e - 1];
      struct node *next = &s->nodes[edge->to];
      next->blockers--;
      next->ready = MAX2(next->ready, s->time + (edge->reads && is_async(instr) ? ASYNC_LATENCY : 0));
   }
}

static unsigned
dead_halves(const struct agx_instr *instr)
{
   unsigned halves = 0;
   for (unsigned k = 0; k < instr->num_dsts; k++)
      halves += instr->dsts[k].kind == AGX_SSA && instr->dsts[k].kill ? agx_halves(&instr->dsts[k]) : 0;
   return halves;
}

/* The oldest instruction that is left never comes after another one, so each step places something. Returns how many
 * halves are live at most. */
static unsigned
order_nodes(struct scheduler *s)
{
   unsigned peak = s->live_h;
   s->oldest = s->time = s->in_flight = 0;
   for (unsigned n = 0; n < s->count; n++) {
      while (s->nodes[s->oldest].done)
         s->oldest++;
      const unsigned at = s->live_h > s->limit_h ? choose_smallest(s) : choose_filler(s);
      place(s, at);
      s->placed[n] = s->nodes[at].instr;
      peak = MAX2(peak, s->live_h + dead_halves(s->nodes[at].instr));
   }
   return peak;
}

/* live_h: halves at the start, then at the end. */
static void
schedule_segment(struct scheduler *s, struct agx_instr **instrs, unsigned count, unsigned *live_h)
{
   const unsigned start_h = *live_h;
   unsigned peak = start_h, in_flight = 0;
   for (unsigned i = 0; i < count; i++) {
      const unsigned at = agx_live_step(s->ir, instrs[i], live_h);
      peak = MAX2(peak, at);
      in_flight += i + 1 < count && is_async(instrs[i]);
   }
   if (count < 3 || count > SEGMENT_MAX || (!in_flight && peak <= s->limit_h))
      return;
   s->count = count;
   s->live_h = start_h;
   for (unsigned i = 0; i < count; i++)
      s->nodes[i] = (struct node){.instr = instrs[i]};
   build(s);
   const unsigned made = order_nodes(s);
   if (made <= peak || agx_max_threads(made + AGX_SLACK_H) >= agx_max_threads(peak + AGX_SLACK_H))
      memcpy(instrs, s->placed, count * sizeof(*instrs));
   forget(s);
}

static void
schedule_block(struct scheduler *s, struct agx_block *block)
{
   unsigned live_h = agx_live_halves(s->ir, live_in(&s->ir->live, block->index));
   for (unsigned first = 0; first < block->count;) {
      unsigned end = first;
      while (end < block->count && !is_fixed(block->instrs[end]))
         end++;
      schedule_segment(s, block->instrs + first, end - first, &live_h);
      if (end < block->count)
         agx_live_step(s->ir, block->instrs[end], &live_h);
      first = end + 1;
   }
}

/* Preambles run once a draw. */
void
agx_schedule(struct agx_ir *ir)
{
   struct arena *arena = ir->arena;
   struct scheduler *s = arena_new(arena, struct scheduler);
   unsigned longest = 0;
   if (ir->is_preamble)
      return;
   agx_liveness(ir);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      longest = MAX2(longest, ir->blocks[b]->count);
   longest = MIN2(longest, SEGMENT_MAX);
   s->ir = ir;
   s->limit_h = agx_comfort_h(ir);
   s->nodes = arena_array(arena, struct node, longest + 1);
   s->placed = arena_array(arena, struct agx_instr *, longest + 1);
   s->maker = arena_array(arena, uint32_t, ir->num_values);
   s->readers = arena_array(arena, uint32_t, ir->num_values);
   s->dies = arena_array(arena, bool, ir->num_values);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      schedule_block(s, ir->blocks[b]);
}
