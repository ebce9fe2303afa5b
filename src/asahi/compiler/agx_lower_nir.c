/* Last changes of nir before selection: what the instruction set lacks. */
#include "asahi/compiler/agx_lower_nir.h"

#include "asahi/compiler/agx_ir.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

static struct nir_def *
swizzled(struct nir_builder *b, const struct nir_alu_instr *alu, unsigned i)
{
   const unsigned fixed = nir_op_infos[alu->op].src_components[i];
   const unsigned count = fixed ? fixed : alu->def.num_components;
   unsigned swizzle[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < count; c++)
      swizzle[c] = alu->src[i].swizzle[c];
   return nir_swizzle(b, alu->src[i].src.def, swizzle, count);
}

static agx_alu_lowering contract;

/* Operations that a lowering has not changed: it changes none of their kind. Sources are copied for it otherwise,
 * which costs more than the lowering. */
struct unchanged_alu {
   uint32_t kinds[256];
};

/* 0: what becomes of it depends on more than the operation and the sizes. */
static uint32_t
kind_of(const struct nir_alu_instr *alu)
{
   const unsigned sources = nir_op_infos[alu->op].num_srcs, from = sources ? alu->src[0].src.def->bit_size : 0;
   if (sources > 2 || from == 64 || alu->def.bit_size == 64 || alu->op == NIR_OP_ishl || alu->op == NIR_OP_ishr ||
       alu->op == NIR_OP_ushr)
      return 0;
   return 1 + (alu->op | (uint32_t)alu->def.bit_size << 12 | from << 20);
}

/* The copies of the sources, which nobody took. */
static void
forget(const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++) {
      if (src[i] != alu->src[i].src.def)
         nir_instr_remove(src[i]->parent);
   }
}

static bool
lower_alu(struct nir_shader *nir, struct nir_alu_instr *alu, agx_alu_lowering *lower, struct unchanged_alu *left)
{
   const uint32_t kind = left ? kind_of(alu) : 0;
   if ((lower == contract && alu->op != NIR_OP_fadd && alu->op != NIR_OP_fsub) ||
       (lower == agx_lower_product_op && !agx_is_product(alu->op)))
      return false;
   uint32_t *known = left ? &left->kinds[kind * 0x9e3779b1u >> 24] : NULL;
   if (kind && *known == kind)
      return false;
   struct nir_builder b = nir_builder_at(nir, nir_before_instr(&alu->instr));
   struct nir_def *src[4];
   b.exact = alu->exact;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++)
      src[i] = swizzled(&b, alu, i);
   struct nir_def *made = lower(&b, alu, src);
   if (!made) {
      if (kind)
         *known = kind;
      forget(alu, src);
      return false;
   }
   assert(made->num_components == alu->def.num_components && made->bit_size == alu->def.bit_size);
   nir_def_replace(&alu->def, made);
   nir_instr_remove(&alu->instr);
   return true;
}

static void
collect_intrinsics(struct nir_shader *nir, struct dynarray *work)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            dynarray_append(work, struct nir_instr *, instr);
      }
   }
}

/* A lowering makes no control flow, and what it makes stands before the instruction. */
static bool
lower_each_alu(struct nir_shader *nir, agx_alu_lowering *lower, struct unchanged_alu *left)
{
   bool progress = false;
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_ALU)
            progress |= lower_alu(nir, nir_as_alu(instr), lower, left);
      }
   }
   return progress;
}

/* What the instruction set lacks; of others there is nothing left to do. */
static struct nir_def *
lower_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   struct nir_def *made = agx_lower_float_op(b, alu, src);
   if (!made)
      made = agx_lower_small_op(b, alu, src);
   return made ? made : agx_lower_int64_op(b, alu, src);
}

static bool
lower_all(struct nir_shader *nir, agx_alu_lowering *lower)
{
   struct unchanged_alu left = {{0}};
   return lower_each_alu(nir, lower, &left);
}

bool
agx_lower_each_intrinsic(struct nir_shader *nir, agx_intrinsic_lowering *lower, const struct agx_options *options)
{
   struct dynarray work = {};
   struct owned owned;
   bool progress = false;
   own(&owned, dynarray_release, &work);
   collect_intrinsics(nir, &work);
   for (size_t i = 0; i < dynarray_count(&work, struct nir_instr *); i++) {
      struct nir_intrinsic_instr *intr = nir_as_intrinsic(*dynarray_at(&work, struct nir_instr *, i));
      struct nir_builder b = nir_builder_at(nir, nir_before_instr(&intr->instr));
      progress |= lower(&b, intr, options);
   }
   disown(&owned);
   return progress;
}

bool
agx_replace_intrinsic(struct nir_intrinsic_instr *intr, struct nir_def *by)
{
   if (nir_intrinsic_infos[intr->op].has_dest)
      nir_def_replace(&intr->def, by);
   nir_instr_remove(&intr->instr);
   return true;
}

/* ---- sums of products ---- */

static const struct nir_alu_instr *
only_use_of(const struct nir_def *def, enum nir_op op)
{
   const bool once = !list_is_empty(&def->uses) && def->uses.next->next == &def->uses;
   if (!once || def->parent->type != NIR_INSTR_ALU || def->num_components != 1)
      return NULL;
   return nir_as_alu(def->parent)->op == op ? nir_as_alu(def->parent) : NULL;
}

/* A product that nothing but sums read is gone when all of them are contracted. */
static const struct nir_alu_instr *
product_for_sums(const struct nir_def *def)
{
   if (def->parent->type != NIR_INSTR_ALU || nir_as_alu(def->parent)->op != NIR_OP_fmul || def->num_components != 1)
      return NULL;
   nir_foreach_use(use, def) {
      const struct nir_alu_instr *user =
         use->parent_instr && use->parent_instr->type == NIR_INSTR_ALU ? nir_as_alu(use->parent_instr) : NULL;
      if (!user || user->exact || (user->op != NIR_OP_fadd && user->op != NIR_OP_fsub))
         return NULL;
   }
   return nir_as_alu(def->parent);
}

/* A product that is subtracted, negated and added, or part of several sums: what nir_opt_algebraic_late() leaves. */
static struct nir_def *
contract(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   if (alu->exact || (alu->op != NIR_OP_fadd && alu->op != NIR_OP_fsub) || alu->def.bit_size == 64)
      return NULL;
   for (unsigned i = 0; i < 2; i++) {
      const struct nir_alu_instr *minus = only_use_of(alu->src[i].src.def, NIR_OP_fneg);
      const struct nir_def *def = alu->src[i].src.def;
      const struct nir_alu_instr *mul =
         minus ? only_use_of(minus->src[0].src.def, NIR_OP_fmul) : product_for_sums(def);
      if (!mul || mul->exact)
         continue;
      const bool subtracts = alu->op == NIR_OP_fsub, negated = (minus != NULL) != (subtracts && i == 1);
      struct nir_def *x = nir_channel(b, mul->src[0].src.def, mul->src[0].swizzle[0]);
      struct nir_def *y = nir_channel(b, mul->src[1].src.def, mul->src[1].swizzle[0]);
      struct nir_def *rest = subtracts && i == 0 ? nir_fneg(b, src[1]) : src[1 - i];
      return nir_ffma(b, negated ? nir_fneg(b, x) : x, y, rest);
   }
   return NULL;
}

/* ---- textures ---- */

/* Levels and biases of sampling are halves in the instruction: those of all threads are made once. */
static void
narrow_levels(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_TEX || nir_as_tex(instr)->op == NIR_TXF || nir_as_tex(instr)->op == NIR_TXF_MS)
            continue;
         struct nir_tex_instr *tex = nir_as_tex(instr);
         for (unsigned i = 0; i < tex->num_srcs; i++) {
            const enum nir_tex_src_type type = tex->src[i].type;
            struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
            if ((type == NIR_TEX_SRC_BIAS || type == NIR_TEX_SRC_LOD || type == NIR_TEX_SRC_MIN_LOD) &&
                tex->src[i].src.def->bit_size == 32)
               nir_src_rewrite(&tex->src[i].src, nir_f2f16(&b, tex->src[i].src.def));
         }
      }
   }
}

/* ---- the end ---- */

/* Nobody is left to see what barriers at the end order. */
static void
drop_final_barriers(struct list_head *list)
{
   for (struct list_head *link = list->prev; link != list; link = link->prev) {
      struct nir_cf_node *node = list_entry(link, struct nir_cf_node, link);
      if (node->type == NIR_CF_LOOP)
         return;
      if (node->type == NIR_CF_IF) {
         drop_final_barriers(&nir_cf_as_if(node)->then_list);
         drop_final_barriers(&nir_cf_as_if(node)->else_list);
         return;
      }
      struct nir_block *block = nir_cf_as_block(node);
      while (!list_is_empty(&block->instrs)) {
         struct nir_instr *last = list_entry(block->instrs.prev, struct nir_instr, link);
         if (last->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(last)->op != NIR_INTRINSIC_barrier)
            return;
         nir_instr_remove(last);
      }
   }
}

static void
tidy(struct nir_shader *nir)
{
   NIR_PASS(nir, nir_lower_alu_to_scalar);
   NIR_PASS(nir, nir_lower_phis_to_scalar);
   for (struct nir_rounds r = {.shader = nir, .most = 4}; nir_next_round(&r);) {
      NIR_ROUND_PASS(&r, nir_opt_copy_prop);
      NIR_ROUND_PASS(&r, nir_opt_algebraic);
      NIR_ROUND_PASS(&r, nir_opt_constant_folding);
      NIR_ROUND_PASS(&r, nir_opt_cse);
      NIR_PASS(r.shader, nir_opt_dce); /* its changes give the other passes nothing to do */
   }
}

void
agx_lower_nir(struct nir_shader *nir, const struct agx_options *options)
{
   NIR_PASS(nir, agx_lower_nir_system, options);
   NIR_PASS(nir, agx_lower_nir_memory, options);
   NIR_PASS(nir, agx_lower_nir_subgroup, options);
   NIR_PASS(nir, lower_all, agx_lower_half_op);
   NIR_PASS(nir, nir_flush_signs);
   NIR_PASS(nir, nir_lower_dots, 0);
   NIR_PASS(nir, nir_lower_alu_ops);
   tidy(nir);
   while (NIR_PASS(nir, lower_all, lower_op)) /* what one makes another may have to lower */
      tidy(nir);
   drop_final_barriers(&nir->body);
   narrow_levels(nir);
   if (!options->no_contract && NIR_PASS(nir, lower_each_alu, agx_lower_product_op, NULL)) {
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
   NIR_PASS(nir, nir_opt_cse);
   if (!options->no_contract) {
      NIR_PASS(nir, nir_opt_algebraic_late);
      NIR_PASS(nir, nir_opt_dce);                    /* what is used once must show */
      NIR_PASS(nir, lower_each_alu, contract, NULL); /* looks at users */
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
}
