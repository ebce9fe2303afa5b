/* Inputs and outputs to slots. Values of 64 bits are moved as pairs of 32 bits: a slot has four components of 32
 * bits. Arrays of distances and tessellation levels are packed four to a slot. */
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

struct place {
   struct nir_variable *variable;
   const struct nir_type *type; /* of the vector that is accessed */
   uint32_t slot, component;    /* component in units of 32 bits */
   struct nir_def *vertex;      /* of a per_vertex variable, else NULL */
   struct nir_def *offset;      /* slots to add, NULL: none */
   struct nir_def *element;     /* run-time component of the vector, NULL: none */
};

static void
add_index(struct nir_builder *b, struct place *place, const struct nir_src *index, unsigned slots)
{
   if (nir_src_is_const(*index)) {
      uint32_t element = (uint32_t)nir_src_comp_as_uint(*index, 0);
      if (nir_slot_is_packed(place->slot)) {
         place->slot += (place->component + element) / 4;
         place->component = (place->component + element) % 4;
      } else {
         place->slot += element * slots;
      }
      return;
   }
   assert(!nir_slot_is_packed(place->slot) && "run-time index of a packed array: nir_lower_packed_io comes first");
   struct nir_def *offset = nir_imul_imm(b, index->def, slots);
   place->offset = place->offset ? nir_iadd(b, place->offset, offset) : offset;
}

static void
walk(struct nir_builder *b, const struct nir_deref_path *path, struct place *place)
{
   place->variable = path->path[0]->var;
   place->slot = (uint32_t)place->variable->location;
   place->component = place->variable->component;
   unsigned first = 1;
   if (place->variable->per_vertex)
      place->vertex = path->path[first++]->index.def;
   for (unsigned i = first; i < path->length; i++) {
      const struct nir_deref_instr *step = path->path[i];
      const struct nir_type *type = path->path[i - 1]->type;
      if (step->deref_type == NIR_DEREF_STRUCT) {
         const struct nir_struct_field *field = &type->fields[step->field];
         if (field->location >= 0) {
            place->slot = (uint32_t)field->location;
         } else {
            for (unsigned k = 0; k < step->field; k++)
               place->slot += nir_type_slots(type->fields[k].type);
         }
      } else if (nir_type_is_vector_or_scalar(type)) {
         place->type = type;
         if (nir_src_is_const(step->index)) {
            place->component += (uint32_t)nir_src_comp_as_uint(step->index, 0) * (type->bit_size == 64 ? 2 : 1);
            place->type = step->type;
         } else {
            place->element = step->index.def;
         }
         return;
      } else {
         add_index(b, place, &step->index, nir_type_slots(step->type));
      }
   }
   place->type = path->path[path->length - 1]->type;
}

static enum nir_base_type
base_type(const struct nir_type *type)
{
   return type->base == NIR_TYPE_BOOL ? NIR_TYPE_UINT : type->base;
}

static struct nir_def *
barycentric(struct nir_builder *b, const struct nir_intrinsic_instr *load, const struct nir_variable *variable)
{
   switch ((int)load->op) {
   case NIR_INTRINSIC_interp_deref_at_centroid:
      return nir_load_barycentric_centroid(b, .interp = variable->interp);
   case NIR_INTRINSIC_interp_deref_at_sample:
      return nir_load_barycentric_at_sample(b, load->src[1].def, .interp = variable->interp);
   case NIR_INTRINSIC_interp_deref_at_offset:
      return nir_load_barycentric_at_offset(b, load->src[1].def, .interp = variable->interp);
   default: /* others: where the variable says */
      break;
   }
   if (variable->sample)
      return nir_load_barycentric_sample(b, .interp = variable->interp);
   if (variable->centroid)
      return nir_load_barycentric_centroid(b, .interp = variable->interp);
   return nir_load_barycentric_pixel(b, .interp = variable->interp);
}

/* Components of a slot. */
struct slice {
   unsigned component, count, bits;
};

/* Of a control shader. */
static struct nir_def *
load_output(struct nir_builder *b, const struct place *place, unsigned slot, struct slice of)
{
   struct nir_def *offset = place->offset ? place->offset : nir_imm_int(b, 0);
   const bool relaxed = place->variable->relaxed && of.bits == 32 && place->type->bit_size == 32;
   if (place->vertex)
      return nir_load_per_vertex_output(b, of.count, of.bits, place->vertex, offset, .slot = slot,
                                        .component = of.component, .src_type = base_type(place->type),
                                        .relaxed = relaxed);
   return nir_load_output(b, of.count, of.bits, offset, .slot = slot, .component = of.component,
                          .src_type = base_type(place->type), .relaxed = relaxed);
}

/* `count` components of `bits` (16 or 32) from one slot. */
static struct nir_def *
load_slot(struct nir_builder *b, const struct nir_intrinsic_instr *load, const struct place *place, unsigned slot,
          unsigned component, unsigned count, unsigned bits)
{
   /* size: a load: from where, and of what */
   struct nir_def *offset = place->offset ? place->offset : nir_imm_int(b, 0);
   const struct nir_variable *variable = place->variable;
   if (slot == NIR_SLOT_BARY_COORD) {
      struct nir_def *weights = nir_load_barycentric_coord(b, barycentric(b, load, variable));
      return nir_channels(b, weights, ((1u << count) - 1) << MIN2(component, 3 - count));
   }
   bool flat = b->shader->stage != NIR_STAGE_FRAGMENT || variable->per_primitive ||
               variable->interp == NIR_INTERP_FLAT || place->type->base != NIR_TYPE_FLOAT ||
               place->type->bit_size == 64;
   bool relaxed = variable->relaxed && bits == 32 && place->type->bit_size == 32;
   if (load->op == NIR_INTRINSIC_interp_deref_at_vertex)
      return nir_load_explicit_input(b, count, bits, load->src[1].def, offset, .slot = slot, .component = component,
                                     .src_type = base_type(place->type), .relaxed = relaxed);
   if (variable->mode == NIR_VAR_SHADER_OUT)
      return load_output(b, place, slot, (struct slice){component, count, bits});
   if (place->vertex)
      return nir_load_per_vertex_input(b, count, bits, place->vertex, offset, .slot = slot, .component = component,
                                       .src_type = base_type(place->type), .relaxed = relaxed);
   if (flat)
      return nir_load_input(b, count, bits, offset, .slot = slot, .component = component,
                            .src_type = base_type(place->type), .relaxed = relaxed);
   return nir_load_interpolated_input(b, count, bits, barycentric(b, load, variable), offset, .slot = slot,
                                      .component = component, .relaxed = relaxed);
}

static struct nir_def *
load_64(struct nir_builder *b, const struct nir_intrinsic_instr *load, const struct place *place)
{
   struct nir_def *values[4];
   for (unsigned i = 0; i < place->type->components; i++) {
      unsigned component = place->component + 2 * i;
      struct nir_def *pair = load_slot(b, load, place, place->slot + component / 4, component % 4, 2, 32);
      values[i] = nir_pack_64_2x32(b, pair);
   }
   return nir_vec(b, values, place->type->components);
}

static void
lower_load(struct nir_builder *b, struct nir_intrinsic_instr *load, const struct place *place)
{
   struct nir_def *value;
   if (place->type->bit_size == 64)
      value = load_64(b, load, place);
   else
      value = load_slot(b, load, place, place->slot, place->component, place->type->components,
                        place->type->bit_size == 1 ? 32 : MAX2(place->type->bit_size, 16u));
   if (place->element)
      value = nir_vector_extract(b, value, place->element);
   if (place->type->bit_size == 8)
      value = nir_u2uN(b, value, 8);
   if (place->type->bit_size == 1)
      value = nir_ine_imm(b, value, 0);
   nir_def_replace(&load->def, value);
   nir_instr_remove(&load->instr);
}

/* Where the shader's slot goes (info.color_targets); NIR_SLOT_COUNT: nowhere. */
static unsigned
target_slot(const struct nir_shader *shader, unsigned slot)
{
   const uint32_t targets = shader->info.color_targets;
   if (!targets || shader->stage != NIR_STAGE_FRAGMENT || slot < NIR_SLOT_FRAG_DATA0 ||
       slot > NIR_SLOT_FRAG_DATA0 + 7)
      return slot;
   const unsigned target = targets >> (4 * (slot - NIR_SLOT_FRAG_DATA0)) & 15;
   return target < 8 ? NIR_SLOT_FRAG_DATA0 + target : NIR_SLOT_COUNT;
}

static bool
is_relaxed(const struct place *place)
{
   return place->variable->relaxed && !place->variable->invariant && place->type->bit_size == 32;
}

static void
store_slot(struct nir_builder *b, const struct place *place, struct nir_def *value, uint32_t component, uint32_t mask)
{
   const unsigned slot = target_slot(b->shader, place->slot + component / 4);
   if (!mask || slot == NIR_SLOT_COUNT)
      return;
   if (place->vertex) {
      nir_store_per_vertex_output(b, value, place->vertex, place->offset ? place->offset : nir_imm_int(b, 0),
                                  .slot = slot, .component = component % 4, .write_mask = mask,
                                  .src_type = base_type(place->type), .relaxed = is_relaxed(place));
      return;
   }
   nir_store_output(b, value, place->offset ? place->offset : nir_imm_int(b, 0), .slot = slot,
                    .component = component % 4, .write_mask = mask, .frag_index = place->variable->frag_index,
                    .src_type = base_type(place->type), .relaxed = is_relaxed(place));
}

/* What stands in the slot for values of other sizes than 16 and 32 bits. */
static struct nir_def *
stored(struct nir_builder *b, struct nir_def *value)
{
   return value->bit_size == 8 ? nir_u2uN(b, value, 16) : value->bit_size == 1 ? nir_b2iN(b, value, 32) : value;
}

static void
lower_store(struct nir_builder *b, struct nir_intrinsic_instr *store, const struct place *place)
{
   assert(!place->element && "run-time component of an output: temporaries come first");
   struct nir_def *value = store->src[1].def;
   uint32_t mask = nir_intrinsic_write_mask(store);
   if (value->bit_size == 64) {
      for (unsigned i = 0; i < value->num_components; i++)
         store_slot(b, place, nir_unpack_64_2x32(b, nir_channel(b, value, i)), place->component + 2 * i,
                    mask >> i & 1 ? 3 : 0);
   } else {
      store_slot(b, place, stored(b, value), place->component, mask);
   }
   nir_instr_remove(&store->instr);
}

static bool
lower(struct nir_shader *shader, struct nir_intrinsic_instr *instr)
{
   if (!nir_intrinsic_takes_deref(instr->op))
      return false;
   struct nir_deref_instr *deref = nir_src_as_deref(instr->src[0]);
   if (!(deref->mode & (NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT)))
      return false;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&instr->instr));
   struct nir_deref_path path;
   struct place place = {};
   nir_deref_path_of(deref, &path);
   walk(&b, &path, &place);
   assert(place.slot < NIR_SLOT_COUNT && "an input or output without a location");
   if (instr->op == NIR_INTRINSIC_store_deref) {
      lower_store(&b, instr, &place);
   } else {
      assert((deref->mode == NIR_VAR_SHADER_IN || shader->stage == NIR_STAGE_TESS_CTRL ||
              shader->stage == NIR_STAGE_MESH) &&
             "an output is read: temporaries come first");
      lower_load(&b, instr, &place);
   }
   return true;
}

bool
nir_lower_io(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= lower(shader, nir_as_intrinsic(instr));
      }
   }
   nir_remove_dead_variables(shader, 0); /* the derefs; drivers still look at the variables */
   return progress;
}
