/* Vertices between two merged shaders lie in workgroup memory: a record for each, with the slots that the second
 * shader reads. A dword more than the slots keeps vertices of neighbouring invocations in different banks. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

enum { SLOT_B = 16, PADDING_B = 4 };

uint32_t
nir_merged_vertex_B(uint64_t slots)
{
   return (uint32_t)__builtin_popcountll(slots) * SLOT_B + (slots ? PADDING_B : 0);
}

/* In the record: the slots are in the order of their numbers. */
static uint32_t
slot_offset_B(uint64_t slots, unsigned slot)
{
   return (uint32_t)__builtin_popcountll(slots & ((UINT64_C(1) << slot) - 1)) * SLOT_B;
}

static struct nir_def *
address(struct nir_builder *b, uint64_t slots, struct nir_def *vertex, struct nir_def *slot)
{
   struct nir_def *record = nir_imul_imm(b, vertex, nir_merged_vertex_B(slots));
   return nir_iadd(b, record, nir_imul_imm(b, slot, SLOT_B));
}

static void
lower_store(struct nir_builder *b, struct nir_intrinsic_instr *store, uint64_t slots)
{
   const unsigned slot = nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);
   const uint32_t place_B = slot_offset_B(slots, slot) + 4 * nir_intrinsic_component(store);
   if (slots >> slot & 1)
      nir_store_shared(b, store->src[0].def, address(b, slots, nir_load_local_invocation_index(b), nir_imm_int(b, 0)),
                       .base = (int32_t)place_B, .write_mask = nir_intrinsic_write_mask(store), .align_mul = 4);
   nir_instr_remove(&store->instr);
}

static void
lower_load(struct nir_builder *b, struct nir_intrinsic_instr *load, uint64_t slots)
{
   const unsigned slot = nir_intrinsic_slot(load);
   const uint32_t place_B = slot_offset_B(slots, slot) + 4 * nir_intrinsic_component(load);
   struct nir_def *vertex = nir_load_primitive_vertex(b, load->src[0].def);
   struct nir_def *value =
      nir_load_shared(b, load->def.num_components, 32, address(b, slots, vertex, load->src[1].def),
                      .base = (int32_t)place_B, .align_mul = 4);
   nir_def_replace(&load->def, value);
   nir_instr_remove(&load->instr);
}

/* A run-time slot may be any of its array's; nir_gather_info() named these from the variables. */
bool
nir_lower_merged_io(struct nir_shader *shader, uint64_t slots)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *intr = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         if (!intr || (intr->op != NIR_INTRINSIC_store_output && intr->op != NIR_INTRINSIC_load_per_vertex_input))
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         const bool is_second = shader->stage == NIR_STAGE_GEOMETRY || shader->stage == NIR_STAGE_TESS_CTRL;
         if (is_second && intr->op == NIR_INTRINSIC_load_per_vertex_input)
            lower_load(&b, intr, slots);
         else if (!is_second && intr->op == NIR_INTRINSIC_store_output)
            lower_store(&b, intr, slots);
         else
            continue;
         progress = true;
      }
   }
   return progress;
}
