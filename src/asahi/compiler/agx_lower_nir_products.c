/* Products of floats in another order, where that takes fewer of them. Allowed where a shader does not ask for exact
 * results (SPV_KHR_float_controls2: without a mode, shaders allow reassociation).
 *
 *    dot(x, y * s)   s * dot(x, y)     a vector that only a dot product reads is not scaled itself
 *    a * s * s       a * (s * s)       where more products have the same s */
#include "asahi/compiler/agx_lower_nir.h"

/* A component, looked at through moves and vectors. */
struct part {
   struct nir_def *def;
   unsigned component;
};

/* *once stays true as long as every value on the way has one reader. */
static struct part
part_of(struct nir_def *def, unsigned component, bool *once)
{
   for (;;) {
      const struct nir_alu_instr *alu = def->parent->type == NIR_INSTR_ALU ? nir_as_alu(def->parent) : NULL;
      const bool vector = alu && (alu->op == NIR_OP_vec2 || alu->op == NIR_OP_vec3 || alu->op == NIR_OP_vec4);
      *once &= !list_is_empty(&def->uses) && def->uses.next->next == &def->uses;
      if (!alu || (!vector && alu->op != NIR_OP_mov))
         return (struct part){def, component};
      const struct nir_alu_src *src = &alu->src[vector ? component : 0];
      component = src->swizzle[vector ? 0 : component];
      def = src->src.def;
   }
}

static bool
same_part(const struct part *a, const struct part *b)
{
   return a->def == b->def && a->component == b->component;
}

static bool
is_product(const struct nir_def *def)
{
   return def->parent->type == NIR_INSTR_ALU && nir_as_alu(def->parent)->op == NIR_OP_fmul &&
          !nir_as_alu(def->parent)->exact && def->num_components == 1;
}

static struct part
factor_of(const struct nir_alu_instr *mul, unsigned i)
{
   bool once = false;
   return part_of(mul->src[i].src.def, mul->src[i].swizzle[0], &once);
}

/* Whether component c of source i is a product with the scale that nobody else reads; *rest is the other factor. */
static bool
has_scale(const struct nir_alu_instr *dot, unsigned i, unsigned c, const struct part *scale, struct part *rest)
{
   bool once = true;
   const struct part part = part_of(dot->src[i].src.def, dot->src[i].swizzle[c], &once);
   if (!once || !is_product(part.def))
      return false;
   const struct nir_alu_instr *mul = nir_as_alu(part.def->parent);
   for (unsigned k = 0; k < 2; k++) {
      const struct part factor = factor_of(mul, k);
      *rest = factor_of(mul, 1 - k);
      if (same_part(&factor, scale))
         return true;
   }
   return false;
}

static struct nir_def *
scaled_dot(struct nir_builder *b, const struct nir_alu_instr *dot, struct nir_def *const *src, unsigned i)
{
   const unsigned count = nir_op_infos[dot->op].src_components[0];
   bool once = true;
   const struct part first = part_of(dot->src[i].src.def, dot->src[i].swizzle[0], &once);
   for (unsigned k = 0; k < 2 && once && is_product(first.def); k++) {
      const struct part scale = factor_of(nir_as_alu(first.def->parent), k);
      struct nir_def *rest[NIR_MAX_COMPONENTS];
      unsigned c = 0;
      for (struct part part; c < count && has_scale(dot, i, c, &scale, &part); c++)
         rest[c] = nir_channel(b, part.def, part.component);
      if (c < count)
         continue;
      struct nir_def *plain = nir_build_alu(b, dot->op, nir_vec(b, rest, count), src[1 - i], NULL, NULL);
      return nir_fmul(b, nir_channel(b, scale.def, scale.component), plain);
   }
   return NULL;
}

static struct nir_def *
squared(struct nir_builder *b, const struct nir_alu_instr *mul, struct nir_def *const *src)
{
   for (unsigned i = 0; i < 2 && mul->def.num_components == 1; i++) {
      bool once = true;
      const struct part inner = part_of(mul->src[i].src.def, mul->src[i].swizzle[0], &once);
      const struct part scale = factor_of(mul, 1 - i);
      const struct list_head *uses = &scale.def->uses;
      const bool shared = !list_is_empty(uses) && uses->next->next != uses && uses->next->next->next != uses;
      if (!once || !shared || !is_product(inner.def))
         continue;
      for (unsigned k = 0; k < 2; k++) {
         const struct part factor = factor_of(nir_as_alu(inner.def->parent), k);
         const struct part rest = factor_of(nir_as_alu(inner.def->parent), 1 - k);
         if (same_part(&factor, &scale) && !same_part(&rest, &scale))
            return nir_fmul(b, nir_channel(b, rest.def, rest.component), nir_fmul(b, src[1 - i], src[1 - i]));
      }
   }
   return NULL;
}

bool
agx_is_product(enum nir_op op)
{
   return op == NIR_OP_fmul || op == NIR_OP_fdot2 || op == NIR_OP_fdot3 || op == NIR_OP_fdot4;
}

struct nir_def *
agx_lower_product_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   if (alu->exact || !agx_is_product(alu->op) || alu->def.bit_size == 64)
      return NULL;
   if (alu->op == NIR_OP_fmul)
      return squared(b, alu, src);
   struct nir_def *made = scaled_dot(b, alu, src, 0);
   return made ? made : scaled_dot(b, alu, src, 1);
}
