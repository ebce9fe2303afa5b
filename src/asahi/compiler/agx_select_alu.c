/* Selection of arithmetic: moving, choosing, comparing; the rest is in agx_select_{float,int,convert}.c. */
#include "asahi/compiler/agx_select.h"

/* ---- conditions ---- */

static const struct {
   uint8_t op, code;
   bool is_float;
} comparisons[] = {
   /* enum nir_op goes beyond a byte nowhere near here; checked below */
   {NIR_OP_flt, AGX_FCOND_FLT, true},   {NIR_OP_fge, AGX_FCOND_FGTE, true},  {NIR_OP_feq, AGX_FCOND_FEQ, true},
   {NIR_OP_fneu, AGX_FCOND_FNEQ, true}, {NIR_OP_ilt, AGX_ICOND_SLT, false},  {NIR_OP_ige, AGX_ICOND_SGTE, false},
   {NIR_OP_ult, AGX_ICOND_ULT, false},  {NIR_OP_uge, AGX_ICOND_UGTE, false}, {NIR_OP_ieq, AGX_ICOND_IEQ, false},
   {NIR_OP_ine, AGX_ICOND_INE, false},
};
_Static_assert(NIR_OP_COUNT < 256, "opcodes in bytes");

static bool
sel_comparison(struct sel *c, const struct nir_alu_instr *alu, unsigned component, struct sel_condition *cond)
{
   for (unsigned i = 0; i < ARRAY_SIZE(comparisons); i++) {
      if (comparisons[i].op != alu->op)
         continue;
      *cond = (struct sel_condition){.is_float = comparisons[i].is_float, .code = comparisons[i].code};
      cond->a = cond->is_float ? sel_float_src(c, alu, 0, component) : sel_alu_src(c, alu, 0, component);
      cond->b = cond->is_float ? sel_float_src(c, alu, 1, component) : sel_alu_src(c, alu, 1, component);
      return true;
   }
   return false;
}

struct sel_condition
sel_condition(struct sel *c, const struct nir_src *src, unsigned component)
{
   const struct nir_def *def = src->def;
   struct sel_condition cond;
   uint8_t inverted = 0;
   const struct nir_alu_instr *alu;
   while ((alu = sel_alu_of(c, def))) {
      if (alu->op == NIR_OP_inot) {
         inverted ^= 8;
         component = alu->src[0].swizzle[component];
         def = alu->src[0].src.def;
         continue;
      }
      if (alu->src[0].src.def->bit_size == 1 || !sel_comparison(c, alu, component, &cond))
         break;
      cond.code ^= inverted;
      return cond;
   }
   const struct nir_src at = {.def = (struct nir_def *)def};
   cond = (struct sel_condition){.a = sel_src(c, &at, component), .b = sel_imm(c, 16, 0), .code = AGX_ICOND_INE};
   cond.code ^= inverted;
   return cond;
}

struct agx_ref
sel_icsel(struct sel *c, unsigned size, enum agx_icond code, struct agx_ref a, struct agx_ref b, struct agx_ref yes,
          struct agx_ref no)
{
   const struct sel_condition cond = {.a = a, .b = b, .code = (uint8_t)code};
   return sel_csel(c, size, &cond, yes, no);
}

struct agx_ref
sel_csel(struct sel *c, unsigned size, const struct sel_condition *cond, struct agx_ref yes, struct agx_ref no)
{
   if (size == 64) {
      struct agx_ref y[2], n[2], result[2];
      sel_split64(c, yes, y);
      sel_split64(c, no, n);
      for (unsigned i = 0; i < 2; i++)
         result[i] = sel_csel(c, 32, cond, y[i], n[i]);
      return sel_pack64(c, result[0], result[1]);
   }
   const bool swapped = cond->code & 8;
   const struct agx_ref first = swapped ? no : yes, second = swapped ? yes : no;
   struct agx_ref result;
   if (cond->is_float) {
      result = agx_fcsel(&c->b, size, cond->a, cond->b, first, second);
      c->b.last->mod.fcond = cond->code & 7;
   } else {
      result = agx_icsel(&c->b, size, cond->a, cond->b, first, second);
      c->b.last->mod.icond = cond->code & 7;
   }
   return result;
}

/* ---- opcodes ---- */

static void
set_comparison(struct sel *c, const struct nir_alu_instr *alu, unsigned component, const struct sel_condition *cond)
{
   sel_set(c, &alu->def, component, sel_csel(c, 16, cond, agx_imm(1), agx_imm(0)));
}

static bool
comparison(struct sel *c, struct nir_alu_instr *alu)
{
   struct sel_condition cond;
   if (alu->src[0].src.def->bit_size == 1 && alu->op != NIR_OP_ieq && alu->op != NIR_OP_ine)
      return false;
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      if (!sel_comparison(c, alu, i, &cond))
         return false;
      set_comparison(c, alu, i, &cond);
   }
   return true;
}

static void
move(struct sel *c, struct nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      const bool vector = alu->op != NIR_OP_mov;
      const struct nir_def *def = alu->src[vector ? i : 0].src.def;
      struct agx_ref ref = sel_alu_src(c, alu, vector ? i : 0, vector ? 0 : i);
      if (def->parent->type == NIR_INSTR_LOAD_CONST || def->parent->type == NIR_INSTR_UNDEF)
         ref = sel_copy(c, ref); /* a constant's value is only for its block */
      sel_set(c, &alu->def, i, ref);
   }
}

static void
choose(struct sel *c, struct nir_alu_instr *alu)
{
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      const struct sel_condition cond = sel_condition(c, &alu->src[0].src, alu->src[0].swizzle[i]);
      sel_set(c, &alu->def, i,
              sel_csel(c, sel_size(&alu->def), &cond, sel_alu_src(c, alu, 1, i), sel_alu_src(c, alu, 2, i)));
   }
}

void
sel_alu(struct sel *c, struct nir_alu_instr *alu)
{
   switch ((int)alu->op) {
   case NIR_OP_mov:
   case NIR_OP_vec2:
   case NIR_OP_vec3:
   case NIR_OP_vec4:
      move(c, alu);
      return;
   case NIR_OP_bcsel:
      choose(c, alu);
      return;
   default: /* others: the families below */
      break;
   }
   if (!comparison(c, alu) && !sel_alu_float(c, alu) && !sel_alu_convert(c, alu) && !sel_alu_int(c, alu))
      agx_ir_fail(c->ir, "no instruction for %s of %u bits", nir_op_infos[alu->op].name, alu->def.bit_size);
}
