/* Which values differ between the lanes of a wave. Everything starts uniform; what diverges spreads until nothing
 * changes: by sources, by phis after divergent ifs, by phis of loops that lanes leave in different iterations, and
 * by values of such loops that are used after them. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

struct analysis {
   bool changed;
};

static void
set(struct analysis *a, struct nir_def *def, bool divergent)
{
   if (divergent && !def->divergent) {
      def->divergent = true;
      a->changed = true;
   }
}

/* The value as seen from a place: a uniform value of a loop that lanes leave at different times is not uniform
 * after. */
static bool
is_divergent_use(const struct nir_src *src, const struct nir_cf_node *at)
{
   if (src->def->divergent)
      return true;
   if (src->def->parent->type == NIR_INSTR_LOAD_CONST)
      return false; /* the same in every iteration */
   const struct nir_cf_node *def_node = &src->def->parent->block->cf;
   for (const struct nir_loop *loop = nir_cf_loop_around(def_node); loop; loop = nir_cf_loop_around(&loop->cf)) {
      if (!loop->divergent)
         continue;
      const struct nir_cf_node *node = at;
      while (node && node != &loop->cf)
         node = node->parent;
      if (!node)
         return true; /* the use is outside this loop */
   }
   return false;
}

static bool
visit_src(struct nir_src *src, void *data)
{
   return !is_divergent_use(src, &src->parent_instr->block->cf); /* stops at the first divergent one */
}

static bool
any_divergent_src(struct nir_instr *instr)
{
   return !nir_foreach_src(instr, visit_src, NULL);
}

static bool
intrinsic_divergent(struct nir_intrinsic_instr *instr)
{
   const unsigned flags = nir_intrinsic_infos[instr->op].flags;

   if (instr->op == NIR_INTRINSIC_read_invocation) /* of a lane that all name alike */
      return is_divergent_use(&instr->src[1], &instr->instr.block->cf);
   if (instr->op == NIR_INTRINSIC_reduce) /* clusters differ in how many of their lanes are active */
      return nir_intrinsic_cluster_size(instr) != 0;
   if (flags & (NIR_INTRINSIC_FLAG_DIVERGENT | NIR_INTRINSIC_FLAG_UNIFORM))
      return flags & NIR_INTRINSIC_FLAG_DIVERGENT;
   return any_divergent_src(&instr->instr);
}

/* Where lanes come together that went different ways: after a divergent if, after a loop with different exits. */
static bool
phi_joins_divergent_flow(const struct nir_phi_instr *phi)
{
   const struct nir_block *block = phi->instr.block;
   const struct nir_cf_node *before = nir_cf_prev(&block->cf);
   if (!before) { /* the header of a loop: lanes that are in the loop together came the same way, but for continues */
      const struct nir_cf_node *parent = block->cf.parent;
      return parent && parent->type == NIR_CF_LOOP && nir_cf_as_loop(parent)->divergent_continue;
   }
   if (before->type == NIR_CF_IF) {
      const struct nir_if *nif = nir_cf_as_if(before);
      return is_divergent_use(&nif->condition, before);
   }
   return nir_cf_as_loop(before)->divergent;
}

static bool
phi_divergent(struct nir_phi_instr *phi)
{
   bool same = true, undefined = false; /* one value from everywhere; nothing from somewhere */
   const struct nir_def *first = NULL;
   nir_foreach_phi_src(src, phi) {
      if (is_divergent_use(&src->src, &phi->instr.block->cf))
         return true;
      if (src->src.def->parent->type == NIR_INSTR_UNDEF) {
         undefined = true;
         continue;
      }
      same &= !first || first == src->src.def;
      first = src->src.def;
   }
   /* The lanes that bring nothing may include the one that a uniform value would be read from. */
   return (!same || (first && undefined)) && phi_joins_divergent_flow(phi);
}

static void
visit_block(struct analysis *a, const struct nir_shader *shader, struct nir_block *block, bool divergent_flow)
{
   if (divergent_flow && !block->divergent) {
      block->divergent = true;
      a->changed = true;
   }
   nir_foreach_instr(instr, block) {
      struct nir_def *def = nir_instr_def(instr);
      if (!def || def->divergent)
         continue;
      if (instr->type == NIR_INSTR_PHI)
         set(a, def, phi_divergent(nir_as_phi(instr)));
      else if (instr->type == NIR_INSTR_INTRINSIC)
         set(a, def, intrinsic_divergent(nir_as_intrinsic(instr)));
      else if (instr->type == NIR_INSTR_ALU && (nir_op_infos[nir_as_alu(instr)->op].flags & NIR_OP_FLAG_DERIVATIVE))
         set(a, def, any_divergent_src(instr));
      else
         set(a, def, any_divergent_src(instr));
   }
}

/* Lanes part inside the loop and one part leaves it or continues to the next round. */
static void
visit_jump(struct analysis *a, const struct nir_block *block, bool divergent_in_loop)
{
   const struct nir_jump_instr *jump = nir_block_jump(block);
   struct nir_loop *loop = nir_cf_loop_around(&block->cf);
   if (!jump || !loop || !divergent_in_loop || jump->jump == NIR_JUMP_HALT)
      return;
   bool *flag = jump->jump == NIR_JUMP_BREAK ? &loop->divergent : &loop->divergent_continue;
   a->changed |= !*flag;
   *flag = true;
}

/* in_loop: some lanes of the innermost loop are elsewhere; anywhere: some lanes of the shader are. A divergent
 * continue or break leaves the rest of the body to a part of the lanes. */
static bool
visit_list(struct analysis *a, const struct nir_shader *shader, struct list_head *list, bool in_loop, bool anywhere)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_BLOCK) {
         visit_block(a, shader, nir_cf_as_block(node), anywhere);
         visit_jump(a, nir_cf_as_block(node), in_loop);
         if (nir_block_jump(nir_cf_as_block(node)))
            return in_loop;
      } else if (node->type == NIR_CF_IF) {
         struct nir_if *nif = nir_cf_as_if(node);
         bool part = is_divergent_use(&nif->condition, node);
         bool jumps = visit_list(a, shader, &nif->then_list, in_loop || part, anywhere || part);
         jumps |= visit_list(a, shader, &nif->else_list, in_loop || part, anywhere || part);
         in_loop |= jumps;
         anywhere |= jumps;
      } else {
         /* Lanes that left in an earlier round are missing in later ones. */
         bool gone = nir_cf_as_loop(node)->divergent;
         /* Breaks and continues of this loop end with it: what it returns does not matter here. */
         visit_list(a, shader, &nir_cf_as_loop(node)->body, false, anywhere || gone);
      }
   }
   return false;
}

static void
clear_list(struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_LOOP) {
         nir_cf_as_loop(node)->divergent = nir_cf_as_loop(node)->divergent_continue = false;
         clear_list(&nir_cf_as_loop(node)->body);
      } else if (node->type == NIR_CF_IF) {
         clear_list(&nir_cf_as_if(node)->then_list);
         clear_list(&nir_cf_as_if(node)->else_list);
      }
   }
}

void
nir_divergence_analysis(struct nir_shader *shader)
{
   nir_compute_dominance(shader);
   clear_list(&shader->body);
   nir_foreach_block(block, shader) {
      block->divergent = false;
      nir_foreach_instr(instr, block) {
         if (nir_instr_def(instr))
            nir_instr_def(instr)->divergent = false;
      }
   }
   struct analysis a = {.changed = true};
   while (a.changed) {
      a.changed = false;
      visit_list(&a, shader, &shader->body, false, false);
   }
}
