#include "gallium/drivers/asahi/varyings/agx_varyings.h"

#include "gallium/drivers/asahi/agx_record_mutant.h"
#include "util/macros.h"
#include "util/mutant.h"

#define POSITION_WORDS 4

/* The order of user words. */
static const enum nir_interp kinds[] = {NIR_INTERP_SMOOTH, NIR_INTERP_FLAT, NIR_INTERP_NOPERSPECTIVE};

/* A component of a slot. */
struct value {
   uint8_t slot, component;
};

/* Slots that the hardware takes out of the vertex by itself; for reading, they are copied among the user words. */
static bool
is_user_slot(unsigned slot)
{
   return slot != NIR_SLOT_POS && slot != NIR_SLOT_PSIZ && slot != NIR_SLOT_PRIMITIVE_ID;
}

/* The user values of one kind and size that are read, in the order of their registers. */
static unsigned
values_of(const struct agx_fragment_reads *reads, enum nir_interp kind, bool half,
          struct value values[AGX_SLOT_COUNT * 4])
{
   unsigned count = 0;

   for (unsigned slot = 0; slot < AGX_SLOT_COUNT; slot++) {
      uint8_t mask = reads->components.slot[slot] & (half ? reads->half.slot[slot] : ~reads->half.slot[slot]);

      if (!is_user_slot(slot) || reads->interp[slot] != kind)
         continue;
      for (; mask; mask &= (uint8_t)(mask - 1))
         values[count++] = (struct value){(uint8_t)slot, (uint8_t)__builtin_ctz(mask)};
   }
   return count;
}

unsigned
agx_primitive_vertices(enum pipe_topology topology)
{
   bool line = topology == PIPE_LINE_LIST || topology == PIPE_LINE_STRIP;

   return topology == PIPE_POINT_LIST ? 1 : line ? 2 : 3;
}

/* The hub of a fan is the hardware's first vertex, and the API's is the second. */
unsigned
agx_provoking_vertex(struct agx_primitives prims)
{
   if (prims.provoking_last)
      return 2;
   return prims.topology == PIPE_TRIANGLE_FAN ? 1 : 0;
}

unsigned
agx_flat_vertex(struct agx_primitives prims, unsigned vertex)
{
   bool is_last = vertex + 1 == agx_primitive_vertices(prims.topology);

   return prims.provoking_last && is_last ? 2 : vertex;
}

unsigned
agx_flat_component(unsigned flat_vertex)
{
   return flat_vertex == 1 ? 1 : 2; /* of FLAT_VERTEX_1 it is B [seen] */
}

/* Those of them that are read of each vertex. They stand in words of 32 bits. */
static unsigned
vertex_values_of(const struct agx_fragment_reads *reads, struct value values[AGX_SLOT_COUNT * 4])
{
   struct agx_fragment_reads only = *reads;

   only.components = reads->per_vertex;
   return values_of(&only, NIR_INTERP_FLAT, false, values);
}

/* ---- registers ---- */

static void
assign_fixed(struct agx_fragment_registers *r, const struct agx_fragment_reads *reads)
{
   r->num_cf = 1; /* W */
   if (reads->frag_coord_z)
      r->z_cf = (uint8_t)r->num_cf++;
   if (reads->point_coord) {
      r->point_coord_cf = (uint8_t)r->num_cf;
      r->num_cf += 2;
   }
   if (reads->primitive_id)
      r->primitive_id_cf = (uint8_t)r->num_cf++;
}

bool
agx_fragment_registers_assign(struct agx_fragment_registers *r, const struct agx_fragment_reads *reads,
                              unsigned cull_distances, struct agx_primitives prims)
{
   struct value values[AGX_SLOT_COUNT * 4];

   *r = (struct agx_fragment_registers){.num_cull = (uint8_t)cull_distances, .prims = prims};
   r->flat_coefficient = (uint8_t)agx_flat_component(agx_provoking_vertex(prims));
   if (cull_distances > AGX_MAX_CULL_DISTANCES)
      return false;
   assign_fixed(r, reads);
   for (unsigned size = 0; size < 2; size++) {
      for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++) {
         unsigned count = values_of(reads, kinds[k], size == 0, values);

         for (unsigned i = 0; i < count; i++)
            r->cf[values[i].slot][values[i].component] = (uint8_t)r->num_cf++;
      }
   }
   for (unsigned vertex = 1; vertex < agx_primitive_vertices(prims.topology); vertex++) {
      unsigned count = vertex_values_of(reads, values);

      for (unsigned i = 0; i < count; i++)
         r->vertex_cf[vertex - 1][values[i].slot][values[i].component] = (uint8_t)r->num_cf++;
   }
   for (unsigned i = 0; i < cull_distances; i++)
      r->cull_cf[i] = (uint8_t)r->num_cf++;
   return r->num_cf <= UINT8_MAX;
}

/* ---- words ---- */

static bool
is_left(const struct agx_vertex_outputs *outputs, struct value v)
{
   return outputs->components.slot[v.slot] >> v.component & 1;
}

/* Finds the pairs of a kind: words of 16 bits, from `word` on, or only which they are. */
static unsigned
place_pairs(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
            const struct agx_fragment_reads *reads, enum nir_interp kind, unsigned word)
{
   struct value values[AGX_SLOT_COUNT * 4];
   unsigned count = values_of(reads, kind, true, values);

   for (unsigned i = 0; i + 1 < count; i++) {
      struct value low = values[i], high = values[i + 1];

      if (!is_left(outputs, low) || !is_left(outputs, high))
         continue;
      w->half.slot[low.slot] |= (uint8_t)(1u << low.component);
      w->half.slot[high.slot] |= (uint8_t)(1u << high.component);
      w->high.slot[high.slot] |= (uint8_t)(1u << high.component);
      w->word[low.slot][low.component] = w->word[high.slot][high.component] = (uint8_t)word++;
      i++;
   }
   return word;
}

/* Whatever is in no pair. */
static unsigned
place_singles(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
              const struct agx_fragment_reads *reads, enum nir_interp kind, unsigned word)
{
   struct value values[AGX_SLOT_COUNT * 4];

   for (unsigned size = 0; size < 2; size++) {
      unsigned count = values_of(reads, kind, size == 0, values);

      for (unsigned i = 0; i < count; i++) {
         struct value v = values[i];

         if (is_left(outputs, v) && !(w->half.slot[v.slot] >> v.component & 1))
            w->word[v.slot][v.component] = (uint8_t)word++;
      }
   }
   return word;
}

static struct agx_word_counts
counts_of(unsigned first, unsigned flat, unsigned linear, unsigned end)
{
   return (struct agx_word_counts){(uint8_t)(flat - first), (uint8_t)(linear - flat), (uint8_t)(end - linear)};
}

static unsigned
place_user_words(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
                 const struct agx_fragment_reads *reads)
{
   unsigned at[4] = {POSITION_WORDS};

   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++)
      place_pairs(w, outputs, reads, kinds[k], 0); /* finds which they are */
   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++)
      at[k + 1] = place_singles(w, outputs, reads, kinds[k], at[k]);
   w->num_cull = outputs->cull_distances;
   for (unsigned i = 0; i < w->num_cull; i++)
      w->cull_word[i] = (uint8_t)at[3]++;
   w->counts_32 = counts_of(at[0], at[1], at[2], at[3]);
   at[0] = at[3];
   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++)
      at[k + 1] = place_pairs(w, outputs, reads, kinds[k], at[k]);
   w->counts_16 = counts_of(at[0], at[1], at[2], at[3]);
   return at[3];
}

bool
agx_vertex_words_assign(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
                        const struct agx_fragment_reads *reads, struct agx_primitives prims)
{
   *w = (struct agx_vertex_words){.num_clip = outputs->clip_distances};
   if (outputs->cull_distances > AGX_MAX_CULL_DISTANCES)
      return false;
   unsigned word = place_user_words(w, outputs, reads);

   for (unsigned slot = 0; slot < AGX_SLOT_COUNT; slot++)
      w->flat.slot[slot] = reads->interp[slot] == NIR_INTERP_FLAT ? reads->components.slot[slot] : 0;
   if (prims.topology == PIPE_POINT_LIST)
      w->point_size = (uint8_t)word++;
   if (outputs->components.slot[NIR_SLOT_LAYER] || outputs->components.slot[NIR_SLOT_VIEWPORT])
      w->layer_viewport = (uint8_t)word++;
   if (w->num_clip)
      w->clip = (uint8_t)word;
   word += w->num_clip;
   w->words = (uint8_t)word;
   return word <= UINT8_MAX;
}

/* ---- bindings ---- */

struct binder {
   struct agx_cf_bindings *bindings;
   bool full;
   const struct agx_vertex_words *words;
   const struct agx_fragment_reads *reads;
   const struct agx_fragment_registers *registers;
   unsigned user_base; /* slot of the first value of the shader's own */
   struct agx_primitives prims;
};

static void
bind(struct binder *b, const struct agx_cf_binding *binding)
{
   if (b->bindings->count == AGX_MAX_BINDINGS)
      b->full = true;
   else
      b->bindings->binding[b->bindings->count++] = *binding;
}

/* A slot more: of the last binding, if it and its registers continue there. */
static void
bind_slot(struct binder *b, unsigned slot, unsigned cf, enum agx_shade_model model)
{
   unsigned registers = slot < b->bindings->slots_32 ? 1 : 2, count = b->bindings->count;
   struct agx_cf_binding *last = count ? &b->bindings->binding[count - 1] : NULL;

   if (last && last->source == AGX_COEFFICIENT_SOURCE_VARYING && last->shade_model == model && last->components < 4 &&
       last->base_slot && slot == last->base_slot + last->components && slot != b->bindings->slots_32 &&
       cf == last->base_coefficient_register + last->components * registers) {
      last->components++;
      return;
   }
   bind(b, &(struct agx_cf_binding){
              .components = 1, .shade_model = model, .base_slot = slot, .base_coefficient_register = cf});
}

static const enum agx_shade_model flat_models[] = {AGX_SHADE_MODEL_FLAT_VERTEX_0, AGX_SHADE_MODEL_FLAT_VERTEX_1,
                                                   AGX_SHADE_MODEL_FLAT_VERTEX_2};

static enum agx_shade_model
shade_model(enum nir_interp interp, struct agx_primitives prims)
{
   switch (interp) {
   case NIR_INTERP_SMOOTH:
      return AGX_SHADE_MODEL_PERSPECTIVE;
   case NIR_INTERP_NOPERSPECTIVE:
      return AGX_SHADE_MODEL_LINEAR;
   case NIR_INTERP_FLAT:
      break;
   }
   return flat_models[agx_provoking_vertex(prims)];
}

static void
bind_fixed(struct binder *b, const struct agx_fragment_registers *r)
{
   bind(b, &(struct agx_cf_binding){.components = 1, .shade_model = AGX_SHADE_MODEL_LINEAR}); /* W: cf0 */
   if (r->z_cf)
      bind(b, &(struct agx_cf_binding){.components = 1,
                                       .shade_model = AGX_SHADE_MODEL_LINEAR,
                                       .source = AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z,
                                       .base_slot = 1,
                                       .base_coefficient_register = r->z_cf});
   if (r->point_coord_cf)
      bind(b, &(struct agx_cf_binding){.components = 2,
                                       .shade_model = AGX_SHADE_MODEL_LINEAR,
                                       .source = AGX_COEFFICIENT_SOURCE_POINT_COORD,
                                       .base_coefficient_register = r->point_coord_cf});
   if (r->primitive_id_cf)
      bind(b, &(struct agx_cf_binding){.components = 1,
                                       .shade_model = AGX_SHADE_MODEL_FLAT_VERTEX_0,
                                       .source = AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID,
                                       .base_coefficient_register = r->primitive_id_cf});
}

static void
bind_value(struct binder *b, struct value v, unsigned cf, enum agx_shade_model model)
{
   unsigned word = b->words->word[v.slot][v.component];

   if (word)
      bind_slot(b, b->user_base + word - POSITION_WORDS, cf, model);
   else
      bind_slot(b, 0, cf, AGX_SHADE_MODEL_LINEAR); /* nobody has written it: undefined */
}

static void
bind_kind(struct binder *b, enum nir_interp kind, bool half)
{
   struct value values[AGX_SLOT_COUNT * 4];
   unsigned count = values_of(b->reads, kind, half, values);

   for (unsigned i = 0; i < count; i++) {
      struct value v = values[i];
      bool per_vertex = b->reads->per_vertex.slot[v.slot] >> v.component & 1;

      if (!(b->words->high.slot[v.slot] >> v.component & 1)) /* else it comes with the low one */
         bind_value(b, v, b->registers->cf[v.slot][v.component],
                    per_vertex ? flat_models[agx_flat_vertex(b->prims, 0)] : shade_model(kind, b->prims));
   }
}

/* Of the vertices after the first. */
static void
bind_vertices(struct binder *b)
{
   struct value values[AGX_SLOT_COUNT * 4];
   unsigned count = vertex_values_of(b->reads, values);

   for (unsigned i = 0; i + 1 < agx_primitive_vertices(b->prims.topology); i++) {
      for (unsigned k = 0; k < count; k++)
         bind_value(b, values[k], b->registers->vertex_cf[i][values[k].slot][values[k].component],
                    flat_models[agx_flat_vertex(b->prims, i + 1)]);
   }
}

bool
agx_cf_bindings_make(struct agx_cf_bindings *bindings, const struct agx_vertex_words *w,
                     const struct agx_fragment_reads *reads, const struct agx_fragment_registers *r,
                     struct agx_primitives prims)
{
   const unsigned user_base = reads->frag_coord_z ? 2 : 1;
   struct binder b = {
      .bindings = bindings, .words = w, .reads = reads, .registers = r, .user_base = user_base, .prims = prims};

   *bindings = (struct agx_cf_bindings){0};
   bindings->slots_32 = (uint8_t)(user_base + w->counts_32.smooth + w->counts_32.flat + w->counts_32.linear);
   bind_fixed(&b, r);
   for (unsigned size = 0; size < 2; size++) {
      for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++)
         bind_kind(&b, kinds[k], size == 0);
   }
   bind_vertices(&b);
   for (unsigned i = 0; i < r->num_cull; i++)
      bind_slot(&b, w->cull_word[i] ? user_base + w->cull_word[i] - POSITION_WORDS : 0, r->cull_cf[i],
                AGX_SHADE_MODEL_LINEAR);
   agx_mutate_struct(MUTANT_agx_cf_bindings, 0, bindings);
   return !b.full;
}

/* ---- together ---- */

/* What the fragment program needs of the position. */
static void
read_corners(struct agx_fragment_reads *reads, struct agx_primitives prims)
{
   bool weighs = reads->barycentric_coord && prims.topology != PIPE_POINT_LIST;
   bool turns = (reads->barycentric_coord || reads->vertices) && prims.topology == PIPE_TRIANGLE_STRIP;

   if (!weighs && !turns)
      return;
   reads->components.slot[AGX_SLOT_PLACE] = 1 << 0 | 1 << 1;
   reads->interp[AGX_SLOT_PLACE] = NIR_INTERP_SMOOTH;
   reads->components.slot[AGX_SLOT_CORNER] = reads->per_vertex.slot[AGX_SLOT_CORNER] = 1 << 0 | 1 << 1 | 1 << 3;
   reads->interp[AGX_SLOT_CORNER] = NIR_INTERP_FLAT;
}

bool
agx_varyings_link(struct agx_varyings *v, const struct agx_vertex_outputs *outputs,
                  const struct agx_fragment_reads *reads, struct agx_primitives prims)
{
   struct agx_fragment_reads both = *reads;

   read_corners(&both, prims);
   for (unsigned slot = 0; slot < AGX_SLOT_COUNT; slot++) {
      both.components.slot[slot] &= outputs->components.slot[slot];
      both.per_vertex.slot[slot] &= outputs->components.slot[slot];
      both.half.slot[slot] = both.components.slot[slot] & ~both.per_vertex.slot[slot] &
                             (outputs->half.slot[slot] | reads->half.slot[slot]);
   }
   if (!agx_fragment_registers_assign(&v->fragment, &both, outputs->cull_distances, prims) ||
       !agx_vertex_words_assign(&v->vertex, outputs, &both, prims))
      return false;
   if (!mutant("agx-half-unextended"))
      v->fragment.half = v->vertex.half;
   return agx_cf_bindings_make(&v->bindings, &v->vertex, &both, &v->fragment, prims);
}
