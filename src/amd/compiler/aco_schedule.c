/* List scheduling inside blocks, before register allocation: instructions on the longest path of latencies first, so
 * that loads start early and together. Changes of EXEC, barriers and the ends of blocks are fixed points. An
 * instruction moves over at most WINDOW others, which bounds what it can add to the number of live registers. */
#include "amd/compiler/aco_ir.h"
#include "util/mutant.h"

#include <string.h>

#define WINDOW 20
#define MAX_SEGMENT 4096

struct node {
   struct aco_instr *instr;
   uint32_t first_edge; /* into edges, of instructions that wait for this one */
   uint32_t blockers;   /* instructions that it waits for */
   uint32_t path;       /* latencies from here to the end of the segment */
   bool done;
};

struct edge {
   uint32_t to, next; /* next: edge + 1, 0: none */
};

struct scheduler {
   struct aco_program *program;
   struct node *nodes;
   unsigned count;
   struct edge *edges;
   uint32_t num_edges, edges_capacity;
   uint32_t *maker; /* by temp: node + 1 in this segment */
};

/* Cycles until a dependent instruction may run, roughly (only the order of magnitude matters). */
static unsigned
latency(const struct aco_program *program, const struct aco_instr *instr)
{
   uint32_t encs = aco_encs(program, instr), flags = aco_flags(program, instr);
   if (encs & ACO_ENC_VMEM)
      return flags & (AMD_FLAG_LOAD | AMD_FLAG_ATOMIC) ? 200 : 1;
   if (encs & 1u << AMD_ENC_SMEM)
      return 100;
   if (encs & 1u << AMD_ENC_DS)
      return 60;
   if (flags & AMD_FLAG_TRANS)
      return 10;
   return encs & ACO_ENC_VALU ? 5 : 2;
}

/* Instructions that nothing moves across. */
static bool
is_fixed(const struct aco_program *program, const struct aco_instr *instr)
{
   uint32_t flags = aco_flags(program, instr);
   return instr->op == ACO_P_STARTPGM || instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI ||
          instr->op == ACO_P_LOGICAL_END || instr->op == ACO_P_AWAIT_WAVES ||
          flags & (AMD_FLAG_WRITES_EXEC | AMD_FLAG_BARRIER | AMD_FLAG_END | AMD_FLAG_BRANCH) ||
          (instr->num_defs && instr->defs[0].fixed);
}

static void
add_edge(struct scheduler *s, uint32_t from, uint32_t to)
{
   s->edges = arena_room(s->program->arena, s->edges, sizeof(*s->edges), s->num_edges, &s->edges_capacity);
   s->edges[s->num_edges] = (struct edge){to, s->nodes[from].first_edge};
   s->nodes[from].first_edge = ++s->num_edges;
   s->nodes[to].blockers++;
}

/* Last instruction of each kind, node + 1. */
struct order {
   uint32_t scc, write;
   uint32_t reads[WINDOW]; /* loads since the last write */
   unsigned num_reads;
};

static void
add_memory_edges(struct scheduler *s, struct order *o, uint32_t at)
{
   const struct aco_instr *instr = s->nodes[at].instr;
   uint32_t flags = aco_flags(s->program, instr);
   bool memory = flags & (AMD_FLAG_LOAD | AMD_FLAG_STORE | AMD_FLAG_ATOMIC);
   bool writes = flags & (AMD_FLAG_STORE | AMD_FLAG_ATOMIC) || instr->side_effects;
   if (writes) {
      if (o->write)
         add_edge(s, o->write - 1, at);
      for (unsigned i = 0; i < o->num_reads; i++)
         add_edge(s, o->reads[i], at);
      o->num_reads = 0;
      o->write = at + 1;
   } else if (memory && !instr->reorder) {
      if (o->write)
         add_edge(s, o->write - 1, at);
      /* A load with GLC evicts what plain ones after it must not find. */
      for (unsigned i = 0; i < o->num_reads && !instr->glc && !mutant("coherent-overtaken"); i++) {
         if (s->nodes[o->reads[i]].instr->glc)
            add_edge(s, o->reads[i], at);
      }
      if (o->num_reads == WINDOW) { /* too many: the oldest goes before this one */
         add_edge(s, o->reads[0], at);
         memmove(o->reads, o->reads + 1, (WINDOW - 1) * sizeof(*o->reads));
         o->num_reads--;
      }
      o->reads[o->num_reads++] = at;
   }
}

static void
build(struct scheduler *s)
{
   struct order o = {0};
   s->num_edges = 0;
   for (uint32_t at = 0; at < s->count; at++) {
      const struct aco_instr *instr = s->nodes[at].instr;
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (instr->ops[i].kind == ACO_OP_TEMP && s->maker[instr->ops[i].value])
            add_edge(s, s->maker[instr->ops[i].value] - 1, at);
      }
      for (unsigned i = 0; i < instr->num_defs; i++)
         s->maker[instr->defs[i].temp] = instr->defs[i].temp ? at + 1 : 0;
      /* All that touches SCC keeps its order. */
      if (aco_flags(s->program, instr) & (AMD_FLAG_READS_SCC | AMD_FLAG_WRITES_SCC)) {
         if (o.scc)
            add_edge(s, o.scc - 1, at);
         o.scc = at + 1;
      }
      add_memory_edges(s, &o, at);
   }
   for (uint32_t at = s->count; at-- > 0;) {
      uint32_t longest = 0;
      for (uint32_t e = s->nodes[at].first_edge; e; e = s->edges[e - 1].next)
         longest = MAX2(longest, s->nodes[s->edges[e - 1].to].path);
      s->nodes[at].path = longest + latency(s->program, s->nodes[at].instr);
   }
   for (uint32_t at = 0; at < s->count; at++) {
      for (unsigned i = 0; i < s->nodes[at].instr->num_defs; i++)
         s->maker[s->nodes[at].instr->defs[i].temp] = 0;
   }
}

/* The oldest instruction that is left never waits for another one, so each step places something. */
static void
schedule_segment(struct scheduler *s, struct aco_instr **instrs, unsigned count)
{
   if (count < 3 || count > MAX_SEGMENT)
      return;
   s->count = count;
   for (unsigned i = 0; i < count; i++)
      s->nodes[i] = (struct node){.instr = instrs[i]};
   build(s);
   unsigned oldest = 0;
   for (unsigned placed = 0; placed < count; placed++) {
      while (s->nodes[oldest].done)
         oldest++;
      unsigned best = oldest;
      for (unsigned i = oldest; i < count && i < oldest + WINDOW; i++) {
         const struct node *node = &s->nodes[i];
         if (!node->done && !node->blockers && node->path > s->nodes[best].path)
            best = i;
      }
      struct node *node = &s->nodes[best];
      node->done = true;
      instrs[placed] = node->instr;
      for (uint32_t e = node->first_edge; e; e = s->edges[e - 1].next)
         s->nodes[s->edges[e - 1].to].blockers--;
   }
}

void
aco_schedule(struct aco_program *program)
{
   struct scheduler *s = arena_new(program->arena, struct scheduler);
   unsigned longest = 0;
   for (unsigned b = 0; b < program->num_blocks; b++)
      longest = MAX2(longest, program->blocks[b]->count);
   s->program = program;
   s->nodes = arena_array(program->arena, struct node, MIN2(longest, MAX_SEGMENT) + 1);
   s->maker = arena_array(program->arena, uint32_t, program->num_temps);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned first = 0; first < block->count;) {
         unsigned end = first;
         while (end < block->count && !is_fixed(program, block->instrs[end]))
            end++;
         schedule_segment(s, block->instrs + first, end - first);
         first = end + 1;
      }
   }
}
