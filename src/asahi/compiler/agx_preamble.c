/* Which values a preamble computes: those that come from constants, uniforms and memory that nobody writes, by
 * arithmetic alone. What costs nothing where it is used (a negation, a comparison, parts of a vector) is made there,
 * from what lies in uniforms. Loads are made whether or not a thread comes to them: soft faults make that harmless.
 * Without them, loads in branches and loops stay there.
 */
#include "asahi/compiler/agx_preamble.h"

#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "util/mutant.h"

#define SPARE_UNIFORMS_H 64 /* left for constants */

struct plan {
   struct agx_ir *main;
   struct nir_shader *nir;
   bool *movable, *free; /* free: costs nothing where it is used */
   bool *excluded;       /* no uniforms were left for it */
   bool *stored, *needed;
   int16_t *uniform;
   struct nir_instr **instrs; /* in order */
   uint32_t num_instrs;
};

static bool
is_free_op(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_mov:
   case NIR_OP_vec2:
   case NIR_OP_vec3:
   case NIR_OP_vec4:
   case NIR_OP_fneg:
   case NIR_OP_fabs:
   case NIR_OP_inot:
   case NIR_OP_flt:
   case NIR_OP_fge:
   case NIR_OP_feq:
   case NIR_OP_fneu:
   case NIR_OP_ilt:
   case NIR_OP_ige:
   case NIR_OP_ult:
   case NIR_OP_uge:
   case NIR_OP_ieq:
   case NIR_OP_ine:
   case NIR_OP_unpack_64_2x32:
   case NIR_OP_pack_32_2x16:
   case NIR_OP_unpack_32_2x16:
   case NIR_OP_u2u32: /* offsets in threadgroup memory see through it */
   case NIR_OP_u2u64:
   case NIR_OP_i2i64:
      return true;
   default: /* others: instructions */
      return false;
   }
}

/* An address in uniforms already, as the hardware takes it. */
static bool
is_uniform_pair(const struct nir_alu_instr *alu)
{
   const struct nir_alu_src *pair = &alu->src[0];
   const struct nir_instr *parent = pair->src.def->parent;
   return alu->op == NIR_OP_pack_64_2x32 && parent->type == NIR_INSTR_INTRINSIC &&
          nir_as_intrinsic(parent)->op == NIR_INTRINSIC_load_uniform_agx &&
          pair->swizzle[1] == pair->swizzle[0] + 1 &&
          (nir_intrinsic_base(nir_as_intrinsic(parent)) + 2 * pair->swizzle[0]) % 4 == 0;
}

static bool
source_moves(struct nir_src *src, void *data)
{
   const struct plan *p = data;
   return p->movable[src->def->index];
}

/* Of loads: what every thread comes to may be loaded ahead. */
static bool
loads_ahead(const struct plan *p, const struct nir_instr *instr)
{
   return !p->main->options->no_soft_faults || !instr->block->cf.parent || mutant("agx-preamble-branches");
}

static bool
moves(struct plan *p, struct nir_instr *instr, bool *is_free)
{
   *is_free = false;
   switch (instr->type) {
   case NIR_INSTR_LOAD_CONST:
      *is_free = true;
      return true;
   case NIR_INSTR_ALU: {
      const struct nir_alu_instr *alu = nir_as_alu(instr);
      *is_free = is_free_op(alu->op) || is_uniform_pair(alu);
      return !(nir_op_infos[alu->op].flags & NIR_OP_FLAG_DERIVATIVE) && nir_foreach_src(instr, source_moves, p);
   }
   case NIR_INSTR_INTRINSIC: {
      struct nir_intrinsic_instr *intr = nir_as_intrinsic(instr);
      *is_free = intr->op == NIR_INTRINSIC_load_uniform_agx;
      return *is_free ||
             (intr->op == NIR_INTRINSIC_load_agx && loads_ahead(p, instr) &&
              nir_intrinsic_access(intr) & NIR_ACCESS_CAN_REORDER && nir_foreach_src(instr, source_moves, p));
   }
   case NIR_INSTR_UNDEF:
   case NIR_INSTR_DEREF:
   case NIR_INSTR_TEX:
   case NIR_INSTR_PHI:
   case NIR_INSTR_JUMP:
      break;
   }
   return false;
}

/* The main program reads it. */
static bool
need(struct nir_src *src, void *data)
{
   struct plan *p = data;
   p->needed[src->def->index] = p->movable[src->def->index] && !p->excluded[src->def->index];
   return true;
}

/* Backwards: what needs a value follows it, as nothing that moves is a phi. */
static void
find_needed(struct plan *p)
{
   memset(p->needed, 0, p->nir->num_defs);
   memset(p->stored, 0, p->nir->num_defs);
   nir_foreach_block(block, p->nir) {
      struct nir_cf_node *next = nir_cf_next(&block->cf);
      if (next && next->type == NIR_CF_IF)
         need(&nir_cf_as_if(next)->condition, p);
   }
   for (uint32_t i = p->num_instrs; i-- > 0;) {
      struct nir_instr *instr = p->instrs[i];
      const struct nir_def *def = nir_instr_def(instr);
      if (!def || !p->movable[def->index] || p->excluded[def->index])
         nir_foreach_src(instr, need, p);
   }
   for (uint32_t i = p->num_instrs; i-- > 0;) {
      const struct nir_def *def = nir_instr_def(p->instrs[i]);
      if (!def || !p->needed[def->index])
         continue;
      if (p->free[def->index])
         nir_foreach_src(p->instrs[i], need, p);
      else
         p->stored[def->index] = true;
   }
}

static int
reserve_uniforms(struct plan *p, const struct nir_def *def)
{
   const unsigned limit = p->main->options->uniforms_max_h ? p->main->options->uniforms_max_h : AGX_UNIFORMS;
   const unsigned halves = MAX2(def->bit_size, 16) / 16u * def->num_components;
   return p->main->next_uniform_h + halves + SPARE_UNIFORMS_H > limit ? -1 : agx_ir_take_uniforms(p->main, halves);
}

/* False: some did not fit. */
static bool
place_some(struct plan *p, bool addresses, bool *any)
{
   bool fits = true;
   nir_foreach_block(block, p->nir) {
      nir_foreach_instr(instr, block) {
         const struct nir_def *def = nir_instr_def(instr);
         if (!def || !p->stored[def->index] || (def->bit_size == 64) != addresses)
            continue;
         const int half = reserve_uniforms(p, def);
         p->uniform[def->index] = (int16_t)half;
         p->excluded[def->index] = half < 0;
         fits &= half >= 0;
         *any |= half >= 0;
      }
   }
   return fits;
}

/* Addresses come first, since memory instructions reach the first half of the uniforms only. False: some did not fit
 * and are the main program's now, which changes what it needs. */
static bool
place(struct plan *p, bool *any)
{
   const unsigned first = p->main->next_uniform_h;
   *any = false;
   const bool addresses_fit = place_some(p, true, any), fits = place_some(p, false, any) && addresses_fit;
   if (!fits)
      p->main->next_uniform_h = first;
   return fits;
}

static bool
compute_source(struct nir_src *src, void *data)
{
   ((bool *)data)[src->def->index] = true;
   return true;
}

static struct agx_preamble *
finish(struct plan *p)
{
   struct agx_preamble *made = arena_new(p->main->arena, struct agx_preamble);
   made->omitted = arena_array(p->main->arena, bool, p->nir->num_defs);
   made->computed = arena_array(p->main->arena, bool, p->nir->num_defs);
   made->uniform = p->uniform;
   for (unsigned i = 0; i < p->nir->num_defs; i++) {
      if (!p->stored[i])
         p->uniform[i] = -1;
      made->omitted[i] = p->movable[i] && !p->excluded[i] && !(p->free[i] && p->needed[i]);
   }
   for (uint32_t i = p->num_instrs; i-- > 0;) {
      const struct nir_def *def = nir_instr_def(p->instrs[i]);
      if (!def || !(p->stored[def->index] || made->computed[def->index]))
         continue;
      made->computed[def->index] = true;
      nir_foreach_src(p->instrs[i], compute_source, made->computed);
   }
   return made;
}

struct agx_preamble *
agx_plan_preamble(struct agx_ir *main, struct nir_shader *nir)
{
   struct arena *arena = main->arena;
   const unsigned count = nir->num_defs + 1;
   struct plan p = {.main = main, .nir = nir};
   bool **const sets[] = {&p.movable, &p.free, &p.excluded, &p.stored, &p.needed};
   bool any = false;
   for (unsigned i = 0; i < ARRAY_SIZE(sets); i++)
      *sets[i] = arena_array(arena, bool, count);
   p.uniform = arena_array(arena, int16_t, count);
   nir_index_instrs(nir);
   p.instrs = arena_array(arena, struct nir_instr *, nir->num_instrs);
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         p.instrs[p.num_instrs++] = instr;
         const struct nir_def *def = nir_instr_def(instr);
         if (def)
            p.movable[def->index] = moves(&p, instr, &p.free[def->index]);
      }
   }
   do
      find_needed(&p);
   while (!place(&p, &any));
   return any ? finish(&p) : NULL;
}
