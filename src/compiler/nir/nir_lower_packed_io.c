/* Elements that share a slot with others are found at run time by comparing the index with each number: distances and
 * tessellation levels (packed arrays), and components of a control shader's outputs. There a store of one component
 * may not touch the others, which other invocations write. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

/* Whether the deref chooses at run time among elements that share a slot. */
static bool
is_choice(const struct nir_shader *shader, struct nir_deref_instr *deref, bool is_store)
{
   if (deref->deref_type != NIR_DEREF_ARRAY || nir_src_is_const(deref->index))
      return false;
   const struct nir_variable *variable = nir_deref_variable(deref);
   const struct nir_deref_instr *parent = nir_deref_parent(deref);
   if (nir_type_is_vector_or_scalar(parent->type))
      return is_store && (shader->stage == NIR_STAGE_TESS_CTRL || shader->stage == NIR_STAGE_MESH);
   const bool is_vertex = variable->per_vertex && parent->deref_type == NIR_DEREF_VAR;
   return nir_slot_is_packed((unsigned)variable->location) && !is_vertex;
}

static bool
chooses(const struct nir_shader *shader, const struct nir_intrinsic_instr *instr)
{
   if (instr->op != NIR_INTRINSIC_load_deref && instr->op != NIR_INTRINSIC_store_deref)
      return false;
   struct nir_deref_instr *deref = nir_src_as_deref(instr->src[0]);
   return deref->mode & (NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT) &&
          is_choice(shader, deref, instr->op == NIR_INTRINSIC_store_deref);
}

static unsigned
num_elements(const struct nir_type *type)
{
   return nir_type_is_vector_or_scalar(type) ? type->components : type->length;
}

static void
choose_load(struct nir_builder *b, struct nir_intrinsic_instr *load)
{
   struct nir_deref_instr *deref = nir_src_as_deref(load->src[0]), *parent = nir_deref_parent(deref);
   struct nir_def *value = NULL;
   for (unsigned i = 0; i < num_elements(parent->type); i++) {
      struct nir_def *element =
         nir_build_load_deref_of(b, nir_build_deref_array_imm(b, parent, i), nir_intrinsic_access(load));
      value =
         value ? nir_bcsel(b, nir_ieq(b, deref->index.def, nir_imm_int(b, (int32_t)i)), element, value) : element;
   }
   nir_def_replace(&load->def, value);
   nir_instr_remove(&load->instr);
}

static void
choose_store(struct nir_builder *b, struct nir_intrinsic_instr *store)
{
   struct nir_deref_instr *deref = nir_src_as_deref(store->src[0]), *parent = nir_deref_parent(deref);
   for (unsigned i = 0; i < num_elements(parent->type); i++) {
      struct nir_if *nif = nir_push_if(b, nir_ieq(b, deref->index.def, nir_imm_int(b, (int32_t)i)));
      nir_build_store_deref_of(b, nir_build_deref_array_imm(b, parent, i), store->src[1].def, 0,
                               nir_intrinsic_access(store));
      nir_pop_if(b, nif);
   }
   nir_instr_remove(&store->instr);
}

bool
nir_lower_packed_io(struct nir_shader *shader)
{
   struct dynarray found = {};
   struct owned owned;
   own(&owned, dynarray_release, &found);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && chooses(shader, nir_as_intrinsic(instr)))
            dynarray_append(&found, struct nir_intrinsic_instr *, nir_as_intrinsic(instr));
      }
   }
   const size_t count = dynarray_count(&found, struct nir_intrinsic_instr *);
   for (size_t i = 0; i < count; i++) {
      struct nir_intrinsic_instr *instr = *dynarray_at(&found, struct nir_intrinsic_instr *, i);
      struct nir_builder b = nir_builder_at(shader, nir_before_instr(&instr->instr));
      if (instr->op == NIR_INTRINSIC_load_deref)
         choose_load(&b, instr);
      else
         choose_store(&b, instr);
   }
   disown(&owned);
   return count;
}
