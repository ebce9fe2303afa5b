/* Last changes of nir before selection: what the instruction set lacks, descriptors that differ between lanes, loop
 * values through phis, divergence. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* ---- descriptors that differ between lanes ---- */

#define MAX_DESCRIPTORS 3

struct waterfall {
   struct nir_src *src[MAX_DESCRIPTORS];
   unsigned count;
};

static void
add_if_divergent(struct waterfall *w, struct nir_src *src)
{
   if (src->def->divergent && w->count < MAX_DESCRIPTORS)
      w->src[w->count++] = src;
}

/* size: a flat switch */
static unsigned
descriptor_sources(const struct nir_intrinsic_instr *intr, unsigned *first)
{
   *first = intr->op == NIR_INTRINSIC_store_ssbo;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_store_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_get_ssbo_size:
   case NIR_INTRINSIC_load_texel_buffer:
   case NIR_INTRINSIC_texel_buffer_residency_amd:
   case NIR_INTRINSIC_store_texel_buffer:
   case NIR_INTRINSIC_texel_buffer_atomic:
   case NIR_INTRINSIC_texel_buffer_atomic_swap:
   case NIR_INTRINSIC_texel_buffer_size:
      return 1;
   case NIR_INTRINSIC_image_load:
   case NIR_INTRINSIC_image_residency_amd:
   case NIR_INTRINSIC_image_store:
   case NIR_INTRINSIC_image_atomic:
   case NIR_INTRINSIC_image_atomic_swap:
   case NIR_INTRINSIC_image_size:
   case NIR_INTRINSIC_image_samples:
      return 2;
   default: /* others: without a descriptor */
      return 0;
   }
}

static void
find_descriptors(struct nir_instr *instr, struct waterfall *w)
{
   w->count = 0;
   if (instr->type == NIR_INSTR_TEX) {
      struct nir_tex_instr *tex = nir_as_tex(instr);
      for (unsigned i = 0; i < tex->num_srcs; i++) {
         if (tex->src[i].type == NIR_TEX_SRC_TEXTURE_DESC || tex->src[i].type == NIR_TEX_SRC_TEXTURE_DESC_HI ||
             tex->src[i].type == NIR_TEX_SRC_SAMPLER_DESC)
            add_if_divergent(w, &tex->src[i].src);
      }
   } else if (instr->type == NIR_INSTR_INTRINSIC) {
      struct nir_intrinsic_instr *intr = nir_as_intrinsic(instr);
      unsigned first, count = descriptor_sources(intr, &first);
      for (unsigned i = 0; i < count; i++)
         add_if_divergent(w, &intr->src[first + i]);
   }
}

/* A loop in which the lanes with the descriptor of the first active lane run the instruction and leave. */
static void
lower_waterfall(struct nir_shader *nir, struct nir_instr *instr, struct waterfall *w)
{
   struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
   struct nir_loop *loop = nir_push_loop(&b);
   struct nir_def *same = NULL, *first[MAX_DESCRIPTORS];
   for (unsigned i = 0; i < w->count; i++) {
      struct nir_def *own = w->src[i]->def;
      first[i] = nir_read_first_invocation(&b, own);
      for (unsigned c = 0; c < own->num_components; c++) {
         struct nir_def *equal = nir_ieq(&b, nir_channel(&b, own, c), nir_channel(&b, first[i], c));
         same = same ? nir_iand(&b, same, equal) : equal;
      }
   }
   struct nir_if *nif = nir_push_if(&b, same);
   struct nir_block *block = b.cursor.block;
   /* The instruction moves as it is; its sources stay linked. */
   list_remove(&instr->link);
   instr->block = block;
   list_add_tail(&instr->link, &block->instrs);
   b.cursor = nir_after_instr(instr);
   for (unsigned i = 0; i < w->count; i++)
      nir_src_rewrite(w->src[i], first[i]);
   nir_jump(&b, NIR_JUMP_BREAK);
   nir_pop_if(&b, nif);
   nir_pop_loop(&b, loop);
}

static bool
lower_divergent_descriptors(struct nir_shader *nir)
{
   struct waterfall w;
   unsigned count = 0, capacity = 0;
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         find_descriptors(instr, &w);
         capacity += w.count != 0;
      }
   }
   if (!capacity)
      return false;
   struct nir_instr **list = arena_array(nir->arena, struct nir_instr *, capacity);
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         find_descriptors(instr, &w);
         if (w.count)
            list[count++] = instr;
      }
   }
   for (unsigned i = 0; i < count; i++) {
      find_descriptors(list[i], &w);
      lower_waterfall(nir, list[i], &w);
   }
   return true;
}

void
aco_lower_nir(const struct aco_target *target, struct nir_shader *nir, bool contract)
{
   const uint32_t dots = (target->dots_4x8 ? NIR_DOTS_4X8 : 0) | (target->dots_4x8_mixed ? NIR_DOTS_4X8_MIXED : 0) |
                         (target->dots_2x16 ? NIR_DOTS_2X16 : 0);
   const bool lowered = NIR_PASS(nir, nir_lower_dots, dots);
   if (NIR_PASS(nir, nir_lower_alu_ops) || lowered) {
      NIR_PASS(nir, nir_opt_constant_folding);
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
   const bool flushed = NIR_PASS(nir, nir_flush_signs);
   if (NIR_PASS(nir, aco_keep_denormals) || flushed) {
      NIR_PASS(nir, nir_opt_constant_folding);
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
   if (contract && NIR_PASS(nir, nir_opt_algebraic_late)) {
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
   if (NIR_PASS(nir, nir_opt_pair_16bit)) {
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_dce);
   }
   NIR_PASS(nir, nir_lower_to_lcssa);
   nir_divergence_analysis(nir);
   if (lower_divergent_descriptors(nir)) {
      NIR_PASS(nir, nir_lower_to_lcssa);
      nir_divergence_analysis(nir);
   }
}
