/* Invocations that end early, and what helpers must not do.
 *
 * The hardware kills samples, not invocations: what is discarded continues as a helper to the end, where its samples
 * are killed (agx_nir_lower_fragment_outputs.c), and what it would write is left out. */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

struct discards {
   struct nir_shader *shader;
   const struct agx_fragment_registers *registers;
   struct nir_variable *killed; /* NULL: nothing kills, so far */
   bool new_ways;               /* out of loops */
};

/* A primitive is culled where a distance is negative at all its vertices: what these say of it is zero everywhere. */
static struct nir_def *
is_culled(struct nir_builder *b, const struct agx_fragment_registers *registers)
{
   struct nir_def *culled = nir_imm_bool(b, false);

   for (unsigned i = 0; i < registers->num_cull; i++) {
      struct nir_def *in =
         nir_iter_agx(b, 1, 32, nir_imm_int(b, 0), .base = registers->cull_cf[i], .place = AGX_PLACE_CENTROID);

      culled = nir_ior(b, culled, nir_inot(b, nir_flt(b, nir_imm_float(b, 0), in)));
   }
   return culled;
}

static struct nir_variable *
killed_variable(struct discards *d)
{
   if (d->killed)
      return d->killed;
   d->killed = nir_variable_create(d->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_BOOL, 1, 1), "killed");
   struct nir_builder b = nir_builder_at(d->shader, nir_before_block(nir_first_block(d->shader)));
   nir_store_var(&b, d->killed, is_culled(&b, d->registers), 1);
   return d->killed;
}

/* A new way out of a loop: what merges after it is of no interest to the killed. */
static void
break_if_killed(struct discards *d, struct nir_builder *b, struct nir_loop *loop)
{
   struct nir_block *after = nir_cf_block_after(&loop->cf);
   struct nir_builder start = nir_builder_at(d->shader, nir_before_block(nir_first_block(d->shader)));
   struct nir_if *nif = nir_push_if(b, nir_load_var(b, d->killed));
   struct nir_block *from = nir_cf_list_first(&nif->then_list);

   nir_break(b);
   nir_pop_if(b, nif);
   nir_foreach_instr(instr, after) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_instr *phi = nir_as_phi(instr);

      nir_phi_add_src(d->shader, phi, from, nir_undef(&start, phi->def.num_components, phi->def.bit_size));
   }
}

/* Out of all loops around. */
static void
leave_loops(struct discards *d, struct nir_builder *b)
{
   struct nir_block *block = b->cursor.instr ? b->cursor.instr->block : b->cursor.block;
   struct nir_loop *loop = nir_cf_loop_around(&block->cf);

   if (!loop)
      return;
   d->new_ways = true;
   break_if_killed(d, b, loop);
   for (struct nir_loop *outer; (outer = nir_cf_loop_around(&loop->cf)); loop = outer) {
      struct nir_builder after = nir_builder_at(d->shader, nir_before_block(nir_cf_block_after(&loop->cf)));

      break_if_killed(d, &after, outer);
   }
}

static void
lower_discard(struct discards *d, struct nir_intrinsic_instr *instr)
{
   struct nir_variable *killed = killed_variable(d);
   struct nir_builder b = nir_builder_at(d->shader, nir_before_instr(&instr->instr));
   bool conditional = instr->op == NIR_INTRINSIC_discard_if || instr->op == NIR_INTRINSIC_demote_if;
   bool ends = instr->op == NIR_INTRINSIC_discard || instr->op == NIR_INTRINSIC_discard_if;
   struct nir_def *now =
      conditional ? nir_ior(&b, nir_load_var(&b, killed), instr->src[0].def) : nir_imm_bool(&b, true);

   nir_store_var(&b, killed, now, 1);
   if (ends)
      leave_loops(d, &b);
   nir_instr_remove(&instr->instr);
}

static void
lower_is_helper(struct discards *d, struct nir_intrinsic_instr *instr)
{
   struct nir_builder b = nir_builder_at(d->shader, nir_before_instr(&instr->instr));
   struct nir_def *helper = nir_load_helper_invocation(&b);

   if (d->killed)
      helper = nir_ior(&b, helper, nir_load_var(&b, d->killed));
   nir_def_replace(&instr->def, helper);
   nir_instr_remove(&instr->instr);
}

/* Where a value is read: a phi reads at the end of the predecessor. */
static struct nir_cursor
place_of(const struct nir_src *use)
{
   if (use->parent_if)
      return nir_after_block(nir_cf_block_before(&use->parent_if->cf));
   if (use->parent_instr->type != NIR_INSTR_PHI)
      return nir_before_instr(use->parent_instr);
   return nir_after_block(container_of(use, struct nir_phi_src, src)->pred);
}

/* Where the first instruction may stand that reads the value. */
static struct nir_cursor
after(const struct nir_def *def)
{
   struct nir_instr *last = def->parent;

   if (last->type != NIR_INSTR_PHI)
      return nir_after_instr(last);
   nir_foreach_instr(instr, last->block) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      last = instr;
   }
   return nir_after_instr(last);
}

/* A new way out of a loop may go round a value on which everything after it had to rely: what reads it there reads a
 * variable, that holds nothing on that way. Only the killed take it. */
static void
repair_value(struct nir_shader *shader, struct nir_def *def)
{
   struct nir_variable *variable = NULL;

   nir_foreach_use_safe(use, def) {
      struct nir_builder b = nir_builder_at(shader, place_of(use));
      const struct nir_block *block = b.cursor.block;

      if (block == def->parent->block || nir_block_dominates(def->parent->block, block))
         continue;
      if (!variable)
         variable = nir_variable_create(
            shader, NIR_VAR_FUNCTION_TEMP,
            nir_type_vector(def->bit_size == 1 ? NIR_TYPE_BOOL : NIR_TYPE_UINT, def->bit_size, def->num_components),
            NULL);
      nir_src_rewrite(use, nir_load_var(&b, variable));
   }
   if (variable) {
      struct nir_builder b = nir_builder_at(shader, after(def));

      nir_store_var(&b, variable, def, (1u << def->num_components) - 1);
   }
}

static void
repair(struct nir_shader *shader)
{
   nir_compute_dominance(shader);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (nir_instr_def(instr) && instr->type != NIR_INSTR_DEREF)
            repair_value(shader, nir_instr_def(instr));
      }
   }
}

static struct nir_intrinsic_instr *
find(struct nir_shader *shader, bool (*matches)(enum nir_intrinsic_op op))
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && matches(nir_as_intrinsic(instr)->op))
            return nir_as_intrinsic(instr);
      }
   }
   return NULL;
}

static bool
is_discard(enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_discard || op == NIR_INTRINSIC_discard_if || op == NIR_INTRINSIC_demote ||
          op == NIR_INTRINSIC_demote_if;
}

static bool
asks_for_helper(enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_is_helper_invocation;
}

struct nir_variable *
agx_nir_lower_discards(struct nir_shader *shader, const struct agx_fragment_registers *registers)
{
   struct discards d = {.shader = shader, .registers = registers};

   if (registers->num_cull)
      killed_variable(&d);
   /* Each may split blocks. */
   for (struct nir_intrinsic_instr *instr; (instr = find(shader, is_discard));)
      lower_discard(&d, instr);
   for (struct nir_intrinsic_instr *instr; (instr = find(shader, asks_for_helper));)
      lower_is_helper(&d, instr);
   if (d.new_ways)
      repair(shader);
   return d.killed;
}
