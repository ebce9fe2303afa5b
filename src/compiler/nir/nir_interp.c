/* Control flow, arithmetic and phis of the reference interpreter. */
#include "compiler/nir/nir_constant_data.h"
#include "compiler/nir/nir_interp.h"

#include <math.h>
#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_interp_internal.h"
#include "util/half.h"
#include "util/macros.h"

/* Stops the run; the first reason stays. */
static void
nir_interp_fail(struct nir_machine *interp, const char *what)
{
   if (!interp->result.error)
      interp->result.error = arena_strdup(interp->arena, what);
   interp->exec = (struct nir_lanes){};
}

static bool
any_lane(const struct nir_lanes *lanes)
{
   uint64_t any = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(lanes->words); i++)
      any |= lanes->words[i];
   return any;
}

static struct nir_lanes
lanes_or(struct nir_lanes a, const struct nir_lanes *b)
{
   for (unsigned i = 0; i < ARRAY_SIZE(a.words); i++)
      a.words[i] |= b->words[i];
   return a;
}

/* ---- arithmetic ---- */

static double
read_float(const union nir_const_value *value, unsigned bits)
{
   return nir_const_as_float(*value, bits);
}

static void
write_float(union nir_const_value *value, unsigned bits, double number)
{
   value->u64 = bits == 16   ? half_from_float((float)number)
                : bits == 32 ? float_bits((float)number)
                             : double_bits(number);
}

/* Differences inside the quad; inactive lanes contribute the values they computed last. */
static void
run_derivative(struct nir_machine *interp, const struct nir_alu_instr *alu)
{
   bool x = alu->op == NIR_OP_fddx || alu->op == NIR_OP_fddx_fine || alu->op == NIR_OP_fddx_coarse;
   bool fine = alu->op == NIR_OP_fddx_fine || alu->op == NIR_OP_fddy_fine;
   unsigned step = x ? 1 : 2, bits = alu->def.bit_size;
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      uint32_t first = fine ? lane & ~step : lane & ~3u;
      uint32_t second = MIN2(first + step, interp->num_lanes - 1);
      for (unsigned c = 0; c < alu->def.num_components; c++) {
         unsigned swizzle = alu->src[0].swizzle[c];
         double a = read_float(&nir_interp_value(interp, alu->src[0].src.def, first)[swizzle], bits);
         double b = read_float(&nir_interp_value(interp, alu->src[0].src.def, second)[swizzle], bits);
         double change = isnan(b - a) ? (double)NAN : b - a; /* one NaN, as from all arithmetic */
         write_float(&nir_interp_value(interp, &alu->def, lane)[c], bits, change);
      }
   }
}

static void
run_alu(struct nir_machine *interp, const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   if (info->flags & NIR_OP_FLAG_DERIVATIVE) {
      run_derivative(interp, alu);
      return;
   }
   union nir_const_value values[4][NIR_MAX_COMPONENTS];
   const union nir_const_value *srcs[4] = {values[0], values[1], values[2], values[3]};
   unsigned bits = info->dest_bits ? 0 : alu->def.bit_size;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (!info->src_bits[i])
         bits = alu->src[i].src.def->bit_size;
   }
   const unsigned controls = interp->shader->info.float_controls, all = 7;
   const bool has_mode = controls & (all << NIR_FLOAT_FLUSH | all << NIR_FLOAT_TO_ZERO);
   const struct nir_eval e = {alu->op, alu->def.num_components, bits, alu->def.bit_size};
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      for (unsigned i = 0; i < info->num_srcs; i++) {
         const union nir_const_value *src = nir_interp_value(interp, alu->src[i].src.def, lane);
         unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
         for (unsigned c = 0; c < count; c++)
            values[i][c] = src[alu->src[i].swizzle[c]];
      }
      union nir_const_value *result = nir_interp_value(interp, &alu->def, lane);
      if (has_mode)
         nir_eval_modes(controls, &e, result, srcs);
      else
         nir_eval_alu(alu->op, alu->def.num_components, bits, result, srcs);
   }
}

static void
run_const(struct nir_machine *interp, const struct nir_load_const_instr *load)
{
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++)
      memcpy(nir_interp_value(interp, &load->def, lane), load->value, sizeof(load->value));
}

/* ---- phis: all of a block are read before any is written ---- */

static void
read_phi(struct nir_machine *interp, const struct nir_phi_instr *phi)
{
   size_t size_B = sizeof(union nir_const_value) * NIR_MAX_COMPONENTS * interp->num_lanes;
   union nir_const_value *values = dynarray_grow(&interp->phi_values, size_B);
   memset(values, 0, size_B);
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      const struct nir_phi_src *src = nir_phi_src_from(phi, interp->from[lane]);
      if (!src) {
         nir_interp_fail(interp, "a lane came from a block that the phi does not name");
         return;
      }
      memcpy(&values[lane * NIR_MAX_COMPONENTS], nir_interp_value(interp, src->src.def, lane),
             sizeof(*values) * NIR_MAX_COMPONENTS);
   }
}

static void
run_phis(struct nir_machine *interp, const struct nir_block *block)
{
   interp->phi_values.size_B = 0;
   nir_foreach_instr(instr, block) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      read_phi(interp, nir_as_phi(instr));
   }
   const union nir_const_value *values = interp->phi_values.data;
   nir_foreach_instr(instr, block) {
      if (instr->type != NIR_INSTR_PHI || interp->result.error)
         break;
      for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
         if (nir_lane_active(interp, lane))
            memcpy(nir_interp_value(interp, &nir_as_phi(instr)->def, lane), &values[lane * NIR_MAX_COMPONENTS],
                   sizeof(*values) * NIR_MAX_COMPONENTS);
      }
      values += (size_t)interp->num_lanes * NIR_MAX_COMPONENTS;
   }
}

/* ---- instructions ---- */

/* Lanes whose condition is true stop (discard) or continue as helpers (demote). */
static void
run_discard(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   bool conditional = instr->op == NIR_INTRINSIC_discard_if || instr->op == NIR_INTRINSIC_demote_if;
   bool ends = instr->op == NIR_INTRINSIC_discard || instr->op == NIR_INTRINSIC_discard_if;
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane) || (conditional && !nir_interp_value(interp, instr->src[0].def, lane)->b))
         continue;
      interp->result.discarded[lane] = interp->helper[lane] = true;
      if (ends)
         interp->exec.words[lane / 64] &= ~(UINT64_C(1) << (lane % 64));
   }
}

static void
run_intrinsic(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   if (instr->op >= NIR_INTRINSIC_discard && instr->op <= NIR_INTRINSIC_demote_if) {
      run_discard(interp, instr);
      return;
   }
   if (instr->op == NIR_INTRINSIC_barrier ||
       (instr->op >= NIR_INTRINSIC_begin_invocation_interlock && instr->op <= NIR_INTRINSIC_leave_ordered_section))
      return; /* lock step; the order of invocations is the caller's */
   if (nir_interp_memory(interp, instr) || nir_interp_subgroup(interp, instr) || nir_interp_matrix(interp, instr) ||
       nir_interp_system(interp, instr))
      return;
   nir_interp_fail(
      interp, arena_printf(interp->arena, "the interpreter does not know %s", nir_intrinsic_infos[instr->op].name));
}

static void
run_jump(struct nir_machine *interp, const struct nir_jump_instr *jump)
{
   if (jump->jump == NIR_JUMP_BREAK)
      interp->loop->broken = lanes_or(interp->loop->broken, &interp->exec);
   else if (jump->jump == NIR_JUMP_CONTINUE)
      interp->loop->continued = lanes_or(interp->loop->continued, &interp->exec);
   interp->exec = (struct nir_lanes){};
}

static void
run_instr(struct nir_machine *interp, const struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
      run_alu(interp, nir_as_alu(instr));
      break;
   case NIR_INSTR_LOAD_CONST:
      run_const(interp, nir_as_load_const(instr));
      break;
   case NIR_INSTR_INTRINSIC:
      run_intrinsic(interp, nir_as_intrinsic(instr));
      break;
   case NIR_INSTR_JUMP:
      run_jump(interp, nir_as_jump(instr));
      break;
   case NIR_INSTR_PHI:   /* at the start of the block */
   case NIR_INSTR_UNDEF: /* values start as zeros */
      break;
   case NIR_INSTR_DEREF:
      break; /* its users fail */
   case NIR_INSTR_TEX:
      nir_interp_fail(interp, "the interpreter has no textures");
      break;
   }
}

/* A value marked uniform is equal in the active lanes of each subgroup. */
static void
check_uniform(struct nir_machine *interp, const struct nir_def *def)
{
   uint32_t size = interp->params->subgroup_size, first = UINT32_MAX;
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      if (first == UINT32_MAX || first / size != lane / size)
         first = lane;
      const union nir_const_value *a = nir_interp_value(interp, def, first), *b = nir_interp_value(interp, def, lane);
      for (unsigned c = 0; c < def->num_components; c++) {
         if (a[c].u64 != b[c].u64) {
            nir_interp_fail(interp, arena_printf(interp->arena, "%%%u is not uniform", def->index));
            return;
         }
      }
   }
}

/* ---- control flow ---- */

static void
run_block(struct nir_machine *interp, const struct nir_block *block)
{
   if (!any_lane(&interp->exec))
      return;
   run_phis(interp, block);
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (nir_lane_active(interp, lane))
         interp->from[lane] = block;
   }
   nir_foreach_instr(instr, block) {
      run_instr(interp, instr);
      const struct nir_def *def = interp->params->check_uniform ? nir_instr_def(instr) : NULL;
      if (def && !def->divergent)
         check_uniform(interp, def);
      if (++interp->steps > (interp->params->max_steps ? interp->params->max_steps : 10000000))
         nir_interp_fail(interp, "too many instructions: an endless loop");
      if (!any_lane(&interp->exec))
         return;
   }
}

static void run_list(struct nir_machine *interp, const struct list_head *list);

static void
run_if(struct nir_machine *interp, const struct nir_if *nif)
{
   struct nir_lanes taken[2] = {}; /* else, then */
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (nir_lane_active(interp, lane))
         taken[nir_interp_value(interp, nif->condition.def, lane)->b].words[lane / 64] |= UINT64_C(1) << (lane % 64);
   }
   interp->exec = taken[1];
   run_list(interp, &nif->then_list);
   struct nir_lanes after = interp->exec;
   interp->exec = taken[0];
   run_list(interp, &nif->else_list);
   interp->exec = lanes_or(after, &interp->exec);
}

static void
run_loop(struct nir_machine *interp, const struct nir_loop *loop)
{
   struct nir_interp_loop frame = {.outer = interp->loop};
   interp->loop = &frame;
   while (any_lane(&interp->exec) && !interp->result.error) {
      frame.continued = (struct nir_lanes){};
      run_list(interp, &loop->body);
      interp->exec = lanes_or(interp->exec, &frame.continued);
      interp->steps++; /* a loop without instructions ends too */
      if (interp->steps > (interp->params->max_steps ? interp->params->max_steps : 10000000))
         nir_interp_fail(interp, "too many instructions: an endless loop");
   }
   interp->exec = frame.broken;
   interp->loop = frame.outer;
}

static void
run_list(struct nir_machine *interp, const struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (interp->result.error)
         interp->exec = (struct nir_lanes){};
      if (!any_lane(&interp->exec))
         return;
      if (node->type == NIR_CF_BLOCK)
         run_block(interp, nir_cf_as_block(node));
      else if (node->type == NIR_CF_IF)
         run_if(interp, nir_cf_as_if(node));
      else
         run_loop(interp, nir_cf_as_loop(node));
   }
}

struct nir_interp_result
nir_interp_run(struct arena *arena, struct nir_shader *shader, const struct nir_interp_params *params)
{
   struct nir_machine interp = {.arena = arena, .shader = shader, .params = params, .num_lanes = params->num_lanes};
   const uint32_t *size = shader->info.workgroup_size;
   if (!interp.num_lanes)
      interp.num_lanes = size[0] * size[1] * size[2];
   assert(interp.num_lanes && interp.num_lanes <= NIR_INTERP_MAX_LANES && "too many lanes for the interpreter");
   nir_index_defs(shader);
   uint32_t lanes = interp.num_lanes;
   interp.values =
      arena_array(arena, union nir_const_value, (size_t)(shader->num_defs + 1) * lanes * NIR_MAX_COMPONENTS);
   interp.from = arena_array(arena, const struct nir_block *, lanes);
   interp.helper = arena_array(arena, bool, lanes);
   interp.constant_data = nir_constant_data(arena, shader);
   interp.scratch = arena_array(arena, uint8_t, lanes *(size_t)shader->info.scratch_B + 1);
   interp.shared = interp.result.shared = arena_array(arena, uint8_t, shader->info.shared_B + 1);
   interp.result.outputs = arena_alloc(arena, sizeof(*interp.result.outputs) * lanes);
   interp.result.outputs_dual = arena_alloc(arena, sizeof(*interp.result.outputs_dual) * lanes);
   interp.result.vertices =
      arena_array(arena, struct nir_interp_vertex, (size_t)shader->info.gs_vertices * lanes + 1);
   if (shader->stage == NIR_STAGE_TESS_CTRL)
      interp.result.patches =
         arena_array(arena, struct nir_interp_patch, nir_interp_patch_of(&interp, lanes - 1) + 1);
   if (shader->stage == NIR_STAGE_TASK || shader->stage == NIR_STAGE_MESH)
      interp.result.mesh = arena_new(arena, struct nir_interp_mesh);
   interp.num_emitted = arena_array(arena, uint16_t, lanes);
   interp.result.discarded = arena_array(arena, bool, lanes);
   for (uint32_t lane = 0; lane < lanes; lane++) {
      interp.exec.words[lane / 64] |= UINT64_C(1) << (lane % 64);
      interp.helper[lane] = params->helper && params->helper[lane];
   }
   run_list(&interp, &shader->body);
   dynarray_free(&interp.phi_values);
   return interp.result;
}
