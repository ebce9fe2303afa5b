/* Compute shaders with DerivativeGroupQuads on hardware whose quads are four threads in a row: threads get other ids.
 * Thread n of the workgroup is corner n % 4 of quad n / 4; quads are in rows, as long as the workgroup. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* What replaces the ids; built once at the start. */
struct ids {
   struct nir_def *local, *index;
};

static struct nir_def *
nth(struct nir_builder *b, struct nir_def *quotient, struct nir_def *corner, unsigned bit)
{
   return nir_ior(b, nir_ishl_imm(b, quotient, 1), nir_iand_imm(b, nir_ushr_imm(b, corner, bit), 1));
}

static struct ids
build(struct nir_shader *shader)
{
   struct nir_builder builder = nir_builder_at(shader, nir_before_block(nir_first_block(shader))), *b = &builder;
   const uint32_t *size = shader->info.workgroup_size;
   struct nir_def *thread = nir_load_local_invocation_index(b), *quad = nir_ushr_imm(b, thread, 2);
   struct nir_def *columns = nir_imm_int(b, (int32_t)(size[0] / 2)), *rows = nir_imm_int(b, (int32_t)(size[1] / 2));
   struct nir_def *row = nir_udiv(b, quad, columns), *z = nir_udiv(b, row, rows);
   struct nir_def *x = nth(b, nir_umod(b, quad, columns), thread, 0), *y = nth(b, nir_umod(b, row, rows), thread, 1);
   struct nir_def *index = nir_iadd(b, nir_imul_imm(b, z, size[1]), y);
   return (struct ids){nir_vec(b, (struct nir_def *[3]){x, y, z}, 3),
                       nir_iadd(b, nir_imul_imm(b, index, size[0]), x)};
}

/* NULL: not of these. */
static struct nir_def *
replacement(struct nir_builder *b, const struct nir_intrinsic_instr *intr, const struct ids *ids)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   struct nir_def *global[3];
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_local_invocation_id:
      return ids->local;
   case NIR_INTRINSIC_load_local_invocation_index:
      return ids->index;
   case NIR_INTRINSIC_load_global_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         global[i] = nir_iadd(b, nir_imul_imm(b, nir_channel(b, nir_load_workgroup_id(b), i), size[i]),
                              nir_channel(b, ids->local, i));
      return nir_vec(b, global, 3);
   default: /* others: no ids of threads */
      return NULL;
   }
}

bool
nir_lower_derivative_group(struct nir_shader *shader)
{
   if (shader->info.derivative_group != NIR_DERIVATIVES_QUADS)
      return false;
   const struct ids ids = build(shader);
   const struct nir_instr *own = NULL;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct nir_intrinsic_instr *intr = nir_as_intrinsic(instr);
         if (!own && intr->op == NIR_INTRINSIC_load_local_invocation_index) {
            own = instr; /* the thread's, of build() */
            continue;
         }
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *by = replacement(&b, intr, &ids);
         if (!by)
            continue;
         nir_def_replace(&intr->def, by);
         nir_instr_remove(instr);
      }
   }
   shader->info.derivative_group = NIR_DERIVATIVES_LINEAR;
   return true;
}
