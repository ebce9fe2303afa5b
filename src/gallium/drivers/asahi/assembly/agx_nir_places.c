/* Vertices in memory, and shaders of other stages as compute. */
#include "gallium/drivers/asahi/assembly/agx_nir_places.h"

#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"
#include "util/macros.h"

/* ---- vertices in memory ---- */

struct nir_intrinsic_instr *
agx_nir_as_op(struct nir_instr *instr, enum nir_intrinsic_op op)
{
   bool is = instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == op;

   return is ? nir_as_intrinsic(instr) : NULL;
}

static unsigned
stored_slot(const struct nir_intrinsic_instr *store)
{
   return nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);
}

static bool
gather_store(struct agx_slot_places *places, const struct nir_intrinsic_instr *store, const char **error)
{
   if (!nir_src_is_const(store->src[1]) || store->src[0].def->bit_size != 32) {
      *error = "outputs ahead of a geometry shader that are indexed at run time, or of 64 bits";
      return false;
   }
   uint8_t mask = (uint8_t)(nir_intrinsic_write_mask(store) << nir_intrinsic_component(store));

   places->components[stored_slot(store)] |= mask;
   if (nir_intrinsic_src_type(store) == NIR_TYPE_FLOAT)
      places->floats[stored_slot(store)] |= mask;
   return true;
}

bool
agx_nir_gather_places(struct nir_shader *shader, struct agx_slot_places *places, const char **error)
{
   unsigned first = NIR_SLOT_COUNT, last = 0, count = 0;

   *places = (struct agx_slot_places){0};
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         const struct nir_intrinsic_instr *store = agx_nir_as_op(instr, NIR_INTRINSIC_store_output);

         if (store && !gather_store(places, store, error))
            return false;
      }
   }
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++) {
      if (places->components[slot]) {
         first = MIN2(first, slot);
         last = slot;
      }
   }
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      if (places->components[slot] || (slot >= first && slot <= last))
         places->place[slot] = (uint8_t)++count;
   }
   places->vertex_B = 16 * MAX2(count, 1u);
   return true;
}

struct nir_def *
agx_nir_place_address(struct nir_builder *b, struct nir_def *base, struct nir_def *number,
                      const struct agx_slot_places *places)
{
   struct nir_def *offset = nir_umul_2x32_64(b, number, nir_imm_int(b, (int32_t)places->vertex_B));

   return nir_iadd(b, nir_pack_64_2x32(b, base), offset);
}

struct nir_def *
agx_nir_component_address(struct nir_builder *b, struct nir_def *vertex, const struct agx_slot_places *places,
                          unsigned slot, unsigned component)
{
   unsigned place = places->place[slot] ? places->place[slot] - 1u : 0;

   return nir_iadd(b, vertex, nir_imm_int64(b, 16 * (int64_t)place + 4 * (int64_t)component));
}

void
agx_nir_store_place(struct nir_builder *b, struct nir_intrinsic_instr *store, struct nir_def *vertex,
                    const struct agx_slot_places *places)
{
   struct nir_def *to =
      agx_nir_component_address(b, vertex, places, stored_slot(store), nir_intrinsic_component(store));

   nir_store_global(b, store->src[0].def, to, .write_mask = nir_intrinsic_write_mask(store), .align_mul = 4);
   nir_instr_remove(&store->instr);
}

void
agx_nir_store_places(struct nir_shader *shader, struct nir_def *vertex, const struct agx_slot_places *places)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *store = agx_nir_as_op(instr, NIR_INTRINSIC_store_output);

         b.cursor = nir_before_instr(instr);
         if (store)
            agx_nir_store_place(&b, store, vertex, places);
      }
   }
}

void
agx_nir_load_place(struct nir_builder *b, struct nir_intrinsic_instr *load, struct nir_def *number,
                   const struct agx_slot_places *places)
{
   struct nir_def *vertex = agx_nir_place_address(b, agx_nir_assembly(b, vertices_va, 2), number, places);
   unsigned slot = nir_intrinsic_slot(load);
   struct nir_def *value;

   if (places->place[slot]) {
      vertex = nir_iadd(b, agx_nir_component_address(b, vertex, places, slot, nir_intrinsic_component(load)),
                        nir_u2u64(b, nir_imul_imm(b, load->src[1].def, 16)));
      value = nir_load_global(b, load->def.num_components, 32, vertex, .align_mul = 4);
   } else { /* nobody writes it */
      value = nir_imm_zero(b, load->def.num_components, 32);
   }
   nir_def_replace(&load->def, value);
   nir_instr_remove(&load->instr);
}

/* ---- a shader as compute ---- */

struct nir_def *
agx_nir_begin_compute(struct nir_builder *b, struct nir_shader *shader)
{
   shader->stage = NIR_STAGE_COMPUTE;
   shader->info.workgroup_size[0] = AGX_ASSEMBLY_GROUP;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   *b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   return nir_channel(b, nir_load_global_invocation_id(b), 0);
}

struct nir_def *
agx_nir_divide(struct nir_builder *b, struct nir_def **number, struct nir_def *by)
{
   struct nir_def *quotient = nir_udiv(b, *number, by);

   *number = nir_isub(b, *number, nir_imul(b, quotient, by));
   return quotient;
}

/* A restart is no vertex: nothing may run for it, as shaders may store and load where the index says. */
void
agx_nir_store_vertices(struct nir_shader *shader, const struct agx_slot_places *places)
{
   struct nir_builder b;
   struct nir_def *number = agx_nir_begin_compute(&b, shader);
   struct nir_def *position = number, *instance = agx_nir_divide(&b, &position, agx_nir_assembly(&b, vertices, 1));
   struct nir_def *index = agx_nir_index(&b, position);
   struct nir_def *is_inside = nir_ult(&b, number, agx_nir_assembly(&b, shaded_vertices, 1));
   struct nir_def *is_vertex = nir_uge(&b, agx_nir_assembly(&b, last_index, 1), index);

   agx_nir_enclose(&b, nir_iand(&b, is_inside, is_vertex));
   struct nir_def *vertex = agx_nir_place_address(&b, agx_nir_assembly(&b, vertices_va, 2), number, places);

   agx_nir_replace_vertex(shader, nir_iadd(&b, index, agx_nir_assembly(&b, first_vertex, 1)), instance);
   agx_nir_store_places(shader, vertex, places);
}
