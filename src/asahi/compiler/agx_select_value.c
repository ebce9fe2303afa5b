/* Values of nir as values of the machine. */
#include "asahi/compiler/agx_select.h"

unsigned
sel_size(const struct nir_def *def)
{
   return MAX2(def->bit_size, 16);
}

struct agx_ref
sel_imm(struct sel *c, unsigned size, uint64_t value)
{
   for (unsigned i = 0; i < SEL_CONSTANTS; i++) {
      if (c->constants[i].block == c->b.block && c->constants[i].size == size && c->constants[i].value == value)
         return c->constants[i].ref;
   }
   const struct agx_ref ref = agx_build_imm(&c->b, size, value);
   const unsigned at = c->next_constant++ % SEL_CONSTANTS;
   c->constants[at].block = c->b.block;
   c->constants[at].size = size;
   c->constants[at].value = value;
   c->constants[at].ref = ref;
   return ref;
}

static struct agx_ref
def_component(struct sel *c, const struct nir_def *def, unsigned component)
{
   const unsigned size = sel_size(def);
   if (def->parent->type == NIR_INSTR_LOAD_CONST)
      return sel_imm(c, size, nir_as_load_const(def->parent)->value[component].u64);
   if (def->parent->type == NIR_INSTR_UNDEF)
      return sel_imm(c, size, 0);
   const struct agx_ref ref = c->values[def->index].comp[component];
   if (ref.kind == AGX_NONE)
      agx_ir_fail(c->ir, "component %u of value %u was not selected", component, def->index);
   return ref;
}

struct agx_ref
sel_src(struct sel *c, const struct nir_src *src, unsigned component)
{
   return def_component(c, src->def, component);
}

struct agx_ref
sel_alu_src(struct sel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component)
{
   return def_component(c, alu->src[src].src.def, alu->src[src].swizzle[component]);
}

struct agx_ref
sel_float_src(struct sel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component)
{
   const struct nir_def *def = alu->src[src].src.def;
   bool negated = false, absolute = false;
   component = alu->src[src].swizzle[component];
   const struct nir_alu_instr *at;
   while ((at = sel_alu_of(c, def))) {
      if (at->op == NIR_OP_fneg)
         negated ^= !absolute;
      else if (at->op == NIR_OP_fabs)
         absolute = true;
      else
         break;
      component = at->src[0].swizzle[component];
      def = at->src[0].src.def;
   }
   struct agx_ref ref = def_component(c, def, component);
   ref.abs = absolute;
   ref.neg = negated;
   return ref;
}

struct agx_ref
sel_slice(struct sel *c, const struct nir_src *src, unsigned first, unsigned count)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS];
   const struct sel_value *value = &c->values[src->def->index];
   if (!first && count == src->def->num_components && value->vec.kind != AGX_NONE)
      return value->vec;
   for (unsigned i = 0; i < count; i++)
      parts[i] =
         src->def->parent->type == NIR_INSTR_UNDEF ? agx_undef(sel_size(src->def), 1) : sel_src(c, src, first + i);
   if (count == 1 && parts[0].kind == AGX_SSA)
      return parts[0];
   return agx_build_collect(&c->b, sel_size(src->def), count, parts, count);
}

struct agx_ref
sel_vec_src(struct sel *c, const struct nir_src *src)
{
   return sel_slice(c, src, 0, src->def->num_components);
}

void
sel_set(struct sel *c, const struct nir_def *def, unsigned component, struct agx_ref ref)
{
   assert(ref.size == sel_size(def) && "a value has another size");
   c->values[def->index].comp[component] = ref;
}

void
sel_set_vec(struct sel *c, const struct nir_def *def, struct agx_ref vec)
{
   if (def->num_components == 1) {
      sel_set(c, def, 0, vec);
      return;
   }
   struct sel_value *value = &c->values[def->index];
   agx_build_split(&c->b, vec, sel_size(def), value->comp, def->num_components);
   value->vec = vec;
}

struct agx_ref
sel_copy(struct sel *c, struct agx_ref ref)
{
   struct agx_instr *copy = agx_build_pseudo(&c->b, AGX_P_COPY, 1, 1);
   copy->srcs[0] = ref;
   return copy->dsts[0] = agx_ir_value(c->ir, ref.size, ref.count);
}

struct agx_ref
sel_low(struct sel *c, struct agx_ref ref)
{
   struct agx_ref parts[2];
   agx_build_split(&c->b, ref, ref.size / 2, parts, 2);
   return parts[0];
}

void
sel_split64(struct sel *c, struct agx_ref ref, struct agx_ref parts[2])
{
   agx_build_split(&c->b, ref, 32, parts, 2);
}

struct agx_ref
sel_pack64(struct sel *c, struct agx_ref low, struct agx_ref high)
{
   const struct agx_ref parts[] = {low, high};
   return agx_build_collect(&c->b, 64, 1, parts, 2);
}

struct agx_ref
sel_as16(struct sel *c, const struct nir_src *src, unsigned component)
{
   if (nir_src_is_const(*src))
      return sel_imm(c, 16, nir_src_comp_as_uint(*src, component) & 0xffff);
   const struct agx_ref ref = sel_src(c, src, component);
   return ref.size == 16 ? ref : sel_low(c, ref);
}

struct nir_alu_instr *
sel_alu_of(const struct sel *c, const struct nir_def *def)
{
   const bool elsewhere = !c->ir->is_preamble && c->preamble && c->preamble->omitted[def->index];
   return def->parent->type == NIR_INSTR_ALU && !elsewhere ? nir_as_alu(def->parent) : NULL;
}

struct nir_alu_instr *
sel_only_user(const struct nir_def *def, enum nir_op op)
{
   struct nir_alu_instr *user = NULL;
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU || user)
         return NULL;
      user = nir_as_alu(use->parent_instr);
      if (user->op != op)
         return NULL;
   }
   return user;
}
