/* What threads of a geometry shader start with, in nir. Two numbers of vertices lie in one VGPR: those of vertices 0
 * and 1 in v0, 2 and 3 in v1, 4 and 5 in v4. The driver's item size of a vertex in the ES-GS ring is one dword, so
 * they count vertices of the workgroup. Above the invocation's number GFX10 and later have flags of edges. Sources:
 * LLVM AMDGPU; RADV's arguments. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"

enum { PRIMITIVE_ID = 2, INVOCATION_ID = 3, INVOCATION_MASK = 0x7f };

static struct nir_def *
vgpr(struct nir_builder *b, unsigned number)
{
   return nir_load_vector_arg(b, 1, .base = (int32_t)number);
}

static const uint8_t pairs[] = {0, 1, 4};

static struct nir_def *
known_vertex(struct nir_builder *b, unsigned vertex)
{
   struct nir_def *pair = vgpr(b, pairs[MIN2(vertex / 2, 2u)]);
   return vertex & 1 ? nir_ushr_imm(b, pair, 16) : nir_iand_imm(b, pair, 0xffff);
}

static struct nir_def *
primitive_vertex(struct nir_builder *b, const struct nir_intrinsic_instr *load)
{
   const unsigned count = nir_primitive_vertices(b->shader->info.gs_input);
   if (nir_src_is_const(load->src[0]))
      return known_vertex(b, (unsigned)nir_src_comp_as_uint(load->src[0], 0));
   struct nir_def *vertex = load->src[0].def, *pair = vgpr(b, pairs[0]);
   for (unsigned i = 1; 2 * i < count; i++)
      pair = nir_bcsel(b, nir_ult(b, vertex, nir_imm_int(b, 2 * (int32_t)i)), pair, vgpr(b, pairs[i]));
   struct nir_def *shift = nir_ishl_imm(b, nir_iand_imm(b, vertex, 1), 4);
   return nir_iand_imm(b, nir_ushr(b, pair, shift), 0xffff);
}

static struct nir_def *
replacement(struct nir_builder *b, const struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_primitive_vertex:
      return primitive_vertex(b, intr);
   case NIR_INTRINSIC_load_primitive_id:
      return vgpr(b, PRIMITIVE_ID);
   case NIR_INTRINSIC_load_invocation_id:
      return nir_iand_imm(b, vgpr(b, INVOCATION_ID), INVOCATION_MASK);
   default: /* others: stay */
      return NULL;
   }
}

void
aco_lower_geometry(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
         struct nir_def *value = replacement(&b, nir_as_intrinsic(instr));
         if (!value)
            continue;
         nir_def_replace(nir_instr_def(instr), value);
         nir_instr_remove(instr);
      }
   }
}
