/* Selection of what only stages have: vertex outputs, inputs of fragments, the tile buffer, tests; system values. */
#include "asahi/compiler/agx_select.h"

#include <string.h>

#include "util/mutant.h"

/* ---- order of pixels ---- */

#define FENCES_TILE 12
#define FENCES_TESTS 1

/* Ahead of the first of a kind, on every path: one that stands in no branch counts for all after it. */
static void
wait_for_pixels(struct sel *c, const struct nir_instr *at, unsigned fences, bool *waited)
{
   if (*waited || c->options->no_pixwait || mutant("agx-pixwait-missing"))
      return;
   agx_pixwait(&c->b);
   c->b.last->mod.fences = mutant("agx-pixwait-wrong-fence") ? FENCES_TESTS : fences;
   c->out->fs.waits_for_pixels = true;
   *waited = !at->block->cf.parent;
}

/* ---- ordered sections ---- */

static void
enter_section(struct sel *c)
{
   c->out->fs.waits_for_pixels = true;
   if (mutant("agx-interlock-wait-missing"))
      return;
   agx_pixwait(&c->b)->mod.fences = mutant("agx-interlock-wrong-fence") ? FENCES_TESTS : FENCES_TILE;
   if (mutant("agx-interlock-release-early"))
      agx_pixrel(&c->b)->mod.fences = FENCES_TILE;
}

/* What the section wrote must have arrived when the invocation ends: that is what lets younger ones continue. A
 * `pixrel` here would let them at the tile, too. */
static void
leave_section(struct sel *c)
{
   if (!mutant("agx-interlock-barrier-missing"))
      sel_fence_pixels(c);
}

/* ---- the tile buffer and tests ---- */

/* 255 or a register of 16 bits. */
static struct agx_ref
samples_of(struct sel *c, const struct nir_src *src)
{
   if (nir_src_is_const(*src))
      return agx_imm((uint32_t)nir_src_comp_as_uint(*src, 0) & 0xff);
   return sel_as16(c, src, 0);
}

static void
load_tile(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct agx_ref dst = agx_ir_value(c->ir, sel_size(&intr->def), intr->def.num_components);
   wait_for_pixels(c, &intr->instr, FENCES_TILE, &c->waited_for_tile);
   agx_ld_tile_to(&c->b, dst, agx_imm(0), samples_of(c, &intr->src[0]));
   c->b.last->mod.offset = (uint32_t)nir_intrinsic_base(intr);
   c->b.last->mod.format = nir_intrinsic_format(intr);
   c->b.last->mod.mask = sel_full_mask(intr->def.num_components);
   c->out->fs.reads_tile = true;
   sel_set_vec(c, &intr->def, dst);
}

static void
store_tile(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const struct nir_def *value = intr->src[0].def;
   struct agx_ref parts[NIR_MAX_COMPONENTS], data;
   unsigned count = 0;
   if (mask == sel_full_mask(value->num_components)) {
      data = sel_vec_src(c, &intr->src[0]);
   } else {
      for (unsigned i = 0; i < value->num_components; i++) {
         if (mask >> i & 1)
            parts[count++] = sel_src(c, &intr->src[0], i);
      }
      data = count == 1 ? parts[0] : agx_build_collect(&c->b, sel_size(value), count, parts, count);
   }
   if (!mutant("agx-pixwait-store-missing"))
      wait_for_pixels(c, &intr->instr, FENCES_TILE, &c->waited_for_tile);
   agx_st_tile(&c->b, data, agx_imm(0), samples_of(c, &intr->src[1]));
   c->b.last->mod.offset = (uint32_t)nir_intrinsic_base(intr);
   c->b.last->mod.format = nir_intrinsic_format(intr);
   c->b.last->mod.mask = mask;
}

static void
emit_depth(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const bool depth = nir_intrinsic_base(intr) & 1, stencil = nir_intrinsic_base(intr) & 2;
   struct agx_ref parts[2], zs;
   unsigned count = 0;
   if (depth)
      parts[count++] = sel_src(c, &intr->src[1], 0);
   if (stencil)
      parts[count++] = sel_as16(c, &intr->src[2], 0);
   zs = count == 2 ? agx_build_collect(&c->b, 16, 3, parts, 2) : parts[0];
   wait_for_pixels(c, &intr->instr, FENCES_TESTS, &c->waited_for_tests);
   agx_zs_emit(&c->b, samples_of(c, &intr->src[0]), zs);
   c->out->fs.writes_depth |= depth;
   c->out->fs.writes_stencil |= stencil;
   c->out->fs.writes_sample_mask = true;
}

/* ---- inputs of fragments ---- */

static void
interpolate(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *def = &intr->def;
   const unsigned cf = (unsigned)nir_intrinsic_base(intr), place = nir_intrinsic_place(intr);
   const struct agx_ref dst = agx_ir_value(c->ir, sel_size(def), def->num_components);
   struct agx_ref sample = agx_none();
   unsigned interpolation = place == AGX_PLACE_CENTROID ? 2 : 0;
   if (place == AGX_PLACE_SAMPLE) {
      const bool constant = nir_src_is_const(intr->src[0]);
      sample = constant ? agx_imm((uint32_t)nir_src_comp_as_uint(intr->src[0], 0)) : sel_as16(c, &intr->src[0], 0);
      interpolation = constant ? 1 : 3;
   }
   if (nir_intrinsic_perspective(intr))
      agx_iterproj_to(&c->b, dst, agx_state(AGX_CF, cf), agx_state(AGX_CF, 0), sample);
   else
      agx_iter_to(&c->b, dst, agx_state(AGX_CF, cf), sample);
   c->b.last->mod.interpolation = interpolation;
   c->out->coefficients = (uint8_t)MAX2(c->out->coefficients, cf + def->num_components);
   c->out->fs.loads_varyings = true;
   sel_set_vec(c, def, dst);
}

static void
load_coefficients(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const unsigned cf = (unsigned)nir_intrinsic_base(intr);
   const struct agx_ref dst = agx_ir_value(c->ir, 32, 3);
   agx_ldcf_to(&c->b, dst, agx_state(AGX_CF, cf), agx_none());
   c->out->coefficients = (uint8_t)MAX2(c->out->coefficients, cf + 1);
   c->out->fs.loads_varyings = true;
   sel_set_vec(c, &intr->def, dst);
}

/* A word of the vertex. */
static void
store_word(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const bool fixed = intr->op == NIR_INTRINSIC_store_var_agx;
   const unsigned word = fixed ? (unsigned)nir_intrinsic_base(intr) : 0;
   if (intr->instr.block->cf.parent || word >= 256) {
      agx_ir_fail(c->ir, "a vertex output in a branch");
      return;
   }
   const struct agx_ref index = fixed ? agx_imm(word) : sel_as16(c, &intr->src[1], 0);
   c->last_var = agx_st_var(&c->b, sel_src(c, &intr->src[0], 0), index);
   if (fixed)
      c->out->vs.uvs_written[word / 64] |= UINT64_C(1) << word % 64;
}

/* All at once, at the end. */
static void
leave_register(struct sel *c, struct nir_intrinsic_instr *intr)
{
   if (intr->instr.block->cf.parent)
      agx_ir_fail(c->ir, "a register is left in a branch");
   c->left[nir_intrinsic_base(intr)] = sel_src(c, &intr->src[0], 0);
}

static void
finish_left(struct sel *c)
{
   struct agx_ref srcs[2 * AGX_REGISTERS];
   unsigned count = 0;
   for (unsigned half = 0; half < AGX_REGISTERS; half++) {
      if (c->left[half].kind == AGX_NONE)
         continue;
      srcs[count++] = c->left[half];
      srcs[count++] = agx_reg(half, 32, 1);
   }
   c->b.block = agx_ir_last(c->ir);
   if (count)
      memcpy(agx_build_pseudo(&c->b, AGX_P_LEAVE, 0, count)->srcs, srcs, count * sizeof(*srcs));
}

bool
sel_io(struct sel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_register_agx:
      sel_set(c, &intr->def, 0, c->registers[nir_intrinsic_base(intr)]);
      return true;
   case NIR_INTRINSIC_leave_register_agx:
      leave_register(c, intr);
      return true;
   case NIR_INTRINSIC_load_tile_agx:
      load_tile(c, intr);
      return true;
   case NIR_INTRINSIC_store_tile_agx:
      store_tile(c, intr);
      return true;
   case NIR_INTRINSIC_sample_mask_agx:
      wait_for_pixels(c, &intr->instr, FENCES_TESTS, &c->waited_for_tests);
      agx_sample_mask(&c->b, samples_of(c, &intr->src[0]), samples_of(c, &intr->src[1]));
      c->out->fs.writes_sample_mask = true;
      return true;
   case NIR_INTRINSIC_zs_emit_agx:
      emit_depth(c, intr);
      return true;
   case NIR_INTRINSIC_pixwait_agx:
      agx_pixwait(&c->b)->mod.fences = (uint32_t)nir_intrinsic_base(intr);
      c->out->fs.waits_for_pixels = true;
      return true;
   case NIR_INTRINSIC_begin_invocation_interlock:
   case NIR_INTRINSIC_enter_ordered_section:
      enter_section(c);
      return true;
   case NIR_INTRINSIC_end_invocation_interlock:
   case NIR_INTRINSIC_leave_ordered_section:
      leave_section(c);
      return true;
   case NIR_INTRINSIC_store_var_agx:
   case NIR_INTRINSIC_store_var_at_agx:
      store_word(c, intr);
      return true;
   case NIR_INTRINSIC_iter_agx:
      interpolate(c, intr);
      return true;
   case NIR_INTRINSIC_load_coefficients_agx:
      load_coefficients(c, intr);
      return true;
   default: /* others: no inputs and outputs */
      return false;
   }
}

void
sel_finish_io(struct sel *c)
{
   finish_left(c);
   if (c->ir->stage != NIR_STAGE_VERTEX || c->ir->is_preamble || c->options->continues)
      return;
   if (c->last_var)
      c->last_var->mod.last = 1;
   else
      agx_no_var(&c->b);
}

/* ---- system values ---- */

static struct agx_ref
special(struct sel *c, unsigned size, unsigned number)
{
   const struct agx_ref dst = agx_ir_value(c->ir, size, 1);
   agx_mfsr_to(&c->b, dst)->mod.sr = number;
   return dst;
}

static struct agx_ref
unmap(struct sel *c, unsigned block)
{
   const struct agx_ref dst = agx_ir_value(c->ir, 32, 1);
   agx_unmap_to(&c->b, dst)->mod.block = block;
   return dst;
}

static const struct {
   uint16_t op;
   uint8_t first;
} registers[] = {
   {NIR_INTRINSIC_load_workgroup_id, AGX_SR_THREADGROUP_IN_GRID_X},
   {NIR_INTRINSIC_load_local_invocation_id, AGX_SR_THREAD_IN_THREADGROUP_X},
   {NIR_INTRINSIC_load_local_invocation_index, AGX_SR_THREAD_INDEX_IN_THREADGROUP},
   {NIR_INTRINSIC_load_global_invocation_id, AGX_SR_THREAD_IN_GRID_X},
   {NIR_INTRINSIC_load_subgroup_invocation, AGX_SR_THREAD_INDEX_IN_SIMDGROUP},
   {NIR_INTRINSIC_load_subgroup_id, AGX_SR_SIMDGROUP_INDEX_IN_THREADGROUP},
   {NIR_INTRINSIC_load_sample_mask_in, AGX_SR_INPUT_SAMPLE_MASK},
   {NIR_INTRINSIC_load_pixel_coord_agx, AGX_SR_THREAD_IN_GRID_X},
};

/* Components that something reads. */
static void
load_registers(struct sel *c, const struct nir_def *def, unsigned first)
{
   for (unsigned i = 0; i < def->num_components; i++)
      sel_set(c, def, i, special(c, sel_size(def), first + i));
}

bool
sel_sysval(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *def = &intr->def;
   for (unsigned i = 0; i < ARRAY_SIZE(registers); i++) {
      if (registers[i].op == intr->op) {
         load_registers(c, def, registers[i].first);
         return true;
      }
   }
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_sr_agx:
      load_registers(c, def, (unsigned)nir_intrinsic_base(intr));
      return true;
   case NIR_INTRINSIC_doorbell_agx:
      agx_doorbell(&c->b)->mod.imm = (unsigned)nir_intrinsic_base(intr);
      return true;
   case NIR_INTRINSIC_map_stack_agx:
      agx_map(&c->b, sel_src(c, &intr->src[0], 0))->mod.block = (unsigned)nir_intrinsic_base(intr);
      return true;
   case NIR_INTRINSIC_unmap_stack_agx:
      sel_set(c, def, 0, unmap(c, (unsigned)nir_intrinsic_base(intr)));
      return true;
   case NIR_INTRINSIC_load_vertex_id_zero_base:
      sel_set(c, def, 0, c->vertex_id);
      return true;
   case NIR_INTRINSIC_load_instance_id:
      sel_set(c, def, 0, c->instance_id);
      return true;
   case NIR_INTRINSIC_load_front_face:
      sel_set(c, def, 0,
              sel_icsel(c, 16, AGX_ICOND_IEQ, special(c, 16, AGX_SR_BACKFACING), agx_imm(0), agx_imm(1), agx_imm(0)));
      return true;
   case NIR_INTRINSIC_load_helper_invocation:
   case NIR_INTRINSIC_is_helper_invocation:
      sel_set(c, def, 0,
              sel_icsel(c, 16, AGX_ICOND_IEQ, special(c, 16, AGX_SR_IS_ACTIVE_THREAD), agx_imm(0), agx_imm(1),
                        agx_imm(0)));
      return true;
   case NIR_INTRINSIC_load_subgroup_size:
      sel_set(c, def, 0, sel_copy(c, sel_imm(c, 32, 32)));
      return true;
   default: /* others: no system values */
      return false;
   }
}
