#include "gallium/drivers/asahi/agx_varyings.h"

#include "util/macros.h"
#include "util/mutant.h"

#define POSITION_WORDS 4

/* Slots that the hardware takes out of the vertex by itself; for reading, they are copied among the user words. */
static bool
is_user_slot(unsigned slot)
{
   return slot != NIR_SLOT_POS && slot != NIR_SLOT_PSIZ && slot != NIR_SLOT_PRIMITIVE_ID;
}

/* Behind the words so far. Components between the first and the last that both sides have lie side by side. */
static unsigned
place_slot(struct agx_varyings *v, unsigned slot, uint8_t mask, unsigned word)
{
   unsigned first = (unsigned)__builtin_ctz(mask), last = log2_floor(mask);

   for (unsigned i = first; i <= last; i++)
      v->word[slot][i] = (uint8_t)word++;
   return word;
}

/* All user words of one kind of interpolation. */
static unsigned
place_kind(struct agx_varyings *v, const struct agx_slot_masks *written, const struct agx_fragment_reads *reads,
           enum nir_interp interp, unsigned word)
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      uint8_t mask = written->slot[slot] & reads->components.slot[slot];

      if (mask && is_user_slot(slot) && reads->interp[slot] == interp)
         word = place_slot(v, slot, mask, word);
   }
   return word;
}

static bool
place_words(struct agx_varyings *v, const struct agx_slot_masks *written, const struct agx_fragment_reads *reads,
            const struct agx_varyings_key *key)
{
   unsigned smooth = place_kind(v, written, reads, NIR_INTERP_SMOOTH, POSITION_WORDS);
   unsigned flat = place_kind(v, written, reads, NIR_INTERP_FLAT, smooth);
   unsigned word = place_kind(v, written, reads, NIR_INTERP_NOPERSPECTIVE, flat);

   v->num_cull = key->cull_distances;
   for (unsigned i = 0; i < v->num_cull; i++)
      v->cull_word[i] = (uint8_t)word++;
   v->smooth = (uint8_t)(smooth - POSITION_WORDS);
   v->flat = (uint8_t)(flat - smooth);
   v->linear = (uint8_t)(word - flat);
   if (key->topology == PIPE_POINT_LIST)
      v->point_size = (uint8_t)word++;
   if (written->slot[NIR_SLOT_LAYER] || written->slot[NIR_SLOT_VIEWPORT])
      v->layer_viewport = (uint8_t)word++;
   v->num_clip = key->clip_distances;
   if (v->num_clip)
      v->clip = (uint8_t)word;
   word += v->num_clip;
   v->words = (uint8_t)word;
   return word <= UINT8_MAX;
}

/* Returns the first of its registers. */
static unsigned
bind(struct agx_varyings *v, struct agx_cf_binding binding)
{
   if (v->num_bindings == AGX_MAX_BINDINGS)
      return 0;
   binding.base_coefficient_register = v->num_cf;
   v->bindings[v->num_bindings++] = binding;
   v->num_cf += binding.components;
   return binding.base_coefficient_register;
}

static enum agx_shade_model
shade_model(enum nir_interp interp, enum pipe_topology topology)
{
   switch (interp) {
   case NIR_INTERP_SMOOTH:
      return AGX_SHADE_MODEL_PERSPECTIVE;
   case NIR_INTERP_NOPERSPECTIVE:
      return AGX_SHADE_MODEL_LINEAR;
   case NIR_INTERP_FLAT:
      break;
   }
   /* The hub of a fan is the hardware's first vertex, and the API's is the second. */
   return topology == PIPE_TRIANGLE_FAN ? AGX_SHADE_MODEL_FLAT_VERTEX_1 : AGX_SHADE_MODEL_FLAT_VERTEX_0;
}

static void
bind_slot(struct agx_varyings *v, unsigned slot, unsigned user_base, enum agx_shade_model model)
{
   unsigned first = 0, count = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (!v->word[slot][i])
         continue;
      if (!count++)
         first = i;
   }
   if (!count)
      return;
   unsigned cf = bind(v, (struct agx_cf_binding){.components = count,
                                                 .shade_model = model,
                                                 .base_slot = user_base + v->word[slot][first] - POSITION_WORDS -
                                                              (mutant("agx-varying-slot") ? 1 : 0)});
   for (unsigned i = 0; i < count; i++)
      v->cf[slot][first + i] = (uint8_t)(cf + i);
}

static void
bind_fixed(struct agx_varyings *v, const struct agx_fragment_reads *reads)
{
   bind(v, (struct agx_cf_binding){.components = 1, .shade_model = AGX_SHADE_MODEL_LINEAR}); /* W: cf0 */
   if (reads->frag_coord_z)
      v->z_cf = (uint8_t)bind(v, (struct agx_cf_binding){.components = 1,
                                                         .shade_model = AGX_SHADE_MODEL_LINEAR,
                                                         .source = AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z,
                                                         .base_slot = 1});
   if (reads->point_coord)
      v->point_coord_cf = (uint8_t)bind(v, (struct agx_cf_binding){.components = 2,
                                                                   .shade_model = AGX_SHADE_MODEL_LINEAR,
                                                                   .source = AGX_COEFFICIENT_SOURCE_POINT_COORD});
   if (reads->primitive_id)
      v->primitive_id_cf = (uint8_t)bind(v, (struct agx_cf_binding){.components = 1,
                                                                    .shade_model = AGX_SHADE_MODEL_FLAT_VERTEX_0,
                                                                    .source = AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID});
}

bool
agx_varyings_link(struct agx_varyings *v, const struct agx_slot_masks *written,
                  const struct agx_fragment_reads *reads, const struct agx_varyings_key *key)
{
   unsigned user_base = reads->frag_coord_z ? 2 : 1;

   *v = (struct agx_varyings){0};
   if (key->cull_distances > AGX_MAX_CULL_DISTANCES || !place_words(v, written, reads, key))
      return false;
   v->flat_coefficient = key->topology == PIPE_TRIANGLE_FAN ? 1 : 2; /* of FLAT_VERTEX_1 it is B [seen] */
   bind_fixed(v, reads);
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++)
      bind_slot(v, slot, user_base, shade_model(reads->interp[slot], key->topology));
   for (unsigned i = 0; i < v->num_cull; i++)
      v->cull_cf[i] =
         (uint8_t)bind(v, (struct agx_cf_binding){.components = 1,
                                                  .shade_model = AGX_SHADE_MODEL_LINEAR,
                                                  .base_slot = user_base + v->cull_word[i] - POSITION_WORDS});
   v->slots = (uint8_t)(user_base + v->smooth + v->flat + v->linear);
   return v->num_bindings < AGX_MAX_BINDINGS && v->num_cf <= 255;
}

void
agx_nir_gather_vertex_writes(struct nir_shader *vertex, struct agx_slot_masks *written)
{
   *written = (struct agx_slot_masks){0};
   nir_foreach_block(block, vertex) {
      nir_foreach_instr(instr, block) {
         const struct nir_intrinsic_instr *store = nir_as_intrinsic(instr);

         if (instr->type == NIR_INSTR_INTRINSIC && store->op == NIR_INTRINSIC_store_output)
            written->slot[nir_intrinsic_slot(store)] |=
               (uint8_t)(nir_intrinsic_write_mask(store) << nir_intrinsic_component(store));
      }
   }
}

static void
gather_input(struct agx_fragment_reads *reads, const struct nir_intrinsic_instr *load, unsigned offset_src,
             enum nir_interp interp)
{
   unsigned slot = nir_intrinsic_slot(load);

   if (!nir_src_is_const(load->src[offset_src])) {
      reads->error = "fragment inputs that are indexed at run time are not supported";
      return;
   }
   slot += (unsigned)nir_src_comp_as_uint(load->src[offset_src], 0);
   if (slot == NIR_SLOT_PRIMITIVE_ID)
      reads->primitive_id = true;
   if (reads->components.slot[slot] && reads->interp[slot] != interp)
      reads->error = "a location of the fragment shader's inputs has components that are interpolated differently";
   reads->interp[slot] = (uint8_t)interp;
   reads->components.slot[slot] |= (uint8_t)(((1u << load->def.num_components) - 1) << nir_intrinsic_component(load));
}

static bool
uses_component(const struct nir_def *def, unsigned component)
{
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU)
         return true;
      const struct nir_alu_src *src = container_of(use, struct nir_alu_src, src);
      const struct nir_alu_instr *alu = nir_as_alu(use->parent_instr);
      unsigned count = nir_op_infos[alu->op].src_components[src - alu->src];

      for (unsigned i = 0; i < (count ? count : alu->def.num_components); i++) {
         if (src->swizzle[i] == component)
            return true;
      }
   }
   return false;
}

static void
gather_read(struct agx_fragment_reads *reads, const struct nir_intrinsic_instr *load)
{
   switch ((int)load->op) {
   case NIR_INTRINSIC_load_input:
      gather_input(reads, load, 0, NIR_INTERP_FLAT);
      break;
   case NIR_INTRINSIC_load_interpolated_input: {
      const struct nir_intrinsic_instr *barycentric = nir_as_intrinsic(load->src[0].def->parent);

      gather_input(reads, load, 1, (enum nir_interp)nir_intrinsic_interp(barycentric));
      break;
   }
   case NIR_INTRINSIC_load_frag_coord:
      reads->frag_coord_z |= uses_component(&load->def, 2);
      break;
   case NIR_INTRINSIC_load_point_coord:
      reads->point_coord = true;
      break;
   case NIR_INTRINSIC_load_primitive_id:
      reads->primitive_id = true;
      break;
   default: /* others: read nothing that comes from vertices */
      break;
   }
}

void
agx_nir_gather_fragment_reads(struct nir_shader *fragment, struct agx_fragment_reads *reads)
{
   *reads = (struct agx_fragment_reads){0};
   nir_foreach_block(block, fragment) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            gather_read(reads, nir_as_intrinsic(instr));
      }
   }
}
