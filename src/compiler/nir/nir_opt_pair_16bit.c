/* Two scalar operations on 16 bits become one on a vector of two where that is free: every source is the same pair of
 * components of one vector, one value for both, or constant. Runs after everything that wants scalars. A pair stands
 * where the second operation stood, or where the first stood if its result is wanted before. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

#define WINDOW 64 /* operations that still look for a partner */

struct pairing {
   struct nir_shader *shader;
   struct nir_alu_instr *waiting[WINDOW];
   unsigned count;
};

/* Done on the 32 bits of a register: both halves must lie where the result has them. */
static bool
is_bitwise(enum nir_op op)
{
   return op == NIR_OP_iand || op == NIR_OP_ior || op == NIR_OP_ixor || op == NIR_OP_inot || op == NIR_OP_fneg ||
          op == NIR_OP_fabs;
}

static bool
is_shift(enum nir_op op)
{
   return op == NIR_OP_ishl || op == NIR_OP_ishr || op == NIR_OP_ushr;
}

static bool
is_pairable(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_iadd:
   case NIR_OP_isub:
   case NIR_OP_imul:
   case NIR_OP_imin:
   case NIR_OP_imax:
   case NIR_OP_umin:
   case NIR_OP_umax:
   case NIR_OP_fadd:
   case NIR_OP_fsub:
   case NIR_OP_fmul:
   case NIR_OP_ffma:
   case NIR_OP_fmin:
   case NIR_OP_fmax:
      return true;
   default: /* others: in pairs if they are bitwise */
      return is_bitwise(op) || is_shift(op);
   }
}

static bool
is_const(const struct nir_alu_src *src)
{
   return src->src.def->parent->type == NIR_INSTR_LOAD_CONST;
}

/* The halves of one register: components 0 and 1, or 2 and 3. */
static bool
is_vector_pair(const struct nir_alu_src *a, const struct nir_alu_src *b)
{
   return a->src.def == b->src.def && a->src.def->bit_size == 16 && (a->swizzle[0] ^ b->swizzle[0]) == 1;
}

/* Whether low and high can be the two components of one operation. */
static bool
fit(const struct nir_alu_instr *low, const struct nir_alu_instr *high)
{
   if (low->op != high->op || low->exact != high->exact)
      return false;
   bool vector = false;
   for (unsigned i = 0; i < nir_op_infos[low->op].num_srcs; i++) {
      const struct nir_alu_src *a = &low->src[i], *b = &high->src[i];
      bool pair = is_vector_pair(a, b), constants = is_const(a) && is_const(b);
      bool same = a->src.def == b->src.def && a->swizzle[0] == b->swizzle[0];
      bool bitwise = is_bitwise(low->op), amount = is_shift(low->op) && i == 1;
      if (!constants && (amount || !(pair || (same && !bitwise))))
         return false;
      if (pair && bitwise && a->swizzle[0] % 2)
         return false;
      vector |= pair;
   }
   return vector;
}

/* All uses of the value come after the place. */
static bool
used_after(const struct nir_def *def, const struct nir_instr *place)
{
   nir_foreach_use(use, def) {
      const struct nir_instr *user = use->parent_instr;
      if (user && user->block == place->block && (user->type == NIR_INSTR_PHI || user->index <= place->index))
         return false;
   }
   return true;
}

/* All sources of the operation are there ahead of the place, which is in the same block. */
static bool
sources_ahead(const struct nir_alu_instr *alu, const struct nir_instr *place)
{
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++) {
      const struct nir_instr *maker = alu->src[i].src.def->parent;
      if (maker->block == place->block && maker->type != NIR_INSTR_PHI && maker->index >= place->index)
         return false;
   }
   return true;
}

static struct nir_def *
pair_source(struct nir_builder *b, const struct nir_alu_src *low, const struct nir_alu_src *high, uint8_t swizzle[2])
{
   struct nir_def *def = low->src.def;
   swizzle[0] = low->swizzle[0];
   swizzle[1] = high->swizzle[0];
   if (def == high->src.def)
      return def;
   struct nir_load_const_instr *both = nir_load_const_create(b->shader, 2, def->bit_size);
   both->value[0] = nir_as_load_const(def->parent)->value[low->swizzle[0]];
   both->value[1] = nir_as_load_const(high->src.def->parent)->value[high->swizzle[0]];
   nir_builder_insert(b, &both->instr);
   swizzle[0] = 0;
   swizzle[1] = 1;
   return &both->def;
}

/* Whoever reads the scalar reads the component. */
static void
hand_over(struct nir_builder *b, struct nir_def *scalar, struct nir_def *pair, unsigned component)
{
   struct nir_def *copy = NULL;
   nir_foreach_use_safe(use, scalar) {
      if (use->parent_instr && use->parent_instr->type == NIR_INSTR_ALU) {
         struct nir_alu_src *src = container_of(use, struct nir_alu_src, src);
         for (unsigned c = 0; c < NIR_MAX_COMPONENTS; c++)
            src->swizzle[c] = (uint8_t)component;
         nir_src_rewrite(use, pair);
      } else {
         copy = copy ? copy : nir_channel(b, pair, component);
         copy->parent->index = pair->parent->index;
         nir_src_rewrite(use, copy);
      }
   }
   nir_instr_remove(scalar->parent);
}

static void
join(struct pairing *p, struct nir_alu_instr *low, struct nir_alu_instr *high, struct nir_instr *place)
{
   struct nir_builder b = nir_builder_at(p->shader, nir_before_instr(place));
   struct nir_alu_instr *pair = nir_alu_create(p->shader, low->op);
   pair->exact = low->exact;
   for (unsigned i = 0; i < nir_op_infos[low->op].num_srcs; i++) {
      uint8_t swizzle[2];
      nir_src_init(&pair->src[i].src, pair_source(&b, &low->src[i], &high->src[i], swizzle));
      for (unsigned c = 0; c < NIR_MAX_COMPONENTS; c++)
         pair->src[i].swizzle[c] = swizzle[c & 1];
   }
   nir_def_init(p->shader, &pair->instr, &pair->def, 2, 16);
   nir_builder_insert(&b, &pair->instr);
   pair->instr.index = place->index;
   hand_over(&b, &low->def, &pair->def, 0);
   hand_over(&b, &high->def, &pair->def, 1);
}

static bool
find_partner(struct pairing *p, struct nir_alu_instr *second)
{
   for (unsigned i = p->count; i-- > 0;) {
      struct nir_alu_instr *first = p->waiting[i];
      bool in_order = fit(first, second);
      bool late = used_after(&first->def, &second->instr);
      if ((!in_order && !fit(second, first)) || (!late && !sources_ahead(second, &first->instr)))
         continue;
      p->waiting[i] = p->waiting[--p->count];
      join(p, in_order ? first : second, in_order ? second : first, late ? &second->instr : &first->instr);
      return true;
   }
   return false;
}

bool
nir_opt_pair_16bit(struct nir_shader *shader)
{
   bool progress = false;
   struct pairing p = {.shader = shader};
   nir_index_instrs(shader);
   nir_foreach_block(block, shader) {
      p.count = 0;
      nir_foreach_instr_safe(instr, block) {
         struct nir_alu_instr *alu = instr->type == NIR_INSTR_ALU ? nir_as_alu(instr) : NULL;
         if (!alu || alu->def.bit_size != 16 || alu->def.num_components != 1 || !is_pairable(alu->op))
            continue;
         if (find_partner(&p, alu)) {
            progress = true;
            continue;
         }
         if (p.count == WINDOW) { /* the oldest gives up */
            for (unsigned i = 1; i < WINDOW; i++)
               p.waiting[i - 1] = p.waiting[i];
            p.count--;
         }
         p.waiting[p.count++] = alu;
      }
   }
   return progress;
}
