#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

/* Erratum vrs-frag-z: of fragments two pixels wide, z is that of a place an eighth of a pixel left of the centre. A
 * derivative spans two pixels there. Source: what RADV adds. */
static struct nir_def *
centre(struct nir_builder *b, struct nir_def *coord)
{
   struct nir_def *z = nir_channel(b, coord, 2), *parts[4];
   struct nir_def *wide = nir_ine_imm(b, nir_iand_imm(b, nir_load_shading_rate(b), 3 << 2), 0);
   struct nir_def *moved = nir_fadd(b, z, nir_fmul_imm(b, nir_fddx_fine(b, z), 1.0 / 16));

   for (unsigned i = 0; i < 4; i++)
      parts[i] = nir_channel(b, coord, i);
   parts[2] = nir_bcsel(b, wide, moved, z);
   return nir_vec(b, parts, 4);
}

void
si_nir_lower_frag_depth(struct nir_shader *shader)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_frag_coord)
            continue;
         b.cursor = nir_before_instr(instr);
         nir_def_replace(&nir_as_intrinsic(instr)->def, centre(&b, nir_load_frag_coord(&b)));
         nir_instr_remove(instr);
      }
   }
}

static bool
stores_depth(const struct nir_intrinsic_instr *intr)
{
   const struct nir_variable *var =
      intr->op == NIR_INTRINSIC_store_deref ? nir_deref_variable(nir_src_as_deref(intr->src[0])) : NULL;

   return var && var->mode == NIR_VAR_SHADER_OUT && var->location == NIR_SLOT_FRAG_DEPTH;
}

void
si_nir_drop_frag_depth(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && stores_depth(nir_as_intrinsic(instr)))
            nir_instr_remove(instr);
      }
   }
   nir_opt_dce(shader);
   nir_remove_dead_variables(shader, NIR_VAR_SHADER_OUT);
}
