/* Waits. What runs in the background (memory, textures) is counted by one of two groups, at most eight operations
 * each; waiting for a group waits for all of it. An instruction waits for the groups that still write what it reads
 * or writes, and a barrier for everything. What an operation reads, it has read when the next instruction starts.
 *
 * A part may begin with operations that run, of the first group: agx_join() sees to it that they are few enough.
 *
 * The state at the start of a block is the union over all physical ways to it; jumps in the middle of a block count.
 */
#include "asahi/compiler/agx_builder.h"
#include "util/mutant.h"

#include <string.h>

#define GROUPS 2
#define GROUP_MAX 8

struct state {
   struct group {
      BITSET_DECLARE(writes, AGX_REGISTERS); /* halves */
      uint8_t count;
      bool writes_states; /* texture and sampler states */
   } groups[GROUPS];
};

static bool
is_async(const struct agx_instr *instr)
{
   static const uint16_t ops[] = {AGX_OP_LOAD,
                                  AGX_OP_STORE,
                                  AGX_OP_ATOMIC,
                                  AGX_OP_SMPF,
                                  AGX_OP_STACK_LOAD,
                                  AGX_OP_STACK_STORE,
                                  AGX_OP_TEX_STATE_STORE,
                                  AGX_OP_SMPI,
                                  AGX_OP_SAMPLER_STATE_STORE};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      if (instr->op == ops[i])
         return true;
   }
   return false;
}

static bool
is_barrier(const struct agx_instr *instr)
{
   return !agx_is_pseudo(instr) && agx_isa_op_info(instr->op).class == AGX_CLASS_SYNC && instr->op != AGX_OP_WAIT &&
          instr->op != AGX_OP_PIXWAIT;
}

/* Registers of an operand, values' and others'. */
static bool
touches(const struct group *group, const struct agx_ref *ref)
{
   if (ref->kind == AGX_TS || ref->kind == AGX_SS)
      return group->writes_states;
   if (ref->kind != AGX_SSA && ref->kind != AGX_REG)
      return false;
   const unsigned first = ref->kind == AGX_SSA ? ref->reg : ref->value;
   for (unsigned h = first; h < first + agx_halves(ref); h++) {
      if (bitset_test(group->writes, h))
         return true;
   }
   return false;
}

static bool
must_wait(const struct state *state, unsigned g, const struct agx_instr *instr)
{
   const struct group *group = &state->groups[g];
   if (!group->count)
      return false;
   if (is_barrier(instr) || (is_async(instr) && instr->mod.group == g && group->count == GROUP_MAX))
      return true;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (touches(group, &instr->dsts[k]))
         return true;
   }
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (touches(group, &instr->srcs[k]))
         return true;
   }
   return false;
}

static void
issue(struct state *state, const struct agx_instr *instr)
{
   if (!is_async(instr))
      return;
   struct group *group = &state->groups[instr->mod.group];
   group->count++;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const struct agx_ref *dst = &instr->dsts[k];
      const bool is_value = dst->kind == AGX_SSA;
      const unsigned first = is_value ? dst->reg : dst->value;
      group->writes_states |= dst->kind == AGX_TS || dst->kind == AGX_SS;
      for (unsigned h = first; (is_value || dst->kind == AGX_REG) && h < first + agx_halves(dst); h++)
         bitset_set(group->writes, h);
   }
}

/* Waits as the state asks for, then what the instruction starts. made: where waits and the instruction go, or NULL.
 */
static void
step(struct state *state, struct agx_instr *instr, struct agx_builder *made)
{
   for (unsigned g = 0; g < GROUPS; g++) {
      if (!must_wait(state, g, instr))
         continue;
      state->groups[g] = (struct group){.count = 0};
      if (made)
         agx_wait(made)->mod.group = g;
   }
   issue(state, instr);
   if (made)
      agx_build(made, instr);
}

/* Before anything else, so that what follows from the state only grows. What gives a result and what gives none wait
 * apart: nobody waits for a store but a barrier. One wait for several results is one instruction. */
static void
choose_groups(struct agx_ir *ir)
{
   unsigned operations = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         struct agx_instr *instr = ir->blocks[b]->instrs[i];
         if (is_async(instr))
            instr->mod.group = !instr->num_dsts || instr->dsts[0].kind == AGX_NONE;
         operations += is_async(instr) && !instr->mod.group;
      }
   }
   if (agx_continues(ir))
      ir->out->operations = (uint8_t)MIN2(operations, UINT8_MAX);
}

/* Whether something new came. */
static bool
join(struct state *into, const struct state *from)
{
   const struct state before = *into;
   for (unsigned g = 0; g < GROUPS; g++) {
      struct group *to = &into->groups[g];
      for (unsigned w = 0; w < BITSET_WORDS(AGX_REGISTERS); w++)
         to->writes[w] |= from->groups[g].writes[w];
      to->count = MAX2(to->count, from->groups[g].count);
      to->writes_states |= from->groups[g].writes_states;
   }
   return memcmp(&before, into, sizeof(before)) != 0;
}

/* Whoever comes after a part finds nothing running, or as much as it says. */
static void
end_part(struct agx_ir *ir, const struct state *state, struct agx_builder *made)
{
   for (unsigned g = 0; g < GROUPS; g++) {
      if (!state->groups[g].count)
         continue;
      if (ir->options->no_end_wait && !g)
         ir->out->background = true;
      else if (!mutant("agx-seam-wait-missing"))
         agx_wait(made)->mod.group = g;
   }
}

static bool
flow_through(struct agx_ir *ir, struct state *in, unsigned number, struct agx_builder *made)
{
   const struct agx_block *block = ir->blocks[number];
   struct state state = in[number];
   bool changed = false;
   for (unsigned i = 0; i < block->count; i++) {
      step(&state, block->instrs[i], made);
      if (agx_jumps(block->instrs[i]))
         changed |= join(&in[block->instrs[i]->mod.target], &state);
   }
   if (number + 1 < ir->num_blocks)
      changed |= join(&in[number + 1], &state);
   else if (made && agx_continues(ir))
      end_part(ir, &state, made);
   return changed;
}

void
agx_waits(struct agx_ir *ir)
{
   choose_groups(ir);
   struct state *in = arena_array(ir->arena, struct state, ir->num_blocks);
   bool changed = true;
   while (changed) {
      changed = false;
      for (unsigned b = 0; b < ir->num_blocks; b++)
         changed |= flow_through(ir, in, b, NULL);
   }
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      struct agx_block made = {0};
      struct agx_builder builder = {.ir = ir, .block = &made};
      flow_through(ir, in, b, &builder);
      agx_ir_take(ir->blocks[b], &made);
   }
}
