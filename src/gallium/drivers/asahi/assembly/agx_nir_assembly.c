/* Vertices by their place in a draw. */
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"

#include "asahi/hw/isa_opcodes.h"
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "util/mutant.h"

static struct nir_def *
is_set(struct nir_builder *b, struct nir_def *word)
{
   return nir_ine_imm(b, word, 0);
}

/* Where only the topology says it. */
static struct nir_def *
unlisted_position(struct nir_builder *b, struct nir_def *p, struct nir_def *k)
{
   struct nir_def *first = nir_imul(b, p, agx_nir_assembly(b, step, 1));
   struct nir_def *position = nir_iadd(b, first, k);
   struct nir_def *is_odd = nir_iand(b, is_set(b, nir_iand_imm(b, p, !mutant("agx-capture-odd"))), is_set(b, k));
   struct nir_def *turned = nir_isub(b, nir_iadd_imm(b, first, 3), k);
   struct nir_def *of_fan = nir_bcsel(b, nir_ieq_imm(b, k, 2), nir_imm_int(b, 0), nir_iadd_imm(b, position, 1));

   position = nir_bcsel(b, nir_iand(b, is_odd, is_set(b, agx_nir_assembly(b, is_strip, 1))), turned, position);
   return nir_bcsel(b, is_set(b, agx_nir_assembly(b, is_fan, 1)), of_fan, position);
}

struct nir_def *
agx_nir_corner_position(struct nir_builder *b, struct nir_def *p, struct nir_def *k)
{
   struct nir_def *list = agx_nir_assembly(b, list_va, 2);
   struct nir_def *number = nir_iadd(b, nir_imul(b, p, agx_nir_assembly(b, corners, 1)), k);
   struct nir_if *listed = nir_push_if(b, is_set(b, nir_ior(b, nir_channel(b, list, 0), nir_channel(b, list, 1))));
   struct nir_def *found = nir_load_agx(b, 1, 32, nir_pack_64_2x32(b, list), number, .format = AGX_FORMAT_I32);

   nir_push_else(b, listed);
   struct nir_def *computed = unlisted_position(b, p, k);

   nir_pop_if(b, listed);
   return nir_if_phi(b, found, computed);
}

/* The element of an array of indices of 1 << size_log2 bytes, or of the next sizes. */
static struct nir_def *
load_index(struct nir_builder *b, struct nir_def *position, unsigned size_log2)
{
   static const enum agx_format formats[] = {AGX_FORMAT_I8, AGX_FORMAT_I16, AGX_FORMAT_I32};
   struct nir_def *address = nir_pack_64_2x32(b, agx_nir_assembly(b, index_va, 2));
   struct nir_def *size = agx_nir_assembly(b, index_size_log2, 1), *mask = nir_imm_int(b, -1);

   if (size_log2 == 2)
      return nir_load_agx(b, 1, 32, address, position, .format = formats[size_log2]);
   mask = nir_ushr_imm(b, mask, 32 - (8u << size_log2));
   struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, size, size_log2));
   struct nir_def *index = nir_load_agx(b, 1, 32, address, position, .format = formats[size_log2]);

   index = nir_iand(b, index, mask);
   nir_push_else(b, nif);
   struct nir_def *other = load_index(b, position, size_log2 + 1);

   nir_pop_if(b, nif);
   return nir_if_phi(b, index, other);
}

struct nir_def *
agx_nir_index(struct nir_builder *b, struct nir_def *position)
{
   struct nir_def *indexed = nir_ine_imm(b, agx_nir_assembly(b, index_size_log2, 1), AGX_NO_INDICES);
   struct nir_def *inside = nir_ult(b, position, agx_nir_assembly(b, index_count, 1));
   struct nir_def *outside = nir_bcsel(b, indexed, nir_imm_int(b, 0), position);
   struct nir_if *nif = nir_push_if(b, inside);
   struct nir_def *index = load_index(b, position, 0);

   nir_pop_if(b, nif);
   return nir_if_phi(b, index, outside);
}

struct nir_def *
agx_nir_vertex_index(struct nir_builder *b, struct nir_def *position)
{
   return nir_iadd(b, agx_nir_index(b, position), agx_nir_assembly(b, first_vertex, 1));
}

void
agx_nir_replace_vertex(struct nir_shader *shader, struct nir_def *vertex_index, struct nir_def *instance)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *load = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;

         if (!load ||
             (load->op != NIR_INTRINSIC_load_vertex_id_zero_base && load->op != NIR_INTRINSIC_load_instance_id))
            continue;
         nir_def_replace(&load->def, load->op == NIR_INTRINSIC_load_instance_id ? instance : vertex_index);
         nir_instr_remove(instr);
      }
   }
}

struct nir_if *
agx_nir_enclose(struct nir_builder *b, struct nir_def *condition)
{
   struct nir_if *nif = nir_push_if(b, condition);

   nir_pop_if(b, nif);
   struct nir_block *end = nir_block_split(b->shader, nir_after_block(nir_cf_list_last(&b->shader->body)));
   struct nir_cf_node *node = nir_cf_next(&nif->cf), *next;

   list_remove(&nir_cf_list_first(&nif->then_list)->cf.link);
   for (; node != &end->cf; node = next) {
      next = nir_cf_next(node);
      list_remove(&node->link);
      nir_cf_link(node, &nif->cf, &nif->then_list, nif->then_list.prev);
   }
   b->cursor = nir_before_block(nir_cf_list_first(&nif->then_list));
   return nif;
}
