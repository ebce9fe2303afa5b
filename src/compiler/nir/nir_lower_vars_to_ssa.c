/* Temporaries to values. A variable is cut into vectors ("slots"); a slot that only loads and stores with constant
 * indices name becomes SSA values, so one array that is indexed at run time does not hold back the rest of its
 * struct. Run-time indices of vector components do no harm: they become selections. */

#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/nir/nir_ssa_builder.h"
#include "util/bitset.h"
#include "util/macros.h"

struct lowering {
   struct nir_shader *shader;
   uint32_t num_slots;
   bitset_word *memory; /* slots that stay in memory */
   struct nir_ssa_builder ssa;
};

#define MAX_SLOTS (1u << 22) /* of all variables; one that does not fit stays in memory */

/* Where a path leads: slots [first, first + count), all run-time indices reach; component of a vector at the end. */
struct place {
   uint32_t first, count;
   bool indirect;
   struct nir_deref_instr *component; /* array deref of a vector, or NULL */
};

static bool
is_vector_component(const struct nir_deref_instr *deref)
{
   return deref->deref_type == NIR_DEREF_ARRAY &&
          nir_type_is_vector_or_scalar(nir_as_deref(deref->parent.def->parent)->type);
}

/* False if the root is no numbered temporary. */
static bool
find_place(struct nir_deref_instr *deref, struct place *place)
{
   struct nir_variable *variable = nir_deref_variable(deref);
   if (!variable || variable->mode != NIR_VAR_FUNCTION_TEMP || variable->offset_B == UINT32_MAX)
      return false;
   struct nir_deref_path path;
   nir_deref_path_of(deref, &path);
   *place = (struct place){.first = variable->offset_B, .count = nir_type_vectors(variable->type)};
   for (unsigned i = 1; i < path.length; i++) {
      struct nir_deref_instr *step = path.path[i];
      const struct nir_type *type = path.path[i - 1]->type;
      if (is_vector_component(step)) {
         place->component = step;
         continue;
      }
      unsigned size = nir_type_vectors(step->type);
      if (step->deref_type == NIR_DEREF_STRUCT) {
         place->first += place->indirect ? 0 : type->fields[step->field].first_vector;
      } else if (!nir_src_is_const(step->index) ||
                 nir_src_comp_as_uint(step->index, 0) * size >= nir_type_vectors(type)) {
         place->indirect = true; /* from here on the range stays that of the whole array */
      } else if (!place->indirect) {
         place->first += (uint32_t)nir_src_comp_as_uint(step->index, 0) * size;
      }
      if (!place->indirect)
         place->count = size;
   }
   return true;
}

static void
number_variables(struct lowering *l)
{
   nir_foreach_variable(variable, l->shader) {
      if (variable->mode != NIR_VAR_FUNCTION_TEMP)
         continue;
      uint32_t count = nir_type_vectors(variable->type);
      variable->offset_B = UINT32_MAX;
      if (count > MAX_SLOTS - l->num_slots)
         continue;
      variable->offset_B = l->num_slots;
      l->num_slots += count;
   }
   l->memory = arena_array(l->shader->arena, bitset_word, BITSET_WORDS(l->num_slots + 1));
}

static bool
mark_use(struct nir_src *src, void *data)
{
   struct lowering *l = data;
   struct nir_deref_instr *deref = nir_src_as_deref(*src);
   struct place place;
   if (!deref || src->parent_instr->type == NIR_INSTR_DEREF || !find_place(deref, &place))
      return true;
   bool simple = false;
   if (src->parent_instr->type == NIR_INSTR_INTRINSIC) {
      enum nir_intrinsic_op op = nir_as_intrinsic(src->parent_instr)->op;
      simple = op == NIR_INTRINSIC_load_deref || op == NIR_INTRINSIC_store_deref;
   }
   if (simple && !place.indirect)
      return true;
   for (uint32_t i = 0; i < place.count; i++)
      bitset_set(l->memory, place.first + i);
   return true;
}

static void
mark_memory(struct lowering *l)
{
   nir_foreach_block(block, l->shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC || instr->type == NIR_INSTR_TEX)
            nir_foreach_src(instr, mark_use, l);
      }
   }
}

static const struct nir_type *
vector_type(const struct place *place, const struct nir_deref_instr *deref)
{
   return place->component ? nir_as_deref(place->component->parent.def->parent)->type : deref->type;
}

static void
lower_load(struct lowering *l, struct nir_builder *b, struct nir_intrinsic_instr *load, const struct place *place)
{
   const struct nir_type *type = vector_type(place, nir_src_as_deref(load->src[0]));
   struct nir_def *value = nir_ssa_read(&l->ssa, load->instr.block, place->first, type->components, type->bit_size);
   if (place->component && nir_src_is_const(place->component->index))
      value = nir_channel(b, value,
                          MIN2((unsigned)nir_src_comp_as_uint(place->component->index, 0), type->components - 1u));
   else if (place->component)
      value = nir_vector_extract(b, value, place->component->index.def);
   nir_def_replace(&load->def, value);
   nir_instr_remove(&load->instr);
}

static void
lower_store(struct lowering *l, struct nir_builder *b, struct nir_intrinsic_instr *store, const struct place *place)
{
   const struct nir_type *type = vector_type(place, nir_src_as_deref(store->src[0]));
   struct nir_def *value = store->src[1].def;
   struct nir_block *block = store->instr.block;
   uint32_t mask = nir_intrinsic_write_mask(store), full = (1u << type->components) - 1;
   if (place->component || mask != full) {
      struct nir_def *old = nir_ssa_read(&l->ssa, block, place->first, type->components, type->bit_size);
      if (!place->component) {
         struct nir_def *channels[4];
         for (unsigned i = 0; i < type->components; i++)
            channels[i] = nir_channel(b, mask >> i & 1 ? value : old, i);
         value = nir_vec(b, channels, type->components);
      } else if (nir_src_is_const(place->component->index)) {
         value = nir_vector_insert_imm(b, old, value, (unsigned)nir_src_comp_as_uint(place->component->index, 0));
      } else {
         value = nir_vector_insert(b, old, value, place->component->index.def);
      }
   }
   nir_ssa_write(&l->ssa, block, place->first, value);
   nir_instr_remove(&store->instr);
}

static bool
find_slot(const struct lowering *l, struct nir_intrinsic_instr *instr, struct place *place)
{
   return find_place(nir_src_as_deref(instr->src[0]), place) && !place->indirect &&
          !bitset_test(l->memory, place->first);
}

static void
announce_writes(struct lowering *l)
{
   nir_foreach_block(block, l->shader) {
      nir_foreach_instr(instr, block) {
         struct place place;
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_deref &&
             find_slot(l, nir_as_intrinsic(instr), &place))
            nir_ssa_announce(&l->ssa, block, place.first);
      }
   }
}

static bool
lower_instr(struct lowering *l, struct nir_intrinsic_instr *instr)
{
   struct place place;
   bool load = instr->op == NIR_INTRINSIC_load_deref;
   if (!load && instr->op != NIR_INTRINSIC_store_deref)
      return false;
   if (!find_slot(l, instr, &place))
      return false;
   struct nir_builder b = nir_builder_at(l->shader, nir_before_instr(&instr->instr));
   if (load)
      lower_load(l, &b, instr, &place);
   else
      lower_store(l, &b, instr, &place);
   return true;
}

bool
nir_lower_vars_to_ssa(struct nir_shader *shader)
{
   struct lowering l = {.shader = shader};
   bool progress = false;
   number_variables(&l);
   if (!l.num_slots)
      return false;
   mark_memory(&l);
   nir_index_blocks(shader);
   nir_compute_preds(shader);
   nir_ssa_begin(&l.ssa, shader);
   announce_writes(&l);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= lower_instr(&l, nir_as_intrinsic(instr));
      }
   }
   nir_ssa_finish(&l.ssa);
   nir_foreach_variable(variable, shader) {
      if (variable->mode == NIR_VAR_FUNCTION_TEMP)
         variable->offset_B = 0;
   }
   nir_remove_dead_variables(shader, NIR_VAR_FUNCTION_TEMP);
   return progress;
}
