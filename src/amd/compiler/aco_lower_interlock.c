/* Ordered sections as nir: entry, turns of layers, exit (docs/drivers/amd/pops.md; sources there). On GFX11 the exit
 * is the last export, which waits for memory (aco_select_export.c). */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "util/mutant.h"

struct lowering {
   bool samples_textures, by_exports;
   unsigned wave_size;
};

static void
enter(struct nir_builder *b, const struct lowering *l)
{
   if (!l->by_exports)
      nir_await_waves_amd(b, nir_load_collision_waveid_amd(b));
   else
      nir_await_exports_amd(b);
   if (l->samples_textures)
      nir_invalidate_caches_amd(b);
}

static void
leave(struct nir_builder *b)
{
   if (!mutant("message-missing")) {
      nir_ordered_ps_done_amd(b);
   } else {
      struct nir_if *nif = nir_push_if(b, nir_ige_imm(b, nir_load_collision_waveid_amd(b), 0));
      nir_ordered_ps_done_amd(b);
      nir_pop_if(b, nif);
   }
   if (mutant("message-twice"))
      nir_ordered_ps_done_amd(b);
}

/* Quads at which a layer begins; bit 0 would say nothing. */
static struct nir_def *
layer_starts(struct nir_builder *b, unsigned wave_size)
{
   return nir_iand_imm(b, nir_load_intrawave_collision_amd(b), wave_size == 64 ? 0xfffe : 0xfe);
}

static struct nir_def *
own_layer(struct nir_builder *b, unsigned wave_size)
{
   struct nir_def *quad = nir_ushr_imm(b, nir_load_subgroup_invocation(b), 2);
   struct nir_def *next = nir_ishl(b, nir_imm_int(b, mutant("intrawave-off-by-one") ? 1 : 2), quad);
   return nir_bit_count(b, nir_iand(b, layer_starts(b, wave_size), nir_iadd_imm(b, next, -1)));
}

static void
lower(struct nir_shader *nir, struct nir_intrinsic_instr *instr, const struct lowering *l)
{
   struct nir_builder b = nir_builder_at(nir, nir_before_instr(&instr->instr));
   switch ((int)instr->op) { /* others: stay */
   case NIR_INTRINSIC_enter_ordered_section:
      enter(&b, l);
      break;
   case NIR_INTRINSIC_leave_ordered_section:
      if (!l->by_exports)
         leave(&b);
      break;
   case NIR_INTRINSIC_load_section_layers:
      nir_def_replace(&instr->def, nir_iadd_imm(&b, nir_bit_count(&b, layer_starts(&b, l->wave_size)), 1));
      break;
   case NIR_INTRINSIC_load_section_layer:
      nir_def_replace(&instr->def, own_layer(&b, l->wave_size));
      break;
   }
   nir_instr_remove(&instr->instr);
}

static bool
is_marker(const struct nir_instr *instr)
{
   enum nir_intrinsic_op op =
      instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic((struct nir_instr *)instr)->op : NIR_INTRINSIC_COUNT;
   return op == NIR_INTRINSIC_enter_ordered_section || op == NIR_INTRINSIC_leave_ordered_section ||
          op == NIR_INTRINSIC_load_section_layers || op == NIR_INTRINSIC_load_section_layer;
}

static bool
sees_other_quads(const struct nir_intrinsic_instr *instr)
{
   if (!(nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_SUBGROUP))
      return false;
   if (instr->op == NIR_INTRINSIC_barrier)
      return nir_intrinsic_execution_scope(instr) > NIR_SCOPE_INVOCATION;
   if (instr->op == NIR_INTRINSIC_reduce && nir_intrinsic_cluster_size(instr))
      return nir_intrinsic_cluster_size(instr) > 4;
   return true;
}

bool
aco_may_loop_over_layers(const struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && sees_other_quads(nir_as_intrinsic(instr)))
            return false;
      }
   }
   return true;
}

const char *
aco_lower_interlock(struct nir_shader *nir, const struct aco_options *options)
{
   bool layers = options->ps.intrawave_loop;
   if (!NIR_PASS(nir, nir_lower_interlock, layers))
      return NULL;
   const char *fault = options->validate ? nir_check_ordered_section(nir) : NULL;
   if (fault)
      return fault;
   const struct aco_target *target = options->target ? options->target : aco_target(options->gen);
   struct lowering l = {.by_exports = target->pops_by_exports, .wave_size = options->wave_size};
   struct nir_instr *markers[4];
   unsigned count = 0;
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         l.samples_textures |= instr->type == NIR_INSTR_TEX;
         if (is_marker(instr))
            markers[count++] = instr;
      }
   }
   for (unsigned i = 0; i < count; i++)
      lower(nir, nir_as_intrinsic(markers[i]), &l);
   if (layers) { /* the masks of layers are built more than once */
      NIR_PASS(nir, nir_opt_copy_prop);
      NIR_PASS(nir, nir_opt_cse);
      NIR_PASS(nir, nir_opt_dce);
   }
   return NULL;
}
